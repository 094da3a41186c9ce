import { choiceOf } from './recipients.statements.js';

/** Spaces of a person that a digest looks at, those that changed last first, and those that it shows. */
const CONSIDERED_SPACES = 200;
export const SHOWN_SPACES = 10;
/** Change requests and pages of one space that a digest shows, and pages that it counts. */
const SHOWN_ITEMS = 10;
export const COUNTED_PAGES = 500;
/** The latest revisions of a space among whose authors somebody takes part in it. */
const RECENT_REVISIONS = 1000;
/** Days that a digest tells of at most, where no letter could be sent for longer. */
const MOST_DAYS = 28;
/** Days since the last digest without which there is none: the hour of digests may be set to an earlier one. */
const LEAST_DAYS = 4;

/** The last Monday at the hour `hour` in UTC. */
const monday = (hour: string): string =>
  `(date_trunc('week', (now() AT TIME ZONE 'UTC') - ${hour}::float8 * interval '1 hour') + ${hour} * interval '1 hour') AT TIME ZONE 'UTC'`;

/** True if the row `g` of settings asks for digests. */
const wantsDigest = (g: string): string => `coalesce(${g}.digest, ${g}.mail = 'weekly')`;

/** Tells whether the digest of an inbox `b` is due, for the hour `hour`. */
export const isDigestDue = (hour: string): string =>
  `(b.digest_since <= ${monday(hour)} - interval '${LEAST_DAYS} days')`;

/** Begins the digests of the user `$1` with the last Monday at the hour `$2`, or ends them, as their settings say. */
export const PLAN_DIGEST = `INSERT INTO notification_inbox (user_id, sequence, digest_since)
  SELECT $1, 0, CASE WHEN EXISTS (SELECT FROM notification_settings g WHERE g.user_id = $1 AND ${wantsDigest('g')}) THEN ${monday('$2')} END
  ON CONFLICT (user_id) DO UPDATE SET digest_since = CASE WHEN excluded.digest_since IS NOT NULL THEN coalesce(notification_inbox.digest_since, excluded.digest_since) END`;

/** Notes that the digest of the user `$1` which was due has been told, for the hour `$2`. */
export const DIGEST_TOLD = `UPDATE notification_inbox b SET digest_since = ${monday('$2')} WHERE b.user_id = $1 AND b.digest_since = $3`;

/** The same for people to whom no letters can be sent. */
export const FORGET_DIGESTS = `UPDATE notification_inbox b SET digest_since = ${monday('$1')} WHERE b.user_id = ANY (
  ARRAY (SELECT b.user_id FROM notification_inbox b WHERE ${isDigestDue('$1')} LIMIT 1000))`;

/** The user `$1` takes part in the space `s`: they made it, wrote in it, or discussed or reviewed what others wrote. */
const TAKES_PART = `(s.created_by = $1
  OR EXISTS (SELECT FROM revision v WHERE v.space_id = s.id AND v.line = '' AND v.sequence > s.sequence - ${RECENT_REVISIONS} AND v.author_id = $1)
  OR EXISTS (SELECT FROM change_request r WHERE r.space_id = s.id AND r.created_by = $1)
  OR EXISTS (SELECT FROM requested_reviewer q WHERE q.space_id = s.id AND q.user_id = $1)
  OR EXISTS (SELECT FROM change_request_review w WHERE w.space_id = s.id AND w.reviewer_id = $1)
  OR EXISTS (SELECT FROM comment c WHERE c.space_id = s.id AND c.posted_by = $1))`;

/** The changes from `$2` to the last Monday at the hour `$3`, with those of at most so many days. */
const WINDOW = `SELECT greatest($2::timestamptz, ${monday('$3')} - interval '${MOST_DAYS} days') AS since, ${monday('$3')} AS until`;

