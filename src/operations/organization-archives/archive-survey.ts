import type { DatabaseConnection } from '../../kernel/common/connection.js';
import { LongWork } from '../../kernel/common/context.js';
import {
  BEGINNING,
  beginningSchema,
  END,
  endSchema,
  FILE_PATH,
  fileEntryPath,
  FORMAT_VERSION,
  MOST_BROUGHT,
  MOST_DESCRIPTION_BYTES,
  PEOPLE_TABLE,
  PERSON_COLUMNS,
  ROWS_PATH,
  type ArchiveBeginning,
  type ArchiveEnd,
} from './archive-format.js';
import { ArchiveFault, type ArchiveSource } from './archive-source.js';
import { IdMapping, isRowId } from './id-mapping.js';
import { IdSet } from './id-set.js';
import { readPerson, type ArchivedPerson } from './people.js';
import { faultOfRow, type CheckedTable } from './row-checks.js';
import { rowsOf, wholeEntry, type PlacedRow, type ArchivedRow } from './row-values.js';
import type { ArchivedTableShape } from './table-shapes.js';

/** Everything about an archive that has to be known before its first row is stored. */
export interface Survey {
  readonly beginning: ArchiveBeginning;
  readonly end: ArchiveEnd;
  readonly people: readonly ArchivedPerson[];
  /** Ids of rows, by table, for those tables that others refer to. */
  readonly known: ReadonlyMap<string, Pick<IdSet, 'has'>>;
  /** The sizes in bytes of the files that are stored, by hash. */
  readonly files: ReadonlyMap<string, number>;
  readonly mapping: IdMapping;
  /** The ids of what the source of a translation has or had, by the space with the translation. */
  readonly translations: ReadonlyMap<string, ReadonlySet<string>>;
  /** True where a row here has the id of a row of the archive. */
  readonly isTaken: boolean;
}

export interface SurveyPlace {
  readonly client: DatabaseConnection;
  readonly shapes: readonly ArchivedTableShape[];
  /** An operator answers for the archive. */
  readonly isTrusted: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Stores a file, and gives its hash and size. */
  readonly storeFile: (bytes: AsyncIterable<Buffer>, size: number) => Promise<{ hash: string; size: number }>;
}

const MOST_WORDS = {
  people: 'is one person too many',
  ids: 'has one id too many',
  files: 'is one file too many',
  translated: 'is content of too many translations',
} as const;
/** Kinds of content whose ids are as those of other rows; the others are names. */
const CONTENT_KINDS: ReadonlySet<unknown> = new Set(['page', 'file', 'reusable']);
/**
 * Reads all of an archive, checks it, and stores its files, to which nothing refers yet. Nothing else is written.
 * @throws ArchiveFault with the place of the first fault.
 */
export async function surveyArchive(archive: ArchiveSource, place: SurveyPlace): Promise<Survey> {
  const reading = new ArchiveReading(place);
  await archive.read((path, size, bytes) => reading.entry(path, size, bytes));
  return reading.finish();
}

class ArchiveReading {
  private beginning: ArchiveBeginning | undefined;
  private end: ArchiveEnd | undefined;
  private readonly people: ArchivedPerson[] = [];
  private readonly addresses = new Set<string>();
  private readonly known = new Map<string, IdSet>();
  private readonly files = new Map<string, number>();
  /** Files with other bytes than their names say. */
  private readonly damaged = new Set<string>();
  private readonly mapping = new IdMapping();
  /** By the spaces of sources: the ids of content there, and the number of translations. */
  private readonly sources = new Map<string, { readonly ids: Set<string>; translations: number }>();
  private readonly translations = new Map<string, ReadonlySet<string>>();
  private translated = 0;
  private readonly rows: Record<string, number> = {};
  private readonly shapes: ReadonlyMap<string, ArchivedTableShape>;
  private readonly work = new LongWork();
  private last = '';
  private isTaken = false;

  constructor(private readonly place: SurveyPlace) {
    this.shapes = new Map(place.shapes.map((shape) => [shape.name, shape]));
    const named = place.shapes.flatMap(({ owner, references }) => [owner, ...references.map(({ table }) => table)]);
    for (const name of named) this.known.set(name, new IdSet());
  }

  async entry(path: string, size: number, bytes: AsyncIterable<Buffer>): Promise<void> {
    if (this.end) throw new ArchiveFault(path.slice(0, 300), `stands behind ${END}`);
    if (!this.beginning) this.begin(path, await wholeEntry(path.slice(0, 300), size, MOST_DESCRIPTION_BYTES, bytes));
    else if (path === END)
      this.end = described(endSchema, path, await wholeEntry(path, size, MOST_DESCRIPTION_BYTES, bytes));
    else if (ROWS_PATH.test(path)) await this.part(this.beginning, path, size, bytes);
    else await this.file(path, size, bytes);
  }

