import { rm } from 'node:fs/promises';
import { OperatorError, codeOf, reasonOf } from '../operator-error.js';
import { type Binaries, prepareBinaries } from './binaries.js';
import { completeSwitch, removeExpired, switchingProcess } from './cluster-switch.js';
import { type Launch, ensureCluster, isOccupied, isPortClash, launch, clusterVersion } from './cluster.js';
import { isAlive } from '../process-alive.js';
import { ClusterLock, type ClusterRole, databaseUrl, isTransient } from './cluster-lock.js';
import { type Layout, prepareLayout, readPassword } from './layout.js';
import { ProcessWatchdog } from './process-watchdog.js';
import {
  type PostmasterFile,
  isPostmasterOf,
  readPostmasterFile,
  removeStaleFile,
  stopPostmaster,
} from './postmaster.js';

export type EmbeddedPostgresOptions = {
  readonly dataDir: string;
  /**
   * Receives messages for the operator: where the database is stored, or that an existing one was found. One line each.
   */
  readonly log: (line: string) => void;
  /**
   * `server` (default): the only server on this data directory. `guest`: a command that works beside a server or alone.
   */
  readonly role?: ClusterRole;
  /** Only tests give up durability, for speed: a crash of the machine may then destroy the whole database. */
  readonly durable?: boolean;
  /** Called when PostgreSQL begins to start, for work that can be done until it is ready. */
  readonly whileStarting?: () => void;
  /** Folder with `bin/postgres` of the earlier major version that made the database; without it npm brings it. */
  readonly previous?: string | undefined;
  /** Called once if the database ends without being stopped. */
  readonly onLost?: (reason: string) => void;
};

export type EmbeddedPostgres = {
  /** `postgres://` address of the database `bindery`, password included. */
  readonly url: string;
  readonly port: number;
  /** Process number of PostgreSQL. */
  readonly pid: number;
  /** The place of the database if that is not the data directory, or the state in which it was found there. */
  readonly notice?: string;
  /** Ends all sessions and stops PostgreSQL, unless another process of ours still uses it. May be called twice. */
  stop(): Promise<void>;
  /**
   * Stops PostgreSQL and deletes the database permanently, wherever it is stored; for databases of tests. The data
   * directory itself stays.
   */
  remove(): Promise<void>;
};

const DATABASE = 'bindery';
const START_PATIENCE_MS = 60_000;
/** Time that another process has for its switch; after that its number belongs to a stranger. */
const SWITCH_PATIENCE_MS = 150_000;
const RECOVERY_PATIENCE_MS = 30_000;

type Setting = {
  binaries: Binaries;
  layout: Layout;
  password: string;
  durable: boolean;
  whileStarting: () => void;
};
type Postmaster = { pid: number; port: number; found: boolean; lifeline: ProcessWatchdog };

const pause = (milliseconds: number): Promise<void> => new Promise((settle) => setTimeout(settle, milliseconds));

/**
 * Finds a postmaster that already runs on the cluster, according to its pid file and confirmed by the process itself.
 */
async function findRunning(layout: Layout): Promise<PostmasterFile | undefined> {
  const file = await readPostmasterFile(layout.cluster);
  if (file === undefined) return undefined;
  if (await isPostmasterOf(file.pid, layout.cluster)) return file;
  if (isAlive(file.pid)) await removeStaleFile(layout.cluster, file);
  return undefined;
}

/**
 * Uses the running postmaster or starts one. Undefined means that the state is changing and the caller should retry.
 */
