import type { Change } from './changes.js';

/** What a fact of an event can be: its word in the table, and its type. */
interface Kinds {
  id: string;
  'id or null': string | null;
  ids: readonly string[];
  text: string;
  texts: readonly string[];
  number: number;
  flag: boolean;
}
export type Kind = keyof Kinds;

/** Names and kinds of what an event tells beside its target; those with a question mark may be absent. */
type Facts = Readonly<Record<string, Kind | `${Kind}?`>>;
type NoFacts = Readonly<Record<never, never>>;

interface EventDefinition<Scope extends string = string, EventFacts extends Facts = Facts> {
  /** `space`: it happened in one space; `account`: it belongs to a person, and to no organization that could hear of it. */
  readonly scope: Scope;
  /** What the target of the event is: published as `<target>Id`. */
  readonly target: string;
  readonly about: string;
  readonly facts: EventFacts;
}

/** A row of the table below. */
function within<const Scope extends 'organization' | 'space' | 'account'>(scope: Scope) {
  return <const EventFacts extends Facts = NoFacts>(target: string, about: string, facts: EventFacts = {} as EventFacts): EventDefinition<Scope, EventFacts> => ({ scope, target, about, facts });
}
const organization = within('organization');
const space = within('space');
const account = within('account');

/**
 * Every event of the service. A wrong type or payload does not compile; webhooks publish it with the names of this table,
 * and the reference of events is checked against it. Facts are ids and plain facts, never a secret, an address or content.
 */
