import { INTERFACE_OPERATIONS, section, type Method, type Operation } from './operations.js';

/**
 * Operations beyond the interface's 141: rows of the public API that its features need (A) or that users expect (B),
 * and our own (`own`), which no public schema describes.
 */
export const EXTENSION_OPERATIONS: readonly Operation[] = [
  ...section('Service', [['GET', '/', 'getApiInformation', '200 B']]),
  ...section('Users', [
    ['GET', '/user', 'getAuthenticatedUser', '200 404 A'],
    ['GET', '/users/{userId}', 'getUserById', '200 404 B'],
    ['PATCH', '/users/{userId}', 'updateUserById', '200 404 B'],
    ['POST', '/user/notifications/token', 'createUserNotificationsToken', '200 next B'],
  ]),
  ...section('Organizations, members, teams', [
    ['POST', '/orgs', 'createOrganization', '201 location A next'],
    ['GET', 'ORG/ip-allow-list', 'getOrganizationIPAllowList', '200 own'],
    ['PUT', 'ORG/ip-allow-list', 'updateOrganizationIPAllowList', '200 400 own'],
    ['POST', 'ORG/link-invites', 'createOrganizationInvite', '201 A'],
    ['GET', 'ORG/link-invites', 'listOrganizationInviteLinks', '200 paged A'],
    ['GET', 'ORG/link-invites/{inviteId}', 'getOrganizationInviteLink', '200 A'],
    ['PATCH', 'ORG/link-invites/{inviteId}', 'updateOrganizationInviteById', '200 A'],
    ['POST', 'ORG/invites', 'inviteUsersToOrganization', '200 400 A'],
    ['POST', 'ORG/invites/{inviteId}', 'joinOrganizationWithInvite', '200 A'],
  ]),
  ...section('Collections', [
    [
      'GET',
      '/collections/{collectionId}/permissions/aggregate',
      'listPermissionsAggregateInCollection',
      '200 paged B',
      'role',
    ],
    ['POST', '/collections/{collectionId}/permissions', 'inviteToCollection', '204 404 A'],
    ['GET', '/collections/{collectionId}/permissions/teams', 'listTeamPermissionsInCollection', '200 paged A'],
    [
      'PATCH',
      '/collections/{collectionId}/permissions/teams/{teamId}',
      'updateTeamPermissionInCollection',
      '204 404 A',
    ],
    ['DELETE', '/collections/{collectionId}/permissions/teams/{teamId}', 'removeTeamFromCollection', '204 A'],
    ['GET', '/collections/{collectionId}/permissions/users', 'listUserPermissionsInCollection', '200 404 paged A'],
    [
      'PATCH',
      '/collections/{collectionId}/permissions/users/{userId}',
      'updateUserPermissionInCollection',
      '204 404 A',
    ],
    ['DELETE', '/collections/{collectionId}/permissions/users/{userId}', 'removeUserFromCollection', '204 A'],
  ]),
  ...section('Spaces', [
    ['POST', 'ORG/spaces', 'createSpace', '201 location A'],
    ['GET', 'ORG/trash', 'listDeletedSpaces', '200 paged own'],
    ['GET', 'SPACE/permissions/users', 'listUserPermissionsInSpace', '200 404 paged A'],
    ['POST', 'SPACE/permissions', 'inviteToSpace', '204 404 A'],
    ['PATCH', 'SPACE/permissions/users/{userId}', 'updateUserPermissionInSpace', '204 404 A'],
    ['DELETE', 'SPACE/permissions/users/{userId}', 'removeUserFromSpace', '204 A'],
    ['GET', 'SPACE/permissions/teams', 'listTeamPermissionsInSpace', '200 404 paged A'],
    ['PATCH', 'SPACE/permissions/teams/{teamId}', 'updateTeamPermissionInSpace', '204 404 A'],
    ['DELETE', 'SPACE/permissions/teams/{teamId}', 'removeTeamFromSpace', '204 400 A'],
    ['GET', 'SPACE/permissions/aggregate', 'listPermissionsAggregateInSpace', '200 paged B', 'role'],
    ['GET', 'SPACE/pdf', 'getSpacePDF', '200 B'],
    ['POST', 'SPACE/git/import', 'importGitRepository', '204 B'],
    ['POST', 'SPACE/git/export', 'exportToGitRepository', '204 B'],
    ['GET', 'SPACE/git/info', 'getSpaceGitInfo', '200 404 B'],
  ]),
  ...section('Space content', [
    ['POST', 'CR/content', 'updateChangeRequestContent', '200 404 A next'],
    ['POST', 'SPACE/content/computed/document', 'getComputedDocument', '200 404 B'],
    ['POST', 'SPACE/content/computed/revision', 'getComputedRevision', '200 404 B'],
    ['GET', 'SPACE/revisions/{revisionId}', 'getRevisionById', '200 B'],
    ['GET', 'SPACE/revisions/{revisionId}/changes', 'getRevisionSemanticChanges', '200 B'],
    ['GET', 'SPACE/content/path/{pagePath}', 'getPageByPath', '200 B'],
    ['GET', 'CR/content/path/{pagePath}', 'getPageInChangeRequestByPath', '200 B'],
    ['GET', 'SPACE/documents/{documentId}', 'getDocumentById', '200 B'],
    ['GET', 'SPACE/content/reusable-contents/{reusableContentId}', 'getReusableContentById', '200 B'],
    ['GET', 'CR/content/reusable-contents/{reusableContentId}', 'getReusableContentInChangeRequestById', '200 B'],
    ['GET', 'CR/links', 'listChangeRequestLinks', '200 404 paged B', 'status brokenContext'],
    ['POST', 'ORG/storage/upload', 'generateStorageUploadURL', '201 400 B'],
    ['POST', '/org/{organizationId}/imports', 'startImportRun', '201 400 404 B'],
    ['POST', '/org/{organizationId}/imports/{importRunId}/cancel', 'cancelImportRun', '201 400 404 B'],
    ['GET', 'SPACE/content/page/{pageId}/meta-links', 'listSpacePageMetaLinks', '200 404 next B'],
    ['GET', 'CR/content/page/{pageId}/meta-links', 'listChangeRequestPageMetaLinks', '200 404 next B'],
    ['GET', 'SPACE/revisions/{revisionId}/page/{pageId}/meta-links', 'listRevisionPageMetaLinks', '200 404 next B'],
    ['GET', 'SPACE/revisions/{revisionId}/pages', 'listPagesInRevisionById', '200 B'],
    ['GET', 'SPACE/revisions/{revisionId}/files', 'listFilesInRevisionById', '200 paged B'],
    ['GET', 'SPACE/revisions/{revisionId}/files/{fileId}', 'getFileInRevisionById', '200 B'],
    ['GET', 'SPACE/revisions/{revisionId}/page/{pageId}', 'getPageInRevisionById', '200 B'],
    ['GET', 'SPACE/revisions/{revisionId}/page/{pageId}/document', 'getPageDocumentInRevisionById', '200 B'],
    ['GET', 'SPACE/revisions/{revisionId}/path/{pagePath}', 'getPageInRevisionByPath', '200 B'],
    [
      'GET',
      'SPACE/revisions/{revisionId}/reusable-contents/{reusableContentId}',
      'getReusableContentInRevisionById',
      '200 B',
    ],
    [
      'GET',
      'SPACE/revisions/{revisionId}/reusable-contents/{reusableContentId}/document',
      'getReusableContentDocumentInRevisionById',
      '200 B',
    ],
  ]),
  ...section('Change requests', [
    ['GET', 'CR/reviews', 'getReviewsByChangeRequestId', '200 404 paged A', 'outdated'],
    ['POST', 'CR/reviews', 'submitChangeRequestReview', '201 location A'],
    ['GET', 'CR/reviews/{reviewId}', 'getChangeRequestReviewById', '200 404 A'],
    ['GET', 'CR/requested-reviewers', 'getRequestedReviewersByChangeRequestId', '200 paged A'],
    ['POST', 'CR/requested-reviewers', 'requestReviewersForChangeRequest', '200 A'],
    ['DELETE', 'CR/requested-reviewers/{userId}', 'removeRequestedReviewerFromChangeRequest', '204 A'],
    ['GET', 'CR/contributors', 'getContributorsByChangeRequestId', '200 404 B'],
  ]),
  ...section('Comments', [
    ['GET', 'SPACE/comments/{commentId}/replies', 'listCommentRepliesInSpace', '200 paged A'],
    ['GET', 'CR/comments/{commentId}/replies/{commentReplyId}', 'getCommentReplyInChangeRequest', '200 B'],
    ['PUT', 'CR/comments/{commentId}/replies/{commentReplyId}', 'updateCommentReplyInChangeRequest', '200 B'],
    ['DELETE', 'CR/comments/{commentId}/replies/{commentReplyId}', 'deleteCommentReplyInChangeRequest', '204 B'],
    ['GET', 'CR/commenters', 'listCommentersInChangeRequest', '200 paged B'],
    ['POST', 'CR/comments/{commentId}/suggestion/apply', 'applyCommentSuggestionInChangeRequest', '200 404 409 own'],
  ]),
  ...section('Section groups', [
    ['POST', 'SITE/section-groups/{siteSectionGroupId}/move', 'moveSiteSectionGroup', '200 400 404 B'],
  ]),
  ...section('Sites', [
    ['POST', 'SITE/unpublish', 'unpublishSite', '200 A'],
    ['POST', 'SITE/template', 'applyTemplateToSite', '200 next B'],
    ['GET', 'SITE/ip-allow-list', 'getSiteIPAllowList', '200 own'],
    ['PUT', 'SITE/ip-allow-list', 'updateSiteIPAllowList', '200 400 own'],
    ['GET', 'SITE/share-links', 'listSiteShareLinks', '200 paged A'],
    ['POST', 'SITE/share-links', 'createSiteShareLink', '201 location A'],
    ['PATCH', 'SITE/share-links/{shareLinkId}', 'updateSiteShareLinkById', '200 A'],
    ['DELETE', 'SITE/share-links/{shareLinkId}', 'deleteSiteShareLinkById', '204 A'],
    ['GET', 'SITE/publishing/auth', 'getSitePublishingAuthById', '200 400 A'],
    ['PATCH', 'SITE/publishing/auth', 'updateSitePublishingAuthById', '200 400 A'],
    ['POST', 'SITE/publishing/auth/regenerate', 'regenerateSitePublishingAuthById', '200 400 A'],
    ['POST', 'SITE/site-spaces/{siteSpaceId}/duplicate', 'duplicateSiteSpace', '201 location next B'],
    ['POST', '/urls/published', 'resolvePublishedContentByUrl', '200 404 A'],
    ['GET', '/custom-hostnames/{hostname}', 'getCustomHostname', '200 next B'],
    ['PATCH', '/custom-hostnames/{hostname}', 'dnsRevalidateCustomHostname', '204 next B'],
    ['DELETE', '/custom-hostnames/{hostname}', 'removeCustomHostname', '204 next B'],
    ['GET', 'SITE/permissions/aggregate', 'listPermissionsAggregateInSite', '200 paged B', 'role'],
    ['POST', 'SITE/permissions', 'inviteToSite', '204 404 next B'],
    ['GET', 'SITE/permissions/users', 'listUserPermissionsInSite', '200 404 paged next B'],
    ['PATCH', 'SITE/permissions/users/{userId}', 'updateUserPermissionInSite', '204 404 next B'],
    ['DELETE', 'SITE/permissions/users/{userId}', 'removeUserFromSite', '204 next B'],
    ['GET', 'SITE/permissions/teams', 'listTeamPermissionsInSite', '200 404 paged next B'],
    ['PATCH', 'SITE/permissions/teams/{teamId}', 'updateTeamPermissionInSite', '204 404 next B'],
    ['DELETE', 'SITE/permissions/teams/{teamId}', 'removeTeamFromSite', '204 next B'],
    ['GET', 'SITE/structure', 'getSiteStructure', '200 404 B'],
    ['PATCH', 'SITE/structure/sort', 'sortSiteStructure', '200 400 404 B'],
    ['POST', 'SITE/search', 'searchSiteContent', '200 paged B'],
    ['GET', 'SITE/publishing/preview', 'getSitePublishingPreviewById', '200 400 B'],
    ['GET', 'SITE/redirects', 'listSiteRedirects', '200 paged B', 'search draft'],
    ['POST', 'SITE/redirects', 'createSiteRedirect', '201 B'],
    ['PATCH', 'SITE/redirects/{siteRedirectId}', 'updateSiteRedirectById', '200 B'],
    ['DELETE', 'SITE/redirects/{siteRedirectId}', 'deleteSiteRedirectById', '204 B'],
    ['GET', 'SITE/redirect', 'getSiteRedirectBySource', '200 404 B'],
    ['POST', 'SITE/insights/events', 'trackEventsInSiteById', '204 B'],
    ['POST', 'SITE/insights/events/aggregate', 'aggregateSiteEvents', '200 B'],
    ['GET', 'SITE/insights/visitor-segments', 'listSiteVisitorSegments', '200 paged B'],
    ['GET', '/subdomains/{subdomain}', 'getSubdomain', '200 B'],
    ['POST', 'SITE/external-links', 'addExternalLinkToSite', '201 400 next location B'],
    ['PATCH', 'SITE/external-links/{siteExternalLinkId}', 'updateSiteExternalLinkById', '200 400 404 next B'],
    ['DELETE', 'SITE/external-links/{siteExternalLinkId}', 'deleteSiteExternalLinkById', '204 404 next B'],
    ['GET', '/urls/content', 'getContentByUrl', '200 B'],
  ]),
  ...section('Embeds', [
    ['GET', '/urls/embed', 'getEmbedByUrl', '200 400 next B'],
    ['GET', 'SPACE/embed', 'getEmbedByUrlInSpace', '200 400 404 next B'],
  ]),
  ...section('OpenAPI specifications', [
    ['GET', 'ORG/openapi/{specSlug}/versions/latest/content', 'getLatestOpenAPISpecVersionContent', '200 404 A'],
    [
      'GET',
      'ORG/openapi/{specSlug}/versions/latest/content/raw',
      'getLatestOpenAPISpecVersionContentRaw',
      '200 404 next B',
    ],
    ['GET', 'ORG/openapi/{specSlug}/versions', 'listOpenAPISpecVersions', '200 404 paged B'],
    ['GET', 'ORG/openapi/{specSlug}/versions/latest', 'getLatestOpenAPISpecVersion', '200 404 B'],
    ['GET', 'ORG/openapi/{specSlug}/versions/{versionId}', 'getOpenAPISpecVersionById', '200 404 B'],
    ['GET', 'ORG/openapi/{specSlug}/versions/{versionId}/content', 'getOpenAPISpecVersionContentById', '200 404 B'],
  ]),
  ...section('Conversations', [
    ['GET', 'ORG/conversations-clusters/{clusterId}', 'getConversationsIssuesCluster', '200 B'],
    ['PATCH', 'ORG/conversations-clusters/{clusterId}', 'updateConversationsIssuesCluster', '200 400 404 own'],
    ['DELETE', 'ORG/conversations/{conversationId}', 'deleteConversation', '204 own'],
    ['DELETE', 'ORG/conversations-sources/{source}', 'deleteConversationsSource', '204 own'],
    ['GET', 'ORG/conversations-clusters/{clusterId}/coverage', 'getConversationsClusterCoverage', '200 404 own'],
    [
      'POST',
      'ORG/conversations-clusters/{clusterId}/change-requests',
      'draftConversationsClusterChangeRequest',
      '200 400 404 own',
    ],
    ['GET', 'ORG/conversations-settings', 'getConversationsSettings', '200 own'],
    ['PATCH', 'ORG/conversations-settings', 'updateConversationsSettings', '200 400 own'],
  ]),
  ...section('Translations', [
    ['GET', 'ORG/translations-glossary', 'listGlossaryEntries', '200 paged B'],
    ['PUT', 'ORG/translations-glossary', 'updateGlossaryEntries', '204 400 B'],
    ['GET', 'ORG/translations-glossary/{glossaryEntryId}', 'getGlossaryEntry', '200 404 B'],
  ]),
  ...section('Users', [
    ['GET', '/user/tokens', 'listAPITokens', '200 paged own'],
    ['POST', '/user/tokens', 'createAPIToken', '201 own'],
    ['DELETE', '/user/tokens/{tokenId}', 'deleteAPIToken', '204 own'],
    ['GET', '/user/notifications', 'listNotifications', '200 paged own', 'unread kind'],
    ['PUT', '/user/notifications', 'markNotifications', '204 400 own'],
    ['GET', '/user/notifications/stream', 'streamNotifications', '200 events own'],
    ['GET', '/user/notification-settings', 'getNotificationSettings', '200 own'],
    ['PUT', '/user/notification-settings', 'updateNotificationSettings', '200 400 own'],
    ['GET', '/user/sessions', 'listUserSessions', '200 paged own'],
    ['DELETE', '/user/sessions', 'endUserSessions', '204 own'],
    ['DELETE', '/user/sessions/{sessionId}', 'endUserSession', '204 own'],
    ['GET', '/auth/session', 'getSession', '200 own'],
    ['DELETE', '/auth/session', 'endSession', '204 own'],
    ['POST', '/auth/sessions', 'beginSession', '201 400 403 404 own'],
    ['POST', '/auth/sign-in-links', 'requestSignInLink', '202 400 own'],
    ['GET', '/auth/sign-in-links/{secret}', 'getSignInLink', '200 404 own'],
    ['GET', 'ORG/members/{userId}/sessions', 'listMemberSessions', '200 404 paged own'],
    ['DELETE', 'ORG/members/{userId}/sessions', 'endMemberSessions', '204 404 own'],
    ['POST', 'ORG/members/{userId}/sign-in-link', 'createMemberSignInLink', '201 404 409 own'],
    ['GET', '/auth/invitations/{secret}', 'getOpenInvitation', '200 404 own'],
    ['GET', '/auth/invite-links/{inviteId}', 'getOpenInviteLink', '200 404 own'],
    ['POST', '/auth/invitations/{secret}', 'acceptInvitation', '201 400 404 own'],
  ]),
  ...section('Single sign-on', [
    ['GET', '/auth/providers', 'listSignInProviders', '200 400 own', 'email organization'],
    ['POST', '/auth/exchange', 'exchangeLoginCode', '201 400 404 own'],
    ['GET', 'ORG/oidc', 'listOIDCProvidersInOrganizationById', '200 paged own'],
    ['POST', 'ORG/oidc', 'createOrganizationOIDCProvider', '201 location own'],
    ['GET', 'ORG/oidc/{oidcProviderId}', 'getOrganizationOIDCProviderById', '200 404 own'],
    ['PATCH', 'ORG/oidc/{oidcProviderId}', 'updateOrganizationOIDCProvider', '200 400 404 own'],
    ['DELETE', 'ORG/oidc/{oidcProviderId}', 'deleteOrganizationOIDCProvider', '204 own'],
  ]),
  ...section('Organizations, members, teams', [
    ['GET', 'ORG/invites', 'listOrganizationInvites', '200 paged own'],
    ['GET', 'ORG/search/synonyms', 'getSearchSynonyms', '200 own'],
    ['PUT', 'ORG/search/synonyms', 'updateSearchSynonyms', '200 400 own'],
    ['POST', 'ORG/ask', 'askInOrganization', '200 own'],
    ['GET', 'ORG/ask/stream', 'streamAskInOrganization', '200 events own'],
    ['GET', 'ORG/ask/questions', 'getRecommendedQuestionsInOrganization', '200 own'],
    ['GET', 'ORG/ask/questions/stream', 'streamRecommendedQuestionsInOrganization', '200 events own'],
  ]),
  ...section('Sites', [
    ['GET', 'SITE/search-queries', 'listSiteSearchQueries', '200 paged own', 'from to unanswered'],
    ['POST', 'SITE/ask', 'streamAskInSite', '200 events own'],
    ['GET', 'SITE/ask/questions', 'streamRecommendedQuestionsInSite', '200 events own'],
  ]),
  ...section('Space content', [
    ['POST', 'SPACE/content', 'updateSpaceContent', '200 409 own'],
    ['POST', 'SPACE/content/files', 'uploadFileToSpace', '201 409 own', 'name file'],
    ['POST', 'CR/content/files', 'uploadFileToChangeRequest', '201 404 own', 'name file'],
    ['GET', 'SPACE/revisions', 'listRevisions', '200 paged own'],
    ['GET', 'CR/revisions', 'listRevisionsInChangeRequest', '200 404 paged own'],
    ['POST', 'SPACE/content/render', 'renderMarkdown', '200 404 own'],
    ['POST', 'CR/content/render', 'renderMarkdownInChangeRequest', '200 404 own'],
    ['GET', 'SPACE/revisions/{revisionId}/changes/{pageId}/diff', 'getPageDiffInRevision', '200 404 own'],
    ['GET', 'CR/changes/{pageId}/diff', 'getPageDiffInChangeRequest', '200 404 own'],
    [
      'GET',
      'SPACE/revisions/{revisionId}/changes/reusable-contents/{reusableContentId}/diff',
      'getReusableContentDiffInRevision',
      '200 404 own',
    ],
    [
      'GET',
      'CR/changes/reusable-contents/{reusableContentId}/diff',
      'getReusableContentDiffInChangeRequest',
      '200 404 own',
    ],
    ['GET', 'SPACE/content/page/{pageId}/html', 'getPageHtmlById', '200 404 own'],
    ['GET', 'CR/content/page/{pageId}/html', 'getPageHtmlInChangeRequestById', '200 404 own'],
    ['GET', 'SPACE/revisions/{revisionId}/page/{pageId}/html', 'getPageHtmlInRevisionById', '200 404 own'],
    ['POST', 'SPACE/revisions/{revisionId}/rollback', 'rollbackToRevision', '200 409 own'],
    ['GET', '/org/{organizationId}/imports', 'listImportRuns', '200 paged own', 'space'],
    ['GET', '/org/{organizationId}/imports/{importRunId}', 'getImportRun', '200 404 own'],
  ]),
  ...section('Provisioning', [
    ['GET', 'ORG/scim/v2/Users', 'listScimUsers', '200 400 scim own', 'filter'],
    ['POST', 'ORG/scim/v2/Users', 'createScimUser', '201 400 409 scim own'],
    ['GET', 'ORG/scim/v2/Users/{userId}', 'getScimUser', '200 404 scim own'],
    ['PUT', 'ORG/scim/v2/Users/{userId}', 'replaceScimUser', '200 404 409 scim own'],
    ['PATCH', 'ORG/scim/v2/Users/{userId}', 'updateScimUser', '200 400 404 409 scim own'],
    ['DELETE', 'ORG/scim/v2/Users/{userId}', 'deleteScimUser', '204 404 409 scim own'],
    ['GET', 'ORG/scim/v2/Groups', 'listScimGroups', '200 400 scim own', 'filter'],
    ['POST', 'ORG/scim/v2/Groups', 'createScimGroup', '201 400 409 scim own'],
    ['GET', 'ORG/scim/v2/Groups/{teamId}', 'getScimGroup', '200 404 scim own'],
    ['PUT', 'ORG/scim/v2/Groups/{teamId}', 'replaceScimGroup', '200 404 409 scim own'],
    ['PATCH', 'ORG/scim/v2/Groups/{teamId}', 'updateScimGroup', '200 400 404 scim own'],
    ['DELETE', 'ORG/scim/v2/Groups/{teamId}', 'deleteScimGroup', '204 404 scim own'],
    ['GET', 'ORG/scim/v2/ServiceProviderConfig', 'getScimServiceProviderConfig', '200 scim own'],
    ['GET', 'ORG/scim/v2/ResourceTypes', 'listScimResourceTypes', '200 scim own'],
    ['GET', 'ORG/scim/v2/ResourceTypes/{resourceTypeId}', 'getScimResourceType', '200 404 scim own'],
    ['GET', 'ORG/scim/v2/Schemas', 'listScimSchemas', '200 scim own'],
    ['GET', 'ORG/scim/v2/Schemas/{schemaId}', 'getScimSchema', '200 404 scim own'],
  ]),
  ...section('Webhooks', [
    ['POST', 'ORG/webhooks', 'createWebhook', '201 location own'],
    ['GET', 'ORG/webhooks', 'listWebhooks', '200 paged own'],
    ['GET', 'ORG/webhooks/{webhookId}', 'getWebhook', '200 404 own'],
    ['PATCH', 'ORG/webhooks/{webhookId}', 'updateWebhook', '200 400 404 own'],
    ['DELETE', 'ORG/webhooks/{webhookId}', 'deleteWebhook', '204 own'],
    ['POST', 'ORG/webhooks/{webhookId}/rotate-secret', 'rotateWebhookSecret', '200 404 own'],
    ['POST', 'ORG/webhooks/{webhookId}/ping', 'pingWebhook', '201 404 409 own'],
    ['GET', 'ORG/webhooks/{webhookId}/deliveries', 'listWebhookDeliveries', '200 404 paged own', 'status'],
    ['GET', 'ORG/webhooks/{webhookId}/deliveries/{deliveryId}', 'getWebhookDelivery', '200 404 own'],
    [
      'POST',
      'ORG/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
      'redeliverWebhookDelivery',
      '200 404 409 own',
    ],
  ]),
  ...section('Audit log', [
    [
      'GET',
      'ORG/audit-events',
      'listOrganizationAuditEvents',
      '200 400 403 404 paged next B',
      'from to action actor target',
    ],
    ['GET', 'ORG/audit-events/{auditEventId}', 'getOrganizationAuditEvent', '200 403 404 next B'],
    ['GET', 'ORG/audit-event-actions', 'listOrganizationAuditEventActions', '200 403 404 next B'],
  ]),
  ...section('Spaces', [
    ['GET', 'ORG/templates', 'listTemplates', '200 own'],
    ['POST', 'SPACE/import', 'importSpaceArchive', '201 own'],
  ]),
  ...section('Sites', [
    ['POST', 'SITE/redirects/import', 'importSiteRedirects', '200 409 own'],
    ['PUT', 'SITE/redirects', 'bulkUpsertSiteRedirects', '200 next B'],
  ]),
  ...section('Change requests', [
    ['GET', 'CR/conflicts', 'listChangeRequestConflicts', '200 own'],
    ['PUT', 'CR/changes/{pageId}/viewed', 'markChangeRequestPageViewed', '204 404 own'],
    ['POST', 'CR/revert', 'revertChangeRequest', '201 404 409 location own'],
    ['GET', 'CR/merge-checks', 'getChangeRequestMergeChecks', '200 404 own'],
    ['GET', 'CR/changes', 'getChangeRequestChanges', '200 404 B'],
    ['GET', 'CR/preview', 'getChangeRequestPreview', '200 400 404 409 own'],
  ]),
];

