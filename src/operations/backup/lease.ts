import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '../../kernel/platform/operator-error.js';
import type { BackupTarget } from './backup-target.js';

/** Readers and writers of backups share a target; one that removes objects has it for itself. */
export type LeaseKind = 'shared' | 'exclusive';

const FOLDER = 'leases/';
/** Milliseconds after which a lease that its holder has not renewed is void. */
const LIFETIME = 120_000;
const RENEWAL = 20_000;
/** Milliseconds that have to be left for what depends on the lease. */
const MARGIN = 40_000;
const RETRY = 1000;

/**
 * The right to use a target. All use it in the same way: each writes its lease, then looks for those of others, so of
 * two that begin at the same time at least one sees the other. Ages are compared by the clock of the target alone.
 */
export class Lease {
  private renewedAt = now();
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly target: BackupTarget,
    private readonly name: string,
  ) {
    this.timer = setInterval(() => void this.renew().catch(() => undefined), RENEWAL).unref();
  }

  /** Takes a lease. Waits while others have one that excludes it, and says so once. */
  static async take(target: BackupTarget, kind: LeaseKind, note: (line: string) => void): Promise<Lease> {
    for (let attempt = 0; ; attempt++) {
      const name = `${FOLDER}${kind}-${randomUUID()}`;
      await write(target, name);
      const others = await validLeases(target, name);
      const isFree = others.every((other) => kind === 'shared' && !isExclusive(other));
      if (isFree) return new Lease(target, name);
      await target.remove(name);
      if (attempt === 0)
        note(
          `Waiting for another command that ${others.some(isExclusive) ? 'removes backups from' : 'uses the backups in'} ${target.address}; a command that was killed is waited for ${LIFETIME / 1000} s.`,
        );
      await pause(RETRY * (1 + Math.random()));
    }
  }

  /** Removes the leases of holders that have ended without doing so. */
  async removeVoid(): Promise<void> {
    const valid = await validLeases(this.target, this.name);
    for await (const { name } of this.target.list(FOLDER))
      if (name !== this.name && !valid.includes(name)) await this.target.remove(name);
  }

  /** @throws OperatorError if the lease may be void before the next step is done: the process or its target stood still. */
  require(): void {
    if (now() - this.renewedAt > LIFETIME - MARGIN)
      throw new OperatorError(
        `The command stood still for too long, so another one may have changed ${this.target.address}: start it again`,
      );
  }

  async release(): Promise<void> {
    clearInterval(this.timer);
    await this.target.remove(this.name);
  }

  private async renew(): Promise<void> {
    const begin = now();
    await write(this.target, this.name);
    this.renewedAt = begin;
  }
}

/** By the clock that goes on while the machine sleeps. */
const now = (): number => Date.now();

const isExclusive = (name: string): boolean => name.startsWith(`${FOLDER}exclusive-`);

const write = (target: BackupTarget, name: string): Promise<void> =>
  target.put(name, Buffer.from(JSON.stringify({ host: hostname(), process: process.pid })));

/** The leases of others that are not void, by the time at which one's own was written. */
async function validLeases(target: BackupTarget, own: string): Promise<string[]> {
  const leases: { name: string; modifiedAt: Date }[] = [];
  for await (const lease of target.list(FOLDER)) leases.push(lease);
  const present = leases.find(({ name }) => name === own)?.modifiedAt.getTime() ?? 0;
  return leases.flatMap(({ name, modifiedAt }) =>
    name !== own && present - modifiedAt.getTime() < LIFETIME ? [name] : [],
  );
}
