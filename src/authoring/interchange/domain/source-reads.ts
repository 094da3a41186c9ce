import { readRepositoryConfig, type RepositoryConfig } from './gitbook-yaml.js';
import {
  readPlannedDocument,
  titleOf,
  type FindTargets,
  type GivenSource,
  type PlannedDocument,
} from './plan-pages.js';
import { readSummary, type Summary } from './summary.js';
import { readVariables, type ReadVariables } from './variables.js';

/** Readers of the texts of a folder: with plain data as input and output, so that they can run in any thread. */
export interface SourceReads {
  /** `.gitbook.yaml`. */
  config(source: string): RepositoryConfig | Promise<RepositoryConfig>;
  /** The table of contents. */
  summary(source: string): Summary | Promise<Summary>;
  /** `.gitbook/vars.yaml`. */
  variables(source: string): ReadVariables | Promise<ReadVariables>;
  /** The title in a page's source, '' for none. */
  title(source: string): string | Promise<string>;
  document(given: GivenSource, find: FindTargets): Promise<PlannedDocument>;
}

/** Reads in the calling thread, however long that takes. */
export const DIRECT_READS: SourceReads = {
  config: readRepositoryConfig,
  summary: readSummary,
  variables: readVariables,
  title: titleOf,
  document: readPlannedDocument,
};
