import { LANGUAGE_CODES } from '../../src/kernel/common/languages.js';
import { addProperty, addToPages, makeOptional, propertiesWith, schemaOf, type Deviation } from './deviation.js';
import { LATER_FIELDS } from './later-deviations.js';
import { installationsOfAnyServer } from './version-deviations.js';
import { DOCUMENT_DEVIATIONS } from './document-deviations.js';
import { isRecord, pointed, type OpenApiDocument, type Schema } from './json-schema.js';

const PAGE_LINK_TARGET: Schema = {
  oneOf: [{ $ref: '#/components/schemas/ContentRefPage' }, { $ref: '#/components/schemas/ContentRefURL' }],
};

const PAGE_META_LINKS: Schema = {
  type: 'object',
  properties: { canonical: PAGE_LINK_TARGET, alternates: { type: 'array', items: PAGE_LINK_TARGET } },
};

function bodilessPages(document: OpenApiDocument): void {
  schemaOf(document, 'Document').oneOf = (schemaOf(document, 'Document').oneOf ?? []).map((member) =>
    member.additionalProperties === false
      ? { type: 'object', title: 'Empty', not: { anyOf: [{ required: ['markdown'] }, { required: ['document'] }] } }
      : member,
  );
}

function wholeAuditEvents(document: OpenApiDocument): void {
  const context: Schema = {
    type: 'object',
    properties: { ipAddress: { type: 'string' }, userAgent: { type: 'string' } },
  };
  const added: Readonly<Record<string, Schema>> = {
    context,
    correlationId: { type: 'string' },
    executionId: { type: 'string' },
    payload: { type: 'object' },
    schemaVersion: { type: 'integer' },
  };
  for (const [name, property] of Object.entries(added)) addProperty(schemaOf(document, 'AuditEvent'), name, property);
  addProperty(schemaOf(document, 'AuditEventActor'), 'token', {
    type: 'object',
    properties: { id: { type: 'string' }, name: { type: 'string' }, agent: { type: 'string' } },
    required: ['id'],
  });
}

function errorDetails(document: OpenApiDocument): void {
  const error = schemaOf(document, 'Error').properties?.['error'];
  if (!error) throw new Error('The error schema has no error');
  addProperty(error, 'details', {
    type: 'array',
    items: {
      type: 'object',
      properties: { path: { type: 'string' }, message: { type: 'string', minLength: 1 } },
      required: ['path', 'message'],
    },
  });
  addProperty(error, 'conflicts', {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        page: { type: 'string' },
        by: {
          type: 'object',
          properties: { id: { type: 'string' }, displayName: { type: 'string' } },
          required: ['id', 'displayName'],
        },
        block: { type: 'string' },
        blocks: { type: 'array', items: { type: 'string' } },
        attribute: { type: 'string' },
        base: { type: 'string' },
        current: { type: 'string' },
        given: { type: 'string' },
      },
      required: ['page', 'base', 'current', 'given'],
    },
  });
}

function listOfFiles(document: OpenApiDocument): void {
  schemaOf(document, 'OpenAPISpecContent').properties = {
    ...schemaOf(document, 'OpenAPISpecContent').properties,
    filesystem: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          dir: { type: 'string' },
          isEntrypoint: { type: 'boolean' },
          references: { type: 'array', items: { type: 'string' } },
          filename: { type: 'string' },
          specification: { type: 'object' },
        },
        required: ['dir', 'isEntrypoint', 'references', 'filename', 'specification'],
      },
    },
  };
}

function renamePingClaims(document: OpenApiDocument): void {
  const at = '#/paths/~1orgs~1{organizationId}~1ping/post/responses/200/content/application~1json/schema';
  const schema = pointed(document, at);
  if (!isRecord(schema)) throw new Error('The ping operation answers no schema');
  (schema as Schema).properties = { serviceVisitorClaims: { type: 'string' } };
}

/** Of people outside only what lets them recognise an organization, not its settings. */
function joinableOrganizations(document: OpenApiDocument): void {
  const at = '#/paths/~1email-domains~1{emailDomain}~1orgs/get/responses/200/content/application~1json/schema';
  const schema = pointed(document, at);
  const organizations = isRecord(schema) ? (schema as Schema).properties?.['organizations'] : undefined;
  if (!organizations) throw new Error('The operation on e-mail domains answers no organizations');
  organizations.items = {
    type: 'object',
    required: ['object', 'id', 'title', 'createdAt', 'emailDomains', 'urls', 'permissions'],
  };
}