export const EVENTS = {
  organization_created: organization('organization', 'An organization was made'),
  organization_updated: organization('organization', 'Settings of the organization were changed', { fields: 'texts' }),
  agent_instructions_updated: organization('organization', 'The instructions for agents were replaced'),

  member_joined: organization('user', 'Somebody became a member', { role: 'text', sso: 'flag?' }),
  member_updated: organization('user', 'The role of a member was changed, or how the member signs in', { role: 'text?', previousRole: 'text?', sso: 'flag?' }),
  member_removed: organization('user', 'A membership ended, with the tokens that open this organization alone', { endedTokens: 'number' }),
  invitation_created: organization('invitation', 'An address was invited', { role: 'text', sso: 'flag?' }),
  invitation_accepted: organization('invitation', 'An invitation was accepted', { userId: 'id' }),
  invitation_deleted: organization('invitation', 'An invitation was taken back'),
  invite_link_created: organization('inviteLink', 'A link that invites was made', { role: 'text', collectionId: 'id?' }),
  invite_link_updated: organization('inviteLink', 'The role that a link gives was changed', { role: 'text' }),
  invite_link_deleted: organization('inviteLink', 'A link that invites was removed'),
  team_created: organization('team', 'A team was made', { title: 'text' }),
  team_updated: organization('team', 'A team was renamed', { title: 'text' }),
  team_deleted: organization('team', 'A team was removed', { title: 'text' }),
  team_members_set: organization('team', 'People were added to a team, or their role in it was changed', { ownerIds: 'ids', memberIds: 'ids' }),
  team_members_removed: organization('team', 'People left a team', { userIds: 'ids' }),

  collection_created: organization('collection', 'A collection was made'),
  collection_updated: organization('collection', 'Settings of a collection were changed', { fields: 'texts' }),
  collection_moved: organization('collection', 'A collection was moved; without a parent it is at the root', { parentId: 'id or null' }),
  collection_transferred: organization('collection', 'A collection went to another organization, with what is in it; both hear of it', {
    fromOrganizationId: 'id',
    toOrganizationId: 'id',
    collectionIds: 'ids',
    spaceIds: 'ids',
  }),
  collection_deleted: organization('collection', 'A collection was removed, with what was in it', { collectionIds: 'ids', spaceIds: 'ids' }),
  collection_permission_set: organization('collection', 'People or teams were given a role on a collection', { role: 'text', userIds: 'ids', teamIds: 'ids' }),
  collection_permission_removed: organization('collection', 'People or teams lost their role on a collection', { userIds: 'ids', teamIds: 'ids' }),

  space_created: space('space', 'A space was made', { copyOfSpaceId: 'id?', revisionId: 'id?' }),
  space_updated: space('space', 'Settings of a space were changed', { fields: 'texts' }),
  space_moved: space('space', 'A space was moved; without a parent it is at the root', { parentId: 'id or null' }),
  space_transferred: space('space', 'A space went to another organization; both hear of it', { fromOrganizationId: 'id', toOrganizationId: 'id' }),
  space_deleted: space('space', 'A space went to the trash'),
  space_restored: space('space', 'A space came back from the trash'),
  space_removed: space('space', 'A space is gone for good'),
  space_permission_set: space('space', 'People or teams were given a role on a space', { role: 'text', userIds: 'ids', teamIds: 'ids' }),
  space_permission_removed: space('space', 'People or teams lost their role on a space', { userIds: 'ids', teamIds: 'ids' }),
  space_content_updated: space('space', 'The primary content has a new revision: an edit, a merge, a rollback, an import', {
    revisionId: 'id',
    revisionType: 'text',
    changeRequestId: 'id?',
    rolledBackToRevisionId: 'id?',
  }),
  import_started: space('importRun', 'An import or export was asked for', { source: 'text' }),
  import_completed: space('importRun', 'An import or export is done'),
  import_failed: space('importRun', 'An import or export failed'),
  import_cancelled: space('importRun', 'An import or export was cancelled'),

  change_request_created: space('changeRequest', 'A change request was opened', { number: 'number' }),
  change_request_updated: space('changeRequest', 'Subject, description or status of a change request were changed', { fields: 'texts' }),
  change_request_content_updated: space('changeRequest', 'The content of a change request has a new revision', { revisionId: 'id', revisionType: 'text' }),
  change_request_review_requested: space('changeRequest', 'People were asked for a review', { number: 'number', userIds: 'ids' }),
  change_request_review_request_removed: space('changeRequest', 'People are asked for a review no longer', { number: 'number', userIds: 'ids' }),
  change_request_reviewed: space('changeRequest', 'A review was submitted', { number: 'number', reviewId: 'id', status: 'text' }),
  change_request_merged: space('changeRequest', 'A change request was merged', { number: 'number', revisionId: 'id' }),

  comment_created: space('comment', 'A comment was posted', { changeRequestId: 'id?', pageId: 'id?', reviewId: 'id?' }),
  comment_updated: space('comment', 'A comment or the reactions to it were changed', { changeRequestId: 'id?', fields: 'texts' }),
  comment_resolved: space('comment', 'A comment was resolved', { changeRequestId: 'id?' }),
  comment_reopened: space('comment', 'A comment was opened again', { changeRequestId: 'id?' }),
  comment_deleted: space('comment', 'A comment was removed, with its replies', { changeRequestId: 'id?' }),
  comment_reply_created: space('commentReply', 'A comment was replied to', { commentId: 'id', changeRequestId: 'id?' }),
  comment_reply_updated: space('commentReply', 'A reply or the reactions to it were changed', { commentId: 'id', changeRequestId: 'id?', fields: 'texts' }),
  comment_reply_deleted: space('commentReply', 'A reply was removed', { commentId: 'id', changeRequestId: 'id?' }),

  site_created: organization('site', 'A site was made', { spaceIds: 'ids' }),
  site_updated: organization('site', 'Settings of a site were changed', { fields: 'texts' }),
  site_deleted: organization('site', 'A site was removed', { basename: 'text' }),
  site_published: organization('site', 'A site was published'),
  site_unpublished: organization('site', 'A site was taken off'),
  site_customization_updated: organization('site', 'What a site looks like was changed'),
  site_adaptive_schema_updated: organization('site', 'The claims that a site knows of its visitors were changed'),
  site_share_link_created: organization('shareLink', 'A share link of a site was made', { siteId: 'id' }),
  site_share_link_updated: organization('shareLink', 'A share link was renamed, or switched on or off', { siteId: 'id', fields: 'texts' }),
  site_share_link_deleted: organization('shareLink', 'A share link was taken back', { siteId: 'id' }),
  site_publishing_auth_updated: organization('site', 'How visitors of a site log in was changed', { fields: 'texts' }),
  site_publishing_auth_regenerated: organization('site', "The key that visitors' tokens are signed with was replaced"),
  site_permission_set: organization('site', 'People or teams were given a role on a site', { role: 'text', userIds: 'ids', teamIds: 'ids' }),
  site_permission_removed: organization('site', 'People or teams lost their role on a site', { userIds: 'ids', teamIds: 'ids' }),
  site_redirect_created: organization('redirect', 'A redirect was added to a site', { siteId: 'id' }),
  site_redirect_updated: organization('redirect', 'A redirect was changed', { siteId: 'id', fields: 'texts' }),
  site_redirect_deleted: organization('redirect', 'A redirect was removed', { siteId: 'id' }),
  site_redirects_imported: organization('site', 'Redirects were taken from a list', { created: 'number', updated: 'number' }),
  site_section_added: organization('section', 'A section was added to a site', { siteId: 'id' }),
  site_section_updated: organization('section', 'A section was changed', { siteId: 'id', fields: 'texts' }),
  site_section_moved: organization('section', 'A section was moved', { siteId: 'id' }),
  site_section_removed: organization('section', 'A section was removed', { siteId: 'id' }),
  site_section_group_added: organization('sectionGroup', 'A group of sections was added to a site', { siteId: 'id', sectionIds: 'ids' }),
  site_section_group_updated: organization('sectionGroup', 'A group was changed, or what is in it', { siteId: 'id', fields: 'texts?', addedSectionIds: 'ids?', removedSectionIds: 'ids?' }),
  site_section_group_moved: organization('sectionGroup', 'A group of sections was moved', { siteId: 'id' }),
  site_section_group_removed: organization('sectionGroup', 'A group of sections was removed', { siteId: 'id' }),
  site_space_added: space('siteSpace', 'A space was added to a site', { siteId: 'id' }),
  site_space_updated: space('siteSpace', 'How a space lies in a site was changed', { siteId: 'id', fields: 'texts' }),
  site_space_moved: space('siteSpace', 'A space was moved within its site', { siteId: 'id' }),
  site_space_removed: space('siteSpace', 'A space was taken out of a site', { siteId: 'id' }),
  site_space_customization_updated: space('siteSpace', 'What a space looks like in its site was changed', { siteId: 'id' }),

  translation_created: organization('translation', 'A translation of a space was asked for', { sourceSpaceId: 'id', resultSpaceId: 'id', language: 'text' }),
  translation_updated: organization('translation', 'The instructions or settings of a translation were changed', { fields: 'texts' }),
  translation_queued: organization('translation', 'A translation is to be brought up to date', { sourceSpaceId: 'id' }),
  translation_completed: organization('translation', 'A translation is up to date', { revisionId: 'id', pages: 'number', words: 'number' }),
  translation_failed: organization('translation', 'A translation could not be brought up to date'),
  translation_deleted: organization('translation', 'A translation was ended; its space stays', { resultSpaceId: 'id' }),
  glossary_updated: organization('organization', 'Terms of the glossary were changed', { entryIds: 'ids' }),
  conversations_ingested: organization('organization', 'Conversations were ingested, or changed by being ingested again', { source: 'text', created: 'number', updated: 'number' }),
  conversation_deleted: organization('conversation', 'A conversation was removed', { source: 'text' }),
  conversations_removed: organization('organization', 'Conversations were removed with their source, or because they are older than the organization keeps them', { source: 'text?', count: 'number' }),
  conversations_settings_updated: organization('organization', 'Settings of conversations were changed', { fields: 'texts' }),
  issues_cluster_updated: organization('issuesCluster', 'A cluster of issues was reviewed, or what it says was changed', { fields: 'texts' }),
  issues_clusters_rebuilt: organization('organization', 'The issues of the organization were clustered anew', { clusters: 'number', issues: 'number' }),
  openapi_spec_created: organization('specification', 'An OpenAPI specification was registered', { slug: 'text' }),
  openapi_spec_updated: organization('specification', 'A specification was given a new source, or its visibility was changed', { slug: 'text', fields: 'texts' }),
  openapi_spec_deleted: organization('specification', 'A specification was removed, with its versions', { slug: 'text' }),
  openapi_version_created: organization('specification', 'A specification has a new version', { slug: 'text', versionId: 'id' }),
  openapi_processing_failed: organization('specification', 'The source of a specification could not be fetched or read; what was read before stays', { slug: 'text', code: 'text' }),

  saml_provider_created: organization('samlProvider', 'An identity provider was added'),
  saml_provider_updated: organization('samlProvider', 'An identity provider was changed', { fields: 'texts' }),
  saml_provider_deleted: organization('samlProvider', 'An identity provider was removed, with the tokens of its logins', { endedTokens: 'number' }),
  oidc_provider_created: organization('oidcProvider', 'An OpenID Connect provider was added'),
  oidc_provider_updated: organization('oidcProvider', 'An OpenID Connect provider was changed', { fields: 'texts' }),
  oidc_provider_deleted: organization('oidcProvider', 'An OpenID Connect provider was removed, with the tokens of its logins', { endedTokens: 'number' }),
  member_signed_in: organization('user', 'A member logged in through an identity provider', { samlProviderId: 'id?', oidcProviderId: 'id?' }),
  login_refused: organization('organization', 'A login through an identity provider was refused', {
    reason: 'text',
    verified: 'flag',
    userId: 'id?',
    samlProviderId: 'id?',
    oidcProviderId: 'id?',
  }),
  secrets_discarded: organization('organization', 'Secrets that no key opens any more were given up, and what cannot be without them', { table: 'text', ids: 'ids' }),

  webhook_created: organization('webhook', 'A webhook was made'),
  webhook_updated: organization('webhook', 'A webhook was changed', { fields: 'texts' }),
  webhook_secret_rotated: organization('webhook', 'A webhook was given a new secret'),
  webhook_disabled: organization('webhook', 'A webhook failed for too long and was switched off'),
  webhook_deleted: organization('webhook', 'A webhook was removed'),

  user_created: account('user', 'An account was made'),
  user_updated: account('user', 'A profile was changed, or its address was verified', { fields: 'texts' }),
  token_created: account('token', 'An API token was made', { userId: 'id', name: 'text', scopes: 'texts?', onlyOrganizationId: 'id?', expiresAt: 'text?' }),
  token_revoked: account('token', 'An API token was revoked', { userId: 'id' }),
} as const satisfies Readonly<Record<string, EventDefinition>>;

