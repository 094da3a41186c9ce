import type { ActiveRun } from '../active-run.js';
import type { GitOrderFacts, RunSource } from '../imports.schema.js';
import type { GitAccess } from './git-transport.js';

/** The order to export a space into a branch. */
export type GitExport = Extract<RunSource, { type: 'git-export' }>;

/** The credentials of a run at its repository. */
export function gitAccessOf({ secret }: ActiveRun): GitAccess | undefined {
  return secret === undefined ? undefined : (JSON.parse(secret) as GitAccess);
}

/** Where people see a commit, or the repository where nobody has said that. */
export function commitUrl({ commitURL, url }: GitOrderFacts, oid: string): string {
  return commitURL === undefined ? url : `${commitURL.replace(/\/+$/, '')}/${oid}`;
}
