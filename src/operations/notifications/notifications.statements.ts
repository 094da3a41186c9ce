import { letsIn } from '../../identity/organizations/lets-in.js';
import { userFacts } from '../../identity/users/users.schema.js';

/** Characters of a comment that a notification shows. */
const EXCERPT = 300;

/** The title of the page of a notification `n`: in its change request, or else in the primary content. */
const PAGE_TITLE = `(SELECT i.title FROM content_item i WHERE i.space_id = n.space_id AND i.line IN (coalesce(n.change_request_id, ''), '') AND i.kind = 'page' AND i.id = n.page_id AND NOT i.deleted
   ORDER BY i.line DESC LIMIT 1)`;

/** The words of the mention `t.node`: with the name of a person, as the comment shows it, or as it is now. */
const MENTION = `coalesce(CASE WHEN t.node #>> '{data,ref,kind}' = 'user' THEN '@' || ltrim(coalesce(t.node #>> '{data,text}',
     (SELECT u.display_name FROM account u WHERE u.id = t.node #>> '{data,ref,user}')), '@') ELSE t.node #>> '{data,text}' END, '')`;

/** The beginning of the comment `c`, as it reads now. */
const TEXT = `(SELECT left(btrim(regexp_replace(string_agg(CASE t.node ->> 'object' WHEN 'leaf' THEN t.node ->> 'text' WHEN 'block' THEN ' ' ELSE ${MENTION} END, '' ORDER BY t.place), '\\s+', ' ', 'g')), ${EXCERPT})
   FROM jsonb_path_query(c.body::jsonb, 'strict $.** ? (@.object == "leaf" || @.object == "block" || @.type == "mention")') WITH ORDINALITY t (node, place))`;

/** The reason of a failure that a notification `n` tells: that of its run, or that of the structure of its site while it lasts. */
const FAULT = `CASE WHEN n.kind = 'import_ended' AND n.outcome = 'failed' THEN left(coalesce((SELECT i.error FROM import_run i WHERE i.id = n.subject_id),
     (SELECT g.failure FROM git_installation g WHERE g.site_id = n.site_id)), ${EXCERPT}) END`;

/** The columns of `NotificationRow`, over the aliases of `NOTIFICATIONS_FROM`. */
export const NOTIFICATION_COLUMNS = `n.id, n.sequence::float8 AS sequence, n.kind, n.at, n.read_at IS NOT NULL AS read, n.outcome, n.subject_id AS "subjectId",
  o.id AS "organizationId", o.title AS organization, n.space_id AS "spaceId", n.site_id AS "siteId", s.title AS place, r.id AS "changeRequestId", r.number, r.subject,
  n.page_id AS "pageId", ${PAGE_TITLE} AS "pageTitle", coalesce(c.parent_id, c.id) AS "commentId", CASE WHEN c.parent_id IS NOT NULL THEN c.id END AS "replyId", coalesce(${TEXT}, ${FAULT}) AS excerpt,
  CASE WHEN actor.id IS NOT NULL THEN ${userFacts('actor')} END AS actor, CASE WHEN m.role = 'none' THEN m.user_id END AS "guestId"`;

/** The spaces of the notifications of a user that the user can see now, and the sites that they administer now. */
const visiblePlaces = (user: string): string =>
  `(SELECT s.id, s.organization_id, s.title FROM space_access(${user}, ARRAY(SELECT DISTINCT mine.space_id FROM notification mine WHERE mine.user_id = ${user})) a
      JOIN space s ON s.id = a.space_id AND s.deleted_at IS NULL WHERE a.role > 'none'
    UNION ALL
    SELECT w.id, w.organization_id, w.title FROM site_access(${user}, ARRAY(SELECT DISTINCT mine.site_id FROM notification mine WHERE mine.user_id = ${user} AND mine.site_id IS NOT NULL)) a
      JOIN site w ON w.id = a.site_id WHERE a.role = 'admin')`;

/** The organization of the space or site of a notification. */
export const organizationOf = (one: string): string =>
  `coalesce((SELECT s.organization_id FROM space s WHERE s.id = ${one}.space_id), (SELECT w.organization_id FROM site w WHERE w.id = ${one}.site_id))`;

/** Tells whether the page of a notification, if it has one, is not hidden from its user now. */
const seesPageOf = (one: string): string =>
  `(${one}.page_id IS NULL OR sees_page(${one}.space_id, hidden_pages(${one}.user_id, ${one}.space_id), coalesce(${one}.change_request_id, ''), ${one}.page_id))`;

/** The notifications of the user `$1` in spaces, about pages and of sites that they can see now. More conditions may follow. */
export const NOTIFICATIONS_OF_USER = `FROM notification n
  JOIN ${visiblePlaces('$1')} s ON s.id = coalesce(n.space_id, n.site_id)
  JOIN organization o ON o.id = s.organization_id
  JOIN member m ON m.organization_id = o.id AND m.user_id = n.user_id
  LEFT JOIN change_request r ON r.space_id = n.space_id AND r.id = n.change_request_id
  LEFT JOIN comment c ON c.space_id = n.space_id AND c.id = n.comment_id
  LEFT JOIN account actor ON actor.id = n.actor_id
 WHERE n.user_id = $1 AND ${seesPageOf('n')}`;

/** The same for a token that is limited to the organization `$2` or, with null, to none, from the address `$3`. */
export const NOTIFICATIONS_FROM = `${NOTIFICATIONS_OF_USER} AND o.id = coalesce($2::text, o.id) AND ${letsIn('$1', 'o.id', { limitedTo: '$2', address: '$3' })}`;

/** The number of notifications of the user `$1` that are unread, within the limits of `NOTIFICATIONS_FROM`. */
export const UNREAD = `(SELECT count(*)::int FROM notification x
  JOIN ${visiblePlaces('$1')} y ON y.id = coalesce(x.space_id, x.site_id)
 WHERE x.user_id = $1 AND x.in_app AND x.read_at IS NULL AND ${seesPageOf('x')} AND y.organization_id = coalesce($2::text, y.organization_id) AND ${letsIn('$1', 'y.organization_id', { limitedTo: '$2', address: '$3' })})`;

/** Notifications behind the sequence `$4`, in their order. */
export const NEWS = `SELECT ${NOTIFICATION_COLUMNS} ${NOTIFICATIONS_FROM} AND n.in_app AND n.sequence > $4 ORDER BY n.sequence LIMIT $5`;

/** The mark of one's own notifications: those of `$2`, or with null all, of the organization `$3` or with null of all. */
export const MARK_READ = `UPDATE notification n SET read_at = $4, mail_at = NULL
  WHERE n.user_id = $1 AND n.in_app AND n.read_at IS NULL AND ($2::text[] IS NULL OR n.id = ANY ($2)) AND ($3::text IS NULL OR ${organizationOf('n')} = $3)`;
export const MARK_UNREAD = `UPDATE notification n SET read_at = NULL
  WHERE n.user_id = $1 AND n.in_app AND n.read_at IS NOT NULL AND ($2::text[] IS NULL OR n.id = ANY ($2)) AND ($3::text IS NULL OR ${organizationOf('n')} = $3)`;
