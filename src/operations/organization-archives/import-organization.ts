import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { copiedId } from '../../authoring/content/domain/copied-id.js';
import {
  DERIVE_CONTENT,
  FIND_RENAMED,
  MAKE_RENAMED,
  RENAME_DOCUMENTS,
  RENAME_STAGED,
} from '../../authoring/content/imported-content.statements.js';
import {
  IMPORT_ADMINISTRATOR,
  REACHABLE_ADMINISTRATOR,
} from '../../identity/organizations/imported-organization.statements.js';
import type { DatabaseConnection } from '../../kernel/common/connection.js';
import { LongWork } from '../../kernel/common/context.js';
import { sqlState } from '../../kernel/common/sql-state.js';
import { DomainError } from '../../kernel/common/errors.js';
import type { Secrets } from '../../kernel/common/secrets.js';
import type { Invariant } from '../../kernel/platform/health-checks/health-checks.points.js';
import type { Blobs } from '../../kernel/platform/storage/blobs.js';
import { TEXT_SETTINGS, copyIn } from '../../kernel/common/copy-streams.js';
import { PEOPLE_TABLE, ROWS_PATH, rowsIn } from './archive-format.js';
import { ArchiveFault, faultOfStatement, UNIQUE_VIOLATION, type ArchiveSource } from './archive-source.js';
import { surveyArchive, type Survey } from './archive-survey.js';
import { MEMBER_COLUMN } from './archived-tables.js';
import type { ArchiveProgress } from './export-organization.js';
import { InstallationNames, NameTaken } from './installation-names.js';
import { matchPeople, type MemberAdmission, type MatchedPeople } from './people.js';
import { requireInvariants } from './required-invariants.js';
import { MADE_COLUMNS, ROW_RULES, type RulePlace } from './row-rules.js';
import { copyLine, rowsOf, withTexts, type PlacedRow, type ArchivedRow } from './row-values.js';
import { findShapes, type ArchivedColumn, type ArchivedTableShape } from './table-shapes.js';

export interface ImportPlace {
  /** A connection without a transaction. */
  readonly client: DatabaseConnection;
  readonly blobs: Pick<Blobs, 'store'>;
  readonly secrets: Secrets;
  /** Statements of other modules that derive rows of a space (`$1`) from its content. */
  readonly derive: readonly string[];
  /** Conditions on rows, of which those that are required hold in any organization. */
  readonly invariants: readonly Invariant[];
}

export interface OrganizationImportOptions extends MemberAdmission {
  /** Ids that stay where they are free, or new ones in any case. */
  readonly ids: 'kept' | 'new';
  /** Ends the import between two rows, files or spaces. */
  readonly signal?: AbortSignal | undefined;
  /** More work in the transaction that makes the organization appear. */
  readonly finish?: (client: DatabaseConnection, report: OrganizationImportReport) => Promise<void>;
}

export interface OrganizationImportReport {
  readonly organizationId: string;
  readonly title: string;
  readonly ids: 'kept' | 'new';
  readonly people: {
    readonly made: number;
    readonly known: number;
    /** Addresses of those whose membership waits until an administrator enables it, or invites them. */
    readonly waiting: readonly string[];
  };
  readonly rows: Readonly<Record<string, number>>;
  readonly files: number;
  /** Hashes of files that were missing when the archive was made. */
  readonly missingFiles: readonly string[];
  /** Things that are not as they were, in sentences. */
  readonly notes: readonly string[];
}

const SPACES = 'SELECT id FROM space WHERE organization_id = $1 ORDER BY id';
const MOST_NOTES = 10_000;
/** Readings of an archive while others take names that it has. */
const MOST_ATTEMPTS = 5;
const INVITE =
  'You are the only member of the organization, and the others are the authors of what they wrote: invite them.';

/**
 * Imports an organization. All of its rows are stored in one transaction: it appears at once, and an import that is cut
 * off leaves nothing but files that nothing refers to, which are removed after two days.
 * @throws ArchiveFault with the place of a fault in the archive.
 */
