import { userFacts } from '../../identity/users/users.schema.js';

/** Approximate; with the names and addresses of the person. */
const BYTES_OF_REACTION = 350;

const REACTIONS = `SELECT coalesce(json_agg(json_build_object('emoji', e.emoji, 'users', e.users) ORDER BY e.first, e.emoji), '[]')
    FROM (SELECT x.emoji, min(x.reacted_at) AS first, json_agg(json_build_object('user', ${userFacts('u')}, 'reactedAt', x.reacted_at) ORDER BY x.reacted_at, u.id) AS users
            FROM comment_reaction x JOIN account u ON u.id = x.user_id WHERE x.space_id = c.space_id AND x.comment_id = c.id GROUP BY x.emoji) e`;

const REPLIERS = `SELECT coalesce(json_agg(json_build_object('user', ${userFacts('u')}, 'count', e.count, 'updatedAt', e.at) ORDER BY e.first, u.id), '[]')
    FROM (SELECT r.posted_by, count(*) AS count, min(r.posted_at) AS first, max(greatest(r.posted_at, r.edited_at)) AS at
            FROM comment r WHERE r.space_id = c.space_id AND r.parent_id = c.id GROUP BY r.posted_by) e JOIN account u ON u.id = e.posted_by`;

/** The columns of `CommentRow`, over the aliases of `COMMENTS_FROM`: everything that is shown of any number of comments, in one query. */
export const COMMENT_COLUMNS = `c.id, c.space_id AS "spaceId", c.line, c.parent_id AS "parentId", c.review_id AS "reviewId", c.revision_id AS "revisionId",
  c.page_id AS "pageId", c.node, c.table_record AS record, c.table_definition AS definition, c.posted_at AS "postedAt", c.edited_at AS "editedAt",
  c.resolved_at AS "resolvedAt", c.version, c.body, c.agent, c.side, c.suggestion, c.suggestion_before AS "suggestionBefore", c.applied_at AS "appliedAt",
  CASE WHEN applier.id IS NOT NULL THEN ${userFacts('applier')} END AS "appliedBy", ${userFacts('author')} AS "postedBy", CASE WHEN resolver.id IS NOT NULL THEN ${userFacts('resolver')} END AS "resolvedBy",
  (${REACTIONS}) AS reactions, CASE WHEN c.parent_id IS NULL THEN (${REPLIERS}) ELSE '[]' END AS repliers`;

/**
 * Comments and replies of the space `$1` on its line `$2`. Joins that are only needed for display can be omitted when
 * counting.
 */
export const COMMENTS_FROM = `FROM comment c
  LEFT JOIN account author ON author.id = c.posted_by
  LEFT JOIN account resolver ON resolver.id = c.resolved_by
  LEFT JOIN account applier ON applier.id = c.applied_by
 WHERE c.space_id = $1 AND c.line = $2`;

/** Bytes that a comment `c` adds to a response, with everybody who reacts to it. */
export const COMMENT_BYTES = `(octet_length(c.body::text) + coalesce(octet_length(c.suggestion::text) + octet_length(c.suggestion_before::text), 0) + ${BYTES_OF_REACTION} * (SELECT count(*) FROM comment_reaction x WHERE x.space_id = c.space_id AND x.comment_id = c.id))`;

/**
 * Posts the comment `$2` with all its columns; returns the organization of the space, and no row if the space no longer
 * exists.
 */
export const INSERT = `WITH s AS (SELECT organization_id FROM space WHERE id = $1 AND deleted_at IS NULL)
  INSERT INTO comment (space_id, id, line, parent_id, review_id, revision_id, page_id, node, table_record, table_definition, body, posted_by, posted_at, agent, side, suggestion, suggestion_before)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17 FROM s RETURNING (SELECT organization_id FROM s) AS "organizationId"`;

