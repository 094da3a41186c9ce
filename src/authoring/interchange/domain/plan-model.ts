import type { ContentRef } from '../../../formats/document/types.js';
import type { PageType } from '../../content/domain/content-item.js';
import type { ComputedEntry } from './computed-entry.js';
import type { FolderRule, Severity } from './rules.js';

/** One file of the source. `read` may be called more than once. */
export interface SourceFile {
  readonly size: number;
  read(): Promise<Buffer>;
}

/** A problem with its place, counted from 1. `level` weighs it for an import, which goes on with what is left. */
export interface PlanProblem {
  file: string;
  line?: number;
  column?: number;
  level: Severity;
  /** Absent for a problem of a source that is no folder. */
  rule?: FolderRule;
  message: string;
}

/** A page as it will be in the space; parents precede their children, siblings are in order. */
export interface PlannedPage {
  id: string;
  parent: string | undefined;
  type: PageType;
  title: string;
  /** Its name in the table of contents, if that is not its title. */
  linkTitle?: string;
  /** Absent for links and computed pages. */
  slug?: string;
  /** Source file of a document; a page without one is empty. */
  path?: string;
  /** The target of a link. */
  target?: ContentRef;
  /** The source of a computed page. */
  computed?: ComputedEntry;
  /** True if the page is in no table of contents, so it is imported as hidden. */
  hidden: boolean;
}

export interface PlannedFile {
  id: string;
  path: string;
  name: string;
  size: number;
  /** True if it is among the repository's assets, so it is imported even if no page uses it. */
  asset: boolean;
}

export interface PlannedReusableContent {
  id: string;
  title: string;
  path: string;
}