  finish(): Survey {
    const { beginning, end, people, known, files, mapping, translations, isTaken } = this;
    if (!beginning || !end)
      throw new ArchiveFault('the archive', `is not whole: ${beginning ? END : BEGINNING} is missing`);
    for (const { name } of beginning.tables) {
      const [found, told] = [this.rows[name] ?? 0, end.rows[name] ?? 0];
      if (found !== told) throw new ArchiveFault(END, `tells of ${told} rows of ${name}, and there are ${found}`);
    }
    const missing = new Set(end.missing);
    for (const hash of this.damaged)
      if (!missing.has(hash)) throw new ArchiveFault(fileEntryPath(hash), 'has other bytes than its name says');
    if (files.size !== end.files.count)
      throw new ArchiveFault(END, `tells of ${end.files.count} files, and there are ${files.size}`);
    if (this.rows['organization'] !== 1) throw new ArchiveFault('the archive', 'must hold one organization');
    return { beginning, end, people, known, files, mapping, translations, isTaken };
  }

  private begin(path: string, text: string): void {
    if (path !== BEGINNING) throw new ArchiveFault('the archive', `must begin with ${BEGINNING}`);
    const beginning = described(beginningSchema, path, text);
    if (beginning.version > FORMAT_VERSION)
      throw new ArchiveFault(
        path,
        `is of version ${beginning.version}, and this release reads ${FORMAT_VERSION}: import it with ${beginning.release} or newer`,
      );
    for (const { name, columns } of beginning.tables) {
      const own = name === PEOPLE_TABLE ? PERSON_COLUMNS : this.shapes.get(name)?.columns.map((column) => column.name);
      if (!own) throw new ArchiveFault(path, `names the table ${name}, which this release does not know`);
      const unknown = columns.find((column) => !own.includes(column as never));
      if (unknown !== undefined)
        throw new ArchiveFault(path, `names the column ${unknown} of ${name}, which this release does not know`);
    }
    this.beginning = beginning;
  }

  /** A part of a table. Tables and parts come in the order that the beginning has. */
  private async part(
    beginning: ArchiveBeginning,
    path: string,
    size: number,
    bytes: AsyncIterable<Buffer>,
  ): Promise<void> {
    const [, place = '', name = ''] = ROWS_PATH.exec(path) ?? [];
    const table = beginning.tables[Number(place)];
    if (table?.name !== name) throw new ArchiveFault(path, `does not belong to the table ${place} of ${BEGINNING}`);
    if (path <= this.last) throw new ArchiveFault(path, `must come before ${this.last}`);
    this.last = path;
    const shape = this.shapes.get(name);
    const checked = this.checked(table, shape);
    const ids: string[] = [];
    for await (const placed of rowsOf(path, size, bytes, new Set(table.columns))) {
      await this.work.step();
      this.place.signal?.throwIfAborted();
      this.rows[name] = (this.rows[name] ?? 0) + 1;
      const fault = faultOfRow(checked, placed.row);
      if (fault !== undefined) throw new ArchiveFault(placed.place, fault);
      if (shape) this.row(beginning, shape, placed, ids);
      else this.person(placed);
    }
    if (shape) await this.look(shape, ids);
  }

  private person(placed: PlacedRow): void {
    const person = readPerson(placed);
    const address = person.email.toLowerCase();
    if (this.addresses.has(address)) throw new ArchiveFault(placed.place, 'has the e-mail address of another person');
    this.addresses.add(address);
    const ids = this.known.get(PEOPLE_TABLE);
    if (ids?.has(person.id) === true) throw new ArchiveFault(placed.place, 'has the id of another person');
    this.people.push(person);
    this.require('people', this.people.length, placed.place);
    ids?.add(person.id);
  }

  private row(beginning: ArchiveBeginning, shape: ArchivedTableShape, { row, place }: PlacedRow, ids: string[]): void {
    const owner = row[shape.ownerColumn];
    const isOwned =
      shape.owner === 'organization'
        ? owner === beginning.organization.id
        : typeof owner === 'string' && this.known.get(shape.owner)?.has(owner) === true;
    if (!isOwned) throw new ArchiveFault(place, `${shape.ownerColumn} names no ${shape.owner} of the archive`);
    this.learnIds(shape, row, place, ids);
    this.checkReferences(shape, row, place);
  }

