import type { OrganizationKeyFaults } from './organization-keys.js';

/** Names that are separated by blanks and line ends. */
const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Why tables of organizations have foreign keys to a table of the installation. */
export const REASONS_TO_INSTALLATION: Readonly<Record<string, string>> = {
  account:
    'one person is in several organizations, and what they wrote keeps their id; such a key has to become a check of the service',
  blob: 'the same bytes of several organizations are stored once; such a key has to become a count of references',
};

/** What keeps tables from being distributed by organization today. Entries are only ever taken away. */
export const KEY_FAULTS: OrganizationKeyFaults = {
  withoutOrganization: names(`
    change_request change_request_review collection_total collection_total_change comment comment_reaction computed_index conflict_check content_item
    content_link content_total content_undo custom_font_face document document_ref document_staged event event_claim git_delivery git_installation
    git_pull_request git_request_branch import_run link_target notification_settings page_current page_embedding page_embedding_due page_former_place
    page_limit page_member_grant page_redirect page_team_grant page_verification pdf_rendering requested_reviewer revision saml_assertion
    section_current section_unused section_vector site_adaptive_schema site_external_link site_insight site_publishing_auth site_search_choice
    site_search_query site_section site_section_group site_share_link space_git space_member_grant space_team_grant space_vocabulary translated_item
    translation_memory viewed_page
  `),
  primaryKeys: names(`
    audit_event change_request change_request_review collection collection_member_grant collection_team_grant collection_total collection_total_change
    comment comment_reaction computed_index conflict_check content_item content_link content_total content_undo conversation conversation_issue
    conversation_source custom_font custom_font_face custom_role document document_ref document_staged event event_audience event_claim git_delivery
    git_installation git_pull_request git_request_branch glossary_entry idempotency identity_provider import_run invitation invite_link issues_cluster
    link_target notification_settings openapi_spec openapi_version organization_total_change page_current page_embedding page_embedding_due
    page_former_place page_limit page_member_grant page_redirect page_team_grant page_verification pdf_rendering requested_reviewer revision
    saml_assertion section_current section_unused section_vector site site_adaptive_schema site_external_link site_former_basename site_insight
    site_member_grant site_publishing_auth site_redirect site_search_choice site_search_query site_section site_section_group site_share_link site_space
    site_team_grant space space_git space_member_grant space_team_grant space_vocabulary team translated_item translation translation_memory upload
    viewed_page webhook webhook_delivery
  `),
  uniqueIndexes: names(`
    change_request_number_key change_request_review_space_id_key change_request_space_id_key comment_review_key conversation_external_key
    custom_role_base_key git_installation_site_key git_installation_space_key git_request_branch_ref_key invitation_hash_key invite_link_hash_key
    organization_hostname_key pdf_rendering_key revision_line_sequence_key site_basename_key site_external_link_file_key site_hostname_key
    site_proxy_key site_redirect_former_key site_redirect_path_key site_section_file_key site_section_group_file_key site_section_group_site_id_key
    site_section_path_key site_section_site_id_key site_share_link_key site_space_file_key site_space_path_key site_space_site_id_key
    translation_result_key webhook_delivery_event_key
  `),
  foreignKeys: names(`
    change_request_cluster_fk change_request_review_change_request_fk change_request_space_fk collection_total_collection_fk comment_parent_fk
    comment_reaction_comment_fk comment_space_fk computed_index_space_fk conflict_check_space_fk custom_font_face_font_fk custom_font_face_upload_fk
    document_ref_document_fk document_space_fk git_delivery_installation_fk git_installation_parent_fk git_installation_site_fk
    git_installation_space_fk git_pull_request_installation_fk git_request_branch_installation_fk import_run_space_fk issues_hold_issue_fk page_limit_space_fk
    page_member_grant_limit_fk page_team_grant_limit_fk page_team_grant_team_fk page_verification_space_fk page_verification_team_fk
    pdf_rendering_space_fk requested_reviewer_change_request_fk revision_space_fk saml_assertion_provider_fk site_adaptive_schema_site_fk
    site_external_link_group_fk site_external_link_site_fk site_publishing_auth_site_fk site_redirect_section_fk site_redirect_site_space_fk
    site_section_group_fk site_section_group_parent_fk site_section_group_site_fk site_section_site_fk site_share_link_site_fk site_space_section_fk
    space_git_space_fk space_member_grant_custom_role_fk space_member_grant_space_fk space_team_grant_custom_role_fk space_team_grant_space_fk
    space_team_grant_team_fk translated_item_space_fk translation_memory_space_fk viewed_page_change_request_fk
  `),
  toInstallation: {
    account: names(`
      agent_instructions_author_fk change_request_creator_fk change_request_review_requester_fk change_request_review_reviewer_fk
      collection_creator_fk comment_applier_fk comment_author_fk comment_reaction_user_fk comment_resolver_fk git_installation_creator_fk
      git_installation_updater_fk idempotency_user_fk import_run_creator_fk invitation_creator_fk invite_link_creator_fk member_user_fk
      notification_settings_user_fk page_member_grant_user_fk page_verification_user_fk page_verification_verified_by_fk
      requested_reviewer_requester_fk requested_reviewer_user_fk revision_author_fk scim_user_user_fk search_synonyms_author_fk site_creator_fk
      space_creator_fk space_member_grant_user_fk translation_creator_fk upload_user_fk viewed_page_user_fk webhook_created_by_fk
    `),
    blob: names(`
      openapi_spec_source_fk openapi_version_hash_fk pdf_rendering_hash_fk upload_hash_fk
    `),
  },
  fromOthers: {
    change_request: names(`
      notification_change_request_fk
    `),
    comment: names(`
      notification_comment_fk
    `),
    identity_provider: names(`
      login_code_provider_fk login_request_provider_fk login_token_provider_fk
    `),
    member: names(`
      login_code_member_fk sign_in_link_member_fk
    `),
    organization: names(`
      api_token_organization_fk job_lane_organization_fk oauth_grant_organization_fk organization_run_organization_fk
    `),
    site: names(`
      custom_hostname_site_fk notification_site_fk
    `),
    space: names(`
      notification_space_fk
    `),
  },
};