/** Spaces that have changed, in which the user `$1` takes part, and where they want digests. */
const CANDIDATES = `SELECT s.id, s.organization_id, s.title FROM member m CROSS JOIN win
  JOIN space s ON s.organization_id = m.organization_id AND s.deleted_at IS NULL
  JOIN revision head ON head.id = s.revision_id AND head.created_at >= win.since
 CROSS JOIN LATERAL (SELECT ${choiceOf('m.user_id')} AS choice) chosen
 WHERE m.user_id = $1 AND NOT m.disabled AND coalesce((chosen.choice ->> 'digest')::boolean, chosen.choice ->> 'mail' = 'weekly', false) AND ${TAKES_PART}
 ORDER BY head.created_at DESC, s.id LIMIT ${CONSIDERED_SPACES}`;

/** The change requests that the revisions `w` of the space `s` have merged, the last first. */
const MERGED = `SELECT count(*)::int AS count,
    coalesce(json_agg(json_build_object('number', m.number, 'subject', m.subject, 'actor', m.actor) ORDER BY m.place) FILTER (WHERE m.place <= ${SHOWN_ITEMS}), '[]') AS items
  FROM (SELECT r.number, r.subject, u.display_name AS actor, row_number() OVER (ORDER BY v.sequence DESC) AS place
          FROM revision v JOIN change_request r ON r.space_id = v.space_id AND r.id = v.merged_from LEFT JOIN account u ON u.id = v.author_id
         WHERE v.space_id = s.id AND v.line = '' AND v.sequence BETWEEN w.first AND w.last AND v.type = 'merge') m`;

/** The pages that these revisions have changed, that are there now, and that the user sees; the last first. */
const PAGES = `SELECT count(*)::int AS count,
    coalesce(json_agg(json_build_object('id', p.id, 'title', p.title) ORDER BY p.place) FILTER (WHERE p.place <= ${SHOWN_ITEMS}), '[]') AS items
  FROM (SELECT i.id, i.title, row_number() OVER (ORDER BY c.last DESC, i.id) AS place
          FROM (SELECT u.id, max(u.sequence) AS last FROM content_undo u
                 WHERE u.space_id = s.id AND u.line = '' AND u.sequence BETWEEN w.first AND w.last AND u.kind = 'page' GROUP BY 1) c
          JOIN content_item i ON i.space_id = s.id AND i.line = '' AND i.kind = 'page' AND i.id = c.id AND NOT i.deleted AND i.type = 'document'
         WHERE sees_page(s.id, s.hidden, '', i.id) ORDER BY c.last DESC, i.id LIMIT ${COUNTED_PAGES}) p`;

/** The spaces of the digest of the user `$1` from `$2` to the last Monday at the hour `$3`: `DigestRow`, those that changed last first. */
export const DIGEST = `WITH win AS (${WINDOW}),
  candidate AS MATERIALIZED (${CANDIDATES}),
  seen AS (SELECT c.id, c.organization_id, c.title, hidden_pages($1, c.id) AS hidden
    FROM candidate c JOIN space_access($1, ARRAY(SELECT id FROM candidate)) a ON a.space_id = c.id AND a.role > 'none')
  SELECT s.organization_id AS "organizationId", s.id AS "spaceId", s.title AS space, merged.items AS merged, merged.count AS "mergedCount",
         page.items AS pages, page.count AS "pageCount", win.since, (count(*) OVER ())::int AS spaces
    FROM seen s CROSS JOIN win
   CROSS JOIN LATERAL (SELECT min(v.sequence) AS first, max(v.sequence) AS last, max(v.created_at) AS at FROM revision v
     WHERE v.space_id = s.id AND v.line = '' AND v.created_at >= win.since AND v.created_at < win.until) w
   CROSS JOIN LATERAL (${MERGED}) merged
   CROSS JOIN LATERAL (${PAGES}) page
   WHERE merged.count > 0 OR page.count > 0
   ORDER BY w.at DESC, s.id LIMIT ${SHOWN_SPACES}`;

/** A space in a digest; `spaces` is how many there are, `since` the beginning of the digest. */
export interface DigestRow extends Record<string, unknown> {
  readonly organizationId: string;
  readonly spaceId: string;
  readonly space: string;
  readonly merged: readonly { readonly number: number; readonly subject: string; readonly actor: string | null }[];
  readonly mergedCount: number;
  readonly pages: readonly { readonly id: string; readonly title: string }[];
  /** At most `COUNTED_PAGES`. */
  readonly pageCount: number;
  readonly since: Date;
  readonly spaces: number;
}
