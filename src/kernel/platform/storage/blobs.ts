import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Database } from '../../common/database.js';
import { FileStorage, type StoredBlob } from './file-storage.js';
import { dimensionsOf, settledType, sniffType } from './media-type-sniffing.js';
import type { ByteSource } from './spool.js';

const GRACE_HOURS = 48;
const BATCH = 100;

/** A column, of type bytea, that refers to blobs; `where` narrows it to the rows that do. */
export interface BlobReference {
  readonly table: string;
  readonly column: string;
  readonly where?: string;
}

export interface StoredFile {
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  readonly size: number;
  readonly contentType: string;
  /** In pixels; only for images. */
  readonly width?: number;
  readonly height?: number;
}

/**
 * Stored bytes and their records. An uploader has 48 hours to refer to them; the row of the blob is the lock between an
 * upload and the removal of the same bytes.
 */
@Injectable()
export class Blobs {
  private readonly logger = new Logger('Files');
  private readonly references: BlobReference[] = [];

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly storage: FileStorage,
  ) {}

  /**
   * Registers columns that refer to blobs and are not foreign keys to table blob (those are found automatically).
   * Unreferenced bytes are removed, so call this in `onModuleInit`.
   */
  refer(...references: BlobReference[]): void {
    this.references.push(...references);
  }

  /**
   * Stores bytes durably and determines their type, given the type that the sender claims. Throws `tooLarge` beyond
   * `maxBytes`.
   */
  async store(
    source: ByteSource,
    file: { name: string; claimed?: string | undefined; maxBytes?: number },
  ): Promise<StoredFile> {
    const spooled = await this.storage.spool(source, file.maxBytes);
    try {
      const contentType = await (file.claimed === undefined
        ? sniffType(spooled.head, file.name)
        : settledType(spooled.head, file.claimed));
      // The row comes first: from here on no removal can take the bytes that are placed next.
      await this.database.execute(
        `INSERT INTO blob (hash, size, created_at, unreferenced_since) VALUES (decode($1, 'hex'), $2, $3, $3)
         ON CONFLICT (hash) DO UPDATE SET unreferenced_since = excluded.unreferenced_since`,
        [spooled.hash, spooled.size, this.clock.now()],
      );
      await this.storage.place(spooled);
      return { hash: spooled.hash, size: spooled.size, contentType, ...dimensionsOf(spooled.head, contentType) };
    } catch (error) {
      await this.storage.discard(spooled);
      throw error;
    }
  }

  /** Removes blobs that have been unreferenced for 48 hours and returns the number of blobs removed. */
  async removeUnreferenced(): Promise<number> {
    const references = await this.allReferences();
    const now = this.clock.now();
    const before = this.forgottenBefore();
    await this.storage.removeLeftovers();
    await this.adoptStrays();
    await this.database.execute(
      `UPDATE blob SET unreferenced_since = NULL WHERE unreferenced_since IS NOT NULL AND hash IN (${references})`,
    );
    await this.database.execute(
      `UPDATE blob SET unreferenced_since = $1 WHERE unreferenced_since IS NULL AND NOT EXISTS (SELECT FROM (${references}) r WHERE r.hash = blob.hash)`,
      [now],
    );
    let removed = 0;
    for (;;) {
      const batch = await this.removeBatch(references, before);
      removed += batch;
      if (batch === 0) return removed;
    }
  }

  private removeBatch(references: string, before: Date): Promise<number> {
    return this.database.transaction(async () => {
      const rows = await this.database.query<{ hash: string }>(
        `DELETE FROM blob WHERE hash IN (
           SELECT hash FROM blob WHERE unreferenced_since < $1 AND NOT EXISTS (SELECT FROM (${references}) r WHERE r.hash = blob.hash)
            ORDER BY hash LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
         RETURNING encode(hash, 'hex') AS hash`,
        [before],
      );
      for (const { hash } of rows) await this.storage.remove(hash);
      return rows.length;
    });
  }

  /**
   * Records stored bytes without a row (it was lost with a rolled-back transaction), if they are older than the time in
   * which an upload is referred to, so that they are removed like others. Returns their number.
   */
  async adopt(strays: readonly StoredBlob[]): Promise<number> {
    const before = this.forgottenBefore();
    const old = strays.filter(({ hash, modifiedAt }) => modifiedAt < before && /^[0-9a-f]{64}$/.test(hash));
    return this.database.execute(
      `INSERT INTO blob (hash, size, created_at, unreferenced_since)
       SELECT decode(hash, 'hex'), size, at, at FROM unnest($1::text[], $2::bigint[], $3::timestamptz[]) AS stray (hash, size, at)
       ON CONFLICT DO NOTHING`,
      [old.map(({ hash }) => hash), old.map(({ size }) => size), old.map(({ modifiedAt }) => modifiedAt)],
    );
  }

  /** The time before which bytes were stored that nobody will refer to, unless somebody does. */
  forgottenBefore(): Date {
    return new Date(this.clock.now().getTime() - GRACE_HOURS * 3600 * 1000);
  }

  private async adoptStrays(): Promise<void> {
    let batch: StoredBlob[] = [];
    const flush = async (): Promise<void> => {
      const adopted = await this.adopt(batch);
      if (adopted > 0) this.logger.log(`found ${adopted} stored files without a record`);
      batch = [];
    };
    for await (const stored of this.storage.list()) {
      batch.push(stored);
      if (batch.length >= 1000) await flush();
    }
    if (batch.length > 0) await flush();
  }

  /**
   * A SELECT of all hashes that are referred to; a row that goes with its blob does not keep it. Throws if no module has declared references of content, rather than
   * remove everything.
   */
  private async allReferences(): Promise<string> {
    if (this.references.length === 0) throw new Error('no column refers to stored files: nothing is removed');
    const keys = await this.database.query<{ table: string; column: string }>(
      `SELECT c.conrelid::regclass::text AS table, quote_ident(a.attname) AS column
         FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
        WHERE c.contype = 'f' AND c.confrelid = 'blob'::regclass AND c.confdeltype <> 'c'`,
    );
    const all: BlobReference[] = [...this.references, ...keys];
    return all
      .map(
        ({ table, column, where }) =>
          `SELECT ${column} AS hash FROM ${table} WHERE ${column} IS NOT NULL${where === undefined ? '' : ` AND ${where}`}`,
      )
      .join(' UNION ALL ');
  }
}
