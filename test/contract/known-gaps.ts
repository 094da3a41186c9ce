/**
 * What the report finds lacking and is known to lack: written down so that nothing new joins it unseen. A line goes as soon
 * as a test closes the gap; none may be added for a new operation.
 */

/** Implemented operations whose tests do not yet show all that counts: data written and compared, a further page, each filter. */
const NOT_YET_EXERCISED: readonly string[] = [
  'setUserAsSSOMemberForOrganization',
  'updateOrganizationMemberLastSeenAt',
  'listTeamsForOrganizationMember',
  'getUserById',
  'updateUserById',
  'listOrganizationInviteLinks',
  'updateOrganizationInviteById',
  'listPermissionsAggregateInCollection',
  'listTeamPermissionsInCollection',
  'removeTeamFromCollection',
  'listTeamPermissionsInSpace',
  'removeTeamFromSpace',
  'listPermissionsAggregateInSpace',
  'getSubdomain',
  'listOrganizationInvites',
];

/** Optional properties that no test over HTTP has shown yet; those of documents are held by the specs of documents and Markdown. */
const NOT_YET_SEEN: readonly string[] = [
  'ChangeAttributeContentReference.after',
  'ChangeAttributeContentReference.before',
  'ChangeAttributeNumber.after',
  'ChangeAttributeNumber.before',
  'ChangeAttributeRevisionFileImageDimensions.after',
  'ChangeAttributeRevisionFileImageDimensions.before',
  'ChangeAttributeRevisionPageDocumentCover.after',
  'ChangeAttributeRevisionPageDocumentCover.before',
  'ChangeAttributeRevisionPageLayout.after',
  'ChangeAttributeRevisionPageLayout.before',
  'ChangeAttributeVariable.after',
  'ChangeAttributeVariable.before',
  'ChangeAttributeVariables.after',
  'ChangeAttributeVariables.before',
  'ChangeRequestContentUpdate.insertedFiles',
  'ChangeRequestContentUpdateInsertedPage.ref',
  'ComputedContentDependencyOpenAPI.value.lastVersion',
  'ComputedContentSourceIntegration.dependencies',
  'ConflictBody.reusableContent',
  'ContentRefAnchor.space',
  'ContentRefReusableContent.space',
  'FileBody.git',
  'NewTokenBody.lastUsedAt',
  'NewTokenBody.organization',
  'OpenAPISchemasPointer.grouped',
  'Organization.communityType',
  'Organization.useCase',
  'RevisionBase.urls.public',
  'RevisionBase.urls.published',
  'RevisionFile.git',
  'RevisionFileChangeAttributes.contentType',
  'RevisionFileChangeAttributes.dimensions',
  'RevisionFileChangeAttributes.downloadURL',
  'RevisionFileChangeAttributes.name',
  'RevisionFileChangeAttributes.size',
  'RevisionPageDocument.metaLinks.canonical',
  'RevisionPageDocument.noRobotsIndex',
  'RevisionPageDocumentChangeAttributes.cover',
  'RevisionPageDocumentChangeAttributes.description',
  'RevisionPageDocumentChangeAttributes.emoji',
  'RevisionPageDocumentChangeAttributes.layout',
  'RevisionPageDocumentChangeAttributes.variables',
  'RevisionPageDocumentCover.refDark',
  'RevisionPageGroup.hidden',
  'RevisionPageGroup.noIndex',
  'RevisionPageGroup.noRobotsIndex',
  'RevisionPageGroupChangeAttributes.emoji',
  'RevisionPageLink.hidden',
  'RevisionPageLinkChangeAttributes.emoji',
  'RevisionPageLinkChangeAttributes.target',
  'RevisionReusableContent.git',
  'RevisionReusableContentChangeAttributes.document',
  'RevisionReusableContentChangeAttributes.title',
  'RevisionSemanticChangePageMoved.parent.after',
  'RevisionSemanticChangePageMoved.parent.before',
  'Site.hostname',
  'SiteCustomizationSettings.footer.logo',
  'SiteCustomizationSettings.privacyPolicy.url',
  'Space.urls.icon',
  'Space.visitorAuth',
  'TokenBody.expiresAt',
  'TokenBody.lastUsedAt',
  'TokenBody.organization',
  'UserBody.photoURL',
  'listOrganizationInvites.next',
  'updateOrganizationMemberLastSeenAt.serviceVisitorClaims',
];

/** Differences from the published descriptions that wait for a decision. */
const NOT_YET_SETTLED: readonly string[] = [
  'property DocumentBlockHeading.data.level is in answers and in no schema: declare it among the deviations',
  'property RevisionPage.linkTitle is in answers and in no schema: declare it among the deviations',
  'the table of the unseen names SiteSectionGroup.sections, which is seen or does not exist',
  'getRevisionSemanticChanges does not publish ?metadata',
  'getRevisionSemanticChanges does not publish ?computed',
  'getDocumentById does not publish ?schema',
  'getPageDocumentInRevisionById does not publish ?evaluated',
  'getReusableContentDocumentInRevisionById does not publish ?evaluated',
];

/** Whether a failure of the report is one of the known gaps. */
export function isKnownGap(failure: string): boolean {
  const exercised = /^(\w+) is not exercised/.exec(failure)?.[1];
  if (exercised !== undefined) return NOT_YET_EXERCISED.includes(exercised);
  const property = /^optional property (\S+) was in no answer/.exec(failure)?.[1];
  if (property !== undefined) return property.startsWith('Document') || NOT_YET_SEEN.includes(property);
  return NOT_YET_SETTLED.includes(failure);
}
