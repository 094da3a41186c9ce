import { addProperty, addToPages, propertiesWith, schemaOf, type Deviation } from './deviation.js';
import { type OpenApiDocument, type Schema } from './json-schema.js';

const TAG_REFERENCE: Schema = {
  type: 'object',
  properties: { kind: { type: 'string', enum: ['tag'] }, tag: { type: 'string' } },
  required: ['kind', 'tag'],
};
const PAGE_TAGS: Schema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { tag: TAG_REFERENCE, primary: { type: 'boolean' } },
    required: ['tag'],
  },
};

const LATER_SOURCE =
  '^\\/(?:[A-Za-z0-9\\-._~+]|%[0-9A-Fa-f]{2})+(?:\\/(?:[A-Za-z0-9\\-._~+]|%[0-9A-Fa-f]{2})+)*(?:\\/?\\*)?$';

function laterFields(document: OpenApiDocument): void {
  const number: Schema = { type: 'number', minimum: 0 };
  const permissions = schemaOf(document, 'Organization').properties?.['permissions'];
  if (!permissions) throw new Error('An organization has no permissions');
  for (const flag of ['access', 'viewConversations', 'reviewConversations'])
    addProperty(permissions, flag, { type: 'boolean' });
  addProperty(schemaOf(document, 'OrganizationMember'), 'sites', number);
  addProperty(schemaOf(document, 'OpenAPISpec'), 'lastProcessedErrorCount', number);
  addProperty(schemaOf(document, 'TranslationResult'), 'language', { type: 'string' });
  const sync = schemaOf(document, 'GitSyncState');
  for (const id of ['installationId', 'parentInstallationId']) addProperty(sync, id, { type: 'string' });
  addProperty(sync, 'installationStatus', { type: 'string', enum: ['active', 'pending'] });
  addProperty(sync, 'operation', {
    type: 'object',
    properties: {
      state: { type: 'string', enum: ['running', 'failure', 'success'] },
      direction: { type: 'string', enum: ['import', 'export'] },
      startedAt: { type: 'string' },
      endedAt: { type: 'string' },
      error: { type: 'string' },
    },
    required: ['state', 'direction', 'startedAt'],
  });
  addProperty(schemaOf(document, 'OpenAPISpecContent'), 'urls', {
    type: 'object',
    properties: { source: { type: 'string' }, public: { type: 'string', nullable: true } },
    required: ['source', 'public'],
  });
}

function laterLayout(document: OpenApiDocument): void {
  const layout = schemaOf(document, 'RevisionPageLayoutOptions');
  schemaOf(document, 'RevisionPageLayoutOptionsCoverSize').enum = ['hero', 'full', 'background'];
  addProperty(layout, 'coverMask', { type: 'string', enum: ['none', 'radial'] });
  for (const name of ['tags', 'actions', 'anchors']) addProperty(layout, name, { type: 'boolean' });
}

function tagsOfRevisions(document: OpenApiDocument): void {
  const text: Schema = { type: 'string' };
  addProperty(schemaOf(document, 'RevisionBase'), 'tags', {
    type: 'array',
    items: {
      type: 'object',
      properties: { slug: text, label: text, color: text, emoji: text, icon: text },
      required: ['slug', 'label', 'color'],
    },
  });
  addToPages(document, 'tags', PAGE_TAGS);
}

function sourceOfComputed(document: OpenApiDocument): void {
  addProperty(schemaOf(document, 'RevisionBase'), 'sourceRevision', { type: 'string' });
}

function changesOfTags(document: OpenApiDocument): void {
  const changes = schemaOf(document, 'RevisionSemanticChange');
  const tag: Schema = {
    type: 'object',
    properties: { slug: { type: 'string' }, label: { type: 'string' } },
    required: ['slug', 'label'],
  };
  const change = (type: string, more: Schema): Schema => ({
    type: 'object',
    properties: { type: { type: 'string', enum: [type] }, tag, ...more.properties },
    required: ['type', 'tag', ...(more.required ?? [])],
  });
  const edited: Schema = { properties: { attributes: { type: 'object' } }, required: ['attributes'] };
  changes.oneOf = [
    ...(changes.oneOf ?? []),
    change('tag_created', {}),
    change('tag_deleted', {}),
    change('tag_edited', edited),
  ];
}

function attributesOfTags(document: OpenApiDocument): void {
  const delta = (value: Schema): Schema => ({
    type: 'object',
    properties: { before: value, after: structuredClone(value) },
  });
  addProperty(schemaOf(document, 'RevisionPageDocumentChangeAttributes'), 'tags', delta(PAGE_TAGS));
  const attributes = document.components.schemas['RevisionTagChangeAttributes'];
  for (const name of attributes ? ['color', 'emoji', 'icon'] : [])
    addProperty(schemaOf(document, 'RevisionTagChangeAttributes'), name, delta({ type: 'string' }));
}

