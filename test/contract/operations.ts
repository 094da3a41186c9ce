/**
 * The operations of the interface, as data. Paths, sections and fields come from the interface document, operation ids,
 * success codes and declared errors from the public API that it matches. ORG, SITE, SPACE and CR are the interface's abbreviations.
 */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Where the response schema of an operation comes from: the public API, its newer build, or only our own published document. */
export type SchemaSource = 'public' | 'next' | 'own';

export interface Operation {
  /** `operationId` of the public API, and of our published document. */
  readonly id: string;
  readonly method: Method;
  /** Path template with the version prefix, for example `/v1/spaces/{spaceId}`. */
  readonly path: string;
  /** Section of the interface; the tag of the published operation. */
  readonly section: string;
  readonly success: readonly number[];
  /** Error codes that the public API declares; 401 holds for every operation and is added by the report. */
  readonly errors: readonly number[];
  /** Answers the list envelope and takes `page` and `limit`. */
  readonly paged: boolean;
  /** Answers 201 with a `Location` header. */
  readonly location: boolean;
  /** Answers server-sent events; the schema is that of their data. */
  readonly events: boolean;
  /** Speaks SCIM, with its media type and its errors. */
  readonly scim: boolean;
  /** Query parameters that leave rows out of a list. */
  readonly filters: readonly string[];
  readonly source: SchemaSource;
  /** `interface`: one of the 141; `A` and `B`: rows of the public API beyond them; `own`: our extensions. */
  readonly origin: 'interface' | 'A' | 'B' | 'own';
}

/** Method, path, operation id, marks (codes, `paged`, `location`, `events`, `scim`, `next`, `own`, `A`, `B`), filters. */
export type Row = readonly [method: Method, path: string, id: string, marks: string, filters?: string];

const ABBREVIATIONS: readonly (readonly [RegExp, string])[] = [
  [/^CR(?=\/|$)/, '/spaces/{spaceId}/change-requests/{changeRequestId}'],
  [/^SPACE(?=\/|$)/, '/spaces/{spaceId}'],
  [/^SITE(?=\/|$)/, '/orgs/{organizationId}/sites/{siteId}'],
  [/^ORG(?=\/|$)/, '/orgs/{organizationId}'],
];

/** Expands `ORG`, `SITE`, `SPACE` and `CR`, and prefixes the version; `/` is the version's root itself. */
function expandPath(short: string): string {
  const full = ABBREVIATIONS.reduce((path, [mark, long]) => path.replace(mark, long), short);
  return full === '/' ? '/v1' : `/v1${full}`;
}

function originOf(marks: ReadonlySet<string>): Operation['origin'] {
  if (marks.has('own')) return 'own';
  if (marks.has('A')) return 'A';
  return marks.has('B') ? 'B' : 'interface';
}

function sourceOf(marks: ReadonlySet<string>): SchemaSource {
  if (marks.has('own')) return 'own';
  return marks.has('next') ? 'next' : 'public';
}

/** Reads the rows of one section. */
export function section(name: string, rows: readonly Row[]): readonly Operation[] {
  return rows.map(([method, path, id, marks, filters]) => {
    const words = new Set(marks.split(' '));
    const codes = [...words].map(Number).filter((code) => Number.isInteger(code) && code > 0);
    return {
      id,
      method,
      path: expandPath(path),
      section: name,
      success: codes.filter((code) => code < 300),
      errors: codes.filter((code) => code >= 400),
      paged: words.has('paged'),
      location: words.has('location'),
      events: words.has('events'),
      scim: words.has('scim'),
      filters: filters?.split(' ') ?? [],
      source: sourceOf(words),
      origin: originOf(words),
    };
  });
}

