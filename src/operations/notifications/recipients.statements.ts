import { additions } from '../../identity/organizations/custom-roles/additions.js';
import type { NotificationChoice, NotificationKind } from './domain/kinds.js';

/** Members who are considered when nobody is asked for a review, the most recently seen first, and who are told of them. */
const CONSIDERED_REVIEWERS = 1000;
const TOLD_REVIEWERS = 50;
/** People who take part in a discussion and are told of a comment, and administrators who are told of a failure. */
const TOLD_PARTICIPANTS = 100;

/** The events of which somebody may be told. */
export const TOLD_EVENTS = [
  'change_request_review_requested',
  'change_request_updated',
  'change_request_reviewed',
  'change_request_merged',
  'comment_created',
  'comment_updated',
  'comment_reply_created',
  'comment_reply_updated',
  'translation_failed',
  'import_completed',
  'import_failed',
  'import_cancelled',
  'space_page_verification_due',
  'git_sync_failed',
  'git_site_sync_failed',
] as const;

/** A person who is to be told of an event, with the choices that hold for them. */
export interface Recipient extends Record<string, unknown> {
  readonly eventId: string;
  readonly userId: string;
  readonly kind: NotificationKind;
  readonly at: Date;
  /** Null for what is about a site. */
  readonly spaceId: string | null;
  readonly siteId: string | null;
  readonly changeRequestId: string | null;
  readonly commentId: string | null;
  readonly pageId: string | null;
  readonly subjectId: string | null;
  readonly outcome: string | null;
  readonly actorId: string | null;
  readonly choice: NotificationChoice | null;
  readonly verified: boolean;
}

const TOLD =
  'told.event_id, told.user_id, told.kind, told.place, told.space_id, told.request_id, told.comment_id, told.page_id, told.subject_id, told.outcome';

/** The people who were asked for a review, and are asked still. */
const ASKED = `SELECT e.id, q.user_id, 'review_requested', 0, e.space_id, e.target, NULL, NULL, NULL, NULL
  FROM e CROSS JOIN LATERAL jsonb_array_elements_text(e.payload -> 'userIds') asked (id)
  JOIN requested_reviewer q ON q.space_id = e.space_id AND q.change_request_id = e.target AND q.user_id = asked.id
 WHERE e.type = 'change_request_review_requested'`;

/**
 * Where a change request is opened and nobody is asked for a review: everybody with the role review, or a custom role that
 * adds its permission, or where there is nobody, with the next higher role that somebody has. Once for each change request.
 */
const REVIEWERS = `SELECT e.id, reviewer.user_id, 'review_requested', 1, e.space_id, e.target, NULL, NULL, NULL, NULL
  FROM e JOIN change_request r ON r.space_id = e.space_id AND r.id = e.target AND r.status = 'open'
  JOIN space s ON s.id = e.space_id
 CROSS JOIN LATERAL (
   SELECT w.user_id FROM (
     SELECT m.user_id, own.role, min(own.role) OVER () AS least FROM (
       SELECT p.user_id FROM member p WHERE p.organization_id = s.organization_id AND NOT p.disabled AND p.user_id <> r.created_by
        ORDER BY p.last_seen_at DESC NULLS LAST, p.user_id LIMIT ${CONSIDERED_REVIEWERS}) m
      CROSS JOIN LATERAL space_access(m.user_id, ARRAY[s.id]) a
      CROSS JOIN LATERAL (SELECT CASE WHEN 'space:review' = ANY (${additions('space', 'm.user_id', 's')})
        THEN greatest(a.role, 'review') ELSE a.role END AS role) own
      WHERE a.role > 'none' AND own.role >= 'review') w
    WHERE w.role = w.least LIMIT ${TOLD_REVIEWERS}) reviewer
 WHERE e.type = 'change_request_updated' AND e.payload -> 'fields' ? 'status'
   AND NOT EXISTS (SELECT FROM e f WHERE f.type = e.type AND f.target = e.target AND f.payload -> 'fields' ? 'status' AND f.id < e.id)
   AND NOT EXISTS (SELECT FROM requested_reviewer q WHERE q.space_id = r.space_id AND q.change_request_id = r.id)
   AND NOT EXISTS (SELECT FROM change_request_review v WHERE v.space_id = r.space_id AND v.change_request_id = r.id)
   AND NOT EXISTS (SELECT FROM notification n WHERE n.space_id = r.space_id AND n.change_request_id = r.id AND n.kind = 'review_requested')`;

/** The author of what was reviewed, and the person who asked for the review. */
const REVIEWED = `SELECT e.id, person.id, 'reviewed', 0, e.space_id, e.target, c.id, c.page_id, v.id, v.status
  FROM e JOIN change_request_review v ON v.space_id = e.space_id AND v.id = e.payload ->> 'reviewId'
  JOIN change_request r ON r.space_id = v.space_id AND r.id = v.change_request_id
  LEFT JOIN comment c ON c.space_id = v.space_id AND c.review_id = v.id
 CROSS JOIN LATERAL (VALUES (r.created_by), (v.requested_by)) person (id)
 WHERE e.type = 'change_request_reviewed' AND person.id IS NOT NULL`;

