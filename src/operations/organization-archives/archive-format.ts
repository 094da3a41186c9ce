import { z } from 'zod';

/** The version of the format. A reader refuses a newer one. */
export const FORMAT_VERSION = 1;
export const FORMAT = 'bindery-organization';

/** The first entry of an archive, and the last one: an archive without it is not whole. */
export const BEGINNING = 'organization.json';
export const END = 'end.json';
/** People come before all tables. */
export const PEOPLE_TABLE = 'account';

/** Bytes of rows after which a part of a table ends with its last line. */
export const PART_BYTES = 1024 ** 2;
/** Bytes of one line at most: so many as the body of a request may have. */
export const MOST_LINE_BYTES = 10 * 1024 ** 2;
/** Bytes of the first entry and of the last one at most. */
export const MOST_DESCRIPTION_BYTES = 16 * 1024 ** 2;
/** Values in a line at most: a document has a hundred thousand nodes, of some six values each. */
export const MOST_VALUES = 1_000_000;
/** Levels of JSON in a row at most; documents have a tenth of them for blocks. */
export const MOST_DEPTH = 400;

/**
 * The most that an archive may have which no operator answers for. An import keeps some 40 bytes for each id, 500 for a
 * person and 150 for a file.
 */
export const MOST_BROUGHT = { people: 100_000, ids: 5_000_000, files: 200_000, translated: 5_000_000 } as const;

const digits = (number: number, length: number): string => String(number).padStart(length, '0');

/** A part of the rows of the table at `place` in the list of tables; names sort in the order of the archive. */
export const rowsPath = (place: number, table: string, part: number): string =>
  `rows/${digits(place, 3)}-${table}/${digits(part, 6)}.jsonl`;
export const ROWS_PATH = /^rows\/(\d{3})-([a-z][a-z0-9_]*)\/(\d{6})\.jsonl$/;
export const FILE_PATH = /^files\/([0-9a-f]{64})$/;
export const fileEntryPath = (hash: string): string => `files/${hash}`;

/** The columns of people; nothing by which they sign in is among them. */
export const PERSON_COLUMNS = ['id', 'display_name', 'email', 'photo_url', 'disabled', 'created_at'] as const;

const name = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/);

export const beginningSchema = z.object({
  format: z.literal(FORMAT),
  version: z.number().int().positive(),
  release: z.string().max(100),
  exportedAt: z.iso.datetime(),
  organization: z.object({ id: z.string().max(40), title: z.string() }),
  /** In the order of their rows. */
  tables: z.array(z.object({ name, columns: z.array(name).max(200) })).max(500),
  /** Tables without rows in the archive, by the reason. */
  leftOut: z.record(z.string(), z.array(name)),
});
export type ArchiveBeginning = z.infer<typeof beginningSchema>;

const count = z.number().int().nonnegative();

export const endSchema = z.object({
  /** Rows of each table. */
  rows: z.record(z.string(), count),
  files: z.object({ count, bytes: count }),
  /** Hashes of files that the storage lacked. */
  missing: z.array(z.string()),
});
export type ArchiveEnd = z.infer<typeof endSchema>;

/** The number of rows of all tables. */
export const rowsIn = (rows: ArchiveEnd['rows']): number => Object.values(rows).reduce((sum, each) => sum + each, 0);
