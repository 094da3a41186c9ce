import { DEFAULT_CUSTOMIZATION } from '../../../src/publishing/sites/customization.schema.js';
import { newId } from '../../../src/kernel/common/ids.js';
import {
  isRecord,
  resolved,
  type Media,
  type OpenApiDocument,
  type Parameter,
  type Schema,
  typeOf,
} from '../../contract/json-schema.js';
import type { Ids } from '../../permissions/world.js';

/** A property of a body, or a parameter of a query, that refers to another object. */
export interface Reference {
  /** The name of its ids among those of a world. */
  readonly to: string;
  /** A body or query that names `id` there, in a request of the world of `own`. */
  readonly with: (id: string, own: Ids) => object;
  /** The object is the one that is changed, so it may be of any organization in which the caller has the right. */
  readonly isPlace?: true;
}

/** Texts that look like references and are none: names, keys of blocks within one document, and what readers' browsers said. */
const NONE: ReadonlySet<string> = new Set([
  'name',
  'title',
  'path',
  'basename',
  'template.id',
  'applyTemplateToSpace id',
  'ai.suggestions',
  'styling.font.id',
  'styling.monospaceFont.id',
  'changes[].ref',
  'changes[].files[].ref',
  'changes[].block',
  // Tags of the same content, by the slugs that their writers gave them.
  'changes[].tags[].tag.tag',
  'changes[].tag',
  // Names of schemas.
  'schemas',
  // From which ids of computed content are made.
  'seed',
  // Of IP addresses.
  'ranges',
  'changes[].slug',
  'changes[].label',
  'previousQueries',
  'groups[].words',
  // Of the caller's own list: those that are not there any more are no fault.
  'markNotifications ids',
  // The name of an agent.
  'facts.reviews[].agent',
  // The key of a block.
  'statePresenceInSpace block',
  'addedReactions',
  'removedReactions',
  ...['collection', 'file', 'page', 'reusableContent', 'space', 'spec', 'user'].map(
    (field) => `events[].link.target.${field}`,
  ),
]);

const change = (to: string, body: (id: string) => object): Reference => ({
  to,
  with: (id) => ({ changes: [body(id)] }),
});
const list = (to: string, name: string, more: object = {}): Reference => ({
  to,
  with: (id) => ({ ...more, [name]: [id] }),
});
const one = (to: string, name: string, more: object | ((own: Ids) => object) = {}): Reference => ({
  to,
  with: (id, own) => ({ ...(typeof more === 'function' ? (more as (own: Ids) => object)(own) : more), [name]: id }),
});
const anchor = (to: string, side: 'before' | 'after', body: (id: string) => object): Reference => ({
  to,
  with: (id, own) => ({ item: { type: 'site-section', id: own['siteSectionId'] }, position: { [side]: body(id) } }),
});

const redirect = (to: string, destination: (id: string, own: Ids) => object): Reference => ({
  to,
  with: (id, own) => ({ redirects: [{ source: '/old', destination: destination(id, own) }] }),
});

/** Operations that answer 200 and tell of each item what became of it. */
export const REPORTS_EACH = /^bulkUpsertSiteRedirects /;

