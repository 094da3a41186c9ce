import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { ANALYZED_TABLES, COPY_STATEMENTS, REVISION_STATEMENTS } from '../content/content.points.js';

/** The references of the primary lines, for link reports and backlinks. */
export const LINKS_CONTRIBUTIONS: readonly Contribution[] = [
  REVISION_STATEMENTS.with('SELECT refresh_links($1, $2, $3)'),
  COPY_STATEMENTS.with('SELECT refresh_all_links($1)'),
  ANALYZED_TABLES.with('content_link'),
  ANALYZED_TABLES.with('link_target'),
];