/** PDFs are rendered in the background, so their addresses come with how far they are. */
function statusOfPdfs(document: OpenApiDocument): void {
  for (const path of ['~1pdf', '~1change-requests~1{changeRequestId}~1pdf']) {
    const at = `#/paths/~1spaces~1{spaceId}${path}/get/responses/200/content/application~1json/schema`;
    const schema = pointed(document, at);
    if (!isRecord(schema)) throw new Error('The address of a PDF has no schema');
    addProperty(schema, 'status', { type: 'string', enum: ['pending', 'completed'] });
  }
}

function newerMergeRules(document: OpenApiDocument): void {
  const kinds = schemaOf(document, 'MergeRule').oneOf ?? [];
  const rulesOf = (name: string) => kinds.find((kind) => kind.properties?.['rule']?.enum?.includes(name));
  const [bare, custom] = [rulesOf('require_at_least_one_review'), rulesOf('custom')];
  if (!bare?.properties?.['rule']?.enum || !custom)
    throw new Error('MergeRule lacks the kinds that newer builds add to');
  bare.properties['rule'].enum.push('require_at_least_one_approved_review', 'require_author_to_merge');
  addProperty(custom, 'message', { type: 'string' });
}

/** All deviations. A row is removed as soon as the difference is gone. */
/** From schemas that only a later version of the public API has. */
export const LATER_DEVIATIONS: readonly Deviation[] = [
  {
    where: 'AuditEvent, AuditEventActor',
    what: 'lines of the list hold what the public API gives for a single event only, and the token and the place of the caller',
    reason: 'who did what to which object from where is asked of the whole log at once',
    apply: wholeAuditEvents,
  },
  {
    where: 'GitSyncInstallation',
    what: 'further providers, the address of the repository, the hook, whether changes are put together, and why both sides are not equal',
    reason: 'A service of one’s own meets any server, and has no application that the providers know',
    apply: installationsOfAnyServer,
  },
];

/** The items of the lists of permissions of teams on spaces and collections. */
function teamPermissions(document: OpenApiDocument): Schema[] {
  return ['~1spaces~1{spaceId}', '~1collections~1{collectionId}'].map((path) => {
    const at = `#/paths/${path}~1permissions~1teams/get/responses/200/content/application~1json/schema`;
    const list = pointed(document, at);
    if (!isRecord(list)) throw new Error('The permissions of teams have no schema');
    const { items } = propertiesWith(list, 'items');
    if (!items?.items) throw new Error('The permissions of teams are no list');
    return items.items;
  });
}