/** By property, or by operation and property where operations differ. */
const REFERENCES: Record<string, Reference> = {
  'changes[].into': change('pageId', (into) => ({ operation: 'insert_page', title: 'Page', into })),
  'changes[].page': change('pageId', (page) => ({ operation: 'update_page', page, title: 'Page' })),
  'changes[].base': {
    to: 'revisionId',
    with: (base, own) => ({
      changes: [{ operation: 'update_page', page: own['pageId'], base, document: { markdown: 'Text' } }],
    }),
  },
  'changes[].file': change('fileId', (file) => ({ operation: 'update_file', file, name: 'b.txt' })),
  'changes[].files': change('fileId', (file) => ({ operation: 'delete_files', files: [file] })),
  'changes[].reusableContent': change('reusableContentId', (reusableContent) => ({
    operation: 'update_reusable_content',
    reusableContent,
    title: 'Hours',
  })),
  'changes[].revision': {
    to: 'revisionId',
    with: (revision, own) => ({ changes: [{ operation: 'revert_page', page: own['pageId'], revision }] }),
  },
  'defaultContent.site': { to: 'siteId', with: (site) => ({ defaultContent: { type: 'site', site } }) },
  'mergeRules.rules[].users': {
    to: 'userId',
    with: (user) => ({ mergeRules: { type: 'rules', rules: [{ rule: 'require_specific_reviewers', users: [user] }] } }),
  },
  actor: one('userId', 'actor', { mergeRules: { type: 'none' }, facts: {} }),
  'facts.createdBy': {
    to: 'userId',
    with: (createdBy) => ({ mergeRules: { type: 'none' }, facts: { createdBy } }),
  },
  'facts.reviews[].reviewer': {
    to: 'userId',
    with: (reviewer) => ({
      mergeRules: { type: 'none' },
      facts: { reviews: [{ reviewer, status: 'approved' }] },
    }),
  },
  'testSpaceMergeRules mergeRules.rules[].users': {
    to: 'userId',
    with: (user) => ({
      mergeRules: { type: 'rules', rules: [{ rule: 'allow_bypass', users: [user] }] },
      facts: {},
    }),
  },
  'testOrganizationMergeRules mergeRules.rules[].users': {
    to: 'userId',
    with: (user) => ({
      mergeRules: { type: 'rules', rules: [{ rule: 'allow_bypass', users: [user] }] },
      facts: {},
    }),
  },
  members: list('userId', 'members', { title: 'Team' }),
  'members[].value': {
    to: 'userId',
    with: (value) => ({ displayName: 'Provisioned', members: [{ value }] }),
  },
  add: list('userId', 'add'),
  remove: list('userId', 'remove'),
  parent: one('targetId', 'parent', { title: 'Thing' }),
  'transferSpace parent': one('targetId', 'parent', (own) => ({ organization: own['organizationId'] })),
  'transferCollection parent': one('targetId', 'parent', (own) => ({ organization: own['organizationId'] })),
  'installGitSyncProviderOnTarget target.spaceId': {
    to: 'spaceId',
    with: (spaceId) => ({ provider: 'git', target: { type: 'space', spaceId } }),
    isPlace: true,
  },
  'installGitSyncProviderOnTarget target.siteId': {
    to: 'siteId',
    with: (siteId) => ({ provider: 'git', target: { type: 'site', siteId } }),
    isPlace: true,
  },
  'addSectionGroupToSite parent': one('siteSectionGroupId', 'parent', { title: 'Group' }),
  'updateSiteSectionGroupById parent': one('siteSectionGroupId', 'parent'),
  'addExternalLinkToSite parent': one('siteSectionGroupId', 'parent', {
    title: 'Community',
    url: 'https://community.example.com/',
  }),
  'updateSiteExternalLinkById parent': one('siteSectionGroupId', 'parent'),
  organization: one('organizationId', 'organization'),
  users: list('userId', 'users', { role: 'read' }),
  customRole: one('customRoleId', 'customRole', ({ userId }) => ({ role: 'read', users: [userId] })),
  'updateMemberInOrganizationById customRole': one('customRoleId', 'customRole'),
  'limitPageInSpace users': list('userId', 'users'),
  'limitPageInSpace teams': list('teamId', 'teams'),
  teams: list('teamId', 'teams', { role: 'read' }),
  collection: one('collectionId', 'collection', { level: 'read' }),
  space: one('spaceId', 'space', { level: 'read' }),
  defaultTeam: one('teamId', 'defaultTeam', () => ({ label: newId() })),
  changeRequestId: one('changeRequestId', 'changeRequestId', { id: 'changelog' }),
  'statePresenceInSpace changeRequest': one('changeRequestId', 'changeRequest'),
  conversationsIssuesCluster: one('clusterId', 'conversationsIssuesCluster'),
  primary: one('revisionId', 'primary', { resolutions: [] }),
  page: one('pageId', 'page', { body: { markdown: 'Here' } }),
  'renderMarkdown page': one('pageId', 'page', { markdown: 'Here' }),
  'renderMarkdownInChangeRequest page': one('pageId', 'page', { markdown: 'Here' }),
  'markChangeRequestPageViewed revision': one('requestRevisionId', 'revision', { viewed: true }),
  'source.files': {
    to: 'uploadKey',
    with: (key, own) => ({ source: { type: 'file', files: [key] }, target: { space: own['spaceId'] } }),
  },
  'target.space': {
    to: 'spaceId',
    with: (space) => ({ source: { type: 'website', url: 'https://docs.example.com/' }, target: { space } }),
  },
  'target.changeRequest': {
    to: 'changeRequestId',
    with: (changeRequest, own) => ({
      source: { type: 'website', url: 'https://docs.example.com/' },
      target: { space: own['spaceId'], changeRequest },
    }),
  },
  'target.page': {
    to: 'pageId',
    with: (page, own) => ({
      source: { type: 'website', url: 'https://docs.example.com/' },
      target: { space: own['spaceId'], page },
    }),
  },
  spaces: list('spaceId', 'spaces', { title: 'Site' }),
  'createWebhook spaces': list('spaceId', 'spaces', { url: 'http://127.0.0.1:9/', events: ['*'] }),
  defaultSiteSection: one('siteSectionId', 'defaultSiteSection'),
  defaultSiteSpace: one('siteSpaceId', 'defaultSiteSpace'),
  'updateSiteSectionById defaultSiteSpace': one('sectionSiteSpaceId', 'defaultSiteSpace'),
  'item.id': { to: 'siteSectionId', with: (id) => ({ item: { type: 'site-section', id }, position: {} }) },
  spaceId: one('spaceId', 'spaceId'),
  sectionId: one('siteSectionId', 'sectionId', (own) => ({ spaceId: own['spaceId'] })),
  sections: list('siteSectionId', 'sections', { title: 'Group' }),
  siteSpace: one('siteSpaceId', 'siteSpace', () => ({ redirects: { [newId()]: 'https://example.com/' } })),
  'destination.siteSpaceId': {
    to: 'siteSpaceId',
    with: (siteSpaceId) => ({ source: `/${newId()}`, destination: { kind: 'site-space', siteSpaceId } }),
  },
  'destination.siteSectionId': {
    to: 'siteSectionId',
    with: (siteSectionId) => ({ source: `/${newId()}`, destination: { kind: 'site-section', siteSectionId } }),
  },
  'destination.pageId': {
    to: 'pageId',
    with: (pageId, own) => ({
      source: `/${newId()}`,
      destination: { kind: 'site-page', siteSpaceId: own['siteSpaceId'], pageId },
    }),
  },
  'destination.spaceId': {
    to: 'spaceId',
    with: (spaceId) => ({ source: `/${newId()}`, destination: { kind: 'path', spaceId, path: 'guides' } }),
  },
  'redirects[].destination.siteSpaceId': redirect('siteSpaceId', (siteSpaceId) => ({
    kind: 'site-space',
    siteSpaceId,
  })),
  'redirects[].destination.siteSectionId': redirect('siteSectionId', (siteSectionId) => ({
    kind: 'site-section',
    siteSectionId,
  })),
  'redirects[].destination.pageId': redirect('pageId', (pageId, own) => ({
    kind: 'site-page',
    siteSpaceId: own['siteSpaceId'],
    pageId,
  })),
  'redirects[].destination.spaceId': redirect('spaceId', (spaceId) => ({ kind: 'path', spaceId, path: 'guides' })),
  'scope.currentSiteSpace': {
    to: 'siteSpaceId',
    with: (currentSiteSpace) => ({ query: 'hello', scope: { mode: 'default', currentSiteSpace } }),
  },
  'scope.siteSpaceIds': {
    to: 'siteSpaceId',
    with: (id) => ({ query: 'hello', scope: { mode: 'specific', siteSpaceIds: [id] } }),
  },
  'mergeConversationsClusters cluster': one('otherClusterId', 'cluster'),
  'splitConversationsCluster issues': list('issueId', 'issues'),
  'draftConversationsClusterChangeRequest space': one('spaceId', 'space'),
  'streamAskInSite scope.currentSiteSpace': {
    to: 'siteSpaceId',
    with: (currentSiteSpace) => ({ question: 'hello', scope: { mode: 'default', currentSiteSpace } }),
  },
  'streamAskInSite scope.siteSpaceIds': {
    to: 'siteSpaceId',
    with: (id) => ({ question: 'hello', scope: { mode: 'specific', siteSpaceIds: [id] } }),
  },
  'context.siteSpaceId': {
    to: 'siteSpaceId',
    with: (siteSpaceId) => ({ question: 'hello', context: { siteSpaceId }, scope: { mode: 'default' } }),
  },
  'owner.id': {
    to: 'userId',
    with: (id) => ({ owner: { type: 'user', id }, until: '2099-01-31T00:00:00.000Z' }),
  },
  siteSpaceId: one('siteSpaceId', 'siteSpaceId', { query: 'hello', mode: 'current' }),
  siteSpaceIds: list('siteSpaceId', 'siteSpaceIds', { query: 'hello', mode: 'specific' }),
  'source.space': { to: 'spaceId', with: (space) => ({ source: { space, language: 'en' }, language: 'de' }) },
  'operations[].id': {
    to: 'glossaryEntryId',
    with: (id) => ({ operations: [{ type: 'update', id, translations: { es: 'hoja' } }] }),
  },
  ...Object.fromEntries(
    (['before', 'after'] as const).flatMap((side) => [
      [`position.${side}.space`, anchor('anchorSpaceId', side, (space) => ({ type: 'space', space }))],
      [`position.${side}.collection`, anchor('targetId', side, (collection) => ({ type: 'collection', collection }))],
      [`position.${side}.id`, anchor('siteSectionGroupId', side, (id) => ({ type: 'site-section-group', id }))],
      [
        `moveSiteSectionGroup position.${side}.id`,
        anchor('siteSectionId', side, (id) => ({ type: 'site-section', id })),
      ],
      [
        `position.${side}.siteSection`,
        anchor('anchorSectionId', side, (siteSection) => ({ type: 'site-section', siteSection })),
      ],
      [
        `position.${side}.siteSpace`,
        anchor('anchorSiteSpaceId', side, (siteSpace) => ({ type: 'site-space', siteSpace })),
      ],
    ]),
  ),
  ...customizationReferences(),
};