  private checked(
    { name, columns }: ArchiveBeginning['tables'][number],
    shape: ArchivedTableShape | undefined,
  ): CheckedTable {
    const own =
      shape?.columns ??
      PERSON_COLUMNS.map((column) => ({
        name: column,
        type: column === 'disabled' ? 'boolean' : 'text',
        isRequired: false,
      }));
    return {
      name,
      columns: own.filter((column) => columns.includes(column.name)),
      documents: shape?.documents ?? [],
      isTrusted: this.place.isTrusted,
    };
  }

  /** Bounds the memory of archives that anybody may bring. */
  private require(kind: keyof typeof MOST_BROUGHT, count: number, place: string): void {
    if (!this.place.isTrusted && count > MOST_BROUGHT[kind])
      throw new ArchiveFault(place, `${MOST_WORDS[kind]}: only an operator imports more than ${MOST_BROUGHT[kind]}`);
  }

  private learnIds({ name, key }: ArchivedTableShape, row: ArchivedRow, place: string, ids: string[]): void {
    const { id } = row;
    const isContent = 'kind' in row && 'space_id' in row;
    if (key.length === 1 && key[0] === 'id') {
      if (!isRowId(id)) throw new ArchiveFault(place, 'id is no id');
      this.mapping.ids.add(id);
      this.known.get(name)?.add(id);
      ids.push(id);
    } else if (isRowId(id) && (!isContent || CONTENT_KINDS.has(row['kind']))) {
      this.mapping.ids.add(id);
      if (isContent) this.content(String(row['space_id']), id, place);
    }
    this.require('ids', this.mapping.ids.size, place);
    if (name === 'translation') this.translation(row, place);
  }

  /** Translations come before content. */
  private translation({ source_space_id: source, result_space_id: result }: ArchivedRow, place: string): void {
    for (const space of [source, result])
      if (typeof space !== 'string' || this.known.get('space')?.has(space) !== true)
        throw new ArchiveFault(place, 'is between spaces that the archive does not have');
    if (this.translations.has(String(result))) throw new ArchiveFault(place, 'has the space of another translation');
    const found = this.sources.get(String(source)) ?? { ids: new Set(), translations: 0 };
    found.translations++;
    this.sources.set(String(source), found);
    this.translations.set(String(result), found.ids);
  }

  /** Notes content that translations are made of. */
  private content(space: string, id: string, place: string): void {
    const source = this.sources.get(space);
    if (!source || source.ids.has(id)) return;
    source.ids.add(id);
    this.require('translated', (this.translated += source.translations), place);
  }

  /** Throws for a reference to something outside of the archive; one that may be missing is left out when it is stored. */
  private checkReferences({ references, columns }: ArchivedTableShape, row: ArchivedRow, place: string): void {
    for (const { column, table } of references) {
      const isRequired = columns.some((each) => each.name === column && each.isRequired);
      const value = row[column];
      if (typeof value === 'string' ? this.known.get(table)?.has(value) !== true && isRequired : isRequired)
        throw new ArchiveFault(place, `${column} names no ${table} of the archive`);
    }
  }

  private async look({ name }: ArchivedTableShape, ids: readonly string[]): Promise<void> {
    if (this.isTaken || ids.length === 0) return;
    const { rowCount } = await this.place.client.query(`SELECT FROM ${name} WHERE id = ANY ($1) LIMIT 1`, [ids]);
    this.isTaken = (rowCount ?? 0) > 0;
  }

  private async file(path: string, size: number, bytes: AsyncIterable<Buffer>): Promise<void> {
    const hash = FILE_PATH.exec(path)?.[1];
    if (hash === undefined) throw new ArchiveFault(path.slice(0, 300), 'is no part of an archive of an organization');
    if (this.files.has(hash) || this.damaged.has(hash)) throw new ArchiveFault(path, 'is there twice');
    this.place.signal?.throwIfAborted();
    const stored = await this.place.storeFile(bytes, size);
    if (stored.hash === hash) this.files.set(hash, stored.size);
    else this.damaged.add(hash);
    this.require('files', this.files.size + this.damaged.size, path);
  }
}

/** A description of the archive. Throws `ArchiveFault` with the path of its first fault. */
function described<Described>(
  schema: {
    safeParse(
      value: unknown,
    ):
      | { success: true; data: Described }
      | { success: false; error: { issues: readonly { path: readonly PropertyKey[]; message: string }[] } };
  },
  path: string,
  text: string,
): Described {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ArchiveFault(path, 'is no JSON');
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new ArchiveFault(
    path,
    `${issue?.path.map(String).join('.') ?? ''} ${issue?.message ?? 'cannot be read'}`.trim(),
  );
}
