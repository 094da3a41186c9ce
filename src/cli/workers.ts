import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { AggregatorRegistry, type MetricObject } from 'prom-client';
import { SMALLEST_BUDGET } from '../kernel/common/cache.js';
import type { Config } from '../kernel/platform/config/config.js';
import { OperatorError, reasonOf } from '../kernel/platform/operator-error.js';
import { WORKER_VARIABLE } from '../kernel/platform/processes.js';
import type { Output } from './output.js';
import type { Shutdown } from './shutdown.js';
import type { FromWorker, ToWorker } from './worker-messages.js';

/** Connections of a worker: with fewer, half of them would be too few for one organization. */
const SMALLEST_POOL = 4;
/** Megabytes of heap that a worker has beside its caches: for the program and the requests that it answers. */
const WORKING_MB = 1024;
/** Megabytes of each of the two halves of new objects; V8 would take four times as many, in each worker. */
const YOUNG_MB = 4;
/** The allocator of the C library on Linux would keep the memory that each of the many threads of a process has freed. */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };
/** Milliseconds of life below which the end of a worker is early. */
const EARLY = 10_000;
/** Early ends in succession after which the server stops. */
const EARLY_ENDS = 5;
const FIRST_PAUSE = 250;
/** Milliseconds that a worker is given for its metrics. */
const METRICS_PATIENCE = 2000;
/** Milliseconds that a worker is given to close, beyond the time for open requests. */
const CLOSING = 15_000;

/**
 * Serves a migrated database with several processes that share the ports, until a shutdown is requested. Where the
 * database is still to be reached, which ends with its address, the first one stands in until then.
 */
export async function serveWithWorkers(
  config: Config,
  database: string | (() => Promise<string | undefined>),
  count: number,
  shutdown: Shutdown,
  output: Output,
): Promise<void> {
  const share: Config = {
    ...config,
    // Ports that all workers, and those that replace them, can open by their numbers.
    port: config.port === 0 ? await freePort(config.host) : config.port,
    ...(config.publicPort === 0 && { publicPort: await freePort(config.host) }),
    databasePoolSize: Math.max(
      Math.min(config.databasePoolSize, SMALLEST_POOL),
      Math.floor(config.databasePoolSize / count),
    ),
    memoryBudget: Math.max(SMALLEST_BUDGET, Math.floor(config.memoryBudget / count)),
    workerThreads: Math.max(1, Math.floor(config.workerThreads / count)),
  };
  cluster.setupPrimary({
    serialization: 'advanced',
    silent: true,
    execArgv: [...process.execArgv, ...heapLimits(share)],
  });
  const url = typeof database === 'string' ? database : undefined;
  const workers = new Workers(share, url, count, shutdown, output);
  try {
    const serving = workers.run();
    const ended = shutdown.wait();
    const reached = typeof database === 'string' ? undefined : await Promise.race([database(), serving, ended]);
    if (typeof reached === 'string') workers.startOn(reached);
    await Promise.race([serving, ended]);
  } finally {
    await workers.stop();
  }
}

/** The arguments that limit the heap of a worker, unless the operator has limited it. */
function heapLimits({ memoryBudget }: Pick<Config, 'memoryBudget'>): string[] {
  if (/--max[-_](?:old|semi)[-_]space/.test([process.env['NODE_OPTIONS'], ...process.execArgv].join(' '))) return [];
  const megabytes = WORKING_MB + Math.ceil(memoryBudget / 1024 ** 2);
  return [`--max-old-space-size=${megabytes}`, `--max-semi-space-size=${YOUNG_MB}`];
}

/** A free port; 0 if the address cannot be used, which the first worker then reports. */
async function freePort(host: string): Promise<number> {
  const server = createServer();
  try {
    await once(server.listen(0, host), 'listening');
    return (server.address() as AddressInfo).port;
  } catch {
    return 0;
  } finally {
    server.close();
  }
}

/** One worker in the course of its life. */
interface Member {
  readonly number: number;
  readonly worker: Worker;
  readonly forkedAt: number;
  readonly closed: Promise<unknown>;
  isLoaded: boolean;
  serving: boolean;
  fault: string | undefined;
}

/** The workers of this process, each of which is replaced when it ends. */
class Workers {
  private readonly members = new Map<number, Member>();
  private readonly collections = new Map<number, (metrics: readonly MetricObject[]) => void>();
  private readonly pauses = new Set<NodeJS.Timeout>();
  private earlyEnds = 0;
  private asked = 0;
  private isComplete = false;
  private stopping = false;
  private advance: () => void = () => undefined;
  private fail: (error: Error) => void = () => undefined;

  constructor(
    private config: Config,
    private databaseUrl: string | undefined,
    private readonly count: number,
    private readonly shutdown: Shutdown,
    private readonly output: Output,
  ) {}

  /** Starts all, the first one before the others; it never returns, and rejects when workers keep ending. */
  run(): Promise<never> {
    return new Promise((_, reject) => {
      this.fail = reject;
      void this.startAll();
    });
  }

  /** Starts those that wait for it on a database. */
  startOn(databaseUrl: string): void {
    this.databaseUrl = databaseUrl;
    for (const member of this.members.values()) if (member.isLoaded) this.begin(member);
  }

  private async startAll(): Promise<void> {
    this.fork(1);
    await this.until(1);
    for (let number = 2; number <= this.count; number++) this.fork(number);
    await this.until(this.count);
    this.isComplete = true;
    for (const { worker } of this.members.values()) send(worker, { type: 'complete' });
  }

