import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../common/database.js';
import type { CheckFinding, ExaminationOptions, HealthCheck } from '../health-checks/health-checks.points.js';
import { Blobs } from './blobs.js';
import { FileStorage, type StoredBlob } from './file-storage.js';
import { StorageProbe } from './storage-probe.js';

/** Files that are looked at of those that rows name, and of those that are stored, unless all are. */
const SAMPLE = 1000;
const LISTED = 10_000;
const BATCH = 500;
const AT_ONCE = 16;
const EXAMPLES = 5;

interface NamedFile {
  readonly hash: string;
  readonly size: number;
}

/** A row is there before its bytes, which may still be on their way. */
const IS_SETTLED = `(unreferenced_since IS NULL OR unreferenced_since < now() - interval '1 hour')`;
/** Hashes are spread evenly, so the rows behind any of them are a sample. */
const AFTER = `SELECT encode(hash, 'hex') AS hash, size::float8 AS size FROM blob WHERE hash > decode($1, 'hex') AND ${IS_SETTLED} ORDER BY hash LIMIT $2`;
/** The ones of some hashes whose rows are still there, and name bytes that have to be there. */
export const STILL_NAMED = `SELECT encode(hash, 'hex') AS hash FROM blob
  WHERE hash = ANY (ARRAY(SELECT decode(h, 'hex') FROM unnest($1::text[]) AS h)) AND ${IS_SETTLED}`;
const UNNAMED = `SELECT s.hash FROM unnest($1::text[]) AS s (hash) WHERE NOT EXISTS (SELECT FROM blob b WHERE b.hash = decode(s.hash, 'hex'))`;

/** Compares the file storage with the rows that name its files. */
@Injectable()
export class FilesCheck implements HealthCheck {
  readonly group = 'storage';
  readonly name = 'files';

  constructor(
    private readonly database: Database,
    private readonly storage: FileStorage,
    private readonly blobs: Blobs,
    private readonly probe: StorageProbe,
  ) {}

  async run(options: ExaminationOptions): Promise<CheckFinding[]> {
    const problem = await this.probe.problem();
    if (problem !== undefined)
      return [
        {
          level: 'fault',
          message: `${problem.charAt(0).toUpperCase()}${problem.slice(1)}`,
          advice: 'Check FILES_STORAGE and what belongs to it, and who owns the folder',
        },
      ];
    return [
      { level: 'ok', message: 'The file storage stores, gives and removes a few bytes' },
      ...(await this.namedFiles(options)),
      ...(await this.strays(options)),
    ];
  }

  /** Files that rows name have to be there, with the right size. */
  private async namedFiles({ all }: ExaminationOptions): Promise<CheckFinding[]> {
    const absent: string[] = [];
    const wrong: string[] = [];
    let count = 0;
    const first = all ? '' : randomBytes(32).toString('hex');
    for await (const files of this.batchesAfter(first, all ? Infinity : SAMPLE)) {
      count += files.length;
      for (let at = 0; at < files.length; at += AT_ONCE)
        await Promise.all(
          files.slice(at, at + AT_ONCE).map(async ({ hash, size }) => {
            const found = await this.storage.sizeOf(hash);
            if (found === undefined) absent.push(hash);
            else if (found !== size) wrong.push(hash);
          }),
        );
    }
    // Rows and bytes of unused files may have been removed meanwhile.
    const named = await this.database.query<{ hash: string }>(STILL_NAMED, [absent]);
    const missing = named.map(({ hash }) => hash);
    const advice = 'Bring these files back from a backup of the file storage; the hash is the name of the file';
    const findings: CheckFinding[] = [
      ...(missing.length > 0
        ? [
            {
              level: 'fault' as const,
              message: `${missing.length} of ${count} files that rows name are missing`,
              advice,
              examples: missing.slice(0, EXAMPLES),
            },
          ]
        : []),
      ...(wrong.length > 0
        ? [
            {
              level: 'fault' as const,
              message: `${wrong.length} of ${count} files that rows name have another size`,
              advice,
              examples: wrong.slice(0, EXAMPLES),
            },
          ]
        : []),
    ];
    return findings.length > 0
      ? findings
      : [
          {
            level: 'ok',
            message: `${count} files that rows name are there, with their sizes${all ? '' : '; --all looks at all'}`,
          },
        ];
  }

  /** Rows behind a hash, and then from the first one on, until so many were given or all. */
  private async *batchesAfter(first: string, most: number): AsyncGenerator<readonly NamedFile[]> {
    let left = most;
    const seen = async (after: string): Promise<readonly NamedFile[]> =>
      this.database.query<NamedFile & Record<string, unknown>>(AFTER, [after, Math.min(BATCH, left)]);
    for (const begin of first === '' ? [''] : [first, '']) {
      for (let last = begin; left > 0;) {
        const rows = (await seen(last)).filter(({ hash }) => begin !== '' || first === '' || hash <= first);
        if (rows.length === 0) break;
        left -= rows.length;
        last = rows.at(-1)?.hash ?? '';
        yield rows;
      }
    }
  }

  /** Stored files that no row names, but for those that may be uploads of these days. */
  private async strays({ all, mend }: ExaminationOptions): Promise<CheckFinding[]> {
    const before = this.blobs.forgottenBefore();
    const strays: string[] = [];
    let [count, adopted, isCut] = [0, 0, false];
    let batch: StoredBlob[] = [];
    const look = async (): Promise<void> => {
      const unnamed = await this.database.query<{ hash: string }>(UNNAMED, [batch.map(({ hash }) => hash)]);
      strays.push(...unnamed.map(({ hash }) => hash));
      if (mend && unnamed.length > 0) adopted += await this.blobs.adopt(batch);
      batch = [];
    };
    for await (const stored of this.storage.list()) {
      if (!all && count === LISTED) {
        isCut = true;
        break;
      }
      count++;
      if (stored.modifiedAt < before && /^[0-9a-f]{64}$/.test(stored.hash)) batch.push(stored);
      if (batch.length === BATCH) await look();
    }
    if (batch.length > 0) await look();
    const part = isCut ? `; the first ${LISTED} were looked at, --all looks at all` : '';
    if (strays.length === 0) return [{ level: 'ok', message: `Rows name all ${count} stored files${part}` }];
    const message = `${strays.length} of ${count} stored files are named by no row`;
    return adopted > 0
      ? [
          {
            level: 'mended',
            message: `${message}: they were noted, and the job that removes unused files takes them${part}`,
          },
        ]
      : [
          {
            level: 'warning',
            message: `${message}${part}`,
            examples: strays.slice(0, EXAMPLES),
            advice: 'A running server removes them within six hours; "bindery doctor --mend" notes them now',
          },
        ];
  }
}