/** The author of what was merged, and everybody who has reviewed it or was asked to. */
const MERGED = `SELECT e.id, person.id, 'merged', 0, e.space_id, e.target, NULL, NULL, NULL, NULL
  FROM e JOIN change_request r ON r.space_id = e.space_id AND r.id = e.target
 CROSS JOIN LATERAL (
   SELECT r.created_by UNION SELECT v.reviewer_id FROM change_request_review v WHERE v.space_id = r.space_id AND v.change_request_id = r.id
   UNION SELECT q.user_id FROM requested_reviewer q WHERE q.space_id = r.space_id AND q.change_request_id = r.id LIMIT ${TOLD_PARTICIPANTS}) person (id)
 WHERE e.type = 'change_request_merged'`;

/** Comments and replies that were written or rewritten, with the comment that a reply answers. */
const WRITTEN = `SELECT e.id AS event_id, e.type, c.space_id, c.id, nullif(c.line, '') AS request_id, c.body, c.posted_at, c.review_id, p.id AS thread_id, p.page_id, p.posted_by, c.parent_id
  FROM e JOIN comment c ON c.space_id = e.space_id AND c.id = e.target
  JOIN comment p ON p.space_id = c.space_id AND p.id = coalesce(c.parent_id, c.id)
 WHERE e.type IN ('comment_created', 'comment_reply_created') OR e.type IN ('comment_updated', 'comment_reply_updated') AND e.payload -> 'fields' ? 'body'`;

/** The people whom a body mentions: once, however often it is rewritten. */
const MENTIONED = `SELECT w.event_id, person.id #>> '{}', 'mentioned', 0, w.space_id, w.request_id, w.id, w.page_id, NULL, NULL
  FROM w CROSS JOIN LATERAL jsonb_path_query(w.body::jsonb, 'strict $.** ? (@.kind == "user").user') person (id)
 WHERE NOT EXISTS (SELECT FROM notification n WHERE n.space_id = w.space_id AND n.comment_id = w.id AND n.kind = 'mentioned' AND n.user_id = person.id #>> '{}')
   AND NOT EXISTS (SELECT FROM w x WHERE x.space_id = w.space_id AND x.id = w.id AND x.event_id < w.event_id)`;

/** The author of a comment that was answered, and everybody who has answered it. */
const REPLIED = `SELECT w.event_id, person.id, 'replied', 1, w.space_id, w.request_id, w.id, w.page_id, NULL, NULL
  FROM w CROSS JOIN LATERAL (
    SELECT w.posted_by UNION (SELECT r.posted_by FROM comment r WHERE r.space_id = w.space_id AND r.parent_id = w.thread_id AND r.posted_at <= w.posted_at
      GROUP BY 1 ORDER BY max(r.posted_at) DESC LIMIT ${TOLD_PARTICIPANTS})) person (id)
 WHERE w.type = 'comment_reply_created'`;

/** The author of the change request that is discussed; of the comment of a review they learn by the review. */
const COMMENTED_REQUEST = `SELECT w.event_id, r.created_by, 'commented', 2, w.space_id, w.request_id, w.id, w.page_id, NULL, NULL
  FROM w JOIN change_request r ON r.space_id = w.space_id AND r.id = w.request_id
 WHERE w.type IN ('comment_created', 'comment_reply_created') AND w.review_id IS NULL`;

/** On the content of a space: its creator, and everybody who has commented on the same page, or on none as well. */
const COMMENTED_SPACE = `SELECT w.event_id, person.id, 'commented', 2, w.space_id, w.request_id, w.id, w.page_id, NULL, NULL
  FROM w JOIN space s ON s.id = w.space_id
 CROSS JOIN LATERAL (
   SELECT s.created_by UNION (SELECT o.posted_by FROM comment o
     WHERE o.space_id = w.space_id AND o.line = '' AND o.parent_id IS NULL AND o.page_id IS NOT DISTINCT FROM w.page_id AND o.posted_at <= w.posted_at
     GROUP BY 1 ORDER BY max(o.posted_at) DESC LIMIT ${TOLD_PARTICIPANTS})) person (id)
 WHERE w.type = 'comment_created' AND w.request_id IS NULL`;

/** The person who asked for a translation. */
const UNTRANSLATED = `SELECT e.id, t.created_by, 'translation_failed', 0, t.result_space_id, NULL, NULL, NULL, t.id, 'failed'
  FROM e JOIN translation t ON t.id = e.target WHERE e.type = 'translation_failed'`;

/**
 * The person who began an import or export. Synchronizations with a branch begin by themselves: they are told of when the first one
 * fails, and when somebody cancels one. The ends of exports and pushes of folders are told by the commands that wait for them.
 */