export async function importOrganization(
  archive: ArchiveSource,
  place: ImportPlace,
  options: OrganizationImportOptions,
  progress: ArchiveProgress = () => undefined,
): Promise<OrganizationImportReport> {
  const shapes = await findShapes(place.client);
  const survey = await surveyArchive(archive, {
    client: place.client,
    shapes,
    isTrusted: options.isTrusted,
    signal: options.signal,
    storeFile: (bytes, size) => place.blobs.store(Readable.from(bytes), { name: 'archive', maxBytes: size }),
  });
  const load = (): Promise<OrganizationImportReport> =>
    new OrganizationLoad(archive, survey, shapes, place, options, progress).run().catch(async (error: unknown) => {
      await place.client.query('ROLLBACK').catch(() => undefined);
      throw error;
    });
  if (options.ids === 'new' || survey.isTaken) await renewIds(survey, options.signal);
  for (let attempt = 1; ; attempt++) {
    const report = await load().catch((error: unknown) => retried(error, attempt, survey, options.signal));
    if (report) return report;
  }
}

/** Prepares another attempt where somebody else has taken an id or a name since; throws the error otherwise. */
async function retried(
  error: unknown,
  attempt: number,
  survey: Survey,
  signal: AbortSignal | undefined,
): Promise<undefined> {
  if (error instanceof NameTaken && attempt < MOST_ATTEMPTS) return;
  if (error instanceof NameTaken) throw new DomainError('conflict', 'Names of the archive were taken again and again');
  // Such as another import of the same archive.
  const isTaken = error instanceof ArchiveFault && sqlState(error.cause) === UNIQUE_VIOLATION;
  if (survey.mapping.isRenewing || !isTaken) throw error;
  await renewIds(survey, signal);
}

/**
 * Gives everything new ids. Content of a translation is named after that of its source, so that the next run finds it
 * again: its names follow from the new ones.
 */
async function renewIds({ mapping, translations }: Survey, signal: AbortSignal | undefined): Promise<void> {
  const work = new LongWork();
  mapping.renew(randomBytes(32));
  for (const [result, ids] of translations) {
    const here = mapping.of(result);
    for (const id of ids) {
      await work.step();
      signal?.throwIfAborted();
      const copy = copiedId(result, id);
      if (mapping.ids.has(copy)) mapping.give(copy, copiedId(here, mapping.of(id)));
    }
  }
}

/** The second reading of an archive, which stores its rows. */
class OrganizationLoad {
  private readonly notes: string[] = [];
  private readonly waiting = new Set<string>();
  private readonly work = new LongWork();
  private readonly shapes: ReadonlyMap<string, ArchivedTableShape>;
  private readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly total: number;
  private readonly missing: ReadonlySet<string>;
  /** Ids of rows whose files are missing, by table. */
  private readonly leftOut = new Map<string, Set<unknown>>();
  private rules: RulePlace | undefined;
  private done = 0;
  private table = '';
  private staged: ArchivedTableShape | undefined;
  /** True once documents were compared with their hashes, and where some of them have others now. */
  private isNamed = false;
  private hasRenamed = false;

  constructor(
    private readonly archive: ArchiveSource,
    private readonly survey: Survey,
    shapes: readonly ArchivedTableShape[],
    private readonly place: ImportPlace,
    private readonly options: OrganizationImportOptions,
    private readonly progress: ArchiveProgress,
  ) {
    this.shapes = new Map(shapes.map((shape) => [shape.name, shape]));
    this.columns = new Map(survey.beginning.tables.map(({ name, columns }) => [name, new Set(columns)]));
    this.missing = new Set(survey.end.missing);
    this.total = rowsIn(survey.end.rows);
  }

  async run(): Promise<OrganizationImportReport> {
    const { client } = this.place;
    const { beginning, end, people, mapping } = this.survey;
    await client.query('BEGIN');
    await client.query(TEXT_SETTINGS);
    const names = new InstallationNames(client, (line) => this.note(line));
    const matched = await matchPeople(client, people, mapping, names, this.options);
    this.rules = {
      secrets: this.place.secrets,
      people: matched,
      isTrusted: this.options.isTrusted,
      names,
      note: (line) => this.note(line),
      wait: (person) => this.waiting.add(person),
    };
    await this.archive.read((path, size, bytes) => this.entry(path, size, bytes));
    await this.leaveTable();
    const organizationId = mapping.of(beginning.organization.id);
    await requireInvariants(client, this.place.invariants, organizationId);
    await this.derive(organizationId);
    await this.requireAdministrator(organizationId);
    await names.give(organizationId, (id) => mapping.of(id));
    // It comes first: answers show a bounded number of notes.
    if ([...this.waiting].some((person) => matched.strangers.has(person))) this.notes.unshift(INVITE);
    const report: OrganizationImportReport = {
      organizationId,
      title: beginning.organization.title,
      ids: mapping.isRenewing ? 'new' : 'kept',
      people: this.peopleOf(matched),
      rows: end.rows,
      files: this.survey.files.size,
      missingFiles: end.missing,
      notes: this.notes,
    };
    await this.options.finish?.(client, report);
    await client.query('COMMIT');
    return report;
  }

