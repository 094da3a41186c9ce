import { INVARIANTS } from '../../kernel/platform/health-checks/health-checks.points.js';
import { LINKS_KEPT } from './links.invariants.js';
import type { Contribution } from '../../kernel/platform/manifest/contribution.js';
import { ANALYZED_TABLES, COPY_STATEMENTS, REVISION_STATEMENTS } from '../content/content.points.js';

/** The references of a document, in their order. */
const referencesOf = (hash: string): string => `ARRAY(
    SELECT ROW(r.relation, r.kind, r.target, r.target_space_id, r.anchor, r.node) FROM document_ref r WHERE r.space_id = $1 AND r.hash = ${hash} ORDER BY r.idx)`;

/**
 * Refreshes the links of what a revision changed. Most edits leave all references of a page as they were, which costs
 * less to see than to work its links out; the version before the revision is the latest one that can be restored.
 */
const REFRESH = `SELECT refresh_links($1, array_agg(s.kind), array_agg(s.id)) FROM unnest($2::text[], $3::text[]) AS s (kind, id)
    LEFT JOIN LATERAL (SELECT i.hash, i.props FROM content_item i WHERE i.space_id = $1 AND i.line = '' AND i.kind = s.kind AND i.id = s.id OFFSET 0) now ON true
    LEFT JOIN LATERAL (
      SELECT u.existed, u.hash, u.props FROM content_undo u WHERE u.space_id = $1 AND u.line = '' AND u.kind = s.kind AND u.id = s.id ORDER BY u.sequence DESC LIMIT 1) was ON true
   WHERE was.existed IS NOT TRUE OR now.props IS DISTINCT FROM was.props OR now.hash IS DISTINCT FROM was.hash AND ${referencesOf('now.hash')} IS DISTINCT FROM ${referencesOf('was.hash')}
  HAVING count(*) > 0`;

/** The references of the primary lines, for link reports and backlinks. */
export const LINKS_CONTRIBUTIONS: readonly Contribution[] = [
  REVISION_STATEMENTS.with(REFRESH),
  COPY_STATEMENTS.with('SELECT refresh_all_links($1)'),
  ANALYZED_TABLES.with('content_link'),
  ANALYZED_TABLES.with('link_target'),
  INVARIANTS.with(LINKS_KEPT),
];
