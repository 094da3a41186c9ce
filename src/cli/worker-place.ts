import type { Config } from '../kernel/platform/config/config.js';
import type { Metrics } from '../kernel/platform/telemetry/metrics.js';
import type { Shutdown } from './shutdown.js';
import type { FromWorker, Start, ToWorker } from './worker-messages.js';

/** The place of a worker among the others: what it tells the main process, and is told by it. */
export class WorkerPlace {
  private readonly ordered: Promise<Config | undefined>;
  private readonly started: Promise<Start | undefined>;
  private readonly complete: Promise<void>;
  private metrics: Metrics | undefined;
  private readonly sums = new Map<number, (text: string) => void>();
  private asked = 0;
  private order: (standIn: Config | undefined) => void = () => undefined;
  private begin: (start: Start | undefined) => void = () => undefined;
  private completed: () => void = () => undefined;
  private announcing = false;

  constructor(private readonly shutdown: Shutdown) {
    this.ordered = new Promise((settle) => (this.order = settle));
    this.started = new Promise((settle) => (this.begin = settle));
    this.complete = new Promise((settle) => (this.completed = settle));
    process.on('message', (message) => this.receive(message as ToWorker));
  }

  /** Asks what to do; the settings of a stand-in until `start`, undefined if none is needed. */
  async standIn(): Promise<Config | undefined> {
    await send({ type: 'loaded' });
    return await this.ordered;
  }

  /** The configuration and the database; undefined if the server ends already. */
  async start(): Promise<Start | undefined> {
    const start = await this.started;
    this.announcing = start?.announces === true;
    return start;
  }

  /** True for the one process that tells the operator of the addresses. */
  get announces(): boolean {
    return this.announcing;
  }

  /** Tells that this worker serves; returns once all do, or the server ends. From now on its metrics are those of all. */
  async serve(publicPort: number, metrics: Metrics): Promise<void> {
    this.metrics = metrics;
    metrics.sumBy(() => this.sum());
    await send({ type: 'serving', publicPort });
    await Promise.race([this.complete, this.shutdown.wait()]);
  }

  private receive(message: ToWorker): void {
    if (message.type === 'stand-in') return this.order(message.config);
    if (message.type === 'start' || message.type === 'stop') this.order(undefined);
    if (message.type === 'start') this.begin(message);
    else if (message.type === 'complete') this.completed();
    else if (message.type === 'collect') void this.collect(message.id);
    else if (message.type === 'metrics') this.settleSum(message.id, message.text);
    else {
      this.begin(undefined);
      if (message.loss !== undefined) this.shutdown.lose(message.loss);
      else this.shutdown.request(message.cause ?? 'The end', () => undefined);
    }
  }

  private sum(): Promise<string> {
    const id = ++this.asked;
    return new Promise((settle, fail) => {
      this.sums.set(id, settle);
      send({ type: 'sum', id }).catch(fail);
    });
  }

  private settleSum(id: number, text: string): void {
    this.sums.get(id)?.(text);
    this.sums.delete(id);
  }

  /** A worker whose metrics cannot be read, as without the database, has none in the sum. */
  private async collect(id: number): Promise<void> {
    const metrics = await this.metrics?.registry.getMetricsAsJSON().catch(() => undefined);
    await send({ type: 'collected', id, metrics: metrics ?? [] }).catch(() => undefined);
  }
}

/** Sends to the main process; rejects if that is gone. */
export function send(message: FromWorker): Promise<void> {
  return new Promise((settle, fail) => {
    process.send?.(message, undefined, undefined, (error) => (error === null ? settle() : fail(error)));
  });
}
