import type { Schemas } from '../../api/client.js';
import type { WordsIn } from '../words-in.js';

type EventName = Exclude<Schemas['CreateWebhook']['events'][number], '*'>;

const LINES = [
  'secrets_discarded organization_created organization_updated member_joined member_updated custom_role_created',
  'custom_role_updated custom_role_deleted member_removed sign_in_link_created team_created team_updated team_deleted',
  'team_members_set team_members_removed saml_provider_created saml_provider_updated saml_provider_deleted',
  'oidc_provider_created oidc_provider_updated oidc_provider_deleted member_signed_in login_refused collection_created',
  'collection_updated collection_moved collection_transferred collection_deleted collection_permission_set',
  'collection_permission_removed space_created space_updated space_moved space_transferred space_deleted space_restored',
  'space_purged space_removed space_permission_set space_permission_removed space_page_limited space_page_limit_removed',
  'space_page_verified space_page_verification_due space_page_verification_removed invitation_created',
  'invitation_accepted invitation_deleted invite_link_created invite_link_updated invite_link_deleted',
  'space_content_updated search_synonyms_updated openapi_spec_created openapi_spec_updated openapi_spec_deleted',
  'openapi_version_created openapi_processing_failed agent_instructions_updated change_request_created',
  'change_request_updated change_request_content_updated change_request_merged comment_created comment_updated',
  'comment_resolved comment_reopened comment_deleted comment_reply_created comment_reply_updated comment_reply_deleted',
  'change_request_review_requested change_request_review_request_removed change_request_reviewed site_created',
  'site_updated site_deleted site_published site_unpublished site_customization_updated site_share_link_created',
  'site_share_link_updated site_share_link_deleted site_permission_set site_permission_removed site_redirect_created',
  'site_redirect_updated site_redirect_deleted site_redirects_changed site_redirects_imported site_section_added',
  'site_section_updated site_section_moved site_section_removed site_section_group_added site_section_group_updated',
  'site_section_group_moved site_section_group_removed site_external_link_added site_external_link_updated',
  'site_external_link_moved site_external_link_removed site_space_added site_space_updated site_space_moved',
  'site_space_removed site_space_customization_updated custom_font_created custom_font_updated custom_font_deleted',
  'site_adaptive_schema_updated site_publishing_auth_updated site_publishing_auth_regenerated translation_created',
  'translation_updated translation_queued translation_completed translation_failed translation_segment_updated',
  'translation_imported translation_deleted glossary_updated conversations_ingested conversation_deleted',
  'conversations_removed conversations_settings_updated issues_cluster_updated issues_clusters_merged issues_cluster_split',
  'issues_decision_undone issues_clusters_rebuilt import_started',
  'import_completed import_failed import_cancelled git_installed git_installation_updated git_uninstalled',
  'git_site_installed git_site_installation_updated git_site_uninstalled git_site_sync_failed git_sync_failed',
  'webhook_created webhook_updated webhook_secret_rotated webhook_disabled webhook_deleted organization_export_started',
  'organization_imported',
] as const;

type Named = WordsIn<(typeof LINES)[number]>;
/** False at compile time as soon as the interface has an event that is not listed, or not any more one that is. */
const isComplete: [Exclude<EventName, Named>, Exclude<Named, EventName>] extends [never, never] ? true : false = true;

/** The types of events that a webhook can be limited to, in the order of the interface. */
export const EVENT_NAMES: readonly EventName[] = isComplete ? LINES.flatMap((line) => line.split(' ') as Named[]) : [];

/** The name of a type of events in words. */
export function eventLabel(name: string): string {
  const words = name.replaceAll('_', ' ').replace('openapi', 'OpenAPI').replace('saml', 'SAML').replace('oidc', 'OIDC');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
