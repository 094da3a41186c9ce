import type { EVENTS, EventType } from './event-table.js';

const CONTENT = 'content: revisions and change requests tell who wrote what';
const DISCUSSION = 'discussion: it gives nobody a right and takes nothing away';
const ARRANGEMENT = 'arrangement: who sees what stays the same';
const PROGRESS = 'progress of work that was asked for';

/**
 * Whether an event is also a line of the audit log: `true`, or why not. The log has every change of members, rights, tokens, logins,
 * publication and of where content goes, and what makes things and removes them.
 */
const AUDITED = {
  organization_created: true,
  organization_updated: true,
  agent_instructions_updated: CONTENT,

  member_joined: true,
  member_updated: true,
  member_removed: true,
  invitation_created: true,
  invitation_accepted: true,
  invitation_deleted: true,
  invite_link_created: true,
  invite_link_updated: true,
  invite_link_deleted: true,
  team_created: true,
  team_updated: true,
  team_deleted: true,
  team_members_set: true,
  team_members_removed: true,

  collection_created: true,
  collection_updated: true,
  collection_moved: true,
  collection_transferred: true,
  collection_deleted: true,
  collection_permission_set: true,
  collection_permission_removed: true,

  space_created: true,
  space_updated: true,
  space_moved: true,
  space_transferred: true,
  space_deleted: true,
  space_restored: true,
  space_removed: true,
  space_permission_set: true,
  space_permission_removed: true,
  space_content_updated: CONTENT,
  import_started: true,
  import_completed: PROGRESS,
  import_failed: PROGRESS,
  import_cancelled: PROGRESS,

  change_request_created: CONTENT,
  change_request_updated: CONTENT,
  change_request_content_updated: CONTENT,
  change_request_review_requested: DISCUSSION,
  change_request_review_request_removed: DISCUSSION,
  change_request_reviewed: DISCUSSION,
  change_request_merged: CONTENT,

  comment_created: DISCUSSION,
  comment_updated: DISCUSSION,
  comment_resolved: DISCUSSION,
  comment_reopened: DISCUSSION,
  comment_deleted: true,
  comment_reply_created: DISCUSSION,
  comment_reply_updated: DISCUSSION,
  comment_reply_deleted: true,

  site_created: true,
  site_updated: true,
  site_deleted: true,
  site_published: true,
  site_unpublished: true,
  site_customization_updated: ARRANGEMENT,
  site_adaptive_schema_updated: true,
  site_share_link_created: true,
  site_share_link_updated: true,
  site_share_link_deleted: true,
  site_publishing_auth_updated: true,
  site_publishing_auth_regenerated: true,
  site_permission_set: true,
  site_permission_removed: true,
  site_redirect_created: ARRANGEMENT,
  site_redirect_updated: ARRANGEMENT,
  site_redirect_deleted: true,
  site_redirects_imported: ARRANGEMENT,
  site_section_added: ARRANGEMENT,
  site_section_updated: ARRANGEMENT,
  site_section_moved: ARRANGEMENT,
  site_section_removed: true,
  site_section_group_added: ARRANGEMENT,
  site_section_group_updated: ARRANGEMENT,
  site_section_group_moved: ARRANGEMENT,
  site_section_group_removed: true,
  site_space_added: true,
  site_space_updated: true,
  site_space_moved: ARRANGEMENT,
  site_space_removed: true,
  site_space_customization_updated: ARRANGEMENT,

  translation_created: PROGRESS,
  translation_updated: PROGRESS,
  translation_queued: PROGRESS,
  translation_completed: PROGRESS,
  translation_failed: PROGRESS,
  translation_deleted: true,
  glossary_updated: CONTENT,
  conversations_ingested: CONTENT,
  conversation_deleted: true,
  conversations_removed: true,
  conversations_settings_updated: true,
  issues_cluster_updated: CONTENT,
  issues_clusters_rebuilt: PROGRESS,
  openapi_spec_created: true,
  openapi_spec_updated: true,
  openapi_spec_deleted: true,
  openapi_version_created: PROGRESS,
  openapi_processing_failed: PROGRESS,

  saml_provider_created: true,
  saml_provider_updated: true,
  saml_provider_deleted: true,
  oidc_provider_created: true,
  oidc_provider_updated: true,
  oidc_provider_deleted: true,
  member_signed_in: true,
  login_refused: true,
  secrets_discarded: true,

  webhook_created: true,
  webhook_updated: true,
  webhook_secret_rotated: true,
  webhook_disabled: true,
  webhook_deleted: true,

  user_created: 'an account belongs to no organization; that its owner joins one is told',
  user_updated: 'a profile belongs to its owner',
  token_created: true,
  token_revoked: true,
} as const satisfies Readonly<Record<EventType, true | string>>;

/** Events that are lines of the audit log. */
export type AuditedType = { [Type in EventType]: (typeof AUDITED)[Type] extends true ? Type : never }[EventType];

/** The actions of the audit log, in the order of the table. */
export const AUDIT_ACTIONS: readonly AuditedType[] = (Object.keys(AUDITED) as EventType[]).filter(isAudited);

export function isAudited(type: EventType): type is AuditedType {
  return AUDITED[type] === true;
}

/**
 * What a target is called at that moment, as an expression over the event `r` that was just recorded; null where whoever records
 * the event tells it, or where there is nothing that may be told: what people write, and addresses.
 */
export const TARGET_LABELS: Readonly<Record<(typeof EVENTS)[AuditedType]['target'], string | null>> = {
  organization: '(SELECT t.title FROM organization t WHERE t.id = r.target)',
  user: '(SELECT t.display_name FROM account t WHERE t.id = r.target)',
  invitation: null,
  inviteLink: null,
  team: `coalesce((SELECT t.title FROM team t WHERE t.id = r.target), r.payload ->> 'title')`,
  collection: '(SELECT t.title FROM collection t WHERE t.id = r.target)',
  space: '(SELECT t.title FROM space t WHERE t.id = r.target)',
  importRun: null,
  comment: null,
  commentReply: null,
  site: '(SELECT t.title FROM site t WHERE t.id = r.target)',
  shareLink: '(SELECT t.name FROM site_share_link t WHERE t.id = r.target)',
  redirect: null,
  section: '(SELECT t.title FROM site_section t WHERE t.id = r.target)',
  sectionGroup: '(SELECT t.title FROM site_section_group t WHERE t.id = r.target)',
  siteSpace: '(SELECT t.title FROM space t WHERE t.id = r.space_id)',
  translation: `(SELECT t.title FROM space t WHERE t.id = r.payload ->> 'resultSpaceId')`,
  conversation: null,
  specification: `(r.payload ->> 'slug')`,
  samlProvider: null,
  webhook: `(SELECT coalesce(nullif(t.description, ''), substring(t.url FROM '^https?://') || substring(t.url FROM '^https?://(?:[^/?#]*@)?([^/?#]+)')) FROM webhook t WHERE t.id = r.target)`,
  token: `coalesce((SELECT t.name FROM api_token t WHERE t.id = r.target), r.payload ->> 'name')`,
};
