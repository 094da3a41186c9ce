import { rm } from 'node:fs/promises';
import { OperatorError, codeOf, reasonOf } from '../operator-error.js';
import { type Binaries, prepareBinaries } from './binaries.js';
import { type Launch, ensureCluster, isOccupied, isPortClash, launch, signalPostmaster } from './cluster.js';
import { ClusterLock, type ClusterRole, databaseUrl, isTransient } from './cluster-lock.js';
import { type Layout, prepareLayout, readPassword } from './layout.js';
import { ProcessWatchdog } from './process-watchdog.js';
import {
  type PostmasterFile,
  isAlive,
  isPostmasterOf,
  readPostmasterFile,
  removeStaleFile,
  waitForExit,
} from './postmaster.js';

export type EmbeddedPostgresOptions = {
  readonly dataDir: string;
  /** Told what an operator wants to know: where the database lies, that an earlier one was found. One line each. */
  readonly log: (line: string) => void;
  /** `server` (default): the only one on this data directory. `guest`: a command that works beside a server or alone. */
  readonly role?: ClusterRole;
  /** Only tests give up durability, for speed: a crash of the machine may then lose the whole database. */
  readonly durable?: boolean;
  /** Called once when the database is gone although nobody stopped it. */
  readonly onLost?: (reason: string) => void;
};

export type EmbeddedPostgres = {
  /** `postgres://` address of the database `bindery`, password included. */
  readonly url: string;
  readonly port: number;
  /** Process number of PostgreSQL. */
  readonly pid: number;
  /** Where the database lies when that is not the data directory, or what was found there. */
  readonly notice?: string;
  /** Ends all sessions and stops PostgreSQL, unless another process of ours still uses it. Safe to call twice. */
  stop(): Promise<void>;
  /** Stops it and deletes the database for good, wherever it lies; for databases of tests. The data directory itself stays. */
  remove(): Promise<void>;
};

const DATABASE = 'bindery';
const START_PATIENCE_MS = 60_000;
const RECOVERY_PATIENCE_MS = 30_000;
const STOP_PATIENCE_SECONDS = 60;

type Setting = { binaries: Binaries; layout: Layout; password: string; durable: boolean };
type Postmaster = { pid: number; port: number; found: boolean; lifeline: ProcessWatchdog };

const pause = (milliseconds: number): Promise<void> => new Promise((settle) => setTimeout(settle, milliseconds));

/** The postmaster that runs on the cluster already, as its pid file tells and the process itself confirms. */
async function findRunning(layout: Layout): Promise<PostmasterFile | undefined> {
  const file = await readPostmasterFile(layout.cluster);
  if (file === undefined) return undefined;
  if (await isPostmasterOf(file.pid, layout.cluster)) return file;
  if (isAlive(file.pid)) await removeStaleFile(layout.cluster, file);
  return undefined;
}

/** Adopts the running postmaster or launches one. Undefined means that something is changing and another look is due. */
async function findOrLaunch({
  binaries,
  layout,
  password,
  durable,
}: Setting): Promise<Postmaster | { reason: string }> {
  const running = await findRunning(layout);
  if (running !== undefined) {
    if (running.status !== 'ready') return { reason: `PostgreSQL (process ${running.pid}) is ${running.status}` };
    return {
      pid: running.pid,
      port: running.port,
      found: true,
      lifeline: ProcessWatchdog.hold(running.pid, layout.cluster, layout.account),
    };
  }
  await ensureCluster(binaries, layout, password, durable);
  const launched: Launch = await launch(binaries, layout, durable);
  if (launched.ready) return { ...launched, found: false };
  if (isPortClash(launched.reason) || isOccupied(launched.reason)) return { reason: launched.reason };
  throw new OperatorError(
    `The database in ${layout.cluster} does not start: ${launched.reason} (more in ${layout.log})`,
  );
}

async function stopPostmaster(pid: number, layout: Layout): Promise<void> {
  if (!(await isPostmasterOf(pid, layout.cluster))) return;
  await signalPostmaster(pid, 'fast');
  if (await waitForExit(pid, layout.cluster, STOP_PATIENCE_SECONDS)) return;
  await signalPostmaster(pid, 'immediate');
  await waitForExit(pid, layout.cluster, STOP_PATIENCE_SECONDS);
}

/** Opens the session of this process; a PostgreSQL that we launched in vain does not stay behind. */
async function acquireLock(
  setting: Setting,
  postmaster: Postmaster,
  role: ClusterRole,
  lost: (reason: string) => void,
): Promise<ClusterLock> {
  const { layout, password } = setting;
  try {
    return await ClusterLock.acquire(postmaster.port, password, layout.cluster, role, lost);
  } catch (error) {
    const refused = codeOf(error)?.startsWith('28') === true;
    if (refused && !postmaster.found) await stopPostmaster(postmaster.pid, layout);
    if (refused)
      throw new OperatorError(
        `The password in ${layout.dataDir} does not open the database in ${layout.cluster}: bring back the file database-password that belongs to it`,
      );
    throw error;
  }
}

