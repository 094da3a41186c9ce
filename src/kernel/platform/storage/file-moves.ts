import { Injectable } from '@nestjs/common';
import { Database } from '../../common/database.js';
import { FileStorage } from './file-storage.js';
import { STILL_NAMED } from './files.check.js';
import { MovingStorage } from './moving-storage.js';

const BATCH = 500;
/** Files that are copied at the same time. */
const AT_ONCE = 8;
const EXAMPLES = 10;

const AFTER = `SELECT encode(hash, 'hex') AS hash, size::float8 AS size FROM blob WHERE hash > decode($1, 'hex') ORDER BY hash LIMIT $2`;
const COUNT = 'SELECT count(*)::int AS count FROM blob';

type NamedFile = {
  readonly hash: string;
  readonly size: number;
};

type Outcome = Awaited<ReturnType<MovingStorage['bring']>>;

/** The result of moving the files of a former storage. */
export interface FileMove {
  /** Files that were copied, and those that the storage had already. */
  readonly brought: number;
  readonly present: number;
  /** Files that neither storage has, and those whose bytes, there or in the copy, are not the ones that were stored. */
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
    const result = { brought: 0, present: 0, missing: 0, damaged: 0, examples: [] as string[] };
    const count = (outcome: Outcome, hash: string): void => {
      result[outcome]++;
      const isFault = outcome === 'missing' || outcome === 'damaged';
      if (isFault && result.examples.length < EXAMPLES) result.examples.push(hash);
    };
    const bring = async (files: readonly NamedFile[], moved: (outcome: Outcome, file: NamedFile) => void) => {
      for (let at = 0; at < files.length; at += AT_ONCE)
        await Promise.all(
          files.slice(at, at + AT_ONCE).map(async (file) => {
            const outcome = await storage.bring(file.hash, file.size, deletes);
            if (deletes && (outcome === 'brought' || outcome === 'present')) await storage.forget(file.hash);
            moved(outcome, file);
          }),
        );
    };
    const total = (await this.database.one<{ count: number }>(COUNT))?.count ?? 0;
    const absent: NamedFile[] = [];
    let done = 0;
    for await (const files of this.batches()) {
      await bring(files, (outcome, file) => {
        if (outcome === 'missing') absent.push(file);
        else count(outcome, file.hash);
      });
      progress((done += files.length), Math.max(done, total));
    }
    // A row is there before its bytes, and both may be gone by now.
    for (let at = 0; at < absent.length; at += BATCH)
      await bring(await this.stillNamed(absent.slice(at, at + BATCH)), (outcome, { hash }) => count(outcome, hash));
    return result;
  }

  private async *batches(): AsyncGenerator<readonly NamedFile[]> {
    for (let last = '', length = BATCH; length === BATCH;) {
      const files = await this.database.query<NamedFile>(AFTER, [last, BATCH]);
      yield files;
      last = files.at(-1)?.hash ?? '';
      ({ length } = files);
    }
  }

  private async stillNamed(files: readonly NamedFile[]): Promise<NamedFile[]> {
    const rows = await this.database.query<{ hash: string }>(STILL_NAMED, [files.map(({ hash }) => hash)]);
    const named = new Set(rows.map(({ hash }) => hash));
    return files.filter(({ hash }) => named.has(hash));
  }
}