function scoredHits(document: OpenApiDocument): void {
  const score: Schema = { type: 'number', minimum: 0 };
  const [space, page, section] = ['SearchSpaceResult', 'SearchPageResult', 'SearchSectionResult'].map((name) =>
    schemaOf(document, name),
  );
  if (!space || !page || !section) throw new Error('The document has no hits of searches');
  for (const hit of [space, page, section]) addProperty(hit, 'score', score);
  addProperty(space, 'type', { type: 'string', enum: ['space'] });
  addProperty(page, 'description', { type: 'string' });
  addProperty(page, 'rank', { type: 'integer', minimum: 1 });
}

function draftRedirects(document: OpenApiDocument): void {
  for (const name of ['draft', 'captureWildcard'])
    addProperty(schemaOf(document, 'SiteRedirect'), name, { type: 'boolean' });
}

function laterRedirects(document: OpenApiDocument): void {
  const redirect = schemaOf(document, 'SiteRedirect');
  addProperty(redirect, 'permanent', { type: 'boolean' });
  for (const name of ['createdAt', 'updatedAt']) addProperty(redirect, name, { type: 'string', format: 'date-time' });
  schemaOf(document, 'SiteRedirectSourcePath').pattern = LATER_SOURCE;
}

function draftStructure(document: OpenApiDocument): void {
  for (const name of ['SiteSection', 'SiteSectionGroup', 'SiteSpace'])
    addProperty(schemaOf(document, name), 'draft', { type: 'boolean' });
}

const EXTERNAL_LINK: Schema = {
  type: 'object',
  properties: {
    object: { type: 'string', enum: ['site-external-link'] },
    id: { type: 'string' },
    title: { type: 'string' },
    description: { type: 'string' },
    icon: { type: 'string' },
    url: { type: 'string' },
    sectionGroup: { type: 'string' },
    draft: { type: 'boolean' },
    condition: { type: 'string' },
  },
  required: ['object', 'id', 'title', 'url', 'draft'],
};

function linksInStructures(document: OpenApiDocument): void {
  const children = schemaOf(document, 'SiteSectionGroup').properties?.['children'];
  const sections = schemaOf(document, 'SiteStructure').oneOf?.[0]?.properties?.['structure'];
  for (const members of [children?.items, sections?.items, schemaOf(document, 'SiteStructureItem')]) {
    if (!members?.oneOf) throw new Error('The structure of a site has no members of several kinds');
    members.oneOf.push(structuredClone(EXTERNAL_LINK));
  }
}

function levelAndPreview(document: OpenApiDocument): void {
  const site = schemaOf(document, 'Site');
  addProperty(site, 'defaultLevel', { type: 'string', enum: ['inherit'] });
  const { urls } = propertiesWith(site, 'urls');
  if (!urls) throw new Error('A site has no addresses');
  addProperty(urls, 'preview', { type: 'string', format: 'uri' });
}

function sitePermissions(document: OpenApiDocument): void {
  const names = ['view', 'access', 'edit', 'create', 'admin', 'installIntegration', 'viewAdaptiveSchema'];
  const flags = [...names, 'editAdaptiveSchema'];
  addProperty(schemaOf(document, 'Site'), 'permissions', {
    type: 'object',
    properties: Object.fromEntries(flags.map((name): [string, Schema] => [name, { type: 'boolean' }])),
    required: flags,
  });
}

function sitesOfRedirects(document: OpenApiDocument): void {
  const redirect = schemaOf(document, 'PublishedSiteContentLookup').oneOf?.[0];
  if (!redirect?.properties) throw new Error('A lookup of published content has no redirect');
  addProperty(redirect, 'site', { type: 'string' });
}

function pagesOfRuns(document: OpenApiDocument): void {
  const { pages } = propertiesWith(schemaOf(document, 'ContentImportRun'), 'pages');
  if (!pages?.items) throw new Error('A run has no pages');
  addProperty(pages.items, 'type', { type: 'string', enum: ['page', 'folder'] });
  addProperty(pages.items, 'status', { type: 'string', enum: ['complete', 'pending'] });
}