/**
 * The number of calls whose statement, in some of its texts, does not compare the organization of a table, or view, that it touches.
 * Numbers only ever become smaller.
 */
export const UNCOMPARED: Readonly<Record<string, number>> = {
  change_request: 45,
  change_request_review: 9,
  collection: 14,
  collection_member_grant: 9,
  collection_team_grant: 7,
  collection_total: 2,
  comment: 29,
  comment_reaction: 9,
  computed_index: 7,
  conflict_check: 6,
  content_item: 46,
  content_link: 10,
  content_total: 6,
  content_undo: 28,
  conversation_analysis: 1,
  conversation_settings: 1,
  conversation_source: 2,
  custom_font_face: 6,
  custom_role: 7,
  document: 21,
  document_ref: 9,
  document_staged: 6,
  event: 4,
  event_claim: 9,
  git_delivery: 2,
  git_installation: 39,
  git_pull_request: 14,
  git_request_branch: 10,
  idempotency: 1,
  identity_provider: 10,
  import_run: 29,
  invitation: 3,
  invite_link: 6,
  link_target: 12,
  login_test: 1,
  member: 7,
  notification_settings: 9,
  openapi_spec: 5,
  openapi_version: 3,
  organization: 3,
  organization_total: 2,
  page_current: 21,
  page_embedding: 9,
  page_embedding_due: 7,
  page_former_place: 5,
  page_limit: 10,
  page_member_grant: 9,
  page_redirect: 9,
  page_team_grant: 8,
  page_verification: 12,
  pdf_rendering: 12,
  presence: 2,
  requested_reviewer: 14,
  revision: 25,
  saml_assertion: 2,
  section_current: 10,
  section_unused: 8,
  section_vector: 12,
  shared_cache_state: 2,
  site: 50,
  site_adaptive_schema: 2,
  site_external_link: 8,
  site_former_basename: 1,
  site_front: 4,
  site_insight: 6,
  site_member_grant: 9,
  site_missing_address: 2,
  site_publishing_auth: 8,
  site_redirect: 12,
  site_route: 20,
  site_search_choice: 5,
  site_search_query: 8,
  site_section: 32,
  site_section_group: 11,
  site_share_link: 11,
  site_space: 46,
  site_team_grant: 6,
  space: 95,
  space_git: 14,
  space_member_grant: 12,
  space_team_grant: 9,
  space_vocabulary: 7,
  team: 5,
  team_member: 1,
  translated_item: 5,
  translation: 28,
  translation_memory: 7,
  upload: 11,
  viewed_page: 4,
  webhook: 5,
  webhook_delivery: 3,
};
