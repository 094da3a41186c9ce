import { effect, type Effect } from './effect.js';

/** Which test shows what each field of a request's body changes; fields by the schema, or the operation, that has them. */
export const FIELDS: readonly Effect[] = [
  // Repositories.
  effect(
    'git-sync › are kept equal both ways, with a diff of one line for a changed word',
    'InstallGitProvider.{provider,target} InstallationTarget.{type,spaceId} SetUpGitInstallation.{provider,providerConfiguration,priority} ProviderSetup.{url,branch}',
  ),
  effect('git-sync › begin as the side says that was chosen, which a plan tells before', 'PlanGitSync.priority'),
  effect(
    'git-sync › are let in with the token, in the folder and with the commit message that were chosen',
    'ProviderSetup.{accessToken,username} SetUpGitInstallation.{projectDirectory,commitMessageTemplate}',
  ),
  effect(
    'git-sync › are reached by SSH with a deploy key, at a server that is known by its key',
    'ProviderSetup.hostKey',
  ),
  effect(
    'pull-requests › becomes a change request that follows it, keeps what people change, and is closed and opened with it',
    'SetUpGitInstallation.previewExternalBranches',
  ),
  effect(
    'forges › finds the repository of %s that is chosen by its id',
    'ProviderSetup.{repositoryId,projectId,customInstanceURL}',
  ),
  effect(
    'github-apps › lets an installation in at the repository and the API, with a token of an hour for all of it',
    'ProviderSetup.app GitHubAppSetup.{appId,installationId,privateKey}',
  ),
  effect(
    'git-sites › describes itself in the repository, follows its structure there, and leaves alone what has a connection of its own',
    'InstallationTarget.siteId SetUpGitInstallation.childInstallationProjectDirectories.*',
  ),
  effect('request-pulls › leaves nothing behind where it cannot become a branch', 'OpenPullRequest.branch'),
  effect('git-sync › become a commit for each change where they are not put together', 'SetUpGitInstallation.squash'),
  effect('git-sync › begins a synchronization for a signed push, once', 'SetUpGitInstallation.renewHookSecret'),
  // Content.
  effect(
    'content › makes a tree and reads back what was written, by id and by path',
    'WriteContent.changes InsertPage.{operation,type,title,document,ref,into} WrittenDocument.markdown',
  ),
  effect(
    'content › takes the title and attributes from the Markdown, and documents as they are',
    'WrittenDocument.document',
  ),
  effect(
    'content-rules › insert_page stands at the end of the root unless `into` and `at` say otherwise',
    'InsertPage.at',
  ),
  effect(
    'content-rules › slugs follow titles, and one that a sibling has is refused with the index of its change',
    '{InsertPage,UpdatePage}.slug',
  ),
  effect(
    'content-rules › update_page keeps what it does not name, the parent too, and `into: null` is the root',
    'UpdatePage.{operation,page,title,document,into,at}',
  ),
  effect(
    'effects/published › show in the navigation and on the page what is written of it',
    'InsertPage.{target,emoji,icon,linkTitle,description} UpdatePage.{type,target,emoji,icon,linkTitle,description}',
  ),
  effect(
    'published-pages › are out of navigation, and not there for those whom a condition shuts out',
    '{InsertPage,UpdatePage}.{hidden,condition}',
  ),
  effect(
    'search › finds no page with noIndex, in a copy neither, until the flag is taken away',
    '{InsertPage,UpdatePage}.noIndex',
  ),
  effect('published-pages › is Markdown, a map, and lists of pages', '{InsertPage,UpdatePage}.noRobotsIndex'),
  effect('page-layout › hides page actions and links of headings, whose ids stay', '{InsertPage,UpdatePage}.layout'),
  effect('page-layout › puts the cover into the background of the page, and masks it', '{InsertPage,UpdatePage}.cover'),
  effect(
    'evaluated › follow the variables of their revision, under an ETag of their own',
    '{InsertPage,UpdatePage}.variables SetVariables.{operation,variables}',
  ),
  effect(
    'published-pages › lead to the source of a page, to accounts elsewhere and to other forms of a page',
    '{InsertPage,UpdatePage}.metaLinks',
  ),
  effect(
    'tags › are shown on published pages, the primary one in the navigation',
    '{InsertPage,UpdatePage}.tags PageTagBody.{tag,primary} InsertTag.{operation,slug,label,color,emoji,icon} DeleteTag.{operation,tag}',
  ),
  effect('tags › are made, changed, put on pages and deleted, and old revisions keep them', 'TagRef.{kind,tag}'),
  effect(
    'effects/published › show in the navigation and on the page what is written of it',
    'UpdateTag.{operation,tag,label,color,emoji,icon}',
  ),
  effect(
    'computed › becomes the pages of its specification in its place, and stays one with computed=false',
    '{InsertPage,UpdatePage}.computed',
  ),
  effect('write-base › keeps the blocks of both writers in a %s', 'UpdatePage.base'),
  effect(
    'write-base › settles every conflict of a text with a side or other Markdown, and merges the rest',
    'UpdatePage.resolutions WriteResolution.{conflict,keep,markdown}',
  ),
  effect('content › deletes subpages with their page, and brings a page back', 'DeletePage.{operation,page}'),
  effect(
    'computed › is computed from its source alone, with the ids that its seed gives',
    '{ComputeDocument,ComputeRevision}.{source,seed}',
  ),
  effect(
    'ip-allow-lists › hold for administrators and members, in all that is of the organization, and for nothing else',
    'UpdateIpAllowList.ranges',
  ),
  effect(
    'content-rules › goes back to what the change request stands on, or to a revision, or for some blocks only',
    'RevertPage.{operation,page,revision,block}',
  ),
  effect(
    'content › are written and read back',
    'InsertFiles.{operation,files} InsertedFile.{ref,name,contentType,base64} UpdateFile.{operation,file,name,contentType,base64} DeleteFiles.{operation,files} InsertReusableContent.{operation,title,document} UpdateReusableContent.{operation,reusableContent,title} DeleteReusableContent.{operation,reusableContent}',
  ),
  effect('content › are fetched from an address, through the guard', 'InsertedFile.url'),
  effect('links › follow what happens to the targets', 'UpdateReusableContent.document'),
  effect(
    'revisions › brings back pages, files, reusable contents and variables in one revision, and nothing of the history is lost',
    'UpdateFile.url',
  ),
  effect(
    'rendering › is rendered with the lines of its source and with links of its place, and stored nowhere',
    'RenderMarkdown.{markdown,page}',
  ),
  effect(
    'rendering › is given as the document that a write would make, and a document is rendered with the keys of its blocks',
    'RenderMarkdown.{document,format}',
  ),

  // People, tokens and sessions.
  effect('users › makes, lists and revokes tokens', 'CreateToken.name'),
  effect(
    'users › never makes a token that can more or lives longer than the one in use',
    'CreateToken.{scopes,expiresAt}',
  ),
  effect('workspace-mcp › has a token that keeps its mark and cannot become wider', 'CreateToken.agent'),
  effect(
    'invites › are seen by themselves and by members of a shared organization who may list members',
    'UpdateUser.{displayName,photoURL}',
  ),
  effect('members › 3b-5 is changed by administrators only, and acts on the next request', 'UpdateMember.role'),
  effect(
    'security/sessions › sign their reader in, and tell nobody who has an account',
    'RequestSignInLink.{email,returnTo}',
  ),

  effect(
    'security/sessions › let people without an account in by an invite link, and are limited for each address',
    'RequestSignInLink.invite',
  ),
  effect(
    'sessions › gives the browser a cookie that no script reads, and the person everything that is theirs',
    'BeginSession.secret',
  ),
  effect(
    'security/saml › goes back to an allowed application with a code that works once, for a minute',
    'ExchangeCode.code',
  ),

  // Organizations.
  effect('users › makes one and shows it to members only', 'CreateOrganization.title'),
  effect(
    'organizations › takes a verified address of an admitted domain and gives the default role',
    '{CreateOrganization,UpdateOrganization}.emailDomains UpdateOrganization.defaultRole',
  ),
  effect(
    'organizations › finds the organizations of the own domain, without their settings for people outside',
    'UpdateOrganization.title',
  ),
  effect('organizations › knows the subdomain of an organization for its members', 'UpdateOrganization.hostname'),
  effect('organizations › are changed by administrators, field by field', 'UpdateOrganization.logo'),
  effect(
    'custom-hostnames › is at the root of its hostname below the host of published sites',
    'UpdateOrganization.defaultContent DefaultContent.{type,site}',
  ),
  effect(
    'security/saml › 3b-21 refuses other tokens of members, and lets administrators in whatever they use',
    'UpdateOrganization.sso',
  ),
  effect('answers › are asked for only where the organization allows it', 'UpdateOrganization.ai'),
  effect(
    'invites › let people into the organization, with their role, and never take one away',
    'UpdateOrganization.inviteLinks CreateInviteLink.{role,level} UpdateInviteLink.{role,level}',
  ),
  effect(
    'merge-rules › goes by the rules of the organization where the space inherits them, and by none where it says so',
    '{UpdateOrganization,UpdateSpace}.mergeRules.{type,rules.rule}',
  ),
  effect(
    'merge-rules › takes an up-to-date change request, its author or a bypass where the rules say so',
    '{UpdateOrganization,UpdateSpace}.mergeRules.rules.users',
  ),
  effect(
    'merge-rules › can be tested before they are saved, on a change request',
    '{TestOrganizationMergeRules,TestSpaceMergeRules}.mergeRules.{type,rules.rule,rules.users} TestSpaceMergeRules.{actor,changeRequest}',
  ),
  effect(
    'merge-rules › can be tested on facts that are supposed',
    '{TestOrganizationMergeRules,TestSpaceMergeRules}.facts TestOrganizationMergeRules.actor {TestOrganizationMergeRules,TestSpaceMergeRules}.mergeRules.rules.{expression,message} SupposedRequest.{createdBy,status,subject,description,outdated,reviews,space} SupposedReview.{reviewer,status,outdated,agent} SupposedSpace.{title,editMode}',
  ),
  effect(
    'merge-rules › asks an expression, and says its message',
    '{UpdateOrganization,UpdateSpace}.mergeRules.rules.{expression,message}',
  ),
  effect(
    'answers › name the source of each sentence, and say how they came about',
    'UpdateAgentInstructions.instructions',
  ),
  effect(
    'organizations › are written and read as Markdown, and never over the text of somebody else',
    'UpdateAgentInstructions.markdown',
  ),
  effect('invites › let guests into one space or collection', 'CreateInviteLink.{space,collection}'),
  effect(
    'invites › are shown with their link without a mail server, make one account, and verify nothing',
    'InvitePeople.{emails.email,emails.role,role} AcceptInvitation.displayName',
  ),
  effect('security/saml › 3b-21 opens no account that the organization does not vouch for', 'InvitePeople.sso'),
  effect('sessions › show where they lead, and make an account that is signed in', 'AcceptInvitation.session'),
  effect(
    'teams › are made, read, listed by owner and title, changed and deleted',
    '{CreateTeam,UpdateTeam}.title CreateTeam.members',
  ),
  effect(
    'teams › are added, changed and removed at once, and removal wins',
    'UpdateTeamMembers.{add,remove,memberships.*.role}',
  ),
  effect('teams › are managed by owners, who reach nothing else', 'SetTeamMember.role'),
  effect(
    'security/saml › goes through a real identity provider to a token that acts in this organization only',
    '{CreateSamlProvider,UpdateSamlProvider}.{defaultTeam,defaultRole,ssoURL}',
  ),
  effect(
    'security/saml › are added by their label, completed, changed and removed',
    '{CreateSamlProvider,UpdateSamlProvider}.label',
  ),
  effect(
    'security/saml › is followed by another one without a break, and then counts no more',
    '{CreateSamlProvider,UpdateSamlProvider}.certificate',
  ),
  effect('security/saml › is refused: %s', '{CreateSamlProvider,UpdateSamlProvider}.entityID'),
  effect(
    'security/oidc › goes through a real provider to a token that acts in this organization only',
    '{CreateOidcProvider,UpdateOidcProvider}.{defaultTeam,defaultRole,issuer,clientID,clientSecret,scopes}',
  ),
  effect(
    'security/oidc › is for addresses of the domains that the provider is limited to',
    '{CreateOidcProvider,UpdateOidcProvider}.emailDomains',
  ),
  effect(
    'security/oidc › are added by their label, completed, changed and removed, and never show their secret',
    '{CreateOidcProvider,UpdateOidcProvider}.label',
  ),
  effect(
    'scim › become members with an account, and are found by what providers look them up by',
    'ScimUserInput.{schemas,userName,externalId,name,displayName,emails,active,roles} ScimName.{formatted,givenName,familyName} ScimValue.{value,type,primary} ScimRole.{value,primary}',
  ),
  effect(
    'scim › change their role, name and address, but nobody takes the account of somebody else over',
    'ScimUserPatch.{schemas,Operations}',
  ),
  effect(
    'scim › are teams, which providers make, find, fill, rename and delete',
    'ScimGroupInput.{schemas,displayName,externalId,members} ScimReference.value ScimGroupPatch.{schemas,Operations}',
  ),

  // Spaces and collections.
  effect(
    'collections › are made, read, listed with and without what is nested, and changed',
    '{CreateCollection,UpdateCollection}.title CreateCollection.parent UpdateCollection.description',
  ),
  effect('collections › show members what they may and strangers nothing', 'UpdateCollection.defaultLevel'),
  effect('collections › move with what is in them, never under themselves', 'MoveInWorkspace.parent'),
  effect(
    'collections › keep the order of spaces through 50 moves at once',
    'MoveInWorkspace.position Position.{before,after} Pointer.{type,space}',
  ),
  effect('collections › leave %s where the move before put them, and change the order only', 'Pointer.collection'),
  effect('content › begins with one page named like it, or empty where asked', 'CreateSpace.{title,empty}'),
  effect(
    'content › is for those who may create content, in collections of the organization only',
    'CreateSpace.parent',
  ),
  effect(
    'content › needs live edits, the right to edit, and the version that If-Match names',
    '{CreateSpace,UpdateSpace}.editMode',
  ),
  effect(
    'search › stems words by the language of the space, also after that has changed',
    '{CreateSpace,UpdateSpace}.language',
  ),
  effect('computed › is one computed page, in a revision of that type', 'CreateSpace.computedSource'),
  effect('templates › makes a space of its pages only, locked or not', 'CreateSpace.template ApplyTemplate.id'),
  effect(
    'templates › fills references to what the caller sees',
    'ApplyTemplate.params TemplateParams.contentRefs ApplyTemplateToSpace.params',
  ),
  effect(
    'templates › adds its pages after what is there, in one revision, with links between them',
    'ApplyTemplateToSpace.id',
  ),
  effect(
    'templates › writes into a change request, also of a locked space, which takes none itself',
    'ApplyTemplateToSpace.changeRequestId',
  ),
  effect(
    'access › change, keep what is absent, and refuse stale writers',
    'UpdateSpace.{title,emoji,icon} CreateSpace.emoji',
  ),
  effect(
    'audience › show members a site as visitors with claims see it, published or not, and only what they may read',
    'UpdateSpace.defaultLevel',
  ),
  effect(
    'transfer › takes it with its content, and nobody of the old organization sees it any more',
    'TransferInWorkspace.organization',
  ),
  effect(
    'transfer › goes to a collection of the target, or within one organization to another collection',
    'TransferInWorkspace.parent',
  ),
  effect(
    'grants › are given to people and teams, listed, changed and taken',
    'GrantRoles.{role,users,teams} UpdateGrant.role',
  ),
  effect(
    'custom-roles › are given on things to people and teams, and taken with the role that replaces them',
    '{GrantRoles,UpdateGrant}.customRole',
  ),
  effect('custom-roles › are given to members, for everything that inherits from them', 'UpdateMember.customRole'),
  effect(
    'custom-roles › are made, listed, read, changed and deleted by administrators',
    'CreateCustomRole.{title,description} UpdateCustomRole.{title,description}',
  ),
  effect(
    'custom-roles › act on all who hold them from the next request on when they change',
    '{CreateCustomRole,UpdateCustomRole}.{base,permissions}',
  ),

  // Change requests, comments and reviews.
  effect(
    'change-requests › are made with a subject, a template, or nothing, whatever else a body says',
    'CreateChangeRequest.{subject,template}',
  ),
  effect(
    'change-requests › are listed by status, creator, contributor, requested reviewer and cluster, in the space and in the organization',
    '{CreateChangeRequest,UpdateChangeRequest}.conversationsIssuesCluster',
  ),
  effect(
    'change-requests › are created, read by id and number, and changed',
    'UpdateChangeRequest.{subject,description}',
  ),
  effect(
    'change-requests › can be put aside and taken up again, and take nothing meanwhile',
    'UpdateChangeRequest.status',
  ),
  effect(
    'change-requests › changes nothing while there is a conflict, lists it, and goes on once it is settled',
    'UpdateRequest.{primary,resolutions} ConflictResolution.{conflict,keep}',
  ),
  effect(
    'change-requests › lets own text continue the block that it stands for',
    'UpdateRequest.default ConflictResolution.document',
  ),
  effect(
    'conflicts-markdown › are settled in Markdown, whose blocks continue those in conflict',
    'ConflictResolution.markdown',
  ),
  effect('viewed-pages › are those of one person, and can be taken back', 'MarkViewed.viewed'),
  effect('viewed-pages › hold for what was looked at, although somebody wrote meanwhile', 'MarkViewed.revision'),
  effect(
    'comments › are posted as Markdown, as a document or empty, and read in both forms',
    'PostComment.body CommentText.{markdown,document}',
  ),
  effect(
    'comments › speak of a page, a block or a cell that is there',
    'PostComment.{page,node,tableCell} TableCell.{record,definition}',
  ),
  effect('suggestions › name blocks of the content that a change request is compared with', 'PostComment.side'),
  effect(
    'suggestions › are shown with what they replace, and taken over in one revision that outdates approvals',
    'PostComment.suggestion SuggestedText.markdown',
  ),
  effect('comments › are edited by their authors, and say when', 'UpdateComment.body'),
  effect('comments › are reacted to, each emoji once by everybody', 'UpdateComment.{addedReactions,removedReactions}'),
  effect('comments › are resolved and reopened by their authors and by those who edit', 'UpdateComment.resolved'),
  effect(
    'comments › have replies, which are read, changed, reacted to and deleted',
    'PostReply.body UpdateReply.{body,addedReactions,removedReactions}',
  ),
  effect('reviews › say why in a comment, which is discussed with the change request', 'SubmitReview.{status,comment}'),
  effect(
    'reviews › are asked, which opens a draft, and answer with a review',
    'RequestReviewers.{users,subject,description}',
  ),

  // Files, imports and git.
  effect(
    'imports › is offered to members, of a limited size, and to fonts only as fonts; a font is served to everybody',
    'OfferUpload.{file,kind} UploadFile.{name,type,size}',
  ),
  effect(
    'imports › adds archives, Markdown and HTML to what is there, under a page where one is named',
    'StartImport.{source,target} ImportSourceField.{type,files} ImportTargetField.{space,page}',
  ),
  effect(
    'imports › fetches what lies below an address, with its pictures and links, as robots.txt allows',
    'ImportSourceField.url',
  ),
  effect(
    'imports › goes into a change request, a new one where live edits are locked',
    'ImportTargetField.changeRequest',
  ),
  effect(
    'git › makes the space say what the repository says, and tells where it came from',
    'ImportGit.{url,ref,repoCommitURL,repoProjectDirectory,timestamp,force,gitInfo,standalone} GitInfoField.{provider,url}',
  ),
  effect(
    'git › puts one commit onto the branch, keeps what is no documentation, and notes where everything is',
    'ExportGit.{url,ref,repoCommitURL,repoTreeURL,timestamp,gitInfo} ImportGit.repoTreeURL',
  ),
  effect(
    'git › changes no branch with commits that were not imported, unless it is forced to',
    'ExportGit.{repoProjectDirectory,force,commitMessage}',
  ),

  // Search, answers and specifications.
  effect('answers › are the passages that answer, with their page, sections and revision', 'AskQuestion.query'),
  effect('answers › take what a short question is about from the question before', 'AskQuestion.previousQueries'),
  effect(
    'org-search › finds what an organization calls by other names',
    'UpdateSearchSynonyms.groups SynonymGroup.words',
  ),
  effect(
    'openapi-registry › is registered, read in the background, and kept version by version',
    '{CreateOpenApiSpec,ReplaceOpenApiSpec}.source CreateOpenApiSpec.slug OpenApiSource.text',
  ),
  effect(
    'openapi-registry › is asked again after six hours with what it said before, and at once by PUT',
    'OpenApiSource.url',
  ),
  effect(
    'openapi-registry › is accepted where its source says so, with warnings that stay until it is read again',
    'OpenApiSource.tolerant',
  ),
  effect(
    'openapi-registry › is refused where its source says so, and only reported where it does not',
    'OpenApiSource.failOn',
  ),
  effect(
    'openapi-registry › is served to everybody while it is public, and to nobody while it is not',
    'UpdateOpenApiSpec.visibility',
  ),
  effect(
    'site-search › finds pages of the site spaces that are meant, those of the current one first',
    'SearchSite.{query,scope,mode,siteSpaceId,siteSpaceIds} SiteSearchScope.{mode,currentSiteSpace,siteSpaceIds}',
  ),
  effect(
    'answers › are streamed to members and readers of a site',
    'AskSite.{question,context,scope} QuestionContext.{siteSpaceId,goal}',
  ),

  // Sites.
  effect('sites › makes one of spaces in order, unpublished, and shows it', 'CreateSite.{type,spaces}'),
  effect('published-pages › show a page with its navigation, outline and neighbours', 'CreateSite.title'),
  effect('published-pages › is nothing where a site is not for everybody', 'CreateSite.visibility'),
  effect('sites › changes settings, keeps absent ones and clears the proxy with null', 'UpdateSite.title'),
  effect(
    'audience › give tokens that end with the share link, and with the visibility that let their bearer in',
    'UpdateSite.visibility',
  ),
  effect(
    'published-pages › follow redirects of the site, unless they may not see where these lead',
    'UpdateSite.basename',
  ),
  effect(
    'audience › shows what the claims of a visitor open, while it is on',
    'UpdateSite.adaptiveContent AdaptiveContent.enabled {UpdateSection,UpdateSiteSpace}.condition VisitorBody.{jwtToken,unsignedClaims}',
  ),
  effect(
    'published-pages › is nothing where agents are to stay away, and pages lead to none of it',
    'UpdateSite.agentsContext',
  ),
  effect(
    'answers › keep what a site does not answer as conversations, where it says so, and nothing else',
    'UpdateSite.unansweredQuestions',
  ),
  effect(
    'sites › changes them, their defaults and which of them is served at the root',
    'UpdateSite.{defaultSiteSpace,defaultSiteSection} UpdateSection.{path,defaultSiteSpace}',
  ),
  effect('audience › find a site by its basename, its hostname and its proxy', 'UpdateSite.proxy'),
  effect(
    'custom-hostnames › is served once DNS shows that it leads here, and says until then what to do',
    'UpdateSite.hostname',
  ),
  effect(
    'site-structure › takes sections and groups anywhere, into groups and out of them',
    'SortStructure.{item,position} ItemPosition.{before,after} ItemPointer.{type,id} MoveSectionGroup.position {AddSectionGroup,UpdateSectionGroup}.parent AddSectionGroup.sections',
  ),
  effect('sites › gathers sections in groups, also groups in groups', 'AddSectionToGroup.sectionId'),
  effect('sites › gathers what stood at the root in a first, default section', 'AddSection.spaceId'),
  effect(
    'sites › moves sections beside each other',
    'MoveSection.position SectionPosition.{before,after} SectionPointer.{type,siteSection}',
  ),
  effect('sites › adds, changes and removes them', 'AddSiteSpace.spaceId UpdateSiteSpace.{path,spaceId}'),
  effect(
    'sites › moves them before, after, between and to the end',
    'MoveSiteSpace.position SiteSpacePosition.{before,after} SiteSpacePointer.{type,siteSpace}',
  ),
  effect('site-drafts › are sections that editors see and no reader', '{AddSection,UpdateSection}.draft'),
  effect(
    'site-drafts › are groups with all that is in them, and stay drafts when the group is removed',
    '{AddSectionGroup,UpdateSectionGroup}.draft',
  ),
  effect('site-drafts › are site spaces beside the default', '{AddSiteSpace,UpdateSiteSpace,DuplicateSiteSpace}.draft'),
  effect(
    'external-links › are tabs and entries of menus on published pages, for whom they are live',
    '{AddExternalLink,UpdateExternalLink}.{parent,draft,condition}',
  ),
  effect(
    'effects/published › stand in sections, groups and beside links, which menus show with their titles, icons and descriptions',
    '{AddExternalLink,UpdateExternalLink}.{title,description,icon,url} {AddSection,UpdateSection,AddSectionGroup,UpdateSectionGroup}.{title,icon} UpdateSection.description AddSiteSpace.sectionId',
  ),
  effect(
    'audience › open the site until they are switched off or taken back',
    '{CreateShareLink,UpdateShareLink}.name UpdateShareLink.active',
  ),
  effect(
    'site-redirects › are added, listed, found, changed and removed',
    '{CreateRedirect,UpdateRedirect}.{source,destination}',
  ),
  effect(
    'site-redirects › begin once at a path, and lead to what is there and the caller sees',
    'RedirectInputDestination.{kind,siteSectionId,siteSpaceId,pageId,url}',
  ),
  effect(
    'redirect-rules › lead nobody on while they are drafts, which stand beside what is live',
    '{CreateRedirect,UpdateRedirect}.draft',
  ),
  effect(
    'redirect-rules › append what their asterisk stands for, if they say so',
    '{CreateRedirect,UpdateRedirect}.captureWildcard',
  ),
  effect(
    'redirect-rules › are permanent for everybody only, and tell when they changed',
    '{CreateRedirect,UpdateRedirect}.permanent',
  ),
  effect(
    'redirect-rules › add, change, remove and publish, and tell what became of each',
    'RedirectInputDestination.{spaceId,path} ChangeRedirects.redirects RedirectChange.{source,intent,captureWildcard,permanent,destination}',
  ),
  effect(
    'site-redirects › are taken from a .gitbook.yaml, and tell what became of each line',
    'ImportRedirects.{yaml,redirects}',
  ),
  effect(
    'site-redirects › begin below the site space that is named, and are refused where they are none',
    'ImportRedirects.siteSpace',
  ),
  effect(
    'site-insights › is counted by pages, people, programs, searches, feedback, links and claims',
    'trackEventsInSiteById.events.{type,query,rating,placement} trackEventsInSiteById.events.session.{visitorId,sessionId,userAgent,referrer,visitorAuthClaims.*} trackEventsInSiteById.events.location.{url,page,space} trackEventsInSiteById.events.result.{spaceId,pageId} trackEventsInSiteById.events.feedback.{rating,comment} trackEventsInSiteById.events.link.{target,position} trackEventsInSiteById.events.operation.{path,method} trackEventsInSiteById.events.ad.{domain,placement} aggregateSiteEvents.select.{column,claim} aggregateSiteEvents.where.{column,values.*,operator} aggregateSiteEvents.groupBy.column aggregateSiteEvents.order.by.column aggregateSiteEvents.order.direction aggregateSiteEvents.limit',
  ),
  effect(
    'site-insights › is told by time, within a range',
    'trackEventsInSiteById.events.timestamp aggregateSiteEvents.{select.interval,range.from,range.to}',
  ),
  effect(
    'site-insights › is told by language and place, and by claims',
    'trackEventsInSiteById.events.session.language trackEventsInSiteById.events.location.{displayContext,siteSection,siteSpace,siteShareKey} aggregateSiteEvents.where.claim aggregateSiteEvents.{groupBy,order.by}.{interval,claim}',
  ),
  effect(
    'audience › keeps the schema as it was written, and makes conditions of it',
    'UpdateAdaptiveSchema.jsonSchema.{$schema,type,properties.*,additionalProperties}',
  ),
  effect('audience › let in whoever brings a token of the site, and nobody else', 'UpdatePublishingAuth.backend'),
  effect(
    'audience › lead to the login where there is one, and are not there where a token is wrong',
    'UpdatePublishingAuth.fallbackURL ResolvePublishedUrl.{url,redirectOnError,visitor}',
  ),

  // Translations, conversations, webhooks and notifications.
  effect(
    'translations › is a space of its own, which says the same in other words',
    'CreateTranslation.{source,language} TranslationSourceField.{space,language}',
  ),
  effect(
    'translations › tell engines the instructions, and ask anew when these change',
    '{CreateTranslation,UpdateTranslation}.instructions',
  ),
  effect(
    'translations › gives pages slugs of their titles where that is asked',
    '{CreateTranslation,UpdateTranslation}.slugs',
  ),
  effect(
    'translation-notes › tell readers in their language which pages nobody has reviewed, as long as that is so',
    '{CreateTranslation,UpdateTranslation}.readerNote',
  ),
  effect(
    'translation-reviews › brings what runs make into the space once people have merged it',
    '{CreateTranslation,UpdateTranslation}.review',
  ),
  effect(
    'translation-sites › are several to one language as variants, of which search engines are told the first',
    'CreateTranslation.variant',
  ),
  effect(
    'translation-segments › are on all pages with the text, and stay whatever engines say',
    'CorrectSegment.target',
  ),
  effect(
    'translation-files › are taken as the file says, and nothing unreviewed in the place of what is reviewed',
    'ImportTranslationFile.{format,content}',
  ),
  effect('translation-segments › are reviewed as they are, and given back to engines', 'CorrectSegment.state'),
  effect(
    'translations › says terms as it is told, and sends what holds them alone',
    'UpdateGlossary.operations GlossaryOperation.{type,id,translations.*,forms.*}',
  ),
  effect(
    'conversations › takes one conversation, which is listed and read',
    'ingestConversation.{id,subject,metadata.url,metadata.attributes.*,parts.type,parts.role,parts.body}',
  ),
  effect(
    'conversations › is what the organization keeps no longer',
    'ingestConversation.metadata.createdAt UpdateConversationsSettings.retentionDays',
  ),
  effect(
    'conversations › keeps what was said where the organization wants it so',
    'UpdateConversationsSettings.redaction',
  ),
  effect(
    'cluster-drafts › becomes a page where no page is near, in the space that was chosen',
    'DraftClusterChangeRequest.space',
  ),
  effect('cluster-drafts › are settled, dismissed and reopened, until another question comes', 'UpdateFinding.status'),
  effect(
    'conversations › are reviewed, renamed and linked with change requests, and stay then',
    'UpdateCluster.{label,summary,icon,reviewed}',
  ),
  effect(
    'conversation-decisions › merge two, which stay one with new issues of both until it is undone',
    'MergeClusters.cluster',
  ),
  effect(
    'conversation-decisions › split issues off, which stay apart until it is undone',
    'SplitCluster.{issues,label}',
  ),
  effect(
    'webhooks › tells every webhook what it asks for, signed, and is logged',
    'CreateWebhook.{url,events,spaces,active}',
  ),
  effect(
    'webhooks › is made with a secret that is shown once, read, listed, changed and deleted',
    '{CreateWebhook,UpdateWebhook}.description UpdateWebhook.{url,events,spaces}',
  ),
  effect(
    'webhooks › ends for a webhook that fails for too long, which begins anew when it is switched on',
    'UpdateWebhook.active',
  ),
  effect('webhooks › is rotated with two that sign for a while', 'RotateSecret.graceHours'),
  effect(
    'notifications › is paged and filtered, and its notifications are marked as read and unread',
    'MarkNotifications.{read,ids}',
  ),
  effect(
    'notification-letters › come once a day or week where that is wanted, without kinds that are switched off',
    'UpdateNotificationSettings.{kinds,mail} SwitchesChange.{app,mail}',
  ),
  effect(
    'notification-letters › are chosen beside the times of letters, and end with all letters',
    'UpdateNotificationSettings.digest',
  ),
  effect(
    'notifications › leaves out kinds that are switched off, and nobody is told who has no account any more',
    'KindsChange.{review_requested,reviewed,commented,replied,mentioned,merged,conflict,translation_failed,import_ended,verification_due}',
  ),
  effect(
    'page-limits › are set, read and removed by those who administer the space and see the page',
    'LimitPage.{users,teams}',
  ),
  effect(
    'page-verification › is set, read, extended and removed by those who may review and see the page',
    'VerifyPage.{owner,until,note} NewOwner.{type,id}',
  ),
  effect(
    'presence › tells who is where on whichever server, until the window is closed',
    'StatePresence.{page,changeRequest,writing,block}',
  ),

  // The looks of sites; the others stand in looks.ts.
  effect(
    'published-pages › name fonts of the organization, which change on all sites that use them and stay while they are used',
    '{CreateCustomFont,UpdateCustomFont}.{fontFamily,fontFaces} {NewFontFace,ChangedFontFace}.{weight,storageKey}',
  ),
  effect(
    'published-visitors › are there for those whom their condition lets see them',
    '{updateSiteCustomizationById,overrideSiteSpaceCustomizationById,previewSiteCustomizationById,previewSiteSpaceCustomizationById}.header.links.condition',
  ),
  effect(
    'published-visitors › tell only those whom their condition names, on pages and in what front ends read',
    '{updateSiteCustomizationById,overrideSiteSpaceCustomizationById,previewSiteCustomizationById,previewSiteSpaceCustomizationById}.announcement.condition',
  ),
  effect(
    'published-pages › lead to the source of a page, to accounts elsewhere and to other forms of a page',
    '{updateSiteCustomizationById,overrideSiteSpaceCustomizationById,previewSiteCustomizationById,previewSiteSpaceCustomizationById}.git.showEditLink',
  ),
  effect(
    'page-verification › is shown where the site says so, to its end, and never after it',
    '{updateSiteCustomizationById,overrideSiteSpaceCustomizationById,previewSiteCustomizationById,previewSiteSpaceCustomizationById}.pageVerification.enabled',
  ),
  effect(
    'answers › are streamed to members and readers of a site',
    '{updateSiteCustomizationById,previewSiteCustomizationById}.ai.suggestions',
  ),
  effect(
    'customization › refuses cookies that count readers, and a site without some of its settings',
    '{updateSiteCustomizationById,previewSiteCustomizationById}.{insights.trackingCookie,advancedCustomization.enabled}',
  ),
  effect(
    'customization › refers only to what is there and whoever writes it can see',
    'ContentReference.{kind,url,page,space,anchor,collection,file,user,reusableContent,spec}',
  ),
];

/** Fields that have to be taken, since clients send them, and are not kept. */
export const NOT_KEPT: readonly (Effect & { readonly why: string })[] = [
  {
    ...effect(
      'site-insights › keeps no key, cookie, address or query of anybody',
      'trackEventsInSiteById.events.session.{cookies.*,ip,visitorAuthToken}',
    ),
    why: 'who a reader is stays unknown',
  },
  {
    ...effect(
      'site-insights › is told by language and place, and by claims',
      'trackEventsInSiteById.events.{location.revision,responseId,ad.zoneId} aggregateSiteEvents.{select,groupBy,order.by}.precision',
    ),
    why: 'nothing is asked by them: no column tells of revisions, answers and zones, and no reader is located',
  },
  {
    ...effect(
      'git › makes the space say what the repository says, and tells where it came from',
      '{ImportGit,ExportGit}.repoCacheID',
    ),
    why: 'it names a cache of the caller, and this service has none',
  },
  {
    ...effect('scim › are teams, which providers make, find, fill, rename and delete', 'ScimReference.display'),
    why: 'members are found by their ids, and their names are those of their accounts',
  },
];