export const DEVIATIONS: readonly Deviation[] = [
  {
    where: 'every DELETE',
    what: '204 whether the thing existed or not; the public API says 205 when it did',
    reason:
      'interface, conventions 6: "Delete endpoints answer 204 No Content, both when the resource was removed and when it did not exist"',
  },
  {
    where: 'POST SPACE/content/template',
    what: '204; the public API says 201 without content',
    reason: 'interface, Space content: the success column says 204',
  },
  {
    where: 'POST ORG/ping',
    what: '`serviceVisitorClaims`; the public API says `gitbookVisitorClaims`',
    reason: 'interface, Authentication 3: "`POST ORG/ping` may return `serviceVisitorClaims`"',
    apply: renamePingClaims,
  },
  {
    where: 'GET /email-domains/{emailDomain}/orgs',
    what: 'organizations that the caller is no member of come without `inviteLinks`, `mergeRules` and `trial`',
    reason: 'foundations, accounts: the operation "leaves out billing, merge rules and settings for non-members"',
    apply: joinableOrganizations,
  },
  {
    where: 'OrganizationAgentInstructions.updatedBy',
    what: 'absent as long as nobody has written any instructions',
    reason:
      'interface, AgentInstructions: answers 200 for every organization; before the first PUT there is nobody to name',
    apply: (document) => makeOptional(schemaOf(document, 'OrganizationAgentInstructions'), 'updatedBy'),
  },
  {
    where: 'customRole of members and of permissions of users and teams',
    what: 'the custom role of the organization that was given, beside its base',
    reason: 'contract 5: what was given has to be seen to be changed; no version has roles of an organization',
    apply: (document) => {
      addProperty(schemaOf(document, 'OrganizationMember'), 'customRole', { type: 'string' });
      addProperty(schemaOf(document, 'UserContentPermission'), 'customRole', { type: 'string' });
      for (const item of teamPermissions(document)) addProperty(item, 'customRole', { type: 'string' });
    },
  },
  {
    where: 'additionalPermissions of everybody who has access to a space or site',
    what: 'the permissions that custom roles add there to the role',
    reason: 'contract 5: a list of who has access tells what they may do; no version has roles of an organization',
    apply: (document) => {
      for (const name of ['UserContentPermission', 'UserSitePermission'])
        addProperty(schemaOf(document, name), 'additionalPermissions', { type: 'array', items: { type: 'string' } });
    },
  },
  {
    where: 'permissions of users and teams on spaces and collections',
    what: '`permission` is null where a person or a team was given no access',
    reason: 'contract 5: the role given may be null ("no access"), and what was given has to be seen to be changed',
    apply: (document) => {
      propertiesWith(schemaOf(document, 'UserContentPermission'), 'permission')['permission'] = {
        $ref: '#/components/schemas/MemberRoleOrGuest',
      };
      for (const item of teamPermissions(document))
        propertiesWith(item, 'permission')['permission'] = { $ref: '#/components/schemas/MemberRoleOrGuest' };
    },
  },
  {
    where: 'OpenAPISpecContent.filesystem',
    what: 'a list of `{dir, isEntrypoint, references, filename, specification}`; the public API says an object without saying which',
    reason:
      'contract: the object has no declared fields; front ends that show sites from this interface read the files as this list',
    apply: listOfFiles,
  },
  {
    where: 'list envelope',
    what: '`count` is always there; the public schema leaves it optional. `next` is left out on the last page, as the schema allows',
    reason: 'behaviour 1, list envelope: "`items` and `count` always; `next` only where a further page exists"',
    apply: (document) => {
      schemaOf(document, 'List').required = ['count'];
    },
  },
  {
    where: 'every error',
    what: '`error.details`, a list of `{path, message}`, and `error.conflicts` of a write that names the revision on which it was made',
    reason:
      'behaviour 1, errors: "validation failures add `error.details: [{path, message}]`"; a writer who comes second has to see what is in the way',
    apply: errorDetails,
  },
  {
    where: 'OpenAPISpec.slug',
    what: 'capital letters are allowed',
    reason: 'interface, OpenAPISpec: pattern `^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$`',
    apply: (document) => {
      schemaOf(document, 'OpenAPISpecSlug').pattern = '^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$';
    },
  },
  {
    where: 'OpenAPIErrorObject',
    what: 'an error also has the `pointer` of its place, its `line`, and the `document` where it is another one',
    reason:
      'behaviour 3a 17: long jobs show their errors; without its place nobody finds a fault in thousands of lines',
    apply: (document) => {
      const error = schemaOf(document, 'OpenAPIErrorObject');
      addProperty(error, 'pointer', { type: 'string' });
      addProperty(error, 'line', { type: 'integer' });
      addProperty(error, 'document', { type: 'string' });
    },
  },
  {
    where: 'OpenAPISpec.lastProcessedWarnings, OpenAPISpec.lastProcessedWarningCount',
    what: 'the faults that were accepted when a specification was read, and how many there are',
    reason: 'behaviour: a specification with faults that do not stop reading is accepted with warnings',
    apply: (document) => {
      const spec = schemaOf(document, 'OpenAPISpec');
      addProperty(spec, 'lastProcessedWarnings', { type: 'array', items: { type: 'object' } });
      addProperty(spec, 'lastProcessedWarningCount', { type: 'number', minimum: 0 });
    },
  },
  {
    where: 'OpenAPISpecVersion.changes, OpenAPISpec.failOn, OpenAPISpec.lastProcessErrorCode',
    what: 'a version counts its changes against the one before; a source can refuse those that break clients',
    reason: 'behaviour: versions of a specification are kept; here they are compared as well',
    apply: (document) => {
      addProperty(schemaOf(document, 'OpenAPISpecVersion'), 'changes', { type: 'object' });
      addProperty(schemaOf(document, 'OpenAPISpec'), 'failOn', { type: 'string', enum: ['breaking', 'dangerous'] });
      schemaOf(document, 'OpenAPISpecProcessingErrorCode').enum?.push('BREAKING_CHANGES');
    },
  },
  {
    where: 'ComputedContentSourceDocumentOpenAPI.props.page',
    what: 'the name of the schema that the page is about',
    reason: 'contract: the public API has all schemas of a specification on one page; here each has a page of its own',
    apply: (document) => {
      const { props } = propertiesWith(schemaOf(document, 'ComputedContentSourceDocumentOpenAPI'), 'props');
      if (!props) throw new Error('A computed page has no properties');
      addProperty(props, 'page', { type: 'string' });
    },
  },
  {
    where: 'ComputedContentSourceRevisionOpenAPI.props.changelog, ComputedContentSourceDocumentOpenAPI.props.doc',
    what: 'a specification can have a page with the changes of its versions',
    reason: 'contract: the public API has no such page; here a source asks for it',
    apply: (document) => {
      const { props: whole } = propertiesWith(schemaOf(document, 'ComputedContentSourceRevisionOpenAPI'), 'props');
      const { props: page } = propertiesWith(schemaOf(document, 'ComputedContentSourceDocumentOpenAPI'), 'props');
      if (!whole || !page?.oneOf) throw new Error('A computed page has no properties');
      addProperty(whole, 'changelog', { type: 'boolean' });
      // It leads to the pages of schemas where the source has them.
      addProperty(page, 'models', { type: 'boolean' });
      const doc = { type: 'string', enum: ['changes'] };
      page.oneOf = [...page.oneOf, { type: 'object', required: ['doc'], properties: { doc } }];
    },
  },
  {
    where: 'ConversationsIssuesCluster.theme, ConversationsIssuesCluster.impact',
    what: 'the theme of a cluster, and its share and growth',
    reason: 'contract: clusters of the public API have no theme and no impact; here they are grouped, and weighed',
    apply: (document) => {
      const cluster = schemaOf(document, 'ConversationsIssuesCluster');
      addProperty(cluster, 'theme', { type: 'string' });
      addProperty(cluster, 'impact', { type: 'object' });
    },
  },
  {
    where: 'ConversationsIssuesCluster.mergedInto',
    what: 'a cluster that was merged names the one it is part of',
    reason: 'contract: clusters of the public API cannot be merged; here people merge them, and their ids survive',
    apply: (document) =>
      addProperty(schemaOf(document, 'ConversationsIssuesCluster'), 'mergedInto', { type: 'string' }),
  },
  {
    where: 'ConversationsIssuesCluster.reviewed',
    what: 'a cluster tells whether it was reviewed',
    reason: 'contract 5 has a cluster by its id only; our PATCH reviews it, and what was written can be read back',
    apply: (document) => addProperty(schemaOf(document, 'ConversationsIssuesCluster'), 'reviewed', { type: 'boolean' }),
  },
  {
    where: 'ChangeRequest.agent, Comment.agent, CommentReply.agent, ChangeRequestReview.agent',
    what: 'the name of the agent that acted for its user',
    reason:
      'behaviour 2.4: `require_agent_review` tells the reviews of agents from those of people, and so does who reads them',
    apply: (document) => {
      for (const name of ['ChangeRequest', 'Comment', 'CommentReply', 'ChangeRequestReview'])
        addProperty(schemaOf(document, name), 'agent', { type: 'string' });
    },
  },
  {
    where: 'ChangeRequest.descriptionMarkdown',
    what: 'with `?format=markdown` a change request has its description as Markdown, too',
    reason: 'behaviour 1: `format` = `document` | `markdown`; what was written as Markdown can be changed as such',
    apply: (document) => addProperty(schemaOf(document, 'ChangeRequest'), 'descriptionMarkdown', { type: 'string' }),
  },
  {
    where: 'Comment.suggestion, Comment.target.side',
    what: 'a comment on a change request can suggest what should stand in the place of its block, and be about a block of the content that it is compared with',
    reason: 'behaviour 2.3: reviewers say where and what should change; who writes takes it over by one call',
    apply: (document) => {
      const comment = schemaOf(document, 'Comment');
      addProperty(comment, 'suggestion', {
        type: 'object',
        properties: {
          markdown: { type: 'string' },
          before: { type: 'string' },
          status: { type: 'string', enum: ['open', 'applied', 'outdated'] },
          appliedBy: { $ref: '#/components/schemas/User' },
          appliedAt: { $ref: '#/components/schemas/Timestamp' },
        },
        required: ['markdown', 'before', 'status'],
      });
      const { target } = propertiesWith(comment, 'target');
      if (!target) throw new Error('A comment has no target');
      addProperty(target, 'side', { type: 'string', enum: ['before', 'after'] });
    },
  },
  {
    where: 'Site.unansweredQuestions',
    what: 'whether a site records the questions that it does not answer',
    reason:
      'behaviour 2.10: what readers ask is data of the organization; nothing of it is stored without a setting of the site',
    apply: (document) => addProperty(schemaOf(document, 'Site'), 'unansweredQuestions', { type: 'string' }),
  },
  {
    where: 'MergeRule',
    what: 'two more rules, `require_at_least_one_approved_review` and `require_author_to_merge`, and the `message` of a `custom` rule',
    reason: 'behaviour 2.4: the kinds of merge rules of the newer public builds, 0.202.0',
    apply: newerMergeRules,
  },
  {
    where: 'page.metaLinks',
    what: 'a page has `metaLinks` {`canonical`, `alternates`}',
    reason: 'interface, Page: `metaLinks` {`canonical` (page reference), `alternates` array of page references}',
    apply: (document) => addToPages(document, 'metaLinks', PAGE_META_LINKS),
  },
  {
    where: 'page.linkTitle and page.condition',
    what: 'a page has a shorter title for navigation, and an expression that decides who sees it',
    reason:
      'contract 4.2 and 4.3: newer public builds show the `linkTitle` and write the `condition`; what a caller writes is shown',
    apply: (document) => {
      addToPages(document, 'linkTitle', { type: 'string', minLength: 1, maxLength: 100 });
      addToPages(document, 'condition', { type: 'string', maxLength: 1024 });
    },
  },
  {
    where: 'SiteCustomizationSettings.header.primaryLink',
    what: 'the header has a `primaryLink`',
    reason: 'interface, SiteCustomizationSettings: `primaryLink` (content reference)',
    apply: (document) => {
      const header = schemaOf(document, 'SiteCustomizationSettings').properties?.['header'];
      if (header) addProperty(header, 'primaryLink', { $ref: '#/components/schemas/ContentRef' });
    },
  },
  {
    where: 'SiteCustomizationSettings.styling.codeTheme, ai.suggestions and socialAccounts',
    what: 'settings that newer builds take are taken and shown again',
    reason:
      'contract 8.2: [167] adds `styling.codeTheme`, `ai.suggestions` and `socialAccounts`; clients of newer builds send them',
    apply: (document) => {
      const settings = schemaOf(document, 'SiteCustomizationSettings');
      const { styling, ai } = settings.properties ?? {};
      if (!styling || !ai) throw new Error('The customization has no styling or ai');
      addProperty(styling, 'codeTheme', { type: 'object' });
      addProperty(ai, 'suggestions', { type: 'array', items: { type: 'string' } });
      addProperty(settings, 'socialAccounts', { type: 'array', items: { type: 'object' } });
    },
  },
  {
    where: 'SiteCustomizationSettings.pageActions',
    what: 'beside the flags there is the list `items` of all actions that are on, in their order; a body names them by either',
    reason: 'contract 8.2: 0.202.0 has the list only, the versions before have the flags only',
    apply: (document) => {
      const { pageActions } = propertiesWith(schemaOf(document, 'SiteCustomizationSettings'), 'pageActions');
      if (!pageActions) throw new Error('The customization has no actions of pages');
      addProperty(pageActions, 'items', {
        type: 'array',
        items: { type: 'string', enum: ['assistant', 'external-ai', 'markdown', 'mcp', 'git', 'pdf'] },
      });
    },
  },
  {
    where:
      'SiteCustomizationSettings.feedback.position, announcement.condition, problemReports, pageVerification and accessibilityStatement',
    what: 'settings of our own are taken and shown again',
    reason:
      'contract 8.2: no version says where readers are asked, whom an announcement is for, where problems are reported, who answers for a page, or what is said of accessibility',
    apply: (document) => {
      const settings = schemaOf(document, 'SiteCustomizationSettings');
      const feedback = settings.properties?.['feedback'];
      if (!feedback) throw new Error('The customization has no feedback');
      addProperty(schemaOf(document, 'CustomizationAnnouncement'), 'condition', { type: 'string' });
      addProperty(feedback, 'position', { type: 'string', enum: ['top', 'bottom'] });
      addProperty(settings, 'problemReports', { type: 'object' });
      addProperty(settings, 'pageVerification', { type: 'object' });
      addProperty(settings, 'accessibilityStatement', { type: 'object' });
    },
  },
  {
    where: 'ApiInformation.retention',
    what: 'for how many days the service keeps what was deleted, its audit log, events and insights',
    reason: 'contract: the public API says nothing of it; whoever hosts the service sets it',
    apply: (document) => addProperty(schemaOf(document, 'ApiInformation'), 'retention', { type: 'object' }),
  },
  {
    where: 'OrganizationAgentInstructions.markdown',
    what: 'with `format=markdown` the instructions come as Markdown, too',
    reason: 'contract: the public API has documents only; every other content can be had as Markdown',
    apply: (document) =>
      addProperty(schemaOf(document, 'OrganizationAgentInstructions'), 'markdown', { type: 'string' }),
  },
  {
    where: 'GET SPACE/pdf, GET CR/pdf',
    what: '`status` tells whether the PDF is there or still being rendered',
    reason: 'behaviour, API quality 17: "Long jobs (spec, translation, PDF): status, errors, retry; survive restart"',
    apply: statusOfPdfs,
  },
  {
    where: 'UserSitePermission.origin',
    what: 'the origin of a role on a site may be the site itself: `{type: site, site, reason}`',
    reason:
      'contract 7: the newer public builds, 0.202.0, have this origin; a role that was given on the site comes from nowhere else',
    apply: (document) => {
      schemaOf(document, 'UserSitePermission').properties?.['origin']?.oneOf?.push({
        type: 'object',
        properties: {
          type: { type: 'string', enum: ['site'] },
          site: { type: 'string' },
          reason: { type: 'string', enum: ['member', 'team'] },
          team: { type: 'string' },
        },
        required: ['type', 'site', 'reason'],
      });
    },
  },
  {
    where: 'SiteRedirect.destination',
    what: 'a redirect may also lead to an address outside of the site: `{kind: external, url}`',
    reason:
      'contract 7: the newer public builds, 0.202.0, have this kind of destination; lists of redirects in repositories name addresses',
    apply: (document) => {
      schemaOf(document, 'SiteRedirectDestination').oneOf?.push({
        type: 'object',
        properties: { kind: { type: 'string', enum: ['external'] }, url: { type: 'string', format: 'uri' } },
        required: ['kind', 'url'],
      });
    },
  },
  {
    where: 'changes of pages',
    what: 'an edit also names icon, link title, flags, condition, links, type and facts of git where these changed',
    reason:
      'contract 4.4: an edit names at least one attribute; foundations, content: pages are given these attributes, so they change too',
    apply: (document) => {
      const delta: Schema = { type: 'object' };
      for (const name of [
        'type',
        'icon',
        'linkTitle',
        'hidden',
        'noIndex',
        'noRobotsIndex',
        'condition',
        'metaLinks',
        'git',
        'computed',
      ])
        addProperty(schemaOf(document, 'RevisionPageDocumentChangeAttributes'), name, delta);
      for (const name of ['type', 'icon', 'hidden', 'noIndex', 'noRobotsIndex'])
        addProperty(schemaOf(document, 'RevisionPageGroupChangeAttributes'), name, delta);
      for (const name of ['type', 'icon', 'hidden', 'slug'])
        addProperty(schemaOf(document, 'RevisionPageLinkChangeAttributes'), name, delta);
    },
  },
  {
    where: 'ContentImportRun',
    what: 'a run also has `createdAt`, `source`, `target`, `error`, `revision`, `changed` and `problems`',
    reason:
      'behaviour 3a 17: long jobs show status and errors; without these nobody could tell what a run does and why it failed',
    apply: (document) => {
      const run = schemaOf(document, 'ContentImportRun');
      for (const name of ['createdAt', 'error', 'revision']) addProperty(run, name, { type: 'string' });
      for (const name of ['source', 'target']) addProperty(run, name, { type: 'object', additionalProperties: true });
      addProperty(run, 'changed', { type: 'boolean' });
      addProperty(run, 'problems', { type: 'array', items: { type: 'object', additionalProperties: true } });
    },
  },
  {
    where: 'GlossaryEntry.forms',
    what: 'other forms of a term, such as its plural, each by language',
    reason:
      'contract: entries of the public API have the term alone; here engines that do not inflect are given its forms',
    apply: (document) =>
      addProperty(schemaOf(document, 'GlossaryEntry'), 'forms', {
        type: 'array',
        items: { type: 'object', additionalProperties: { type: 'string' } },
      }),
  },
  {
    where: 'Translation',
    what: 'a translation also has `error`, `variant`, `slugs`, `readerNote`, `review` and `result.changeRequest`',
    reason:
      'behaviour 3a 17: long jobs show status and errors; translations 2.11: slugs may change unless they are fixed',
    apply: (document) => {
      const translation = schemaOf(document, 'Translation');
      for (const text of ['error', 'variant']) addProperty(translation, text, { type: 'string', minLength: 1 });
      addProperty(translation, 'slugs', { type: 'string', enum: ['keep', 'translate'] });
      for (const flag of ['readerNote', 'review']) addProperty(translation, flag, { type: 'boolean' });
      addProperty(schemaOf(document, 'TranslationResult'), 'changeRequest', { type: 'string' });
    },
  },
  {
    where: 'TranslationLanguage',
    what: 'further languages that content can have, such as `ca` and `zh-tw`',
    reason: 'contract: newer versions have more languages than 0.146.0; the offline engine translates into Catalan',
    apply: (document) => {
      schemaOf(document, 'TranslationLanguage').enum = [...LANGUAGE_CODES];
    },
  },
  {
    where: 'Space, Collection',
    what: 'spaces and collections have `position`, their place among the others',
    reason:
      'interface, move endpoints: the operations that move them take a `position`; who shows a tree has to know the present order',
    apply: (document) => {
      for (const name of ['Space', 'Collection']) addProperty(schemaOf(document, name), 'position', { type: 'string' });
    },
  },
  {
    where: 'RevisionSemanticChange',
    what: 'changes of pages in a change request have `viewed`',
    reason:
      'contract: the public API has no marks of reviewers; they mark pages as viewed; a mark is gone with new content of the page',
    apply: (document) => {
      addProperty(schemaOf(document, 'RevisionSemanticChange'), 'viewed', { type: 'boolean' });
    },
  },
  {
    where: 'search hits',
    what: 'a hit has `ancestors`, a list of `{title}`',
    reason: 'interface, space search hit: `ancestors` array of `{title}`',
    apply: (document) => {
      addProperty(schemaOf(document, 'SearchPageResult'), 'ancestors', {
        type: 'array',
        items: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
      });
    },
  },
  {
    where: 'pages without a body',
    what: 'a page may carry neither `markdown` nor `document`; the public schema describes that case by an object without any key, which no page can be',
    reason:
      'interface, Space content: `/content` and `/content/pages` answer Revision and pages, whose bodies are read page by page',
    apply: bodilessPages,
  },
  ...LATER_FIELDS,
  {
    where: 'CustomHostname',
    what: '`dns`: where the hostname has to lead, when that was checked, and what is to be done',
    reason:
      'contract, custom hostnames: no version says which record a hostname needs, which people who set one up have to know',
    apply: (document) => addProperty(schemaOf(document, 'CustomHostname'), 'dns', { type: 'object' }),
  },
  ...DOCUMENT_DEVIATIONS,
];

/** Applies every deviation whose schemas the document has; the document is changed in place. */
export function applyDeviations(document: OpenApiDocument, deviations = DEVIATIONS): OpenApiDocument {
  for (const deviation of deviations) deviation.apply?.(document);
  return document;
}