const IMPORTED = `SELECT e.id, i.created_by, 'import_ended', 0, i.space_id, r.id, NULL, NULL, i.id, CASE e.type WHEN 'git_sync_failed' THEN 'failed' ELSE substr(e.type, length('import_') + 1) END
  FROM e JOIN import_run i ON i.id = CASE e.type WHEN 'git_sync_failed' THEN e.payload ->> 'runId' ELSE e.target END
  LEFT JOIN change_request r ON r.space_id = i.space_id AND r.id = i.change_request_id
 WHERE e.type IN ('import_completed', 'import_failed', 'import_cancelled', 'git_sync_failed')
   AND NOT (e.type IN ('import_completed', 'import_failed') AND i.source ->> 'type' IN ('git-sync', 'archive-export', 'push'))`;

/** The owner of a page that is verified no longer, or its members; whoever verified the page where the owner has left. */
const OVERDUE = `SELECT e.id, person.id, 'verification_due', 0, e.space_id, NULL, NULL, v.page_id, NULL, NULL
  FROM e JOIN page_verification v ON v.space_id = e.space_id AND v.page_id = e.payload ->> 'pageId' AND v.told_at IS NOT NULL
 CROSS JOIN LATERAL (
   SELECT v.user_id UNION (SELECT m.user_id FROM team_member m WHERE m.team_id = v.team_id ORDER BY m.user_id LIMIT ${TOLD_PARTICIPANTS})
   UNION SELECT v.verified_by WHERE v.user_id IS NULL AND v.team_id IS NULL) person (id)
 WHERE e.type = 'space_page_verification_due' AND person.id IS NOT NULL`;

/** The administrators of the site `s`: those who have that role on the site itself, and those of the organization. */
const ADMINISTRATORS = `(SELECT p.user_id FROM site_specials(s.id) p WHERE p.role = 'admin' LIMIT ${TOLD_PARTICIPANTS})
  UNION (SELECT m.user_id FROM member m WHERE m.organization_id = s.organization_id AND m.role = 'admin' AND NOT m.disabled
    ORDER BY m.last_seen_at DESC NULLS LAST, m.user_id LIMIT ${TOLD_PARTICIPANTS})`;

/** The choices of a user in the organization of the space or site `s`: those for that organization, or those for everything. */
export const choiceOf = (
  user: string,
): string => `(SELECT jsonb_build_object('kinds', g.kinds, 'mail', g.mail, 'digest', g.digest) FROM notification_settings g
   WHERE g.user_id = ${user} AND (g.organization_id IS NULL OR g.organization_id = s.organization_id) ORDER BY g.organization_id NULLS LAST LIMIT 1)`;

/**
 * The people who are to be told of the events `$1`, each of one event once. They can see its space and page now or administer its
 * site, and did not cause it themselves; imports end by themselves, although they act for a person.
 */
export const RECIPIENTS = `WITH e AS (SELECT v.id, v.type, v.space_id, v.target, v.payload, v.at, CASE WHEN v.type NOT IN ('import_completed', 'import_failed', 'git_sync_failed', 'git_site_sync_failed') THEN v.actor_id END AS actor_id
    FROM event v WHERE v.id = ANY ($1)),
  w AS (${WRITTEN}),
  told (event_id, user_id, kind, place, space_id, request_id, comment_id, page_id, subject_id, outcome) AS (
    ${[ASKED, REVIEWERS, REVIEWED, MERGED, MENTIONED, REPLIED, COMMENTED_REQUEST, COMMENTED_SPACE, UNTRANSLATED, IMPORTED, OVERDUE].join('\n UNION ALL ')}),
  first AS (SELECT DISTINCT ON (told.event_id, told.user_id) ${TOLD} FROM told JOIN e ON e.id = told.event_id AND told.user_id IS DISTINCT FROM e.actor_id
             ORDER BY told.event_id, told.user_id, told.place)
  SELECT f.event_id AS "eventId", u.id AS "userId", f.kind, e.at, s.id AS "spaceId", NULL AS "siteId", f.request_id AS "changeRequestId", f.comment_id AS "commentId", f.page_id AS "pageId",
         f.subject_id AS "subjectId", f.outcome, e.actor_id AS "actorId", ${choiceOf('u.id')} AS choice, u.email_verified AS verified
    FROM first f JOIN e ON e.id = f.event_id
    JOIN space s ON s.id = f.space_id AND s.deleted_at IS NULL
    JOIN account u ON u.id = f.user_id AND NOT u.disabled
   CROSS JOIN LATERAL space_access(u.id, ARRAY[s.id]) a
   WHERE a.role > 'none' AND sees_page(s.id, hidden_pages(u.id, s.id), coalesce(f.request_id, ''), f.page_id)
  UNION ALL
  SELECT e.id, u.id, 'import_ended', e.at, NULL, s.id, NULL, NULL, NULL, NULL, 'failed', e.actor_id, ${choiceOf('u.id')}, u.email_verified
    FROM e JOIN site s ON s.id = e.payload ->> 'siteId'
   CROSS JOIN LATERAL (${ADMINISTRATORS}) person (id)
    JOIN account u ON u.id = person.id AND NOT u.disabled
   WHERE e.type = 'git_site_sync_failed'
   ORDER BY at, "eventId", "userId"`;