/** The references of settings of a site: each of the five kinds of links to each kind of object. */
function customizationReferences(): Record<string, Reference> {
  const targets: Readonly<Record<string, readonly [to: string, target: (id: string) => object]>> = {
    space: ['spaceId', (space) => ({ kind: 'space', space })],
    page: ['pageId', (page) => ({ kind: 'page', page })],
    file: ['fileId', (file) => ({ kind: 'file', file })],
    collection: ['collectionId', (collection) => ({ kind: 'collection', collection })],
    user: ['userId', (user) => ({ kind: 'user', user })],
    reusableContent: ['reusableContentId', (reusableContent) => ({ kind: 'reusable-content', reusableContent })],
    spec: ['specSlug', (spec) => ({ kind: 'openapi', spec })],
  };
  const { header } = DEFAULT_CUSTOMIZATION;
  const places: Readonly<Record<string, (to: object) => object>> = {
    'announcement.link.to': (to) => ({
      announcement: { enabled: true, message: 'News', style: 'info', link: { title: 'Link', to } },
    }),
    'footer.groups[].links[].to': (to) => ({
      footer: { groups: [{ title: 'Group', links: [{ title: 'Link', to }] }] },
    }),
    'header.links[].to': (to) => ({ header: { ...header, links: [{ title: 'Link', to, links: [] }] } }),
    'header.links[].links[].to': (to) => ({
      header: { ...header, links: [{ title: 'Link', to: null, links: [{ title: 'Link', to }] }] },
    }),
    'header.primaryLink': (to) => ({ header: { ...header, primaryLink: to } }),
  };
  return Object.fromEntries(
    Object.entries(places).flatMap(([place, settings]) =>
      Object.entries(targets).flatMap(([field, [to, target]]) => {
        const path = `${place}.${field}`;
        const of = (whole: object): Reference => ({ to, with: (id) => ({ ...whole, ...settings(target(id)) }) });
        return [
          [path, of({})],
          [`updateSiteCustomizationById ${path}`, of(DEFAULT_CUSTOMIZATION)],
          [`previewSiteCustomizationById ${path}`, of(DEFAULT_CUSTOMIZATION)],
        ] as [string, Reference][];
      }),
    ),
  );
}

