import { Amount, Flag, Free, Id, Nested, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { PageQuery } from '../../kernel/common/page-query.js';

export const RUN_STATUSES = ['pending', 'in-progress', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
const RUN_KINDS = ['import', 'export'] as const;
/** Maximum number of shown problems of a run. */
const SHOWN_PROBLEMS = 1000;

class ImportSourceField {
  @OneOf(['file', 'website']) type: 'file' | 'website';
  @Url({ optional: true, description: 'First page of the website' }) url?: string;
  @Text({
    optional: true,
    list: true,
    minItems: 1,
    maxItems: 1000,
    max: 100,
    description: 'Keys of the uploaded files',
    example: ['AbCdEfGh0123456789Xy'],
  })
  files?: string[];
}

class ImportTargetField {
  @Id() space: string;
  @Id({
    optional: true,
    description:
      'By id or number. Without it a space that is locked for live edits gets a new one, once there is something to write',
  })
  changeRequest?: string;
  @Id({ optional: true, description: 'A page under which everything is put' }) page?: string;
}

export class StartImport {
  @Nested(() => ImportSourceField) source: ImportSourceField;
  @Nested(() => ImportTargetField) target: ImportTargetField;
}

export class ImportListQuery extends PageQuery {
  @Id({ optional: true, description: 'Only runs of this space' }) space?: string;
  @OneOf(RUN_KINDS, {
    optional: true,
    description: 'Only runs that read something into a space, or only those that write an archive or to a repository',
  })
  kind?: (typeof RUN_KINDS)[number];
}

export class ImportRunQuery {
  @Amount({
    optional: true,
    query: true,
    min: 0,
    max: 60,
    description: 'Seconds to wait for the end of the run before it is shown as it is then',
    example: 30,
  })
  wait?: number;
}

class ImportedPage {
  @Id() id: string;
  @OneOf(['page', 'folder'], { description: 'Folders are groups of pages' }) type: 'page' | 'folder';
  @OneOf(['complete'], { description: 'The pages of a run are there together, or not at all' }) status: 'complete';
  @Url({ optional: true }) sourceURL?: string;
}

class ImportProblemBody {
  @Text({ example: 'guide/install.md' }) file: string;
  @Amount({ min: 1, example: 12 }) line: number;
  @OneOf(['error', 'warning', 'notice']) level: 'error' | 'warning' | 'notice';
  @Text({ example: 'old.md leads nowhere' }) message: string;
}

class SyncedFileBody {
  @Text({ example: 'guide/install.md' }) path: string;
  @OneOf(['add', 'change', 'remove']) change: 'add' | 'change' | 'remove';
}

class SyncPlanBody {
  @OneOf(['import', 'export'], {
    description: '`import`: the space becomes what the branch says; `export`: the branch becomes what the space says',
  })
  direction: 'import' | 'export';
  @Nested(() => SyncedFileBody, {
    list: true,
    maxItems: SHOWN_PROBLEMS,
    description:
      'The files that the side that is written to would gain (`add`) and lose (`change`, `remove`), by path in the repository: the first 1,000 entries',
  })
  files: SyncedFileBody[];
}

class RunTargetBody {
  @Id() space: string;
  @Id({ optional: true, description: 'One that the run makes is named once it has written to it' })
  changeRequest?: string;
  @Id({ optional: true }) page?: string;
}

export class ImportRunBody {
  @Id() id: string;
  @OneOf(RUN_STATUSES) status: RunStatus;
  @Timestamp() createdAt: string;
  @Timestamp({ optional: true }) startedAt?: string;
  @Timestamp({ optional: true }) completedAt?: string;
  @Free({
    description:
      '`type` is file, website, archive, archive-export, push, git, git-export or git-sync; without credentials',
    example: { type: 'website', url: 'https://docs.example.com/' },
  })
  source: object;
  @Nested(() => RunTargetBody) target: RunTargetBody;
  @Text({ optional: true, description: 'Why it failed', example: 'source: the folder has no pages' }) error?: string;
  @Id({ optional: true, description: 'The revision that holds the result' }) revision?: string;
  @Flag({ optional: true, description: 'False where everything was there already' }) changed?: boolean;
  @Nested(() => ImportedPage, { optional: true, list: true, maxItems: 100_000, description: 'Not in lists' })
  pages?: ImportedPage[];
  @Nested(() => ImportProblemBody, {
    optional: true,
    list: true,
    description: 'Content that could not be imported unchanged: the first 1,000 entries; absent in lists',
  })
  problems?: ImportProblemBody[];
  @Url({
    optional: true,
    description: 'The archive that an export has written, for a day; absent in lists',
    example:
      'https://files.docs.example.com/~files/AbCdEfGh0123456789Xy/space.zip?v=0123456789abcdef&expires=1767225600&signature=abc',
  })
  download?: string;
  @Nested(() => SyncPlanBody, {
    optional: true,
    description: 'The result of a plan: the changes that a first synchronization would make; absent in lists',
  })
  plan?: SyncPlanBody;
}

class GitInfoField {
  @OneOf(['github', 'gitlab'], { optional: true }) provider?: 'github' | 'gitlab';
  @Text({ optional: true, max: 2048, example: 'https://git.example.com/docs/tree/main' }) url?: string;
}

class GitOrder {
  @Text({
    min: 1,
    max: 2048,
    description:
      'By https; may hold a name and password or token, which are kept encrypted until the run ends and never shown',
    example: 'https://git.example.com/docs.git',
  })
  url: string;
  @Text({ min: 1, max: 255, pattern: /^(?!-)[^\s~^:?*[\\\p{Cc}]+$/u, example: 'refs/heads/main' }) ref: string;
  @Text({ optional: true, max: 255, description: 'Taken and not used: nothing of a repository is kept' })
  repoCacheID?: string;
  @Text({
    optional: true,
    max: 2048,
    description: 'Where people see the repository',
    example: 'https://git.example.com/docs/tree/main',
  })
  repoTreeURL?: string;
  @Text({
    optional: true,
    max: 2048,
    description: 'Prefix of the address of a commit, before its ID',
    example: 'https://git.example.com/docs/commit',
  })
  repoCommitURL?: string;
  @Text({
    optional: true,
    max: 1024,
    description: 'The folder of the repository that holds the documentation',
    example: 'docs',
  })
  repoProjectDirectory?: string;
  @Timestamp({
    optional: true,
    description: 'When what caused this happened, now without it: an order that is older than the last run fails',
  })
  timestamp?: string;
  @Flag({ optional: true, default: false, description: 'Do it although something newer was there' }) force?: boolean;
  @Nested(() => GitInfoField, { optional: true }) gitInfo?: GitInfoField;
}

export class ImportGit extends GitOrder {
  @Flag({
    optional: true,
    default: false,
    description: 'Into a new change request instead of the primary content, where anything differs',
  })
  standalone?: boolean;
}

export class ExportGit extends GitOrder {
  @Text({ min: 1, max: 10_000, example: 'Update the handbook' }) commitMessage: string;
}

/** A row of table import_run. */
export interface ImportRunRow {
  readonly id: string;
  readonly spaceId: string;
  readonly status: RunStatus;
  readonly source: RunSource;
  readonly changeRequestId: string | null;
  readonly pageId: string | null;
  readonly createdBy: string;
  readonly error: string | null;
  readonly result: RunResult | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
}

/** The request to a repository; `directory` is '' for the whole repository. */
export interface GitOrderFacts {
  readonly url: string;
  readonly ref: string;
  readonly directory: string;
  readonly treeURL?: string;
  readonly commitURL?: string;
  readonly provider?: string;
  readonly timestamp: string;
  readonly force: boolean;
}

/** The source of a run, as stored and shown. */
export type RunSource =
  | { readonly type: 'file'; readonly files: readonly string[] }
  | { readonly type: 'website'; readonly url: string }
  | { readonly type: 'archive'; readonly files: readonly string[] }
  | { readonly type: 'archive-export'; readonly files: readonly string[] }
  | {
      readonly type: 'push';
      readonly files: readonly string[];
      /** The revision that the folder was changed from. */
      readonly base: string;
      readonly subject: string;
      /** Into a new change request. */
      readonly review: boolean;
      /** The change request that the folder was pulled from. */
      readonly into?: string;
    }
  | ({ readonly type: 'git'; readonly standalone?: boolean } & GitOrderFacts)
  | ({ readonly type: 'git-export'; readonly commitMessage: string } & GitOrderFacts)
  | {
      readonly type: 'git-sync';
      /** The installation, which knows the credentials. */
      readonly installation: string;
      readonly url: string;
      readonly ref: string;
      readonly directory: string;
      /** The side that would win, for a plan: nothing is changed, and the result lists the changes. */
      readonly priority?: 'git' | 'gitbook';
    };

/** A file of the repository that a first synchronization changes, or the page that it stands for. */
export interface SyncedFile {
  readonly path: string;
  readonly change: 'add' | 'change' | 'remove';
}

export interface RunResult {
  readonly revision?: string;
  readonly changed: boolean;
  readonly pages: readonly Omit<ImportedPage, 'status'>[];
  readonly problems: readonly ImportProblemBody[];
  /** The way that a synchronization went. */
  readonly direction?: 'import' | 'export';
  readonly plan?: { readonly direction: 'import' | 'export'; readonly files: readonly SyncedFile[] };
  /** The archive that an export has written; its bytes are kept for two days. */
  readonly archive?: RunArchive;
}

/** A stored archive; the hash is in hexadecimal. */
export interface RunArchive {
  readonly name: string;
  readonly hash: string;
  readonly size: number;
}

/** Milliseconds for which an archive can be fetched after its export. */
export const ARCHIVE_LIFETIME = 24 * 3600 * 1000;

/** A run as shown; in lists without its pages and problems. `download` is the address of what it has written. */
export function presentRun(row: ImportRunRow, inList = false, download?: string): ImportRunBody {
  const { result } = row;
  return {
    id: row.id,
    status: row.status,
    createdAt: row.createdAt.toISOString(),
    ...(row.startedAt && { startedAt: row.startedAt.toISOString() }),
    ...(row.status === 'completed' && row.completedAt && { completedAt: row.completedAt.toISOString() }),
    source: row.source,
    target: {
      space: row.spaceId,
      ...(row.changeRequestId !== null && { changeRequest: row.changeRequestId }),
      ...(row.pageId !== null && { page: row.pageId }),
    },
    ...(row.error !== null && { error: row.error }),
    ...(download !== undefined && { download }),
    ...(result && { changed: result.changed, ...(result.revision !== undefined && { revision: result.revision }) }),
    ...(result &&
      !inList && {
        pages: result.pages.map((page) => ({ ...page, status: 'complete' as const })),
        problems: result.problems.slice(0, SHOWN_PROBLEMS),
        ...(result.plan && { plan: { ...result.plan, files: result.plan.files.slice(0, SHOWN_PROBLEMS) } }),
      }),
  };
}