  private note(line: string): void {
    if (this.notes.length < MOST_NOTES) this.notes.push(line);
    else if (this.notes.length === MOST_NOTES) this.notes.push('More was changed.');
  }

  private peopleOf({ known }: MatchedPeople): OrganizationImportReport['people'] {
    const { people } = this.survey;
    return {
      made: people.length - known.size,
      known: known.size,
      waiting: people.filter(({ id }) => this.waiting.has(id)).map(({ email }) => email),
    };
  }

  private async entry(path: string, size: number, bytes: AsyncIterable<Buffer>): Promise<void> {
    const [, , name = ''] = ROWS_PATH.exec(path) ?? [];
    const shape = this.shapes.get(name);
    const columns = this.columns.get(name);
    if (!shape || !columns || name === PEOPLE_TABLE) return;
    if (name !== this.table) await this.enterTable(shape);
    const lines: string[] = [];
    const places: string[] = [];
    const stored = this.storedColumns(shape, columns);
    for await (const placed of rowsOf(path, size, bytes, columns)) {
      await this.work.step();
      this.options.signal?.throwIfAborted();
      if (!this.adjust(shape, placed)) continue;
      await this.work.step();
      const row = this.mapped(placed.row);
      await this.work.step();
      lines.push(copyLine(row, stored));
      places.push(placed.place);
    }
    await this.copy(shape, stored, lines, places);
    this.progress((this.done += places.length), this.total);
  }

  /** Columns of the archive, and those that a rule makes; the others have their defaults. */
  private storedColumns({ name, columns }: ArchivedTableShape, archived: ReadonlySet<string>): ArchivedColumn[] {
    const made = MADE_COLUMNS[name]?.filter((column) => !archived.has(column.name)) ?? [];
    return [...columns.filter((column) => archived.has(column.name)), ...made];
  }

  /** Removes references to what the archive does not have, applies the rule of the table, and leaves out strangers. */
  private adjust(shape: ArchivedTableShape, { row, place }: PlacedRow): boolean {
    const { name, references, files, parents } = shape;
    const { known, files: stored } = this.survey;
    for (const { column, table } of references)
      if (typeof row[column] === 'string' && known.get(table)?.has(row[column]) !== true) row[column] = null;
    if (parents.some(({ column, table }) => this.leftOut.get(table)?.has(row[column]) === true)) return false;
    for (const { column, kind } of files) {
      if ((row[column] ?? null) === null || (kind ?? row['kind']) !== row['kind']) continue;
      const hash = String(row[column]).replace('\\x', '');
      const size = stored.get(hash);
      if (size !== undefined) {
        giveSize(row, size);
        continue;
      }
      if (!this.missing.has(hash))
        throw new ArchiveFault(place, `${column} names a file that the archive does not have`);
      // The history of content goes on without the bytes; other rows are nothing without them.
      if (kind === undefined) return this.leaveOut(name, row['id']);
      row[column] = null;
    }
    if (!this.rules) return true;
    const isKept = ROW_RULES[name]?.(row, this.rules) ?? true;
    return isKept && staysFor(this.rules.people.strangers, shape, row);
  }

  /** Leaves out a row, and those that belong to it. */
  private leaveOut(table: string, id: unknown): false {
    const ids = this.leftOut.get(table) ?? new Set();
    this.leftOut.set(table, ids.add(id));
    return false;
  }

  private mapped(row: ArchivedRow): ArchivedRow {
    const { mapping } = this.survey;
    return mapping.changesNothing ? row : (withTexts(row, (text) => mapping.replaced(text)) as ArchivedRow);
  }