/** The comment `$3` of the line `$2`, or its reply `$3` where `$4` is the comment. */
const ONE = `FROM comment c JOIN space s ON s.id = c.space_id AND s.deleted_at IS NULL
 WHERE c.space_id = $1 AND c.line = $2 AND c.id = $3 AND c.parent_id IS NOT DISTINCT FROM $4`;

const PAGE =
  'coalesce(c.page_id, (SELECT p.page_id FROM comment p WHERE p.space_id = c.space_id AND p.id = c.parent_id))';

/** Prevents a comment from being removed meanwhile. */
export const HOLD = `SELECT c.id, c.page_id AS "pageId" ${ONE} FOR KEY SHARE OF c`;

export const LOCK = `SELECT c.id, c.line, c.parent_id AS "parentId", ${PAGE} AS "pageId", c.body, c.posted_by AS "authorId", c.resolved_at AS "resolvedAt", c.version,
    s.organization_id AS "organizationId" ${ONE} FOR NO KEY UPDATE OF c`;

/** The comment `$3` of the change request `$2` with its suggestion. */
export const LOCK_SUGGESTION = `SELECT c.id, s.organization_id AS "organizationId", c.page_id AS "pageId", c.node, c.suggestion AS blocks, c.suggestion_before AS before,
    c.resolved_at AS "resolvedAt", c.applied_at AS "appliedAt", c.version
  FROM comment c JOIN space s ON s.id = c.space_id AND s.deleted_at IS NULL
 WHERE c.space_id = $1 AND c.line = $2 AND c.id = $3 AND c.parent_id IS NULL FOR NO KEY UPDATE OF c`;

/** `$3` a new body or null, `$5` whether the status changes, to resolved by `$6` or, with null, to open; `$4` is the time. */
export const UPDATE = `UPDATE comment SET body = coalesce($3, body), edited_at = CASE WHEN $3::json IS NULL THEN edited_at ELSE $4::timestamptz END,
    resolved_by = CASE WHEN $5::boolean THEN $6 ELSE resolved_by END, resolved_at = CASE WHEN NOT $5 THEN resolved_at WHEN $6::text IS NULL THEN NULL ELSE $4 END,
    version = version + 1 WHERE space_id = $1 AND id = $2`;

export const REACT = `INSERT INTO comment_reaction (space_id, comment_id, user_id, emoji, reacted_at)
  SELECT $1, $2, $3, e, $5 FROM unnest($4::text[]) AS e ON CONFLICT DO NOTHING`;

export const UNREACT =
  'DELETE FROM comment_reaction WHERE space_id = $1 AND comment_id = $2 AND user_id = $3 AND emoji = ANY ($4::text[])';

export const EMOJI_COUNT =
  'SELECT count(DISTINCT emoji)::int AS count FROM comment_reaction WHERE space_id = $1 AND comment_id = $2';

/** The members of the organization `$1` who posted a comment or reply on the line `$3` of the space `$2`; only `$4` unless it is null. */
export const COMMENTERS_FROM = `FROM member m WHERE m.organization_id = $1 AND ($4::text IS NULL OR m.user_id = $4)
  AND EXISTS (SELECT FROM comment c WHERE c.space_id = $2 AND c.line = $3 AND c.posted_by = m.user_id)`;

/** Those of the users `$1` who can see the space `$2`, and in it the page `$4` of its line `$3`. */
export const SEEING = `SELECT u.id FROM unnest($1::text[]) AS u (id) CROSS JOIN LATERAL space_access(u.id, ARRAY[$2]::text[]) a
  WHERE a.role > 'none' AND sees_page($2, hidden_pages(u.id, $2), $3, $4)`;

/** Selects the comments `c` that are not on a hidden page; `hidden` has the hidden pages. */
export const isOnSeenPage = (hidden: string): string => `sees_page(c.space_id, ${hidden}::text[], c.line, c.page_id)`;

/** The comment `$3` of the line `$2`, if it is on no page that `$4` hides. */
export const SEEN = `SELECT FROM comment c WHERE c.space_id = $1 AND c.line = $2 AND c.id = $3 AND ${isOnSeenPage('$4')}`;
