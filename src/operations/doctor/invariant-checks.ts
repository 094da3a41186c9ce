import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import { sqlState } from '../../kernel/common/sql-state.js';
import type {
  CheckFinding,
  ExaminationOptions,
  Invariant,
} from '../../kernel/platform/health-checks/health-checks.points.js';
import { reasonOf } from '../../kernel/platform/operator-error.js';

/** Milliseconds that the walk of one invariant takes, unless everything is looked at. */
const WALK_MILLISECONDS = 60_000;
/** Milliseconds of one statement that looks, and of one that mends; and those of waiting for a lock. */
const LIMITS = { find: 60_000, mend: 120_000, lock: 10_000 } as const;
/** Keys of a batch grow and shrink between these, so that it takes about a second. */
const BATCH = { first: 16, most: 2048, short: 300, long: 2000 } as const;
const EXAMPLES = 5;
/** SQLSTATE of a statement that took too long. */
const CANCELED = '57014';

interface Broken {
  readonly id: string;
  readonly count: number;
  readonly example: string | null;
}

/** The state of one walk. */
class Walk {
  keys = 0;
  /** Things that are broken still, and those that were mended. */
  broken = 0;
  mended = 0;
  readonly examples: string[] = [];
  readonly problems = new Set<string>();
  readonly unchecked: string[] = [];
  isCut = false;

  note({ id, count, example }: Broken): void {
    this.broken += count;
    if (this.examples.length < EXAMPLES)
      this.examples.push(example === null || example === id ? id : `${id} ${example}`);
  }
}

/** Looks for rows that break an invariant, a batch of keys at a time, and mends them one key at a time. */
@Injectable()
export class InvariantChecks {
  constructor(private readonly database: Database) {}

  async check(invariant: Invariant, { all, mend }: ExaminationOptions): Promise<CheckFinding[]> {
    const walk = new Walk();
    const end = all ? Infinity : performance.now() + WALK_MILLISECONDS;
    let size: number = BATCH.first;
    for (let last = ''; ;) {
      if (performance.now() > end) {
        walk.isCut = true;
        break;
      }
      const keys = await this.keysAfter(invariant, last, size);
      const started = performance.now();
      await this.look(invariant, keys, mend, walk);
      walk.keys += keys.length;
      const took = performance.now() - started;
      if (keys.length < size) break;
      last = keys.at(-1) ?? '';
      if (took < BATCH.short) size = Math.min(size * 2, BATCH.most);
      else if (took > BATCH.long) size = Math.max(1, Math.floor(size / 2));
    }
    return findingsOf(invariant, walk, mend);
  }

  private async keysAfter({ over: { table, key } }: Invariant, last: string, size: number): Promise<string[]> {
    const rows = await this.database.unprepared<{ id: string }>(
      `SELECT ${key} AS id FROM ${table} WHERE ${key} > $1 ORDER BY ${key} LIMIT $2`,
      [last, size],
    );
    return rows.map(({ id }) => id);
  }

  private async look(invariant: Invariant, keys: readonly string[], mends: boolean, walk: Walk): Promise<void> {
    for (const broken of await this.find(invariant, keys, walk)) {
      const left = mends && invariant.mend ? await this.mend(invariant, broken, walk) : broken;
      if (left) walk.note(left);
      walk.mended += broken.count - (left?.count ?? 0);
    }
  }

  /** A batch that takes too long is halved; a single key that does is left out. */
  private async find(invariant: Invariant, keys: readonly string[], walk: Walk): Promise<Broken[]> {
    if (keys.length === 0) return [];
    try {
      return await this.within(LIMITS.find, () =>
        this.database.unprepared<Broken & Record<string, unknown>>(
          `SELECT f.id, count(*)::int AS count, min(f.example) AS example FROM (${invariant.find}) f GROUP BY f.id ORDER BY f.id`,
          [keys],
        ),
      );
    } catch (error) {
      if (sqlState(error) !== CANCELED) throw error;
      if (keys.length === 1) {
        walk.unchecked.push(...keys);
        return [];
      }
      const half = Math.ceil(keys.length / 2);
      return [
        ...(await this.find(invariant, keys.slice(0, half), walk)),
        ...(await this.find(invariant, keys.slice(half), walk)),
      ];
    }
  }

  /** Returns what is broken still; undefined if nothing is. */
  private async mend(invariant: Invariant, broken: Broken, walk: Walk): Promise<Broken | undefined> {
    try {
      await this.within(LIMITS.mend, async () => {
        for (const statement of invariant.mend?.statements ?? [])
          await this.database.unprepared(statement, [broken.id]);
      });
    } catch (error) {
      walk.problems.add(reasonOf(error));
      return broken;
    }
    const [left] = await this.find(invariant, [broken.id], walk);
    return left;
  }

  /** Runs work in a transaction that holds up nobody for long. */
  private within<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
    return this.database.transaction(async () => {
      await this.database.execute(
        `SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true)`,
        [String(milliseconds), String(LIMITS.lock)],
      );
      return work();
    });
  }
}

function findingsOf(
  { name, holds, broken, level = 'fault', advice, mend, over }: Invariant,
  walk: Walk,
  mended: boolean,
): CheckFinding[] {
  const problems = [...walk.problems];
  const part = walk.isCut
    ? `; the first ${walk.keys} of the table ${over.table} were looked at, --all looks at all`
    : '';
  return [
    ...(walk.mended > 0
      ? [{ level: 'mended' as const, message: `${sentence(broken)}: ${walk.mended}, ${mend?.done ?? 'mended'}` }]
      : []),
    ...(walk.broken > 0
      ? [
          {
            level,
            message: `${sentence(broken)}: ${walk.broken}${problems.length === 0 ? '' : `, which could not be mended (${problems.join('; ')})`}${part}`,
            examples: walk.examples,
            advice: mend && !mended ? 'Run "bindery doctor --mend"' : (advice ?? 'Restore a backup from before'),
          },
        ]
      : []),
    ...(walk.unchecked.length > 0
      ? [
          {
            level: 'warning' as const,
            message: `${walk.unchecked.length} rows of the table ${over.table} take too long to check that ${holds} (${name})`,
            examples: walk.unchecked.slice(0, EXAMPLES),
          },
        ]
      : []),
    ...(walk.broken === 0 && walk.unchecked.length === 0
      ? [{ level: 'ok' as const, message: `${sentence(holds)}${part}` }]
      : []),
  ];
}

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
