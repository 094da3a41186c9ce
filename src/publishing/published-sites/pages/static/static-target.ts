import type { SiteRequest } from '../site-place.js';
import type { StaticFiles } from './static-files.js';
import type { StaticFolder } from './static-folder.js';
import type { StaticIndex } from './static-index.js';

/** A site that is written as static files, and where to. */
export interface StaticTarget {
  readonly site: SiteRequest;
  readonly folder: StaticFolder;
  readonly files: StaticFiles;
  readonly index: StaticIndex;
  /** Sentences about what could not be written as it is. */
  readonly problems: string[];
  /** False where its PDFs are left out. */
  readonly hasPdfs: boolean;
  /** Told before each page and each PDF; `total` stays the same. */
  readonly onPage: () => void;
}
