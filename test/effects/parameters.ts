import { effect, type Effect } from './effect.js';

/**
 * Which test shows what each parameter of a query, and each header that operations name, changes. A parameter that means
 * different things is named with the first operation that has it so.
 */
export const PARAMETERS: readonly Effect[] = [
  effect('forges › lists repositories, branches and files of %s, with the token', '?path ?ref'),
  effect('content › makes a tree and reads back what was written, by id and by path', '?block'),
  effect('change-requests › are created, read by id and number, and changed', 'getChangeRequestById?format'),
  effect('users › pages without missing or repeating a row', 'listFiles?page listFiles?limit'),
  effect(
    'semantic-changes › are ten unless `limit` says otherwise; `more` counts the rest',
    'getRevisionSemanticChanges?limit',
  ),
  effect(
    'space-folders › is listed for those who edit the space and whoever has begun it, apart from imports',
    'listImportRuns?kind',
  ),
  effect(
    'organizations › are written and read as Markdown, and never over the text of somebody else',
    'getOrganizationAgentInstructions?format',
  ),
  effect('pdf › is one page, or a page with those below it, where one is named', 'getSpacePDF?page ?only'),
  effect(
    'previews › begins with the page and the site space that were asked for',
    'getChangeRequestPreview?page ?siteSpace ?site',
  ),
  effect('previews › is shown as visitors with chosen claims see it', '?claims'),
  effect(
    'importing › is imported with the commit that it came from, through guarded requests only',
    'getCurrentRevision?metadata getRevisionSemanticChanges?metadata',
  ),
  effect(
    'computed › becomes the pages of its specification in its place, and stays one with computed=false',
    '?computed',
  ),
  effect('change-requests › takes no writes once it is archived or merged', '?compat'),
  effect(
    'translation-segments › are listed page by page, by page and state',
    'listTranslationSegments?pageId listTranslationSegments?state',
  ),
  effect(
    'translation-files › have what is asked for, in as many files as it takes',
    'exportTranslation?format exportTranslation?pageId exportTranslation?state exportTranslation?page',
  ),
  effect('translation-segments › tell how each page stands', 'listTranslationPages?state'),
  effect('page-verification › is listed by its end, and by whether it holds', 'listPageVerificationsInSpace?state'),
  effect('openapi-registry › has its changes against the version before, counted and page by page', '?effect'),
  effect('tags › choose the pages of a list, with the pages above them', '?tags'),
  effect(
    'files › are uploaded as the body of a request, to a space and to a change request, also in the place of another',
    '?name ?file',
  ),
  effect(
    'evaluated › are there in every place, by id and by path, in both formats',
    'getPageById?format getPageById?evaluated',
  ),
  effect(
    'answers › are the passages that answer, with their page, sections and revision',
    'askInOrganization?format ?details',
  ),
  effect(
    'rendering › shows blocks, words, attributes and what is left out',
    'getPageDiffInChangeRequest?format ?context',
  ),
  effect(
    'comments › are posted as Markdown, as a document or empty, and read in both forms',
    'listCommentsInSpace?format',
  ),
  effect(
    'reviews › say why in a comment, which is discussed with the change request',
    'getReviewsByChangeRequestId?format',
  ),
  effect('evaluated › follow the variables of their revision, under an ETag of their own', 'getPageHtmlById?evaluated'),
  effect(
    'members › are listed by role, text, sort and order, page by page',
    'listMembersInOrganizationById?role listMembersInOrganizationById?search listMembersInOrganizationById?sort',
  ),
  effect(
    'custom-roles › are listed with their holders, and what they add with everybody who has access',
    '?customRole',
  ),
  effect(
    'comments-life › are listed by status, page and authors, in both directions, page by page',
    '?order listCommentsInSpace?status ?targetPage ?authors',
  ),
  effect(
    'site-permissions › are given to people and teams, listed, changed and taken',
    'listPermissionsAggregateInSpace?role',
  ),
  effect(
    'site-redirects › are added, listed, found, changed and removed',
    'listSiteRedirects?search getSiteRedirectBySource?source',
  ),
  effect('redirect-rules › append what their asterisk stands for, if they say so', 'listSiteRedirects?orderBy'),
  effect('redirect-rules › lead nobody on while they are drafts, which stand beside what is live', '?draft'),
  effect(
    'teams › are made, read, listed by owner and title, changed and deleted',
    'listTeamsInOrganizationById?title ?owner',
  ),
  effect(
    'sites › lists by space, title, publication and type, in pages',
    'listSites?title listSites?space ?published ?type',
  ),
  effect('sites › has exactly one default, which the next in order becomes when it goes', '?default'),
  effect('collections › are made, read, listed with and without what is nested, and changed', '?nested'),
  effect('audience › select the addresses that reads show, and grant nothing', '?shareKey'),
  effect(
    'security/sessions › ends in the workspace with a session of the organization, which ends with the provider',
    '?email ?organization',
  ),
  effect(
    'scim › are listed page by page, with the attributes that are asked for',
    '?attributes ?excludedAttributes ?startIndex ?count',
  ),
  effect('scim › become members with an account, and are found by what providers look them up by', '?filter'),
  effect('answers › name the source of each sentence, and say how they came about', 'header:accept-language'),
  effect('answers › come as events, which end with done', 'streamAskInOrganization?query'),
  effect(
    'search › finds pages with the sections that match, their ancestors and an excerpt',
    'searchSpaceContent?query',
  ),
  effect(
    'change-requests › are listed by status, creator, contributor, requested reviewer and cluster, in the space and in the organization',
    'listChangeRequestsForSpace?status ?creator ?contributor ?requestedReviewer',
  ),
  effect(
    'conversations › are reviewed, renamed and linked with change requests, and stay then',
    '?conversationsIssuesCluster listConversationsIssuesClusters?orderBy',
  ),
  effect(
    'cluster-drafts › are questions that differ in letters and marks only, once a day, with their weeks',
    'listSiteQuestions?from listSiteQuestions?to listSiteQuestions?sort',
  ),
  effect(
    'cluster-drafts › are settled, dismissed and reopened, until another question comes',
    'listSiteFindings?status ?severity ?hasChangeRequests ?question',
  ),
  effect('git › is named by the answer to its order, and its end is waited for', '?wait'),
  effect('links › name each target once, with its status and its places', 'listSpaceLinks?status'),
  effect(
    'links › are those of a change request with its own documents, on the revision that it stands on',
    '?brokenContext',
  ),
  effect('webhooks › tells every webhook what it asks for, signed, and is logged', 'listWebhookDeliveries?status'),
  effect('embeds › are told by the service of an address, or by its page', 'getEmbedByUrl?url'),
  effect('content-urls › lead to collections, spaces, change requests and pages', 'getContentByUrl?url'),
  effect(
    'reviews › are outdated by new content of the change request, and not by what primary has already',
    '?outdated',
  ),
  effect(
    'space-folders › is merged with what others have changed since, and makes a change request where both have changed the same',
    '?base ?subject',
  ),
  effect(
    'space-folders › becomes a change request for a review, for those who may not write, and where live edits are locked',
    '?review',
  ),
  effect(
    'space-folders › can be that of a change request, and is refused to those who see nothing of the space',
    'exportSpaceArchive?changeRequest',
  ),
  effect(
    'space-folders › goes into the change request that it was pulled from, if that has not changed meanwhile',
    'pushSpaceArchive?changeRequest',
  ),
  effect('imports › can be cancelled, also while it runs, and writes nothing then', 'listImportRuns?space'),
  effect('conversations › takes one conversation, which is listed and read', 'listConversations?source ?externalId'),
  effect(
    'conversations › replaces conversations by their ids, source by source, and writes nothing where nothing is new',
    'ingestConversation?source',
  ),
  effect(
    'conversations › are found in all conversations, and listed by conversation and cluster',
    'listConversationsIssues?cluster ?conversation',
  ),
  effect('conversation-decisions › build on each other, and are undone in turn', 'listConversationsDecisions?cluster'),
  effect('conversations › have themes, which are listed with their clusters and keep their ids', '?theme'),
  effect(
    'search-queries › is listed for those who see the site, by days and page by page',
    'listSiteSearchQueries?from listSiteSearchQueries?to ?unanswered',
  ),
  effect(
    'security/audit › knows who is no member any more, latest first and by name, as long as it is kept',
    'listOrganizationAuditEventFormerMembers?search',
  ),
  effect(
    'security/audit › is filtered by action, actor, target and time, and turned page by page while lines are added',
    'listOrganizationAuditEvents?from listOrganizationAuditEvents?to ?action ?actor ?target',
  ),
  effect('answers › are streamed to members and readers of a site', '?siteSpaceId ?spaceId'),
  effect(
    'notifications › is paged and filtered, and its notifications are marked as read and unread',
    '?unread listNotifications?kind',
  ),
  effect(
    'notification-streams › tells of what is new on whichever server it is open, and goes on behind the last event',
    'header:last-event-id',
  ),
  effect('presence › tells who is where on whichever server, until the window is closed', '?client'),
  effect(
    'presence › tells of revisions: of the space, or of a change request, at once where they are announced',
    'streamPresenceInSpace?changeRequest',
  ),
];

/** Parameters of the public API that have to be taken, and leave an answer as it is. */
export const WITHOUT_CHOICE: readonly (Effect & { readonly why: string })[] = [
  {
    ...effect('sites › starts with complete defaults and takes a complete replacement', '?unmasked'),
    why: 'no plan masks any setting here, so both answers are the same',
  },
  {
    ...effect(
      'every-construct › comes back as it was written, with the ids of its blocks, whatever it consists of',
      '?schema',
    ),
    why: 'there is one version of the document model, which both names mean',
  },
];
