/** The row that a row belongs to: its column names it, in most tables `<owner>_id`. */
export type Owner = 'organization' | 'space' | 'site' | 'custom_font';

export interface ArchivedTable {
  readonly owner: Owner;
  /** The column with the id of the owner, where it has another name. */
  readonly column?: string;
  /** A condition on the rows `r` that are taken. */
  readonly only?: string;
  /** Columns that stay behind: secrets, claims on names of the installation, and what is made anew. */
  readonly without?: readonly string[];
  /** Rows say in `MEMBER_COLUMN` to which member they give something. */
  readonly isOfMember?: true;
  /** Columns that name people without a foreign key. */
  readonly people?: readonly string[];
  /** Columns with documents. */
  readonly documents?: readonly string[];
  /** Rows name documents of their space by the column `hash`. */
  readonly namesDocuments?: true;
  /** Columns with hashes of files that have no foreign key. */
  readonly files?: readonly FileColumn[];
}

/** A column with the SHA-256 of the bytes of a file. */
export interface FileColumn {
  readonly column: string;
  /** The `kind` of rows whose hash is one, where others name documents by it. */
  readonly kind?: string;
}

export const MEMBER_COLUMN = 'user_id';

const CONTENT = { namesDocuments: true, files: [{ column: 'hash', kind: 'file' }] } as const;

/**
 * The tables of an organization whose rows are archived, each behind those that it refers to. Every table of the service
 * stands here or in `LEFT_OUT`; `test/organization-archives.spec.ts` compares both with the catalogue of the database.
 */
export const ARCHIVED: Readonly<Record<string, ArchivedTable>> = {
  organization: { owner: 'organization', column: 'id' },
  custom_role: { owner: 'organization' },
  member: { owner: 'organization', isOfMember: true },
  team: { owner: 'organization' },
  team_member: { owner: 'organization', isOfMember: true },
  identity_provider: { owner: 'organization', without: ['client_secret'] },
  scim_user: { owner: 'organization', isOfMember: true },
  scim_group: { owner: 'organization' },
  notification_settings: { owner: 'organization', isOfMember: true },
  collection: { owner: 'organization' },
  space: { owner: 'organization' },
  translation: { owner: 'organization', documents: ['instructions'] },
  translation_correction: { owner: 'organization' },
  translation_segment: { owner: 'organization' },
  collection_member_grant: { owner: 'organization', isOfMember: true },
  collection_team_grant: { owner: 'organization' },
  space_member_grant: { owner: 'space', isOfMember: true },
  space_team_grant: { owner: 'space' },
  revision: { owner: 'space' },
  document: { owner: 'space', documents: ['body'] },
  document_ref: { owner: 'space', namesDocuments: true },
  content_item: { owner: 'space', ...CONTENT },
  content_undo: { owner: 'space', ...CONTENT },
  page_redirect: { owner: 'space' },
  page_former_place: { owner: 'space' },
  page_limit: { owner: 'space' },
  page_member_grant: { owner: 'space', isOfMember: true },
  page_team_grant: { owner: 'space' },
  page_verification: { owner: 'space', isOfMember: true },
  openapi_spec: { owner: 'organization' },
  openapi_version: { owner: 'organization' },
  openapi_change: { owner: 'organization' },
  agent_instructions: { owner: 'organization', documents: ['instructions'] },
  search_synonyms: { owner: 'organization' },
  // The packfile is for the next import from the repository, which fetches it again.
  space_git: { owner: 'space', without: ['kept'] },
  conversation_settings: { owner: 'organization' },
  conversation_source: { owner: 'organization' },
  conversation: { owner: 'organization' },
  issues_theme: { owner: 'organization' },
  issues_cluster: { owner: 'organization' },
  conversation_issue: { owner: 'organization' },
  issues_decision: { owner: 'organization' },
  issues_hold: { owner: 'organization' },
  change_request: { owner: 'space', documents: ['description'] },
  viewed_page: { owner: 'space' },
  change_request_review: { owner: 'space' },
  requested_reviewer: { owner: 'space', isOfMember: true },
  comment: { owner: 'space', documents: ['body'] },
  comment_reaction: { owner: 'space' },
  upload: { owner: 'organization', only: `r.kind = 'customization_font' AND r.hash IS NOT NULL` },
  custom_font: { owner: 'organization' },
  custom_font_face: { owner: 'custom_font', column: 'font_id' },
  // A hostname is one of an installation once it has been checked that it leads there.
  site: { owner: 'organization', without: ['hostname'] },
  organization_default_site: { owner: 'organization' },
  site_section_group: { owner: 'site' },
  site_section: { owner: 'site' },
  site_space: { owner: 'organization' },
  site_redirect: { owner: 'organization' },
  site_former_basename: { owner: 'organization' },
  site_external_link: { owner: 'site' },
  site_share_link: { owner: 'site', without: ['key_hash', 'key_sealed'] },
  site_member_grant: { owner: 'organization', isOfMember: true },
  site_team_grant: { owner: 'organization' },
  site_adaptive_schema: { owner: 'site' },
  site_publishing_auth: { owner: 'site', without: ['key_sealed'] },
  site_insight: { owner: 'site' },
  site_missing_address: { owner: 'organization' },
  site_search_query: { owner: 'site' },
  site_search_choice: { owner: 'site' },
  translated_item: { owner: 'space' },
  translation_memory: { owner: 'space' },
  glossary_entry: { owner: 'organization' },
  webhook: { owner: 'organization', without: ['secret', 'previous_secret', 'previous_secret_until'] },
  audit_event: { owner: 'organization', people: ['actor_id'] },
};