  private async copy(
    shape: ArchivedTableShape,
    columns: readonly ArchivedColumn[],
    lines: readonly string[],
    places: readonly string[],
  ) {
    const { client } = this.place;
    const target = this.staged === shape ? 'staged_row' : shape.name;
    try {
      await copyIn(
        client,
        `COPY ${target} (${columns.map(({ name }) => name).join(', ')}) FROM STDIN`,
        Readable.from([Buffer.from(lines.join(''))]) as AsyncIterable<Buffer>,
      );
    } catch (error) {
      throw faultOfStatement(error, shape.name, places);
    }
  }

  /**
   * Rows of tables that refer to themselves come by way of a temporary table: a statement may store a row before the one
   * that it refers to. So do those that name documents by their hashes, once documents have others.
   */
  private async enterTable(shape: ArchivedTableShape): Promise<void> {
    await this.leaveTable();
    this.table = shape.name;
    if (shape.namesDocuments === true && !this.isNamed) await this.renameDocuments();
    if (!shape.refersToItself && !(this.hasRenamed && shape.namesDocuments === true)) return;
    this.staged = shape;
    await this.place.client.query(
      `CREATE TEMPORARY TABLE staged_row (LIKE ${shape.name} INCLUDING DEFAULTS) ON COMMIT DROP`,
    );
  }

  private async leaveTable(): Promise<void> {
    const { client } = this.place;
    const { staged } = this;
    if (staged) {
      const renamed = this.hasRenamed && staged.namesDocuments === true;
      try {
        if (renamed) await client.query(RENAME_STAGED);
        await client.query(`INSERT INTO ${staged.name} SELECT * FROM staged_row`);
        await client.query('DROP TABLE staged_row');
      } catch (error) {
        throw faultOfStatement(error, staged.name, []);
      }
    }
    this.staged = undefined;
  }

  /** Gives documents the hash of their text, which has other ids. */
  private async renameDocuments(): Promise<void> {
    const { client } = this.place;
    const organizationId = this.survey.mapping.of(this.survey.beginning.organization.id);
    this.isNamed = true;
    try {
      await client.query(MAKE_RENAMED);
      const { rowCount } = await client.query(FIND_RENAMED, [organizationId]);
      this.hasRenamed = (rowCount ?? 0) > 0;
      if (this.hasRenamed) await client.query(RENAME_DOCUMENTS);
    } catch (error) {
      throw faultOfStatement(error, 'document', []);
    }
  }

  private async derive(organizationId: string): Promise<void> {
    const { client } = this.place;
    const { rows } = await client.query<{ id: string }>(SPACES, [organizationId]);
    for (const { id } of rows) {
      this.options.signal?.throwIfAborted();
      for (const statement of [...DERIVE_CONTENT, ...this.place.derive])
        await client.query(statement, [id]).catch((error: unknown) => {
          throw faultOfStatement(error, 'content_item', []);
        });
    }
  }

  /** Makes the person who imports an administrator; without one, there has to be somebody who can come in. */
  private async requireAdministrator(organizationId: string): Promise<void> {
    const { client } = this.place;
    const { userId } = this.options;
    if (userId !== undefined) await client.query(IMPORT_ADMINISTRATOR, [organizationId, userId]);
    const { rowCount } = await client.query(REACHABLE_ADMINISTRATOR, [organizationId]);
    if (rowCount === 0)
      throw new DomainError(
        'invalid',
        'No administrator of the organization can come in here: name one who has an account',
      );
  }
}

/** Gives a row the size that its file has here, whatever the archive says: answers announce it before they send the bytes. */
function giveSize(row: ArchivedRow, size: number): void {
  const { props } = row;
  if ('size' in row) row['size'] = size;
  if (typeof props === 'object' && props !== null && 'size' in props) row['props'] = { ...props, size };
}

/** True for a row that needs no membership of a stranger; takes the stranger out of it where it may be without one. */
function staysFor(
  strangers: ReadonlySet<string>,
  { isOfMember, columns }: ArchivedTableShape,
  row: ArchivedRow,
): boolean {
  const person = row[MEMBER_COLUMN];
  if (isOfMember !== true || typeof person !== 'string' || !strangers.has(person)) return true;
  row[MEMBER_COLUMN] = null;
  return columns.some(({ name, isRequired }) => name === MEMBER_COLUMN && !isRequired);
}