/** Parameters of queries that name other objects. */
const QUERIES: Readonly<Record<string, string>> = {
  owner: 'userId',
  creator: 'userId',
  contributor: 'userId',
  requestedReviewer: 'userId',
  changeRequest: 'changeRequestId',
  base: 'revisionId',
  conversationsIssuesCluster: 'clusterId',
  targetPage: 'pageId',
  authors: 'userId',
  space: 'spaceId',
  page: 'pageId',
  pageId: 'pageId',
  siteSpace: 'siteSpaceId',
  siteSpaceId: 'siteSpaceId',
  spaceId: 'spaceId',
  cluster: 'clusterId',
  theme: 'themeId',
  question: 'siteQuestionId',
  conversation: 'conversationId',
  shareKey: 'shareKey',
  actor: 'userId',
  organization: 'organizationId',
  site: 'siteId',
  target: 'spaceId',
  file: 'fileId',
  customRole: 'customRoleId',
};
/** Texts of queries that name no object: what is looked for, slugs of tags, names of new files, times, addresses of all kinds, keys of blocks of a page and sources of conversations. */
const WORDS: ReadonlySet<string> = new Set([
  'search',
  'tags',
  'title',
  'name',
  'query',
  'subject',
  'url',
  'email',
  'source',
  'claims',
  'externalId',
  'block',
  'from',
  'to',
  // The object name of a file in a repository elsewhere.
  'path',
  'ref',
  // SCIM: names of attributes, and comparisons with them.
  'attributes',
  'excludedAttributes',
  'filter',
  // Windows of the caller.
  'client',
]);