async function findOrLaunch({
  binaries,
  layout,
  password,
  durable,
  whileStarting,
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
  const launched: Launch = await launch(binaries, layout, durable, whileStarting);
  if (launched.ready) return { ...launched, found: false };
  if (isPortClash(launched.reason) || isOccupied(launched.reason)) return { reason: launched.reason };
  throw new OperatorError(
    `The database in ${layout.cluster} does not start: ${launched.reason} (more in ${layout.log})`,
  );
}

/** Opens the session of this process; a PostgreSQL that was started in vain is stopped. */
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

/** Retries until this process has a session on the cluster; other processes may start and stop it meanwhile. */
async function takeCluster(
  setting: Setting,
  role: ClusterRole,
  lost: (reason: string) => void,
  isOver: () => Promise<boolean> = async () => false,
): Promise<{ postmaster: Postmaster; lock: ClusterLock }> {
  const deadline = Date.now() + START_PATIENCE_MS;
  let reason = '';
  while (Date.now() < deadline && !(await isOver())) {
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

/**
 * Moves a cluster that an earlier major version made. A server that starts meanwhile waits here until that is done.
 * @throws OperatorError if it cannot be moved, or this is a command.
 */
async function moveToCurrent(setting: Setting, options: EmbeddedPostgresOptions): Promise<void> {
  const { layout, binaries, password } = setting;
  const deadline = Date.now() + SWITCH_PATIENCE_MS;
  const isSwitched = async (): Promise<boolean> =>
    Date.now() < deadline && (await switchingProcess(layout)) !== undefined;
  for (;;) {
    const from = await clusterVersion(layout);
    if (from === undefined || !(Number(from) < binaries.major)) return;
    if (options.role === 'guest')
      throw new OperatorError(
        `The database in ${layout.cluster} was made by PostgreSQL ${from}: the start of the server moves it to PostgreSQL ${binaries.major}, and commands have to wait for that`,
      );
    if (await isSwitched()) {
      await pause(100);
      continue;
    }
    const [{ findPreviousBinaries }, { upgradeCluster }] = await Promise.all([
      import('./previous-binaries.js'),
      import('./major-upgrade.js'),
    ]);
    if (await findRunning(layout))
      options.log(`The database of PostgreSQL ${from} is in use: waiting for the process that moves it.`);
    const previous = await findPreviousBinaries(layout, from, options.previous, options.log);
    const held = await takeOlder(
      { ...setting, binaries: previous },
      async () => (await clusterVersion(layout)) !== from || (await isSwitched()),
    );
    if (held === undefined) continue;
    try {
      await upgradeCluster({ layout, password, from, binaries, note: options.log, held: held.postmaster });
    } finally {
      await stopPostmaster(held.postmaster.pid, layout);
      await held.lock.close();
      held.postmaster.lifeline.release();
    }
  }
}

/** Takes the cluster for this process alone; undefined if another process has moved it meanwhile. */
async function takeOlder(
  setting: Setting,
  isMoved: () => Promise<boolean>,
): Promise<{ postmaster: Postmaster; lock: ClusterLock } | undefined> {
  let held: { postmaster: Postmaster; lock: ClusterLock } | undefined;
  try {
    held = await takeCluster(setting, 'server', () => undefined, isMoved);
    if (!(await isMoved()) && (await held.lock.becomeLast())) return held;
  } catch (error) {
    if (!(await isMoved())) throw error;
  }
  await held?.lock.close();
  held?.postmaster.lifeline.release();
  if (await isMoved()) return undefined;
  throw new OperatorError(
    `Another process uses the database in ${setting.layout.cluster}, which has to move to another version of PostgreSQL: end it first`,
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

/**
 * Keeps the session on a running cluster through the restarts that PostgreSQL performs when one of its processes dies.
 */
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
 * Runs the PostgreSQL that comes with this package on a data directory, creating it at the first start. It stops with
 * the last process that uses it. A running one is found by its pid file, verified by process and password, and used; a
 * process that is not provably ours is never touched.
 * @throws OperatorError with one line for every fault that an operator can fix.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  let layout = await prepareLayout(options.dataDir);
  if (await completeSwitch(layout)) layout = await prepareLayout(options.dataDir);
  const [binaries, password] = await Promise.all([prepareBinaries(layout.home, layout.account), readPassword(layout)]);
  const setting: Setting = {
    binaries,
    layout,
    password,
    durable: options.durable ?? true,
    whileStarting: options.whileStarting ?? (() => undefined),
  };
  await moveToCurrent(setting, options);
  const keeper = new Keeper(setting, options.role ?? 'server', options);
  const postmaster = await keeper.start();
  const notice = noticeOf(postmaster, layout);
  if (notice !== undefined) options.log(notice);
  if (options.role !== 'guest') await removeExpired(layout, options.log);
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
