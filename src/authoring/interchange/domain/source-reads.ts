import { readRepositoryConfig, type RepositoryConfig } from './gitbook-yaml.js';
import {
  readPlannedDocument,
  titleOf,
  type FindTargets,
  type GivenSource,
  type PlannedDocument,
} from './plan-pages.js';
import { readSiteFile, type ReadSite } from './site-file/read-site-file.js';
import { readSummary, type Summary } from './summary.js';
import { readBookStack, type BookStackExport } from './tools/exports.js';
import { readNavigation, type ToolNavigation } from './tools/navigation.js';
import { readPageHead, type ToolPageHead } from './tools/page-head.js';
import type { NavigationInput } from './tools/pages.js';
import { readTags, type ReadTags } from './tags-file.js';
import { readVariables, type ReadVariables } from './variables.js';

/** Readers of the texts of a folder: with plain data as input and output, so that they can run in any thread. */
export interface SourceReads {
  /** `.gitbook.yaml`. */
  config(source: string): RepositoryConfig | Promise<RepositoryConfig>;
  /** The table of contents. */
  summary(source: string): Summary | Promise<Summary>;
  /** `.gitbook/vars.yaml`. */
  variables(source: string): ReadVariables | Promise<ReadVariables>;
  /** `.gitbook/tags.yaml`. */
  tags(source: string): ReadTags | Promise<ReadTags>;
  /** The file of a site. */
  site(source: string): ReadSite | Promise<ReadSite>;
  /** The title in a page's source, '' for none. */
  title(source: string): string | Promise<string>;
  /** The beginning of a page of another tool. */
  head(page: Parameters<typeof readPageHead>[0]): ToolPageHead | Promise<ToolPageHead>;
  /** The navigation of another tool. */
  navigation(input: NavigationInput): ToolNavigation | Promise<ToolNavigation>;
  /** The data of an export of BookStack. */
  exported(source: string): BookStackExport | Promise<BookStackExport>;
  document(given: GivenSource, find: FindTargets): Promise<PlannedDocument>;
}

/** Reads in the calling thread, however long that takes. */
export const DIRECT_READS: SourceReads = {
  config: readRepositoryConfig,
  summary: readSummary,
  variables: readVariables,
  tags: readTags,
  site: readSiteFile,
  title: titleOf,
  head: readPageHead,
  navigation: readNavigation,
  exported: readBookStack,
  document: readPlannedDocument,
};