/** Fields that answers have as later versions of the public API do. */
export const LATER_FIELDS: readonly Deviation[] = [
  {
    where: 'Organization, OrganizationMember, OpenAPISpec, OpenAPISpecContent, TranslationResult',
    what: '`permissions.access`, `sites`, `lastProcessedErrorCount`, `urls` and `language`, which the public API has later',
    reason: 'contract 7: response fields newly always present; clients of newer builds require them',
    since: '0.202.0',
    apply: laterFields,
  },
  {
    where: 'search hits',
    what: 'spaces have `type` and `score`, pages `description`, `score` and `rank`, sections `score`',
    reason: 'contract 7: response fields newly always present; clients of newer builds require them',
    since: '0.202.0',
    apply: scoredHits,
  },
  {
    where: 'RevisionPageLayoutOptions',
    what: '`coverMask`, `tags`, `actions`, `anchors`, and covers in the `background`',
    reason: 'contract 7: response fields newly always present; clients of newer builds require them',
    since: '0.202.0',
    apply: laterLayout,
  },
  {
    where: 'Revision, RevisionPageDocument',
    what: '`tags`, which the public API has later',
    reason: 'contract 7: response fields newly always present; clients of newer builds require them',
    since: '0.167.0',
    apply: tagsOfRevisions,
  },
  {
    where: 'RevisionTypeComputed',
    what: '`sourceRevision`, which the public API has later',
    reason: 'contract 7: response fields newly always present; clients of newer builds require them',
    since: '0.181.0',
    apply: sourceOfComputed,
  },
  {
    where: 'RevisionSemanticChange',
    what: '`tag_created`, `tag_edited` and `tag_deleted`, which the public API has later',
    reason: 'contract 7: `Revision.tags` of newer builds; every change of a revision is shown',
    since: '0.167.0',
    apply: changesOfTags,
  },
  {
    where: 'SiteRedirect.draft, SiteRedirect.captureWildcard',
    what: 'whether a redirect is live, and whether it appends what its asterisk stands for',
    reason: 'contract 7: response fields newly always present; clients of newer builds require them',
    since: '0.167.0',
    apply: draftRedirects,
  },
  {
    where: 'SiteRedirect.permanent, createdAt, updatedAt, source',
    what: 'whether a redirect is permanent, and its times; a source may end in an asterisk and hold plus signs',
    reason: 'contract 7: response fields newly always present; clients of newer builds require them',
    since: '0.202.0',
    apply: laterRedirects,
  },
  {
    where: 'SiteSection.draft, SiteSectionGroup.draft, SiteSpace.draft',
    what: 'whether a part of a site is live',
    reason: 'contract 7: response fields newly always present; clients of newer builds require them',
    since: '0.181.0',
    apply: draftStructure,
  },
  {
    where: 'SiteStructure, SiteSectionGroup.children, SiteStructureItem',
    what: 'links that lead elsewhere stand beside sections and groups, where a site has any',
    reason: 'contract 8.1: structure and group children are widened by SiteExternalLink',
    since: '0.202.0',
    apply: linksInStructures,
  },
  {
    where: 'Site.appliedType',
    what: 'the type that counts, which is the one of the site',
    reason: 'contract 7: response fields newly always present; clients of newer builds require them',
    since: '0.167.0',
    apply: (document) => addProperty(schemaOf(document, 'Site'), 'appliedType', { type: 'string' }),
  },
  {
    where: 'Site.defaultLevel, Site.urls.preview',
    what: 'the level of members without a role on the site, and where members see it before it is published',
    reason: 'contract 7: response fields newly always present; clients of newer builds require them',
    since: '0.181.0',
    apply: levelAndPreview,
  },
  {
    where: 'Site.permissions',
    what: 'what the caller may do with the site',
    reason: 'contract 7: response fields newly always present; clients of newer builds require them',
    since: '0.202.0',
    apply: sitePermissions,
  },
  {
    where: 'Site.permissionsModel',
    what: 'always `site`',
    reason: 'contract 7: clients of 0.181.0 require it; versions before and after do not have it',
    apply: (document) => addProperty(schemaOf(document, 'Site'), 'permissionsModel', { type: 'string' }),
  },
  {
    where: 'ContentImportRun.pages',
    what: '`type` and `status` of each',
    reason: 'contract 7: response fields newly always present; clients of newer builds require them',
    since: '0.167.0',
    apply: pagesOfRuns,
  },
  {
    where: 'UserSitePermission.disabled',
    what: 'whether the account is disabled',
    reason: 'contract 7: response fields newly always present; clients of newer builds require them',
    since: '0.202.0',
    apply: (document) => addProperty(schemaOf(document, 'UserSitePermission'), 'disabled', { type: 'boolean' }),
  },
  {
    where: 'PublishedSiteContentLookup',
    what: 'a redirect to an address outside names the site',
    reason: 'contract 7: clients of newer builds require `site` there',
    since: '0.167.0',
    apply: sitesOfRedirects,
  },
  {
    where: 'RevisionPageDocumentChangeAttributes, RevisionTagChangeAttributes',
    what: '`tags` of pages; color, emoji and icon of tags',
    reason: 'contract 7: `Revision.tags` of newer builds; an edit that is shown names what it changed',
    apply: attributesOfTags,
  },
];