interface Found {
  readonly operation: string;
  /** Operation id and property. */
  readonly name: string;
  readonly in: 'body' | 'query';
  readonly reference: Reference;
}

/** Every reference that the published document has, and the properties that look like one and are in neither table. */
export function referencesOf(document: OpenApiDocument): {
  readonly found: readonly Found[];
  readonly unclassified: readonly string[];
  readonly unused: readonly string[];
} {
  const found: Found[] = [];
  const unclassified: string[] = [];
  const used = new Set<string>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (operation?.operationId === undefined) continue;
      const { operationId } = operation;
      const at = `${method.toUpperCase()} ${path.replace(/^\/v1/, '') || '/'}`;
      const media = resolved<{ content?: Record<string, Media> }>(document, operation.requestBody ?? {}).content?.[
        'application/json'
      ];
      for (const property of media?.schema ? new Set(lookAlikes(document, media.schema, '', [])) : []) {
        const name = `${operationId} ${property}`;
        const key = [name, property].find((each) => each in REFERENCES || NONE.has(each));
        if (key === undefined) unclassified.push(name);
        else used.add(key);
        const reference = REFERENCES[key ?? ''];
        if (reference !== undefined && !NONE.has(name)) found.push({ operation: at, name, in: 'body', reference });
      }
      for (const parameter of operation.parameters ?? []) {
        const { name, in: place, schema } = resolved<Parameter>(document, parameter);
        if (
          place !== 'query' ||
          !schema ||
          !isFreeText(document, schema) ||
          WORDS.has(name) ||
          schema['maxLength'] === 4096
        )
          continue;
        const to = QUERIES[name];
        if (to === undefined) unclassified.push(`${operationId} ?${name}`);
        else
          found.push({
            operation: at,
            name: `${operationId} ?${name}`,
            in: 'query',
            reference: { to, with: (id) => ({ [name]: id }) },
          });
      }
    }
  }
  return { found, unclassified, unused: Object.keys(REFERENCES).filter((key) => !used.has(key)) };
}

function isFreeText(document: OpenApiDocument, schema: Schema): boolean {
  const { items, enum: words, ...rest } = resolved(document, schema);
  return (
    (typeOf(rest) === 'string' && words === undefined) ||
    (typeOf(rest) === 'array' && items !== undefined && isFreeText(document, items))
  );
}

/** Paths of texts as ids are declared (1 to 100 characters, no pattern), and of lists of texts. */
function* lookAlikes(
  document: OpenApiDocument,
  schema: Schema,
  path: string,
  way: readonly string[],
): Generator<string> {
  if (schema.$ref !== undefined) {
    if (!way.includes(schema.$ref))
      yield* lookAlikes(document, resolved(document, schema), path, [...way, schema.$ref]);
    return;
  }
  for (const branch of [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])])
    yield* lookAlikes(document, branch, path, way);
  if (schema.items) {
    if (looksLikeId(schema.items, 'list')) yield path;
    yield* lookAlikes(document, schema.items, `${path}[]`, way);
  } else if (!path.endsWith('[]') && looksLikeId(schema, 'text')) yield path;
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    yield* lookAlikes(document, property, path === '' ? name : `${path}.${name}`, way);
}

function looksLikeId(schema: Schema, kind: 'text' | 'list'): boolean {
  if (
    !isRecord(schema) ||
    typeOf(schema) !== 'string' ||
    schema.enum ||
    schema.pattern !== undefined ||
    schema['format'] !== undefined
  )
    return false;
  return kind === 'list' || (schema['minLength'] === 1 && schema['maxLength'] === 100);
}
