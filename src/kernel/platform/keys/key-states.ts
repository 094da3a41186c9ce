import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '../../common/database.js';
import { databaseTime } from '../../common/database-time.js';
import { Secrets } from '../../common/secrets.js';
import { OperatorError } from '../operator-error.js';
import { SealedValues, type SealedCount } from './sealed-values.js';

const MINUTE = 60_000;
/**
 * Servers and commands record every minute which key is their first; after these seconds of silence a key is no longer
 * in use as a first key.
 */
const SILENCE = 180;
/**
 * The longest life of signed or temporarily encrypted data: addresses of files, and responses for repeated requests.
 */
const LONGEST_LIFE = 26 * 60 * MINUTE;
/** The row of values from before keys had ids. */
const UNNAMED = '';

/** The state of a key. */
export interface KeyState {
  /** '' for values from before keys had ids. */
  readonly id: string;
  readonly place: 'first' | 'further' | 'missing';
  /** Number of stored values that were sealed with it. */
  readonly values: number;
  /** Number of these values that no configured key opens. */
  readonly unreadable: number;
  /** The last time at which a server or a command had it as its first key; undefined if none is known. */
  readonly usedAt: Date | undefined;
  /**
   * The time from which the key is no longer needed, provided that it is not used again; undefined while stored values
   * need it.
   */
  readonly freeFrom: Date | undefined;
}

/** Tracks which keys are in use, and reseals stored values of retired keys with the first one. */
@Injectable()
export class KeyStates {
  private readonly logger = new Logger('Keys');
  private running = false;

  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly values: SealedValues,
  ) {}

  /** Throws `OperatorError` if a stored value exists that no configured key opens. */
  async requireReadable(): Promise<void> {
    const unreadable = await this.values.unreadable();
    if (unreadable.length === 0) return;
    throw new OperatorError(
      `SECRET_KEY lacks a key that stored secrets were sealed with:\n${unreadable.map((count) => `  ${describeSealed(count)}`).join('\n')}\n` +
        `Add that key after the first one (SECRET_KEY=new,old). If it is lost for good, "bindery keys discard" discards the secrets that it sealed. The keys of this start are ${this.secrets.keyIds.join(', ')}`,
    );
  }

  /**
   * For servers and commands: records now, and every minute until the end, which key is in use, so that its values are
   * found once no process has it as its first key.
   */
  async start(): Promise<void> {
    await this.use();
    this.running = true;
  }

  beforeApplicationShutdown(): void {
    this.running = false;
  }

  @Interval('keys', MINUTE)
  async tick(): Promise<void> {
    if (this.running)
      await this.use().catch((error: unknown) =>
        this.logger.error(`the use of the key could not be recorded: ${String(error)}`),
      );
  }

  /** Reseals values of keys that no server has as its first key any more, and records which keys are free then. */
  async tend(signal?: AbortSignal): Promise<number> {
    // The time of the database, the same for both statements.
    const silentSince = (await this.database.one<{ at: Date }>(`SELECT ${databaseTime(`-${SILENCE}`)} AS at`))?.at;
    const retired = await this.database.query<{ id: string }>(
      'SELECT id FROM sealing_key WHERE id <> $1 AND free_at IS NULL AND (id = $2 OR current_at < $3)',
      [this.secrets.firstKeyId, UNNAMED, silentSince],
    );
    if (retired.length === 0) return 0;
    const of = new Set(retired.map(({ id }) => id));
    const resealed = await this.values.reseal({ of, ...(signal && { signal }) });
    const held = new Set((await this.values.counts()).map(({ key }) => key));
    const free = [...of].filter((id) => !held.has(id));
    await this.database.execute(
      'UPDATE sealing_key SET free_at = now() WHERE id = ANY ($1) AND (id = $2 OR current_at < $3)',
      [free, UNNAMED, silentSince],
    );
    if (resealed > 0) this.logger.log(`resealed ${resealed} stored secrets with the key ${this.secrets.firstKeyId}`);
    return resealed;
  }

  /** Lists every key that is configured, was used, or is still needed; the configured ones first, in their order. */
  async list(): Promise<KeyState[]> {
    const rows = await this.database.query<{ id: string; usedAt: Date }>(
      'SELECT id, current_at AS "usedAt" FROM sealing_key ORDER BY current_at DESC, id',
    );
    const used = new Map(rows.map(({ id, usedAt }) => [id, usedAt]));
    const counts = byKey(await this.values.counts());
    const unreadable = byKey(await this.values.unreadable());
    const configured = this.secrets.keyIds;
    const others = [...used.keys(), ...counts.keys()].filter(
      (id) => !configured.includes(id) && (counts.get(id) ?? 0) > 0,
    );
    return [...configured, ...new Set(others)].map((id) => {
      const place = id === this.secrets.firstKeyId ? 'first' : configured.includes(id) ? 'further' : 'missing';
      const values = counts.get(id) ?? 0;
      const usedAt = used.get(id);
      const isFree = place === 'further' && values === 0 && (counts.get(UNNAMED) ?? 0) === 0;
      // Before keys had ids their use was not recorded, so any key may have signed until then.
      const signedUntil = usedAt ?? used.get(UNNAMED);
      return {
        id,
        place,
        values,
        unreadable: unreadable.get(id) ?? 0,
        usedAt,
        freeFrom: isFree ? new Date((signedUntil?.getTime() ?? 0) + LONGEST_LIFE) : undefined,
      };
    });
  }

  private async use(): Promise<void> {
    await this.database.execute(
      'INSERT INTO sealing_key (id, current_at) VALUES ($1, now()) ON CONFLICT (id) DO UPDATE SET current_at = excluded.current_at, free_at = NULL',
      [this.secrets.firstKeyId],
    );
  }
}

/** Describes sealed values for the operator, such as `3 in webhook, sealed with the key 9f8c1c6a0b7d2e31`. */
export function describeSealed({ table, key, count }: SealedCount): string {
  return `${count} in ${table}, sealed with ${key === UNNAMED ? 'a key from before keys had ids' : `the key ${key}`}`;
}

function byKey(counts: readonly SealedCount[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { key, count } of counts) sums.set(key, (sums.get(key) ?? 0) + count);
  return sums;
}
