import { createHash, type Hash } from 'node:crypto';
import pg from 'pg';
import type { DatabaseConnection } from '../../kernel/common/connection.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { beginSnapshot } from '../../kernel/common/snapshot.js';
import type { FileStorage } from '../../kernel/platform/storage/file-storage.js';
import { TEXT_SETTINGS, copyOut } from '../../kernel/common/copy-streams.js';
import { LEFT_OUT, belongsTo } from './archived-tables.js';
import type { ArchiveSink } from './archive-sink.js';
import {
  BEGINNING,
  END,
  FORMAT,
  FORMAT_VERSION,
  PART_BYTES,
  PEOPLE_TABLE,
  PERSON_COLUMNS,
  fileEntryPath,
  rowsPath,
  type ArchiveBeginning,
  type ArchiveEnd,
} from './archive-format.js';
import { findShapes, type ArchivedTableShape } from './table-shapes.js';

export interface ExportSource {
  /** A connection without a transaction. */
  readonly client: DatabaseConnection;
  readonly storage: FileStorage;
  /** The release that writes the archive. */
  readonly release: string;
}

/** Receives how many of how many parts of the work are done: tables, then files. */
export type ArchiveProgress = (done: number, total: number) => void;

/** Rows lie on one line of JSON each; stored JSON may have line breaks between its parts. */
const asLines = (select: string): string =>
  `COPY (SELECT translate(row_to_json(v)::text, E'\\n\\r', '  ') FROM (${select}) v) TO STDOUT (FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')`;

/**
 * Writes an organization as it is at one moment: its rows from one snapshot, and the files that they name.
 * @throws DomainError `notFound` for an organization that does not exist.
 */
export async function exportOrganization(
  { client, storage, release }: ExportSource,
  organizationId: string,
  sink: ArchiveSink,
  progress: ArchiveProgress = () => undefined,
): Promise<ArchiveEnd> {
  await beginSnapshot(client);
  await client.query(TEXT_SETTINGS);
  const shapes = await findShapes(client);
  await describe(sink, BEGINNING, await beginningOf(client, organizationId, release, shapes));
  const organization = pg.escapeLiteral(organizationId);
  const steps = [
    { name: PEOPLE_TABLE, select: peopleOf(shapes, organization) },
    ...shapes.map((shape) => ({ name: shape.name, select: rowsOf(shape, organization) })),
  ];
  const rows: Record<string, number> = {};
  for (const [done, { name, select }] of steps.entries()) {
    progress(done, steps.length);
    rows[name] = await writeRows(sink, (part) => rowsPath(done, name, part), copyOut(client, asLines(select)));
  }
  await client.query(cursorOf(shapes, organization));
  await client.query('COMMIT');
  const { count, bytes, missing } = await writeFiles(sink, storage, filesOf(client), (done, total) =>
    progress(steps.length + done, steps.length + total),
  );
  const end = { rows, files: { count, bytes }, missing };
  await describe(sink, END, end);
  return end;
}

async function beginningOf(
  client: DatabaseConnection,
  organizationId: string,
  release: string,
  shapes: readonly ArchivedTableShape[],
): Promise<ArchiveBeginning> {
  const { rows } = await client.query<{ title: string; at: Date }>(
    'SELECT title, clock_timestamp() AS at FROM organization WHERE id = $1',
    [organizationId],
  );
  const [organization] = rows;
  if (!organization) throw notFound('Organization');
  const leftOut: Record<string, string[]> = {};
  for (const [table, reason] of Object.entries(LEFT_OUT)) (leftOut[reason] ??= []).push(table);
  return {
    format: FORMAT,
    version: FORMAT_VERSION,
    release,
    exportedAt: organization.at.toISOString(),
    organization: { id: organizationId, title: organization.title },
    tables: [
      { name: PEOPLE_TABLE, columns: [...PERSON_COLUMNS] },
      ...shapes.map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) })),
    ],
    leftOut,
  };
}

/** Numbers of 64 bits are texts, since readers of JSON round them. */
const columnOf = ({ name, type }: ArchivedTableShape['columns'][number]): string =>
  type === 'bigint' ? `r.${name}::text AS ${name}` : `r.${name}`;

function rowsOf(shape: ArchivedTableShape, organization: string): string {
  const order = shape.key.length > 0 ? shape.key : [shape.ownerColumn];
  return `SELECT ${shape.columns.map(columnOf).join(', ')} FROM ${shape.name} r WHERE ${belongsTo(shape, organization)} ORDER BY ${order.map((column) => `r.${column}`).join(', ')}`;
}