  private async until(serving: number): Promise<void> {
    while (this.serving().length < serving) await new Promise<void>((settle) => (this.advance = settle));
  }

  private serving(): Member[] {
    return [...this.members.values()].filter((member) => member.serving);
  }

  private fork(number: number): void {
    const worker = cluster.fork({ ...ALLOCATOR, ...process.env, [WORKER_VARIABLE]: `${number}/${this.count}` });
    const { process: child } = worker;
    const member: Member = {
      number,
      worker,
      forkedAt: performance.now(),
      closed: new Promise((settle) => child.once('close', settle)),
      isLoaded: false,
      serving: false,
      fault: undefined,
    };
    this.members.set(number, member);
    // Whole lines, which would mix if all processes wrote them into one pipe.
    if (child.stdout) createInterface(child.stdout).on('line', (line) => process.stdout.write(`${line}\n`));
    if (child.stderr) createInterface(child.stderr).on('line', (line) => this.output.note(line));
    worker.on('error', () => undefined);
    worker.on('message', (message: FromWorker) => this.receive(member, message));
    worker.once('exit', (code, signal) => this.ended(member, signal || `exit code ${code}`));
  }

  private receive(member: Member, message: FromWorker): void {
    const { worker } = member;
    if (message.type === 'loaded') {
      member.isLoaded = true;
      this.begin(member);
    } else if (message.type === 'serving') {
      member.serving = true;
      this.config = { ...this.config, publicPort: message.publicPort };
      if (this.isComplete) send(worker, { type: 'complete' });
      this.advance();
    } else if (message.type === 'fault') {
      member.fault = message.message;
    } else if (message.type === 'collected') {
      this.collections.get(message.id)?.(message.metrics);
    } else {
      void this.metrics()
        .catch((error: unknown) => {
          this.output.note(`The metrics of the workers could not be summed: ${reasonOf(error)}`);
          return '';
        })
        .then((text) => send(worker, { type: 'metrics', id: message.id, text }));
    }
  }

  private begin({ number, worker }: Member): void {
    const { config, databaseUrl } = this;
    if (this.stopping) this.sendStop(worker);
    else if (databaseUrl === undefined) send(worker, { type: 'stand-in', config });
    else send(worker, { type: 'start', config, databaseUrl, announces: number === 1 && !this.isComplete });
  }

  private ended(member: Member, ending: string): void {
    if (this.stopping) return;
    member.serving = false;
    const reason = member.fault ?? `Worker ${member.number} ended (${ending})`;
    if (!this.isComplete) {
      this.fail(new OperatorError(member.fault ?? `${reason} before it served`));
      return;
    }
    this.earlyEnds = performance.now() - member.forkedAt < EARLY ? this.earlyEnds + 1 : 0;
    if (this.earlyEnds >= EARLY_ENDS) {
      this.fail(
        new OperatorError(`Workers ended ${EARLY_ENDS} times soon after their start, so the server stopped: ${reason}`),
      );
      return;
    }
    this.output.note(`${reason}: another worker ${member.number} takes its place.`);
    const pause = setTimeout(
      () => {
        this.pauses.delete(pause);
        this.fork(member.number);
      },
      this.earlyEnds === 0 ? 0 : FIRST_PAUSE * 2 ** this.earlyEnds,
    );
    this.pauses.add(pause);
  }

  /** The metrics of all workers that serve, as one text. */
  private async metrics(): Promise<string> {
    const all = await Promise.all(this.serving().map(({ worker }) => this.collect(worker)));
    return AggregatorRegistry.aggregate(all).metrics();
  }

  private collect(worker: Worker): Promise<readonly MetricObject[]> {
    const id = ++this.asked;
    return new Promise<readonly MetricObject[]>((settle) => {
      const none = () => settle([]);
      const timer = setTimeout(none, METRICS_PATIENCE);
      worker.once('exit', none);
      this.collections.set(id, (metrics) => {
        clearTimeout(timer);
        worker.off('exit', none);
        settle(metrics);
      });
      send(worker, { type: 'collect', id });
    }).finally(() => this.collections.delete(id));
  }

  /** Lets all workers finish their requests and end; one that takes much too long is killed. */
  async stop(): Promise<void> {
    this.stopping = true;
    for (const pause of this.pauses) clearTimeout(pause);
    const { shutdownDelay, shutdownTimeout } = this.config;
    const members = [...this.members.values()];
    for (const { worker } of members) this.sendStop(worker);
    const limit = setTimeout(
      () => members.forEach(({ worker }) => worker.process.kill('SIGKILL')),
      (shutdownDelay + shutdownTimeout) * 1000 + CLOSING,
    );
    await Promise.race([Promise.all(members.map(({ closed }) => closed)), this.lost(members)]);
    clearTimeout(limit);
  }

  /** Tells the workers that the database was lost while they were about to end; it never returns. */
  private async lost(members: readonly Member[]): Promise<never> {
    await this.shutdown.loses();
    for (const { worker } of members) this.sendStop(worker);
    return await new Promise<never>(() => undefined);
  }

  private sendStop(worker: Worker): void {
    send(worker, { type: 'stop', cause: this.shutdown.signal, loss: this.shutdown.loss });
  }
}

/** A worker that has ended, or is about to, gets nothing more. */
function send(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}