export const OPERATIONS: readonly Operation[] = [...INTERFACE_OPERATIONS, ...EXTENSION_OPERATIONS];

const segmentsOf = (path: string): string[] => path.split('/').slice(1);

/** A path parameter may hold `/` only where it ends the template, as page paths do. */
const SPANNING = /^\{pagePath\}$/;

function matches(template: readonly string[], path: readonly string[]): boolean {
  const spans = SPANNING.test(template.at(-1) ?? '');
  if (spans ? path.length < template.length : path.length !== template.length) return false;
  return template.every((part, at) => (part.startsWith('{') ? path[at] !== '' : part === path[at]));
}

const literals = (template: readonly string[]): number => template.filter((part) => !part.startsWith('{')).length;

const TEMPLATES = OPERATIONS.map((operation) => ({ operation, template: segmentsOf(operation.path) }));

/** The operation that a request addresses, by method and path without query; the template with more literal parts wins. */
export function operationOf(method: string, path: string): Operation | undefined {
  const parts = segmentsOf(path.length > 1 ? path.replace(/\/$/, '') : path);
  let best: (typeof TEMPLATES)[number] | undefined;
  for (const candidate of TEMPLATES) {
    if (candidate.operation.method !== method || !matches(candidate.template, parts)) continue;
    if (!best || literals(candidate.template) > literals(best.template)) best = candidate;
  }
  return best?.operation;
}

/** The operation with exactly this method and template, parameter names included. */
export function operationAt(method: Method, template: string): Operation | undefined {
  return OPERATIONS.find((operation) => operation.method === method && operation.path === template);
}
