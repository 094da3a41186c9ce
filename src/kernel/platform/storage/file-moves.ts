import { Injectable } from '@nestjs/common';
import { Database } from '../../common/database.js';
import { FileStorage } from './file-storage.js';
import { MovingStorage } from './moving-storage.js';

const BATCH = 500;
/** Files that are copied at the same time. */
const AT_ONCE = 8;
const EXAMPLES = 10;

const AFTER = `SELECT encode(hash, 'hex') AS hash, size::float8 AS size FROM blob WHERE hash > decode($1, 'hex') ORDER BY hash LIMIT $2`;
const COUNT = 'SELECT count(*)::int AS count FROM blob';

/** The result of moving the files of a former storage. */
export interface FileMove {
  /** Files that were copied, and those that the storage had already. */
  readonly brought: number;
  readonly present: number;
  /** Files that neither storage has, and those whose bytes are not the ones that were stored. */
  readonly missing: number;
  readonly damaged: number;
  /** Hashes of some of these. */
  readonly examples: readonly string[];
}

/** Moves files from a former storage to the present one while both are used. */
@Injectable()
export class FileMoves {
  constructor(
    private readonly database: Database,
    private readonly storage: FileStorage,
  ) {}

  /**
   * Copies all files that rows name and the storage lacks; undefined if there is no former storage. A second run copies what is
   * missing still. With `deletes`, files are removed from the former one once the bytes of the other were read and are theirs.
   */
  async move(deletes: boolean, progress: (done: number, total: number) => void): Promise<FileMove | undefined> {
    const { storage } = this;
    if (!(storage instanceof MovingStorage)) return undefined;
    const counts = { brought: 0, present: 0, missing: 0, damaged: 0 };
    const examples: string[] = [];
    const total = (await this.database.one<{ count: number }>(COUNT))?.count ?? 0;
    const moveOne = async (hash: string, size: number): Promise<void> => {
      const outcome = await storage.bring(hash, size, deletes);
      counts[outcome]++;
      if (outcome === 'brought' || outcome === 'present') {
        if (deletes) await storage.forget(hash);
      } else if (examples.length < EXAMPLES) examples.push(hash);
    };
    for (let last = '', done = 0; ;) {
      const rows = await this.database.query<{ hash: string; size: number }>(AFTER, [last, BATCH]);
      for (let at = 0; at < rows.length; at += AT_ONCE) {
        const some = rows.slice(at, at + AT_ONCE);
        await Promise.all(some.map(({ hash, size }) => moveOne(hash, size)));
        progress((done += some.length), Math.max(done, total));
      }
      if (rows.length < BATCH) return { ...counts, examples };
      last = rows.at(-1)?.hash ?? '';
    }
  }
}
