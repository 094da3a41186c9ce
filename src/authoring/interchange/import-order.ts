import type { Neighbour } from './domain/folder-neighbours.js';
import type { PlanProblem, SourceFile } from './domain/plan-model.js';
import type { PermissionKey } from '../../kernel/access/permissions.js';
import type { ImportProgressListener } from './folder-reader.js';
import type { GitObjects } from './git/git-objects.js';
import type { FetchedCommit } from './git/repository.js';
import type { Names } from './rename-ids.js';

/** A folder of Markdown, however it came here. */
export interface ImportSource {
  readonly files: ReadonlyMap<string, SourceFile>;
  /** The problems found while the folder was read. */
  readonly problems: readonly PlanProblem[];
  /** The objects of a git repository, if the folder is laid out as one, and the commit that it comes from. */
  readonly git?: { readonly commit?: FetchedCommit; readonly objects: GitObjects };
}

/** Where the content of a folder goes. */
export interface ImportTarget {
  readonly spaceId: string;
  /** By id; without one the primary line, which is written to although the space may be locked for live edits. */
  readonly changeRequest?: string;
  /** Makes a change request of the space and gives its id: what there is to write goes there. Not called where that is nothing. */
  readonly makeRequest?: () => Promise<string>;
  /** A page under which everything is added. */
  readonly page?: string;
  /** `replace`: the space shall say what the folder says, and nothing else. `add`: what is there stays as it is. */
  readonly mode: 'replace' | 'add';
  /** The permission that it takes, where that is not the usual one; a primary line that is locked for live edits is refused then. */
  readonly needs?: PermissionKey;
  /** The last import of the same repository into the primary line: of a target at its revision, unchanged pages are not read again. */
  readonly since?: { readonly revision: string; readonly contextHash: string };
}

export interface ImportOrder {
  readonly organizationId: string;
  readonly userId: string;
  readonly source: ImportSource;
  /** A space that is there already; without it a new one of this title is made. */
  readonly target?: ImportTarget;
  readonly title: string;
  /** The message of the revision. */
  readonly message?: string;
  /** For a space that is made. */
  readonly make?: { readonly id: string; readonly language?: string };
  /** For one of several folders that refer to each other: the ids of pages in the spaces, by those that were given to them when the folders were read. */
  readonly names?: Names;
  /** For a folder beside those of other spaces: resolves links into them. */
  readonly neighbour?: Neighbour | undefined;
  readonly onProgress?: ImportProgressListener;
  /** Awaited every now and then; throws to end the work, of which nothing is left then. */
  readonly checkpoint?: () => Promise<void>;
  /** Runs what makes the result visible, in a transaction of its choice. */
  readonly commit?: (work: () => Promise<ImportResult>) => Promise<ImportResult>;
}

/** A problem with its place; `line` counts from 1. */
export interface ImportProblem extends PlanProblem {
  readonly line: number;
}

export interface ImportedPage {
  readonly id: string;
  /** A folder is a group: it has no content of its own. */
  readonly type: 'page' | 'folder';
  readonly source?: string;
}

export interface ImportResult {
  readonly space: string;
  /** The head of the line: the new revision, or the old one where nothing changed. */
  readonly revision: string;
  readonly changed: boolean;
  /** Changes that were written. */
  readonly changes: number;
  readonly pages: number;
  readonly files: number;
  /** The pages, with the source file of those that have one, in the order of the tree. */
  readonly imported: readonly ImportedPage[];
  readonly problems: readonly ImportProblem[];
  /** See `contextHashOf`; absent for a folder that is in no repository. */
  readonly contextHash?: string;
  /** The paths of the files that the next import does not read while they are as they are; absent for a folder that is in no repository. */
  readonly settled?: ReadonlySet<string>;
}