export type EventType = keyof typeof EVENTS;

type FactsOf<Type extends EventType> = (typeof EVENTS)[Type]['facts'];
type ValueOf<Word> = Word extends `${infer Optional extends Kind}?` ? Kinds[Optional] | undefined : Word extends Kind ? Kinds[Word] : never;
type RequiredNames<EventFacts> = { [Name in keyof EventFacts]: EventFacts[Name] extends Kind ? Name : never }[keyof EventFacts];

/** The facts of an event. */
export type PayloadOf<Type extends EventType> = { readonly [Name in RequiredNames<FactsOf<Type>>]: ValueOf<FactsOf<Type>[Name]> } & {
  readonly [Name in Exclude<keyof FactsOf<Type>, RequiredNames<FactsOf<Type>>>]?: ValueOf<FactsOf<Type>[Name]>;
};

interface Where {
  readonly organization: { readonly organizationId: string; readonly spaceId?: string | null };
  readonly space: { readonly organizationId: string; readonly spaceId: string };
  readonly account: { readonly organizationId: string | null; readonly spaceId?: null };
}

/** What only the audit log is told, beside the facts. Never a secret, an address of a person or content. */
export interface AuditDetails {
  /** What the target is called, where it is gone by now or no table knows. */
  readonly label?: string | null;
  /** The masked address of somebody who is meant, and need not have an account. */
  readonly person?: string;
  readonly changes?: readonly Change[];
}

/** News of one state change; `target` is the id of the object that changed. */
export type NewEvent = {
  [Type in EventType]: { readonly type: Type; readonly target: string; readonly audit?: AuditDetails } & Where[(typeof EVENTS)[Type]['scope']] &
    ([RequiredNames<FactsOf<Type>>] extends [never] ? { readonly payload?: PayloadOf<Type> } : { readonly payload: PayloadOf<Type> });
}[EventType];

/** The types of which organizations can hear. */
export const PUBLISHED_EVENTS: readonly EventType[] = (Object.keys(EVENTS) as EventType[]).filter((type) => EVENTS[type].scope !== 'account');