/** Reasons for which no row of a table is archived. */
export type LeftOut =
  /** It follows from other rows, and is made anew. */
  | 'derived'
  /** Its rows are ways in, which hold on one installation alone. */
  | 'credentials'
  /** Its rows connect the organization with other services, by secrets that stay behind. */
  | 'connections'
  /** Work in progress, and what was told of work that is done. */
  | 'work'
  /** It belongs to a person or to the installation. */
  | 'elsewhere';

export const LEFT_OUT: Readonly<Record<string, LeftOut>> = {
  account: 'elsewhere',
  backfill: 'elsewhere',
  blob: 'elsewhere',
  audit_removal: 'elsewhere',
  event_consumer: 'elsewhere',
  notification: 'elsewhere',
  notification_inbox: 'elsewhere',
  oauth_client: 'elsewhere',
  rate_budget: 'elsewhere',
  restored_copy: 'elsewhere',
  schedule_tick: 'elsewhere',
  sealing_key: 'elsewhere',
  server_process: 'elsewhere',
  api_token: 'credentials',
  browser_session: 'credentials',
  invitation: 'credentials',
  invite_link: 'credentials',
  login_code: 'credentials',
  login_request: 'credentials',
  login_test: 'credentials',
  login_token: 'credentials',
  oauth_grant: 'credentials',
  saml_assertion: 'credentials',
  sign_in_link: 'credentials',
  custom_hostname: 'connections',
  git_delivery: 'connections',
  git_installation: 'connections',
  git_pull_request: 'connections',
  git_request_branch: 'connections',
  collection_total: 'derived',
  collection_total_change: 'derived',
  computed_index: 'derived',
  content_link: 'derived',
  content_total: 'derived',
  conversation_analysis: 'derived',
  image_variant: 'derived',
  link_target: 'derived',
  organization_member_total: 'derived',
  organization_total: 'derived',
  organization_total_change: 'derived',
  page_current: 'derived',
  page_embedding: 'derived',
  page_embedding_due: 'derived',
  section_current: 'derived',
  section_unused: 'derived',
  section_vector: 'derived',
  shared_cache_state: 'derived',
  space_vocabulary: 'derived',
  conflict_check: 'work',
  document_staged: 'work',
  event: 'work',
  event_audience: 'work',
  event_claim: 'work',
  idempotency: 'work',
  import_run: 'work',
  job_lane: 'work',
  organization_run: 'work',
  pdf_rendering: 'work',
  customization_draft: 'work',
  presence: 'work',
  webhook_delivery: 'work',
};

/** Rows of spaces and sites by the column of their owner; `$organization` stands for a literal. */
const OWNED: Readonly<Record<Owner, string>> = {
  organization: '= $organization',
  space: 'IN (SELECT id FROM space WHERE organization_id = $organization)',
  site: 'IN (SELECT id FROM site WHERE organization_id = $organization)',
  custom_font: 'IN (SELECT id FROM custom_font WHERE organization_id = $organization)',
};

export const ownerColumn = ({ owner, column = `${owner}_id` }: ArchivedTable): string => column;

/** The condition on rows `r` of a table that are those of an organization, given as an SQL literal. */
export function belongsTo(table: ArchivedTable, organization: string): string {
  const owned = `r.${ownerColumn(table)} ${OWNED[table.owner].replace('$organization', organization)}`;
  return table.only === undefined ? owned : `${owned} AND ${table.only}`;
}