/** Repeats until a session on the cluster is ours; other processes may start and stop it meanwhile. */
async function takeCluster(
  setting: Setting,
  role: ClusterRole,
  lost: (reason: string) => void,
): Promise<{ postmaster: Postmaster; lock: ClusterLock }> {
  const deadline = Date.now() + START_PATIENCE_MS;
  let reason = '';
  while (Date.now() < deadline) {
    const found = await findOrLaunch(setting);
    if ('pid' in found) {
      try {
        return { postmaster: found, lock: await acquireLock(setting, found, role, lost) };
      } catch (error) {
        found.lifeline.release();
        if (!isTransient(error)) throw error;
        reason = reasonOf(error);
      }
    } else {
      reason = found.reason;
    }
    await pause(100);
  }
  throw new OperatorError(
    `The database in ${setting.layout.cluster} is not available: ${reason} (more in ${setting.layout.log})`,
  );
}

function noticeOf(postmaster: Postmaster, layout: Layout): string | undefined {
  const notices = [
    postmaster.found
      ? `Using the PostgreSQL that was already running on this data directory (process ${postmaster.pid}).`
      : '',
    postmaster.lifeline.fault === undefined
      ? ''
      : `The database would outlive a killed server, because it cannot be watched (${postmaster.lifeline.fault}).`,
    layout.account === undefined
      ? ''
      : `The database runs as the user ${layout.account.name} and lies in ${layout.cluster}.`,
  ].filter((notice) => notice !== '');
  return notices.length === 0 ? undefined : notices.join(' ');
}

/** Keeps the session on a running cluster through the restarts that PostgreSQL does by itself when one of its processes dies. */
class Keeper {
  private lock: ClusterLock | undefined;
  private recovering: Promise<void> = Promise.resolve();
  private stopping: Promise<void> | undefined;
  postmaster: Postmaster | undefined;

  constructor(
    private readonly setting: Setting,
    private readonly role: ClusterRole,
    private readonly options: EmbeddedPostgresOptions,
  ) {}

  private readonly lost = (reason: string): void => {
    this.recovering = this.recover(reason);
  };

  async start(): Promise<Postmaster> {
    const { postmaster, lock } = await takeCluster(this.setting, this.role, this.lost);
    this.lock = lock;
    this.postmaster = postmaster;
    await lock.ensureDatabase(DATABASE);
    return postmaster;
  }

  private async recover(reason: string): Promise<void> {
    const { postmaster, setting } = this;
    this.lock = undefined;
    const deadline = Date.now() + RECOVERY_PATIENCE_MS;
    let last = reason;
    while (
      postmaster !== undefined &&
      Date.now() < deadline &&
      (await isPostmasterOf(postmaster.pid, setting.layout.cluster))
    ) {
      try {
        this.lock = await acquireLock(setting, postmaster, this.role, this.lost);
        this.options.log(`The database restarted itself (${reason}).`);
        return;
      } catch (error) {
        last = reasonOf(error);
        if (!isTransient(error)) break;
      }
      await pause(100);
    }
    if (this.stopping === undefined) this.options.onLost?.(last);
  }

  stop(): Promise<void> {
    return (this.stopping ??= this.resign());
  }

  private async resign(): Promise<void> {
    await this.recovering;
    const { lock, postmaster } = this;
    const alone = await lock?.resign().catch(() => false);
    if (alone === true && postmaster !== undefined) await stopPostmaster(postmaster.pid, this.setting.layout);
    await lock?.close();
    postmaster?.lifeline.release();
  }
}

/**
 * Runs the PostgreSQL that comes with this package on a data directory, creating it at the first start. It ends with the
 * last process that uses it. One that is running already is found by its pid file, checked against the process and the
 * password, and used; a process that is not provably ours is never touched.
 * @throws OperatorError with one line for every fault that an operator can mend.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const layout = await prepareLayout(options.dataDir);
  const [binaries, password] = await Promise.all([prepareBinaries(layout.home, layout.account), readPassword(layout)]);
  const keeper = new Keeper(
    { binaries, layout, password, durable: options.durable ?? true },
    options.role ?? 'server',
    options,
  );
  const postmaster = await keeper.start();
  const notice = noticeOf(postmaster, layout);
  if (notice !== undefined) options.log(notice);
  return {
    url: databaseUrl(postmaster.port, password, DATABASE),
    port: postmaster.port,
    pid: postmaster.pid,
    ...(notice === undefined ? {} : { notice }),
    stop: () => keeper.stop(),
    remove: async () => {
      await keeper.stop();
      if (await findRunning(layout))
        throw new OperatorError(`The database in ${layout.cluster} is still in use and stays`);
      await rm(layout.home === layout.dataDir ? layout.cluster : layout.home, { recursive: true, force: true });
    },
  };
}