/** Everybody whom a row names. */
function peopleOf(shapes: readonly ArchivedTableShape[], organization: string): string {
  const named = shapes.flatMap((shape) =>
    [
      ...shape.references.filter(({ table }) => table === PEOPLE_TABLE).map(({ column }) => column),
      ...(shape.people ?? []),
    ].map((column) => `SELECT r.${column} FROM ${shape.name} r WHERE ${belongsTo(shape, organization)}`),
  );
  return `SELECT ${PERSON_COLUMNS.map((column) => `r.${column}`).join(', ')} FROM account r WHERE r.id IN (${named.join(' UNION ')}) ORDER BY r.id`;
}

async function writeRows(
  sink: ArchiveSink,
  pathOf: (part: number) => string,
  lines: AsyncIterable<readonly Buffer[]>,
): Promise<number> {
  let part: Buffer[] = [];
  let [size, parts, rows] = [0, 0, 0];
  const flush = async (): Promise<void> => {
    const [chunks, bytes] = [part, size];
    [part, size] = [[], 0];
    if (bytes > 0) await sink.entry(pathOf(++parts), bytes, each(chunks));
  };
  for await (const batch of lines)
    for (const line of batch) {
      part.push(line);
      size += line.length;
      rows++;
      if (size >= PART_BYTES) await flush();
    }
  await flush();
  return rows;
}

interface NamedFile {
  readonly hash: string;
  readonly size: string;
  /** The number of all. */
  readonly total: string;
}

/** Declares a cursor of the files that the rows name, by hashes in hexadecimal. The server keeps it when the snapshot has ended. */
function cursorOf(shapes: readonly ArchivedTableShape[], organization: string): string {
  const named = shapes.flatMap((shape) =>
    shape.files.map(
      ({ column, kind }) =>
        `SELECT r.${column} FROM ${shape.name} r WHERE ${belongsTo(shape, organization)}${kind === undefined ? '' : ` AND r.kind = '${kind}'`}`,
    ),
  );
  return `DECLARE archived_file CURSOR WITH HOLD FOR
    SELECT encode(hash, 'hex') AS hash, size::text, (count(*) OVER ())::text AS total FROM blob WHERE hash IN (${named.join(' UNION ')}) ORDER BY hash`;
}

async function* filesOf(client: DatabaseConnection): AsyncGenerator<NamedFile> {
  for (;;) {
    const { rows } = await client.query<NamedFile>('FETCH FORWARD 1000 FROM archived_file');
    if (rows.length === 0) return;
    yield* rows;
  }
}

async function writeFiles(
  sink: ArchiveSink,
  storage: FileStorage,
  files: AsyncIterable<NamedFile>,
  progress: ArchiveProgress,
): Promise<{ count: number; bytes: number; missing: string[] }> {
  const found = { count: 0, bytes: 0, missing: [] as string[] };
  for await (const { hash, size, total } of files) {
    progress(found.count + found.missing.length, Number(total));
    if (await writeFile(sink, storage, hash, Number(size))) {
      found.count++;
      found.bytes += Number(size);
    } else found.missing.push(hash);
  }
  return found;
}

/** Returns false for a file that the storage lacks, or has with other bytes: those are written, as the archive has begun. */
async function writeFile(sink: ArchiveSink, storage: FileStorage, hash: string, size: number): Promise<boolean> {
  const bytes = await storage.get(hash).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'notFound') return undefined;
    throw error;
  });
  if (!bytes) return false;
  const digest = createHash('sha256');
  await sink.entry(fileEntryPath(hash), size, filled(bytes as AsyncIterable<Buffer>, size, digest));
  return digest.digest('hex') === hash;
}

/** As many bytes as there have to be: more are left out, and those that are missing are zeros, which are not hashed. */
async function* filled(bytes: AsyncIterable<Buffer>, size: number, digest: Hash): AsyncGenerator<Buffer> {
  let left = size;
  for await (const chunk of bytes) {
    const part = chunk.subarray(0, left);
    left -= part.length;
    digest.update(part);
    yield part;
  }
  for (; left > 0; left -= Math.min(left, PART_BYTES)) yield Buffer.alloc(Math.min(left, PART_BYTES));
}

function describe(sink: ArchiveSink, path: string, description: ArchiveBeginning | ArchiveEnd): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(description, undefined, 2)}\n`);
  return sink.entry(path, bytes.length, each([bytes]));
}

async function* each(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}
