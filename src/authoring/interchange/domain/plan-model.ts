import type { ContentRef } from '../../../formats/document/types.js';
import type { PageType } from '../../content/domain/content-item.js';
import type { ComputedEntry } from './computed-entry.js';

/** One file of the source. `read` may be called more than once. */
export interface SourceFile {
  readonly size: number;
  read(): Promise<Buffer>;
}

export interface PlanProblem {
  file: string;
  line?: number;
  level: 'error' | 'warning' | 'notice';
  message: string;
}

/** A page as it will be in the space; parents come before their children, siblings in order. */
export interface PlannedPage {
  id: string;
  parent: string | undefined;
  type: PageType;
  title: string;
  /** How the table of contents calls it, where that is not its title. */
  linkTitle?: string;
  /** Absent for links and computed pages. */
  slug?: string;
  /** Source file of a document; one without is an empty page. */
  path?: string;
  /** Where a link leads. */
  target?: ContentRef;
  /** What a computed page is made from. */
  computed?: ComputedEntry;
  /** The page is in no table of contents, so it is imported out of sight. */
  hidden: boolean;
}

export interface PlannedFile {
  id: string;
  path: string;
  name: string;
  size: number;
  /** Lies among the repository's assets, so it is imported even if no page shows it. */
  asset: boolean;
}

export interface PlannedReusableContent {
  id: string;
  title: string;
  path: string;
}