/** The 141 operations of the interface. */
export const INTERFACE_OPERATIONS: readonly Operation[] = [
  ...section('Section groups', [
    ['GET', 'SITE/section-groups', 'listSiteSectionGroups', '200 paged'],
    ['POST', 'SITE/section-groups', 'addSectionGroupToSite', '201 location'],
    ['PATCH', 'SITE/section-groups/{siteSectionGroupId}', 'updateSiteSectionGroupById', '200'],
    ['DELETE', 'SITE/section-groups/{siteSectionGroupId}', 'deleteSiteSectionGroupById', '204'],
    ['POST', 'SITE/section-groups/{siteSectionGroupId}/sections', 'addSectionToGroup', '201 location'],
    ['DELETE', 'SITE/section-groups/{siteSectionGroupId}/sections/{siteSectionId}', 'removeSectionFromGroup', '204'],
  ]),
  ...section('Sites', [
    ['GET', 'ORG/sites', 'listSites', '200 paged', 'space title published type'],
    ['POST', 'ORG/sites', 'createSite', '201 location'],
    ['GET', 'SITE', 'getSiteById', '200 404'],
    ['PATCH', 'SITE', 'updateSiteById', '200'],
    ['DELETE', 'SITE', 'deleteSiteById', '204'],
    ['GET', 'SITE/adaptive-schema', 'getSiteAdaptiveSchema', '200 404'],
    ['PUT', 'SITE/adaptive-schema', 'updateSiteAdaptiveSchema', '200 400'],
    ['GET', 'SITE/adaptive-schema/template-conditions', 'listSiteAdaptiveTemplateConditions', '200'],
    ['GET', 'SITE/published', 'getPublishedContentSite', '200 404'],
    ['POST', 'SITE/publish', 'publishSite', '200'],
    ['GET', 'SITE/sections', 'listSiteSections', '200 paged'],
    ['POST', 'SITE/sections', 'addSectionToSite', '201 location'],
    ['PATCH', 'SITE/sections/{siteSectionId}', 'updateSiteSectionById', '200'],
    ['DELETE', 'SITE/sections/{siteSectionId}', 'deleteSiteSectionById', '204'],
    ['POST', 'SITE/sections/{siteSectionId}/move', 'moveSiteSection', '200 400 404'],
    ['GET', 'SITE/site-spaces', 'listSiteSpaces', '200 paged', 'default'],
    ['POST', 'SITE/site-spaces', 'addSpaceToSite', '201 location'],
    ['PATCH', 'SITE/site-spaces/{siteSpaceId}', 'updateSiteSpaceById', '200'],
    ['DELETE', 'SITE/site-spaces/{siteSpaceId}', 'deleteSiteSpaceById', '204'],
    ['POST', 'SITE/site-spaces/{siteSpaceId}/move', 'moveSiteSpace', '200 400 404'],
  ]),
  ...section('Site customization', [
    ['GET', 'SITE/customization', 'getSiteCustomizationById', '200 400'],
    ['PUT', 'SITE/customization', 'updateSiteCustomizationById', '200 400'],
    ['GET', 'SITE/site-spaces/{siteSpaceId}/customization', 'getSiteSpaceCustomizationById', '200 400'],
    ['PATCH', 'SITE/site-spaces/{siteSpaceId}/customization', 'overrideSiteSpaceCustomizationById', '200 400'],
    ['DELETE', 'SITE/site-spaces/{siteSpaceId}/customization', 'deleteSiteSpaceCustomizationById', '204 400'],
  ]),
  ...section('Spaces', [
    ['GET', 'SPACE', 'getSpaceById', '200'],
    ['PATCH', 'SPACE', 'updateSpaceById', '200'],
    ['DELETE', 'SPACE', 'deleteSpaceById', '204'],
    ['POST', 'SPACE/duplicate', 'duplicateSpace', '201 location'],
    ['POST', 'SPACE/restore', 'restoreSpace', '200'],
    ['POST', 'SPACE/move', 'moveSpace', '200 400 404 409'],
    ['POST', 'SPACE/transfer', 'transferSpace', '200 404 409 412'],
    ['GET', 'SPACE/links', 'listSpaceLinks', '200 404 paged', 'status'],
    ['GET', 'ORG/spaces', 'listSpacesInOrganizationById', '200 paged'],
  ]),
  ...section('Space content', [
    ['GET', 'SPACE/search', 'searchSpaceContent', '200 paged', 'query'],
    ['GET', 'SPACE/content', 'getCurrentRevision', '200'],
    ['POST', 'SPACE/content/template', 'applyTemplateToSpace', '204'],
    ['GET', 'SPACE/content/pages', 'listPages', '200'],
    ['GET', 'SPACE/content/files', 'listFiles', '200 paged'],
    ['GET', 'SPACE/content/files/{fileId}', 'getFileById', '200'],
    ['GET', 'SPACE/content/files/{fileId}/backlinks', 'listSpaceFileBacklinks', '200 paged'],
    ['GET', 'SPACE/content/page/{pageId}', 'getPageById', '200'],
    ['GET', 'SPACE/content/page/{pageId}/links', 'listPageLinksInSpace', '200 paged', 'status'],
    ['GET', 'SPACE/content/page/{pageId}/backlinks', 'listSpacePageBacklinks', '200 paged'],
    ['GET', 'CR/content', 'getRevisionOfChangeRequestById', '200'],
    ['GET', 'CR/content/pages', 'listPagesInChangeRequest', '200'],
    ['GET', 'CR/content/files', 'listFilesInChangeRequestById', '200 paged'],
    ['GET', 'CR/content/files/{fileId}', 'getFileInChangeRequestById', '200'],
    ['GET', 'CR/content/files/{fileId}/backlinks', 'listChangeRequestFileBacklinks', '200 paged'],
    ['GET', 'CR/content/page/{pageId}', 'getPageInChangeRequestById', '200'],
    ['GET', 'CR/content/page/{pageId}/links', 'listPageLinksInChangeRequest', '200 paged'],
    ['GET', 'CR/content/page/{pageId}/backlinks', 'listChangeRequestPageBacklinks', '200 paged'],
  ]),
  ...section('Change requests', [
    [
      'GET',
      'SPACE/change-requests',
      'listChangeRequestsForSpace',
      '200 paged',
      'status creator contributor requestedReviewer conversationsIssuesCluster',
    ],
    [
      'GET',
      'ORG/change-requests',
      'listChangeRequestsForOrganization',
      '200 paged',
      'status creator contributor requestedReviewer conversationsIssuesCluster',
    ],
    ['POST', 'SPACE/change-requests', 'createChangeRequest', '201 location'],
    ['GET', 'CR', 'getChangeRequestById', '200 404'],
    ['PATCH', 'CR', 'updateChangeRequestById', '200'],
    ['POST', 'CR/merge', 'mergeChangeRequest', '200'],
    ['POST', 'CR/update', 'updateChangeRequest', '200'],
    ['GET', 'CR/pdf', 'getChangeRequestPDF', '200'],
  ]),
  ...section('Comments', [
    ['GET', 'CR/comments', 'listCommentsInChangeRequest', '200 paged', 'status targetPage authors'],
    ['GET', 'SPACE/comments', 'listCommentsInSpace', '200 paged', 'status targetPage authors'],
    ['POST', 'CR/comments', 'postCommentInChangeRequest', '200'],
    ['POST', 'SPACE/comments', 'postCommentInSpace', '200'],
    ['GET', 'CR/comments/{commentId}', 'getCommentInChangeRequest', '200'],
    ['GET', 'SPACE/comments/{commentId}', 'getCommentInSpace', '200'],
    ['PUT', 'CR/comments/{commentId}', 'updateCommentInChangeRequest', '200'],
    ['PUT', 'SPACE/comments/{commentId}', 'updateCommentInSpace', '200'],
    ['DELETE', 'CR/comments/{commentId}', 'deleteCommentInChangeRequest', '204'],
    ['DELETE', 'SPACE/comments/{commentId}', 'deleteCommentInSpace', '204'],
    ['GET', 'CR/comments/{commentId}/replies', 'listCommentRepliesInChangeRequest', '200 paged'],
    ['POST', 'CR/comments/{commentId}/replies', 'postCommentReplyInChangeRequest', '200'],
    ['POST', 'SPACE/comments/{commentId}/replies', 'postCommentReplyInSpace', '200'],
    ['GET', 'SPACE/comments/{commentId}/replies/{commentReplyId}', 'getCommentReplyInSpace', '200'],
    ['PUT', 'SPACE/comments/{commentId}/replies/{commentReplyId}', 'updateCommentReplyInSpace', '200'],
    ['DELETE', 'SPACE/comments/{commentId}/replies/{commentReplyId}', 'deleteCommentReplyInSpace', '204'],
    ['GET', 'SPACE/commenters', 'listCommentersInSpace', '200 paged'],
  ]),
  ...section('Collections', [
    ['GET', 'ORG/collections', 'listCollectionsInOrganizationById', '200 paged', 'nested'],
    ['POST', 'ORG/collections', 'createCollection', '201 location'],
    ['GET', '/collections/{collectionId}', 'getCollectionById', '200'],
    ['PATCH', '/collections/{collectionId}', 'updateCollectionById', '200'],
    ['DELETE', '/collections/{collectionId}', 'deleteCollectionById', '204'],
    ['GET', '/collections/{collectionId}/spaces', 'listSpacesInCollectionById', '200 paged'],
    ['POST', '/collections/{collectionId}/move', 'moveCollection', '200 400 404 409'],
    ['POST', '/collections/{collectionId}/transfer', 'transferCollection', '200 404 409 412'],
  ]),
  ...section('Organizations, members, teams', [
    ['GET', '/orgs', 'listOrganizationsForAuthenticatedUser', '200 paged'],
    ['GET', 'ORG', 'getOrganizationById', '200 404'],
    ['PATCH', 'ORG', 'updateOrganizationById', '200 400'],
    ['DELETE', 'ORG/link-invites/{inviteId}', 'deleteOrganizationInviteById', '204'],
    ['POST', 'ORG/join', 'joinOrganization', '204 400 404'],
    ['GET', 'ORG/search', 'searchOrganizationContent', '200 paged', 'query'],
    ['GET', 'ORG/agent-instructions', 'getOrganizationAgentInstructions', '200'],
    ['PUT', 'ORG/agent-instructions', 'updateOrganizationAgentInstructions', '200'],
    ['GET', '/email-domains/{emailDomain}/orgs', 'getOrganizationsForEmailDomain', '200'],
    ['GET', 'ORG/members', 'listMembersInOrganizationById', '200 paged', 'role customRole search'],
    ['GET', 'ORG/members/{userId}', 'getMemberInOrganizationById', '200'],
    ['PATCH', 'ORG/members/{userId}', 'updateMemberInOrganizationById', '200'],
    ['DELETE', 'ORG/members/{userId}', 'removeMemberFromOrganizationById', '204'],
    ['POST', 'ORG/members/{userId}/sso', 'setUserAsSSOMemberForOrganization', '200'],
    ['POST', 'ORG/ping', 'updateOrganizationMemberLastSeenAt', '200'],
    ['GET', 'ORG/members/{userId}/spaces', 'listSpacesForOrganizationMember', '200 paged'],
    ['GET', 'ORG/members/{userId}/teams', 'listTeamsForOrganizationMember', '200 paged', 'title'],
    ['GET', 'ORG/teams', 'listTeamsInOrganizationById', '200 paged', 'owner title'],
    ['PUT', 'ORG/teams', 'createOrganizationTeam', '201'],
    ['GET', 'ORG/teams/{teamId}', 'getTeamInOrganizationById', '200'],
    ['PATCH', 'ORG/teams/{teamId}', 'updateTeamInOrganizationById', '200'],
    ['DELETE', 'ORG/teams/{teamId}', 'removeTeamFromOrganizationById', '204'],
    ['GET', 'ORG/teams/{teamId}/members', 'listTeamMembersInOrganizationById', '200 paged'],
    ['PUT', 'ORG/teams/{teamId}/members', 'updateMembersInOrganizationTeam', '204'],
    ['PUT', 'ORG/teams/{teamId}/members/{userId}', 'addMemberToOrganizationTeamById', '204'],
    ['DELETE', 'ORG/teams/{teamId}/members/{userId}', 'deleteMemberFromOrganizationTeamById', '204'],
  ]),
  ...section('Single sign-on', [
    ['GET', 'ORG/saml', 'listSAMLProvidersInOrganizationById', '200 paged'],
    ['POST', 'ORG/saml', 'createOrganizationSAMLProvider', '201 location'],
    ['GET', 'ORG/saml/{samlProviderId}', 'getOrganizationSAMLProviderById', '200 404'],
    ['PATCH', 'ORG/saml/{samlProviderId}', 'updateOrganizationSAMLProvider', '200'],
    ['DELETE', 'ORG/saml/{samlProviderId}', 'deleteOrganizationSAMLProvider', '204'],
    ['GET', 'ORG/sso', 'listSSOProviderLoginsInOrganization', '200'],
  ]),
  ...section('OpenAPI specifications', [
    ['GET', 'ORG/openapi', 'listOpenAPISpecs', '200 paged'],
    ['POST', 'ORG/openapi', 'createOpenAPISpec', '201 400'],
    ['GET', 'ORG/openapi/{specSlug}', 'getOpenAPISpecBySlug', '200 404'],
    ['PUT', 'ORG/openapi/{specSlug}', 'createOrUpdateOpenAPISpecBySlug', '200 201 400'],
    ['PATCH', 'ORG/openapi/{specSlug}', 'updateOpenAPISpecBySlug', '200 400 404'],
    ['DELETE', 'ORG/openapi/{specSlug}', 'deleteOpenAPISpecBySlug', '204'],
  ]),
  ...section('Conversations', [
    ['GET', 'ORG/conversations-clusters', 'listConversationsIssuesClusters', '200 404 paged'],
    ['GET', 'ORG/conversations', 'listConversations', '200 paged', 'source'],
    ['POST', 'ORG/conversations', 'ingestConversation', '204'],
    ['GET', 'ORG/conversations/{conversationId}', 'getConversationById', '200 404'],
    ['GET', 'ORG/conversations-issues', 'listConversationsIssues', '200 paged', 'cluster conversation'],
    ['GET', 'ORG/conversations-issues/{issueId}', 'getConversationIssueById', '200 404'],
  ]),
  ...section('Translations', [
    ['GET', 'ORG/translations', 'listTranslations', '200 paged'],
    ['POST', 'ORG/translations', 'createTranslation', '201 400'],
    ['GET', 'ORG/translations/{translationId}', 'getTranslation', '200 404'],
    ['PUT', 'ORG/translations/{translationId}', 'updateTranslation', '200 400'],
    ['DELETE', 'ORG/translations/{translationId}', 'deleteTranslation', '204'],
    ['POST', 'ORG/translations/{translationId}/run', 'runTranslation', '204 404'],
  ]),
];

/** The section names of the interface, in its order. */
export const SECTIONS: readonly string[] = [...new Set(INTERFACE_OPERATIONS.map((operation) => operation.section))];
