import { ContributionPoint } from '../../kernel/platform/manifest/contribution.js';
import type { Registry } from '../../kernel/platform/manifest/registry.js';

/**
 * The number of open comments on a line of a space, as an SQL expression over the expressions of the two ids; '' is the
 * primary line.
 */
export const OPEN_COMMENTS = new ContributionPoint<(space: string, line: string) => string>('open comments');

/** The open comments of all modules on a line of a space, as an SQL expression. */
export function openComments(registry: Registry, space: string, line: string): string {
  return `(${['0', ...registry.contributionsTo(OPEN_COMMENTS).map((count) => count(space, line))].join(' + ')})`;
}
