/** An optional property that no test shows, with the reason; `*` at the end stands for everything that begins so. */
export interface Unseen {
  readonly property: string;
  readonly reason: string;
}

/** A row is removed as soon as a test shows the property: the report fails on rows that are no longer true. */
export const UNSEEN: readonly Unseen[] = [
  {
    property: 'ClusterBody.mergedInto',
    reason:
      'conversation-decisions.spec.ts reads it, but the record of answers does not show it; the cause is not known',
  },
  { property: 'ImpactBody.growth', reason: 'tests have no conversations of the weeks before' },
  {
    property: 'ComputedContentSourceRevisionOpenAPI.props.changelog',
    reason: 'a write takes it, and answers show what the pages of the source are made from',
  },
  { property: 'TemplatePageBody.emoji', reason: 'the templates that come with the service give their pages icons' },
  { property: 'TranslationFileBody.next', reason: 'a file has 10,000 texts, more than a test writes' },
  { property: 'Organization.billing*', reason: 'a service that people host themselves bills nobody' },
  { property: 'Organization.blocked*', reason: 'only the hosted service blocks organizations' },
  { property: 'Organization.internal_*', reason: 'internal to the hosted service' },
  { property: 'Organization.trial.endDate', reason: 'there are no trials' },
  { property: 'Organization.trial.decision', reason: 'there are no trials' },
  {
    property: 'AuditEventDetails.causedByEventId',
    reason: 'events are caused by requests and by the clock, not by one another',
  },
  { property: 'Organization.customHostname', reason: 'no operation of any version assigns one' },
  { property: 'Site.ads', reason: 'a service that people host themselves shows no advertisements' },
  { property: 'SiteAds.reason', reason: 'a service that people host themselves shows no advertisements' },
  { property: 'SiteIntegrationScript.*', reason: 'there are no integrations, so the list of scripts is empty' },
  { property: 'IntegrationBlock.*', reason: 'there are no integrations, so no block of one stands for an address' },
  { property: 'SiteStructure.structure[].sectionGroup', reason: 'the members of the root are in no group' },
  {
    property: 'SiteExternalLink.localized*',
    reason: 'not in the interface: whatever else a site is made of has one title and one description',
  },
  { property: 'NewTokenBody.lastUsedAt', reason: 'a token that was just made was not used yet' },
  {
    property: 'NewTokenBody.organization',
    reason: 'a token that acts in one organization only cannot make another one',
  },
  {
    property: 'FileBody.git',
    reason: 'only the answer to an upload has this shape: what is uploaded comes from no repository',
  },
  {
    property: 'SitePublishingAuth.integration',
    reason: 'there are no integrations: visitors log in at a service of their own site',
  },
  { property: 'PublishedSiteContent.changeRequest', reason: 'what is not merged is published nowhere' },
  { property: 'PublishedSiteContent.revision', reason: 'earlier revisions are published nowhere' },
  {
    property: 'ContentImportRun.changed',
    reason:
      'only the answers to the start and the end of a run have this shape, and what it has done is read by our own operations',
  },
  {
    property: 'ContentImportRun.completedAt',
    reason:
      'only the answers to the start and the end of a run have this shape, and what it has done is read by our own operations',
  },
  {
    property: 'ContentImportRun.error',
    reason:
      'only the answers to the start and the end of a run have this shape, and what it has done is read by our own operations',
  },
  {
    property: 'ContentImportRun.pages*',
    reason:
      'only the answers to the start and the end of a run have this shape, and what it has done is read by our own operations',
  },
  {
    property: 'ContentImportRun.problems*',
    reason:
      'only the answers to the start and the end of a run have this shape, and what it has done is read by our own operations',
  },
  {
    property: 'ContentImportRun.revision',
    reason:
      'only the answers to the start and the end of a run have this shape, and what it has done is read by our own operations',
  },
  {
    property: 'SpaceUrls.public',
    reason: 'of our own operations only the list of deleted spaces has this shape, and those are published nowhere',
  },
  {
    property: 'SpaceUrls.published',
    reason: 'of our own operations only the list of deleted spaces has this shape, and those are published nowhere',
  },
  {
    property: 'SpaceBody.visitorAuth',
    reason: 'of our own operations only the list of deleted spaces has this shape, and those are published nowhere',
  },
  {
    property: 'ChangeRequestBody.descriptionMarkdown',
    reason: 'our own operations that answer change requests take no format; those of the public API show it',
  },
  {
    property: 'CommentBody.agent',
    reason:
      'of our own operations only the answer to an applied suggestion has this shape; the other operations of comments show it',
  },
  {
    property: 'CommentBody.editedAt',
    reason:
      'of our own operations only the answer to an applied suggestion has this shape; the other operations of comments show it',
  },
  {
    property: 'CommentTarget.review',
    reason:
      'of our own operations only the answer to an applied suggestion has this shape; the other operations of comments show it',
  },
  {
    property: 'CommentTarget.side',
    reason:
      'of our own operations only the answer to an applied suggestion has this shape; the other operations of comments show it',
  },
  {
    property: 'CommentTarget.tableCell',
    reason:
      'of our own operations only the answer to an applied suggestion has this shape; the other operations of comments show it',
  },
  {
    property: 'CommentText.document',
    reason:
      'of our own operations only the answer to an applied suggestion has this shape; the other operations of comments show it',
  },
  {
    property: 'GitSyncBody.installationProvider',
    reason:
      'of our own operations only the list of deleted spaces has this shape; the other operations of spaces show it',
  },
  { property: 'SiteFinding.brokenLinkAction', reason: 'findings come from questions of readers, not from links' },
  { property: 'SiteFinding.outboundLink', reason: 'findings come from questions of readers, not from links' },
  { property: 'SiteFindingBrokenLinkAction.*', reason: 'findings come from questions of readers, not from links' },
  { property: 'SiteFindingOutboundLink.*', reason: 'findings come from questions of readers, not from links' },
  ...['installationId', 'installationStatus', 'operation', 'parentInstallationId'].map((name) => ({
    property: `GitSyncBody.${name}`,
    reason:
      'of our own operations only the list of deleted spaces has this shape; the other operations of spaces show it',
  })),
  {
    property: 'GitSyncOperationBody.*',
    reason:
      'of our own operations only the list of deleted spaces has this shape; the other operations of spaces show it',
  },
  { property: 'GitSyncState.integration', reason: 'there are no integrations' },
  ...['repositoryConnection', 'repositoryRef', 'syncRoot'].map((name) => ({
    property: `GitSyncInstallation.${name}`,
    reason: 'each space has an installation of its own, which holds the repository and its branch',
  })),
  {
    property: 'GitRepository*',
    reason: 'each space has an installation of its own, which holds the repository and its branch',
  },
  {
    property: 'GitSyncInstallationSetupCommon.agentInstructions',
    reason: 'the files of a repository are those of its space',
  },
  {
    property: 'GitSyncInstallationSetupGitLab.providerConfiguration.accessToken',
    reason: 'a token is kept encrypted and never shown',
  },
  {
    property: 'GitSyncInstallationSetupGitLab.providerConfiguration.deployKey',
    reason: 'the server that tests reach by SSH is none of GitLab, and its installation shows the key',
  },
  {
    property: 'GitSyncInstallationSetupGitLab.providerConfiguration.hostKey',
    reason: 'the server that tests reach by SSH is none of GitLab, and its installation shows the key',
  },
];

/** The row that speaks of a property. */
export function rowFor(property: string, rows: readonly Unseen[] = UNSEEN): Unseen | undefined {
  return rows.find((row) =>
    row.property.endsWith('*') ? property.startsWith(row.property.slice(0, -1)) : property === row.property,
  );
}
