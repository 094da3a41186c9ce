import type { AccessLevel } from '../../src/kernel/common/roles.js';
import type { PermissionKey } from '../../src/kernel/access/permissions.js';
import { AGGREGATION_EXAMPLE } from '../../src/publishing/sites/insights/aggregation.schema.js';
import { EVENTS_EXAMPLE } from '../../src/publishing/sites/insights/events.schema.js';
import { DEFAULT_CUSTOMIZATION } from '../../src/publishing/sites/customization.schema.js';
import { newId } from '../../src/kernel/common/ids.js';
import { fromOwnPage } from '../session-client.js';
import { tarGzOf } from '../archives.js';
import * as make from './world.js';
import type { Ids, World } from './world.js';

/** What an operation needs and answers. Whoever has no right in `least` gets the other statuses. */
export interface Row {
  /** The least role of members for whom it succeeds; `none` are guests too, `anybody` is whoever has a valid token, `open` needs none. */
  readonly least: AccessLevel | 'anybody' | 'open';
  /** The status of a success. */
  readonly ok: 200 | 201 | 202 | 204 | typeof NO_FORGE;
  /** The permission that the service asks for where the route only asks to see the thing. */
  readonly needs?: PermissionKey;
  /** For members who see the thing without the right: 403 unless given. */
  readonly denied?: number;
  /** For guests without any grant: 403 below an organization, 404 for what they cannot see, unless given. */
  readonly guest?: number;
  /** For administrators of another organization: 404 unless given. */
  readonly outsider?: number;
  readonly body?: object | ((ids: Ids) => object);
  readonly query?: Readonly<Record<string, string>> | ((ids: Ids) => Readonly<Record<string, string>>);
  /** A body that is no JSON. */
  readonly raw?: { readonly bytes: Buffer; readonly type: string };
  /** Headers beside those of all requests. */
  readonly headers?: (world: World) => Readonly<Record<string, string>>;
  /** Asked in a browser in which the person is signed in, instead of with a token. */
  readonly session?: true;
  /** Things made for one request, where a success would use them up. */
  readonly prepare?: (world: World) => Promise<Ids>;
}

/** The answer to a caller with the right: the installation has no access token, since no forge is reached here. */
const NO_FORGE = 409;

type Table = Readonly<Record<string, Row>>;

/** An address where nothing listens. */
const UNANSWERED = 'http://127.0.0.1:1/';

const read = (least: Row['least'], more: Partial<Row> = {}): Row => ({ least, ok: 200, ...more });
const change = (least: Row['least'], body: Row['body'], more: Partial<Row> = {}): Row => ({
  least,
  ok: 200,
  ...(body !== undefined && { body }),
  ...more,
});
const done = (least: Row['least'], body: Row['body'], more: Partial<Row> = {}): Row => ({
  least,
  ok: 204,
  ...(body !== undefined && { body }),
  ...more,
});
const add = (least: Row['least'], body: Row['body'], more: Partial<Row> = {}): Row => ({
  least,
  ok: 201,
  ...(body !== undefined && { body }),
  ...more,
});

const computedSource = (spec: string, props: object): object => ({
  type: 'builtin:openapi',
  props,
  dependencies: { spec: { ref: { kind: 'openapi', spec } } },
});

const USERS: Table = {
  'GET /': read('open'),
  'GET /user': read('anybody'),
  'GET /user/screens': read('anybody'),
  'GET /user/tokens': read('anybody'),
  'POST /user/tokens': add('anybody', { name: 'Another' }),
  'DELETE /user/tokens/{tokenId}': done('anybody', undefined),
  'GET /user/notifications': read('anybody'),
  'PUT /user/notifications': done('anybody', { read: true }),
  'GET /user/notifications/stream': read('anybody'),
  'POST /user/notifications/token': change('anybody', undefined),
  'GET /user/notification-settings': read('anybody'),
  'PUT /user/notification-settings': change('anybody', { mail: 'daily' }),
  'GET /users/{userId}': read('read', { guest: 404 }),
  'PATCH /users/{userId}': change(
    'admin',
    { displayName: 'Somebody' },
    { denied: 403, guest: 404, prepare: make.ownId },
  ),
  'GET /subdomains/{subdomain}': read('none'),
  'GET /email-domains/{emailDomain}/orgs': read('anybody'),
  'GET /auth/session': read('anybody', { session: true }),
  'DELETE /auth/session': done('anybody', undefined, { session: true }),
  'GET /user/sessions': read('anybody', { session: true }),
  'DELETE /user/sessions': done('anybody', undefined, { session: true }),
  'DELETE /user/sessions/{sessionId}': done('anybody', undefined, { session: true, prepare: make.ownSession }),
  'POST /auth/sign-in-links': change('open', () => ({ email: `${newId().toLowerCase()}@example.com` }), { ok: 202 }),
  'GET /auth/sign-in-links/{secret}': read('open', { prepare: make.signInLink }),
  'POST /auth/sessions': add('open', ({ secret }) => ({ secret }), {
    prepare: make.signInLink,
    headers: ({ app }) => fromOwnPage(app.url),
  }),
  'GET /auth/invitations/{secret}': read('open', { prepare: make.invitation }),
  'GET /auth/invite-links/{inviteId}': read('open', { prepare: make.inviteLink }),
  'GET /auth/providers': read('open', { query: { email: 'somebody@example.com' } }),
  'POST /auth/invitations/{secret}': add('open', undefined, { prepare: make.invitation }),
};

const ORGANIZATIONS: Table = {
  'GET /orgs': read('anybody'),
  'POST /orgs': add('anybody', { title: 'New organization' }),
  'GET /orgs/{organizationId}': read('none'),
  'PATCH /orgs/{organizationId}': change('admin', { title: 'Changed' }),
  'POST /orgs/{organizationId}/export': add('admin', undefined),
  'GET /orgs/{organizationId}/export': read('admin', { prepare: make.organizationExport }),
  'POST /organization-imports': add('anybody', undefined, {
    raw: { bytes: tarGzOf({ 'README.md': '# Home' }), type: 'application/gzip' },
  }),
  'GET /organization-imports/{organizationImportId}': read('anybody', { prepare: make.organizationImport }),
  'GET /orgs/{organizationId}/ip-allow-list': read('admin'),
  'PUT /orgs/{organizationId}/ip-allow-list': change('admin', { ranges: ['127.0.0.1'] }),
  'GET /orgs/{organizationId}/search': read('none', { query: { query: 'hello' } }),
  'GET /orgs/{organizationId}/search/synonyms': read('none'),
  'PUT /orgs/{organizationId}/search/synonyms': change('admin', { groups: [{ words: ['SLA', 'service level'] }] }),
  'POST /orgs/{organizationId}/ask': change('none', { query: 'hello' }),
  'GET /orgs/{organizationId}/ask/stream': read('none', { query: { query: 'hello' } }),
  'GET /orgs/{organizationId}/ask/questions': read('none'),
  'GET /orgs/{organizationId}/ask/questions/stream': read('none'),
  'POST /orgs/{organizationId}/ping': change('none', undefined),
  'POST /orgs/{organizationId}/join': done('anybody', undefined, { prepare: make.joinable }),
  'GET /orgs/{organizationId}/agent-instructions': read('none'),
  'PUT /orgs/{organizationId}/agent-instructions': change('admin', {
    instructions: { object: 'document', data: { schemaVersion: 8 }, nodes: [] },
  }),
  'GET /orgs/{organizationId}/members': read('read'),
  'GET /orgs/{organizationId}/members/{userId}': read('read', { guest: 404 }),
  'PATCH /orgs/{organizationId}/members/{userId}': change('admin', { role: 'comment' }),
  'DELETE /orgs/{organizationId}/members/{userId}': done('admin', undefined, { prepare: make.member }),
  'POST /orgs/{organizationId}/members/{userId}/sso': change('admin', undefined),
  'GET /orgs/{organizationId}/members/{userId}/sessions': read('admin'),
  'DELETE /orgs/{organizationId}/members/{userId}/sessions': done('admin', undefined, { prepare: make.signedInMember }),
  'POST /orgs/{organizationId}/members/{userId}/sign-in-link': add('admin', undefined),
  'GET /orgs/{organizationId}/members/{userId}/spaces': read('read', { guest: 404 }),
  'GET /orgs/{organizationId}/members/{userId}/teams': read('read', { guest: 404 }),
  'GET /orgs/{organizationId}/teams': read('read'),
  'PUT /orgs/{organizationId}/teams': add('admin', { title: 'Team' }),
  'GET /orgs/{organizationId}/teams/{teamId}': read('read'),
  'PATCH /orgs/{organizationId}/teams/{teamId}': change('admin', { title: 'Changed' }),
  'DELETE /orgs/{organizationId}/teams/{teamId}': done('admin', undefined, { prepare: make.team }),
  'GET /orgs/{organizationId}/teams/{teamId}/members': read('read'),
  'PUT /orgs/{organizationId}/teams/{teamId}/members': done('admin', ({ userId }) => ({ add: [userId] })),
  'PUT /orgs/{organizationId}/teams/{teamId}/members/{userId}': done('admin', { role: 'owner' }),
  'DELETE /orgs/{organizationId}/teams/{teamId}/members/{userId}': done('admin', undefined, {
    prepare: make.teamMember,
  }),
  'POST /orgs/{organizationId}/link-invites': add('admin', { role: 'read' }),
  'GET /orgs/{organizationId}/link-invites': read('admin'),
  'GET /orgs/{organizationId}/link-invites/{inviteId}': read('admin', { denied: 404 }),
  'PATCH /orgs/{organizationId}/link-invites/{inviteId}': change('admin', { role: 'comment' }, { denied: 404 }),
  'DELETE /orgs/{organizationId}/link-invites/{inviteId}': done('admin', undefined, {
    denied: 204,
    prepare: make.inviteLink,
  }),
  'GET /orgs/{organizationId}/invites': read('admin'),
  'POST /orgs/{organizationId}/invites': change('admin', { emails: ['invited@example.com'] }),
  'POST /orgs/{organizationId}/invites/{inviteId}': change('none', undefined, { prepare: make.usedLink }),
  'GET /orgs/{organizationId}/translations': read('admin'),
  'POST /orgs/{organizationId}/translations': add(
    'admin',
    ({ spaceId }) => ({ source: { space: spaceId, language: 'en' }, language: 'es' }),
    { prepare: make.space },
  ),
  'GET /orgs/{organizationId}/translations/{translationId}': read('admin'),
  'PUT /orgs/{organizationId}/translations/{translationId}': change('admin', {
    instructions: { object: 'document', data: { schemaVersion: 8 }, nodes: [] },
  }),
  'DELETE /orgs/{organizationId}/translations/{translationId}': done('admin', undefined, { prepare: make.translation }),
  'POST /orgs/{organizationId}/translations/{translationId}/run': done('admin', undefined),
  'GET /orgs/{organizationId}/translations/{translationId}/export': read('admin', { query: { format: 'xliff' } }),
  'POST /orgs/{organizationId}/translations/{translationId}/import': change('admin', {
    format: 'po',
    content: 'msgid "Begin here."\nmsgstr "Empiece."\n',
  }),
  'GET /orgs/{organizationId}/translations/{translationId}/pages': read('admin'),
  'GET /orgs/{organizationId}/translations/{translationId}/segments': read('admin'),
  'GET /orgs/{organizationId}/translations/{translationId}/segments/{segmentId}': read('admin', {
    prepare: make.translation,
  }),
  'PATCH /orgs/{organizationId}/translations/{translationId}/segments/{segmentId}': change(
    'admin',
    { target: 'Empiece aquí.' },
    { prepare: make.translation },
  ),
  'GET /orgs/{organizationId}/translations-glossary': read('admin'),
  'PUT /orgs/{organizationId}/translations-glossary': done('admin', {
    operations: [{ type: 'insert', translations: { en: 'space', es: 'espacio' } }],
  }),
  'GET /orgs/{organizationId}/translations-glossary/{glossaryEntryId}': read('admin'),
  'POST /orgs/{organizationId}/conversations': done('admin', {
    id: 'permissions',
    parts: [{ type: 'message', role: 'user', body: 'How is this done?' }],
  }),
  'GET /orgs/{organizationId}/conversations': read('edit'),
  'GET /orgs/{organizationId}/conversations/{conversationId}': read('edit'),
  'DELETE /orgs/{organizationId}/conversations/{conversationId}': done('admin', undefined, {
    prepare: make.conversation,
  }),
  'GET /orgs/{organizationId}/conversations-sources': read('edit'),
  'DELETE /orgs/{organizationId}/conversations-sources/{source}': done('admin', undefined, {
    prepare: make.conversationsSource,
  }),
  'GET /orgs/{organizationId}/conversations-issues': read('edit'),
  'GET /orgs/{organizationId}/conversations-issues/{issueId}': read('edit'),
  'GET /orgs/{organizationId}/conversations-clusters': read('edit'),
  'GET /orgs/{organizationId}/conversations-clusters/{clusterId}': read('edit'),
  'PATCH /orgs/{organizationId}/conversations-clusters/{clusterId}': change('review', {
    label: 'Changed',
    reviewed: true,
  }),
  'POST /orgs/{organizationId}/conversations-clusters/{clusterId}/merge': add(
    'review',
    ({ otherClusterId }) => ({ cluster: otherClusterId }),
    { prepare: make.clusters },
  ),
  'POST /orgs/{organizationId}/conversations-clusters/{clusterId}/split': add(
    'review',
    ({ issueId }) => ({ issues: [issueId] }),
    { prepare: make.clusters },
  ),
  'GET /orgs/{organizationId}/conversations-decisions': read('edit'),
  'GET /orgs/{organizationId}/conversations-decisions/{decisionId}': read('edit'),
  'DELETE /orgs/{organizationId}/conversations-decisions/{decisionId}': done('review', undefined, {
    prepare: make.decision,
  }),
  'GET /orgs/{organizationId}/conversations-themes': read('edit'),
  'GET /orgs/{organizationId}/conversations-themes/{themeId}': read('edit'),
  'GET /orgs/{organizationId}/conversations-clusters/{clusterId}/coverage': read('edit'),
  'POST /orgs/{organizationId}/conversations-clusters/{clusterId}/change-requests': change('edit', ({ spaceId }) => ({
    space: spaceId,
  })),
  'GET /orgs/{organizationId}/conversations-settings': read('edit'),
  'PATCH /orgs/{organizationId}/conversations-settings': change('admin', { retentionDays: 400 }),
  'POST /auth/exchange': add('open', ({ code }) => ({ code }), { prepare: make.loginCode }),
  'GET /orgs/{organizationId}/sso': read('open'),
  'GET /orgs/{organizationId}/saml': read('admin'),
  'POST /orgs/{organizationId}/saml': add('admin', { label: 'Okta' }),
  'GET /orgs/{organizationId}/saml/{samlProviderId}': read('admin'),
  'PATCH /orgs/{organizationId}/saml/{samlProviderId}': change('admin', ({ teamId }) => ({
    label: newId(),
    defaultTeam: teamId,
  })),
  'DELETE /orgs/{organizationId}/saml/{samlProviderId}': done('admin', undefined, { prepare: make.samlProvider }),
  'POST /orgs/{organizationId}/saml/{samlProviderId}/tests': add('admin', undefined, {
    prepare: make.completeSamlProvider,
  }),
  'GET /orgs/{organizationId}/saml/{samlProviderId}/tests/{samlLoginTestId}': read('admin', {
    prepare: make.samlLoginTest,
  }),
  'GET /orgs/{organizationId}/scim/v2/Users': read('admin', { query: { filter: 'userName eq "ada@example.com"' } }),
  'POST /orgs/{organizationId}/scim/v2/Users': add('admin', () => ({ userName: `${newId()}@example.com` })),
  'GET /orgs/{organizationId}/scim/v2/Users/{userId}': read('admin'),
  'PUT /orgs/{organizationId}/scim/v2/Users/{userId}': change(
    'admin',
    () => ({ userName: newId(), roles: [{ value: 'edit' }] }),
    {
      prepare: make.provisioned,
    },
  ),
  'PATCH /orgs/{organizationId}/scim/v2/Users/{userId}': change(
    'admin',
    { Operations: [{ op: 'replace', path: 'active', value: false }] },
    { prepare: make.provisioned },
  ),
  'DELETE /orgs/{organizationId}/scim/v2/Users/{userId}': done('admin', undefined, { prepare: make.provisioned }),
  'GET /orgs/{organizationId}/scim/v2/Groups': read('admin', { query: { filter: 'displayName eq "Writers"' } }),
  'POST /orgs/{organizationId}/scim/v2/Groups': add('admin', () => ({ displayName: `Writers ${newId()}` })),
  'GET /orgs/{organizationId}/scim/v2/Groups/{teamId}': read('admin'),
  'PUT /orgs/{organizationId}/scim/v2/Groups/{teamId}': change('admin', ({ userId }) => ({
    displayName: newId(),
    members: [{ value: userId }],
  })),
  'PATCH /orgs/{organizationId}/scim/v2/Groups/{teamId}': change('admin', ({ userId }) => ({
    Operations: [{ op: 'remove', path: `members[value eq "${userId ?? ''}"]` }],
  })),
  'DELETE /orgs/{organizationId}/scim/v2/Groups/{teamId}': done('admin', undefined, { prepare: make.team }),
  'GET /orgs/{organizationId}/scim/v2/ServiceProviderConfig': read('admin'),
  'GET /orgs/{organizationId}/scim/v2/ResourceTypes': read('admin'),
  'GET /orgs/{organizationId}/scim/v2/ResourceTypes/{resourceTypeId}': read('admin', { prepare: make.scimNames }),
  'GET /orgs/{organizationId}/scim/v2/Schemas': read('admin'),
  'GET /orgs/{organizationId}/scim/v2/Schemas/{schemaId}': read('admin', { prepare: make.scimNames }),
  'GET /orgs/{organizationId}/oidc': read('admin'),
  'POST /orgs/{organizationId}/oidc': add('admin', { label: 'Keycloak' }),
  'GET /orgs/{organizationId}/oidc/{oidcProviderId}': read('admin'),
  'PATCH /orgs/{organizationId}/oidc/{oidcProviderId}': change('admin', ({ teamId }) => ({
    label: newId(),
    defaultTeam: teamId,
  })),
  'DELETE /orgs/{organizationId}/oidc/{oidcProviderId}': done('admin', undefined, { prepare: make.oidcProvider }),
  'POST /orgs/{organizationId}/oidc/{oidcProviderId}/tests': add('admin', undefined, {
    prepare: make.completeOidcProvider,
  }),
  'GET /orgs/{organizationId}/oidc/{oidcProviderId}/tests/{oidcLoginTestId}': read('admin', {
    prepare: make.oidcLoginTest,
  }),
  'POST /orgs/{organizationId}/webhooks': add('admin', { url: 'http://127.0.0.1:9/', events: ['*'] }),
  'GET /orgs/{organizationId}/audit-events': read('admin'),
  'GET /orgs/{organizationId}/audit-events/{auditEventId}': read('admin', { prepare: make.auditEvent }),
  'GET /orgs/{organizationId}/audit-event-actions': read('admin'),
  'GET /orgs/{organizationId}/audit-event-former-members': read('admin'),
  'GET /orgs/{organizationId}/webhooks': read('admin'),
  'GET /orgs/{organizationId}/webhooks/{webhookId}': read('admin'),
  'PATCH /orgs/{organizationId}/webhooks/{webhookId}': change('admin', { description: 'Changed' }),
  'DELETE /orgs/{organizationId}/webhooks/{webhookId}': done('admin', undefined, { prepare: make.webhook }),
  'POST /orgs/{organizationId}/webhooks/{webhookId}/rotate-secret': change('admin', {}),
  'POST /orgs/{organizationId}/webhooks/{webhookId}/ping': add('admin', undefined),
  'GET /orgs/{organizationId}/webhooks/{webhookId}/deliveries': read('admin'),
  'GET /orgs/{organizationId}/webhooks/{webhookId}/deliveries/{deliveryId}': read('admin'),
  'POST /orgs/{organizationId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver': change('admin', undefined),
  'GET /orgs/{organizationId}/openapi': read('read'),
  'POST /orgs/{organizationId}/openapi': add('create', () => ({ slug: newId(), source: { text: 'openapi: 3.1.0' } })),
  'GET /orgs/{organizationId}/openapi/{specSlug}': read('read'),
  'PUT /orgs/{organizationId}/openapi/{specSlug}': change('create', { source: { text: 'openapi: 3.1.0' } }),
  'PATCH /orgs/{organizationId}/openapi/{specSlug}': change(
    'create',
    { visibility: 'public' },
    { prepare: make.specification },
  ),
  'DELETE /orgs/{organizationId}/openapi/{specSlug}': done('create', undefined, { prepare: make.specification }),
  'GET /orgs/{organizationId}/openapi/{specSlug}/versions': read('read'),
  'GET /orgs/{organizationId}/openapi/{specSlug}/versions/latest': read('read'),
  'GET /orgs/{organizationId}/openapi/{specSlug}/versions/latest/content': read('read'),
  'GET /orgs/{organizationId}/openapi/{specSlug}/versions/latest/content/raw': read('read'),
  'GET /orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}': read('read'),
  'GET /orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}/content': read('read'),
  'GET /orgs/{organizationId}/openapi/{specSlug}/versions/{versionId}/changes': read('read'),
};

const permissions = (
  kind: make.GrantKind,
  path = `/${kind}s/{${kind}Id}/permissions`,
  least: AccessLevel = 'create',
): Table => {
  return {
    [`POST ${path}`]: done(least, ({ userId }) => ({ role: 'read', users: [userId] })),
    [`GET ${path}/aggregate`]: read('read'),
    [`GET ${path}/users`]: read('read'),
    [`GET ${path}/users/{userId}/explanation`]: read('read'),
    [`PATCH ${path}/users/{userId}`]: done(least, { role: 'comment' }),
    [`DELETE ${path}/users/{userId}`]: done(least, undefined, { prepare: make.userGrant(kind) }),
    [`GET ${path}/teams`]: read('read'),
    [`PATCH ${path}/teams/{teamId}`]: done(least, { role: 'comment' }),
    [`DELETE ${path}/teams/{teamId}`]: done(least, undefined, { prepare: make.teamGrant(kind) }),
  };
};

const COLLECTIONS: Table = {
  'GET /orgs/{organizationId}/collections': read('none'),
  'POST /orgs/{organizationId}/collections': add('create', { title: 'Collection' }),
  'GET /collections/{collectionId}': read('read'),
  'PATCH /collections/{collectionId}': change('create', { title: 'Changed' }),
  'DELETE /collections/{collectionId}': done('create', undefined, {
    guest: 204,
    outsider: 204,
    prepare: make.collection,
  }),
  'POST /collections/{collectionId}/move': change('create', ({ targetId }) => ({ parent: targetId }), {
    prepare: make.collection,
  }),
  'POST /collections/{collectionId}/transfer': change('create', ({ otherId }) => ({ organization: otherId }), {
    prepare: make.movable(make.collection),
  }),
  'GET /collections/{collectionId}/spaces': read('read'),
  ...permissions('collection'),
};

const SPACES: Table = {
  'GET /orgs/{organizationId}/spaces': read('none'),
  'GET /orgs/{organizationId}/trash': read('none'),
  'GET /orgs/{organizationId}/templates': read('none'),
  'GET /orgs/{organizationId}/templates/{templateId}': read('none'),
  'POST /orgs/{organizationId}/spaces': add('create', { title: 'Space' }),
  'GET /spaces/{spaceId}': read('read'),
  'PATCH /spaces/{spaceId}': change('create', { title: 'Changed' }),
  'DELETE /spaces/{spaceId}': done('create', undefined, { guest: 204, outsider: 204, prepare: make.space }),
  'GET /spaces/{spaceId}/embed': read('read', { query: () => ({ url: UNANSWERED }) }),
  'DELETE /spaces/{spaceId}/trash': done('create', undefined, { denied: 404, prepare: make.deletedSpace }),
  'POST /spaces/{spaceId}/restore': change('create', undefined, { denied: 404, prepare: make.deletedSpace }),
  'POST /spaces/{spaceId}/move': change('create', ({ targetId }) => ({ parent: targetId }), { prepare: make.space }),
  'POST /spaces/{spaceId}/duplicate': add('create', undefined),
  'POST /spaces/{spaceId}/transfer': change('create', ({ otherId }) => ({ organization: otherId }), {
    prepare: make.movable(make.space),
  }),
  'POST /spaces/{spaceId}/import': add('create', undefined, {
    raw: { bytes: tarGzOf({ 'README.md': '# Home' }), type: 'application/gzip' },
  }),
  'POST /spaces/{spaceId}/export': add('read', undefined),
  'POST /spaces/{spaceId}/push': add('edit', undefined, {
    prepare: make.revisionOfSpace,
    query: ({ revisionId = '' }) => ({ base: revisionId }),
    raw: { bytes: tarGzOf({ 'README.md': '# Home' }), type: 'application/gzip' },
  }),
  'POST /spaces/{spaceId}/git/import': done('create', { url: 'https://git.example.com/docs.git', ref: 'main' }),
  'POST /spaces/{spaceId}/git/export': done('create', {
    url: 'https://git.example.com/docs.git',
    ref: 'main',
    commitMessage: 'Changes',
  }),
  'GET /spaces/{spaceId}/git/info': read('read', { prepare: make.repository }),
  'POST /git/installations': add('create', ({ spaceId }) => ({ provider: 'git', target: { type: 'space', spaceId } }), {
    needs: 'space:syncGit',
    guest: 404,
    prepare: make.noGitInstallation,
  }),
  'GET /git/installations/{installationId}': read('create', {
    needs: 'space:syncGit',
    guest: 404,
    prepare: make.gitInstallation,
  }),
  'PATCH /git/installations/{installationId}': change(
    'create',
    { provider: 'gitlab', providerConfiguration: {} },
    { needs: 'space:syncGit', guest: 404, prepare: make.gitInstallation },
  ),
  'DELETE /git/installations/{installationId}': done('create', undefined, {
    needs: 'space:syncGit',
    guest: 204,
    outsider: 204,
    prepare: make.gitInstallation,
  }),
  ...Object.fromEntries(
    [
      'github/repos',
      'github/repos/{accountName}/{repositoryName}/branches',
      'github/repos/{accountName}/{repositoryName}/file',
      'gitlab/projects',
      'gitlab/projects/{projectId}/branches',
      'gitlab/projects/{projectId}/file',
    ].map((list) => [
      `GET /git/installations/{installationId}/${list}`,
      read('create', {
        ok: NO_FORGE,
        needs: 'space:syncGit',
        guest: 404,
        ...(list.endsWith('file') && { query: { path: 'README.md', ref: 'main' } }),
        prepare: make.gitInstallation,
      }),
    ]),
  ),
  'POST /git/installations/{installationId}/plan': add(
    'create',
    { priority: 'git' },
    { needs: 'space:syncGit', guest: 404, prepare: make.gitInstallation },
  ),
  'POST /git/installations/{installationId}/sync': add('create', undefined, {
    needs: 'space:syncGit',
    guest: 404,
    prepare: make.gitInstallation,
  }),
  'POST /git/installations/{installationId}/structure-plan': change(
    'admin',
    { priority: 'git' },
    { ok: NO_FORGE, guest: 404, prepare: make.siteGitInstallation },
  ),
  'POST /git/installations/{installationId}/hook': {
    least: 'open',
    ok: 204,
    body: (ids) => ({ ref: 'refs/heads/main', id: ids['installationId'] }),
    headers: make.signedHook,
    prepare: make.gitInstallation,
  },
  'POST /orgs/{organizationId}/storage/upload': add('read', {
    kind: 'import_file',
    file: { name: 'a.md', type: 'text/markdown', size: 10 },
  }),
  'GET /orgs/{organizationId}/screens': read('none'),
  'GET /spaces/{spaceId}/screens': read('read'),
  'GET /orgs/{organizationId}/sites/{siteId}/screens': read('read', { guest: 404 }),
  'GET /orgs/{organizationId}/custom-role-permissions': read('admin'),
  'GET /orgs/{organizationId}/custom-roles': read('admin'),
  'POST /orgs/{organizationId}/custom-roles': add('admin', {
    title: 'Merger',
    base: 'read',
    permissions: ['space:merge'],
  }),
  'GET /orgs/{organizationId}/custom-roles/{customRoleId}': read('admin'),
  'PATCH /orgs/{organizationId}/custom-roles/{customRoleId}': change('admin', { title: 'Renamed' }),
  'DELETE /orgs/{organizationId}/custom-roles/{customRoleId}': done('admin', undefined, { prepare: make.customRole }),
  'GET /orgs/{organizationId}/fonts': read('read'),
  'PUT /orgs/{organizationId}/fonts': add('admin', ({ uploadId }) => ({
    fontFamily: 'Acme Serif',
    fontFaces: [{ weight: 400, storageKey: uploadId }],
  })),
  'GET /orgs/{organizationId}/fonts/{fontId}': read('read'),
  'POST /orgs/{organizationId}/fonts/{fontId}': add('admin', { fontFamily: 'Acme' }),
  'DELETE /orgs/{organizationId}/fonts/{fontId}': done('admin', undefined, { prepare: make.customFont }),
  'GET /org/{organizationId}/imports': read('none'),
  'POST /org/{organizationId}/imports': add(
    'edit',
    ({ spaceId }) => ({ source: { type: 'website', url: 'https://docs.example.com/' }, target: { space: spaceId } }),
    { guest: 400, needs: 'space:edit' },
  ),
  'GET /org/{organizationId}/imports/{importRunId}': read('edit', { prepare: make.importRun, needs: 'space:edit' }),
  'POST /org/{organizationId}/imports/{importRunId}/cancel': add('edit', undefined, {
    prepare: make.importRun,
    needs: 'space:edit',
  }),
  ...permissions('space'),
  'GET /spaces/{spaceId}/permissions/pages': read('create'),
  'GET /spaces/{spaceId}/permissions/pages/{pageId}': read('create', { prepare: make.limitedPage }),
  'PUT /spaces/{spaceId}/permissions/pages/{pageId}': change(
    'create',
    ({ memberId }) => ({ users: memberId === '' ? [] : [memberId] }),
    { prepare: make.unlimitedPage },
  ),
  'DELETE /spaces/{spaceId}/permissions/pages/{pageId}': done('create', undefined, { prepare: make.limitedPage }),
  'GET /spaces/{spaceId}/presence/stream': read('comment'),
  'PUT /spaces/{spaceId}/presence/{client}': done('comment', {}),
  'GET /spaces/{spaceId}/verifications': read('read'),
  'GET /spaces/{spaceId}/verifications/{pageId}': read('read', { prepare: make.verifiedPage }),
  'PUT /spaces/{spaceId}/verifications/{pageId}': change('review', { until: '2099-01-31T00:00:00.000Z' }),
  'DELETE /spaces/{spaceId}/verifications/{pageId}': done('review', undefined, { prepare: make.verifiedPage }),
};

const place = (path: string): Table => ({
  [`GET ${path}`]: read('read'),
  [`GET ${path}/pages`]: read('read'),
  [`GET ${path}/files`]: read('read'),
  [`GET ${path}/files/{fileId}`]: read('read'),
  [`GET ${path}/page/{pageId}`]: read('read'),
  [`GET ${path}/page/{pageId}/meta-links`]: read('read'),
  [`GET ${path}/page/{pageId}/html`]: read('read'),
  [`GET ${path}/path/{pagePath}`]: read('read'),
  [`GET ${path}/reusable-contents/{reusableContentId}`]: read('read'),
});

const links = (path: string): Table => ({
  [`GET ${path}/links`]: read('read'),
  [`GET ${path}/content/page/{pageId}/links`]: read('read'),
  [`GET ${path}/content/page/{pageId}/backlinks`]: read('read'),
  [`GET ${path}/content/files/{fileId}/backlinks`]: read('read'),
});

const REVISION = '/spaces/{spaceId}/revisions/{revisionId}';
const CR = '/spaces/{spaceId}/change-requests/{changeRequestId}';
const UPLOAD = { query: { name: 'a.txt' }, raw: { bytes: Buffer.from('text'), type: 'text/plain' } };
const WRITE = { changes: [{ operation: 'insert_page', title: 'Written' }] };

const CONTENT: Table = {
  ...place('/spaces/{spaceId}/content'),
  ...place(`${CR}/content`),
  ...place(REVISION),
  ...links('/spaces/{spaceId}'),
  ...links(CR),
  [`GET ${REVISION}/page/{pageId}/document`]: read('read'),
  [`GET ${REVISION}/reusable-contents/{reusableContentId}/document`]: read('read'),
  [`GET ${REVISION}/changes`]: read('read'),
  [`GET ${REVISION}/changes/{pageId}/diff`]: read('read'),
  [`GET ${REVISION}/changes/reusable-contents/{reusableContentId}/diff`]: read('read'),
  'GET /spaces/{spaceId}/revisions': read('read'),
  [`GET ${CR}/revisions`]: read('read'),
  [`POST ${REVISION}/rollback`]: change('edit', undefined, { prepare: make.writtenSince }),
  'GET /spaces/{spaceId}/documents/{documentId}': read('read'),
  'GET /spaces/{spaceId}/search': read('read', { query: { query: 'hello' } }),
  'POST /spaces/{spaceId}/content': change('edit', WRITE),
  'POST /spaces/{spaceId}/content/files': add('edit', undefined, UPLOAD),
  [`POST ${CR}/content/files`]: add('edit', undefined, UPLOAD),
  'POST /spaces/{spaceId}/content/computed/document': change('read', ({ specSlug = '' }) => ({
    source: computedSource(specSlug, { doc: 'models' }),
    seed: 'seed',
  })),
  'POST /spaces/{spaceId}/content/computed/revision': change('read', ({ specSlug = '' }) => ({
    source: computedSource(specSlug, { models: true }),
    seed: 'seed',
  })),
  'POST /spaces/{spaceId}/content/template': done('edit', { id: 'changelog' }),
  [`POST ${CR}/content`]: change('edit', WRITE),
  [`POST ${CR}/content/render`]: change('read', { markdown: 'Words' }),
  'POST /spaces/{spaceId}/content/render': change('read', { markdown: 'Words' }),
  'GET /orgs/{organizationId}/change-requests': read('none'),
  'GET /spaces/{spaceId}/change-requests': read('read'),
  'POST /spaces/{spaceId}/change-requests': add('edit', { subject: 'Proposal' }),
  [`GET ${CR}`]: read('read'),
  [`PATCH ${CR}`]: change('edit', { subject: 'Changed' }),
  [`POST ${CR}/merge`]: change('review', undefined, { prepare: make.changeRequest }),
  [`POST ${CR}/update`]: change('edit', undefined, { prepare: make.changeRequest }),
  'GET /spaces/{spaceId}/pdf': read('read'),
  [`GET ${CR}/pdf`]: read('read'),
  [`POST ${CR}/comments/{commentId}/suggestion/apply`]: change('edit', undefined, { prepare: make.suggestion }),
  [`GET ${CR}/conflicts`]: read('read'),
  [`GET ${CR}/merge-checks`]: read('read'),
  [`GET ${CR}/changes`]: read('read'),
  'POST /spaces/{spaceId}/merge-rules/test': change('create', { mergeRules: { type: 'none' }, facts: {} }),
  'POST /orgs/{organizationId}/merge-rules/test': change('admin', { mergeRules: { type: 'none' }, facts: {} }),
  [`PUT ${CR}/changes/{pageId}/viewed`]: done('read', { viewed: true }, { prepare: make.changedPage }),
  [`POST ${CR}/revert`]: add('edit', undefined, { prepare: make.mergedRequest }),
  [`GET ${CR}/preview`]: read('read'),
  [`GET ${CR}/changes/{pageId}/diff`]: read('read'),
  [`GET ${CR}/changes/reusable-contents/{reusableContentId}/diff`]: read('read'),
  [`GET ${CR}/reviews`]: read('read'),
  [`POST ${CR}/reviews`]: add('review', { status: 'approved' }),
  [`GET ${CR}/reviews/{reviewId}`]: read('read', { prepare: make.review }),
  [`GET ${CR}/requested-reviewers`]: read('read'),
  [`POST ${CR}/requested-reviewers`]: change('edit', ({ userId }) => ({ users: [userId] })),
  [`DELETE ${CR}/requested-reviewers/{userId}`]: done('edit', undefined),
  [`GET ${CR}/contributors`]: read('read'),
  [`GET ${CR}/pull-request`]: read('read', { prepare: make.pullRequest }),
  [`POST ${CR}/pull-request`]: add('create', {}, { prepare: make.gitInstallation }),
};

/** Comments of one of the two places; those that are named are the place's own. */
const discussion = (path: string, place: make.Discussed): Table => {
  const [comment, reply] = [`${path}/comments/{commentId}`, `${path}/comments/{commentId}/replies/{commentReplyId}`];
  const body = { markdown: 'Really?' };
  const there = { prepare: make.discussed(place) };
  return {
    [`GET ${path}/commenters`]: read('read'),
    [`GET ${path}/comments`]: read('read'),
    [`POST ${path}/comments`]: change('comment', { body }),
    [`GET ${comment}`]: read('read', there),
    [`PUT ${comment}`]: change('comment', { addedReactions: ['1f44d'] }, there),
    [`DELETE ${comment}`]: done('comment', undefined, { prepare: make.ownComment(place) }),
    [`GET ${comment}/replies`]: read('read', there),
    [`POST ${comment}/replies`]: change('comment', { body }, there),
    [`GET ${reply}`]: read('read', there),
    [`PUT ${reply}`]: change('comment', { addedReactions: ['1f44d'] }, there),
    [`DELETE ${reply}`]: done('comment', undefined, { prepare: make.ownReply(place) }),
  };
};

const DISCUSSIONS: Table = { ...discussion('/spaces/{spaceId}', 'space'), ...discussion(CR, 'request') };

const SITE = '/orgs/{organizationId}/sites/{siteId}';
/** Things of a site are as invisible to guests as the site. */
const site = (row: Row): Row => ({ guest: 404, ...row });

const SITES: Table = {
  'GET /orgs/{organizationId}/sites': read('none'),
  'POST /orgs/{organizationId}/sites': add('create', { title: 'Site' }),
  'GET /urls/embed': read('anybody', { query: () => ({ url: UNANSWERED }) }),
  'GET /urls/content': read('read', { query: ({ address = '' }) => ({ url: address }), prepare: make.spaceAddress }),
  [`GET ${SITE}`]: site(read('read')),
  [`PATCH ${SITE}`]: site(change('admin', { title: 'Changed' })),
  [`DELETE ${SITE}`]: site(done('admin', undefined, { guest: 204, prepare: make.site })),
  [`POST ${SITE}/publish`]: site(change('admin', undefined)),
  [`POST ${SITE}/unpublish`]: site(change('admin', undefined)),
  [`GET ${SITE}/published`]: site(read('read', { prepare: make.publication })),
  [`GET ${SITE}/structure`]: site(read('read')),
  [`GET ${SITE}/adaptive-schema`]: site(read('read', { prepare: make.adaptiveSchema })),
  [`PUT ${SITE}/adaptive-schema`]: site(change('admin', make.ADAPTIVE_SCHEMA)),
  [`GET ${SITE}/adaptive-schema/template-conditions`]: site(read('read')),
  [`GET ${SITE}/ip-allow-list`]: site(read('admin')),
  [`PUT ${SITE}/ip-allow-list`]: site(change('admin', { ranges: ['127.0.0.1'] })),
  [`GET ${SITE}/spaces/git/installations`]: site(read('admin')),
  [`GET ${SITE}/share-links`]: site(read('admin')),
  [`POST ${SITE}/share-links`]: site(add('admin', { name: 'For the auditors' })),
  [`PATCH ${SITE}/share-links/{shareLinkId}`]: site(change('admin', { active: false })),
  [`DELETE ${SITE}/share-links/{shareLinkId}`]: site(done('admin', undefined, { prepare: make.shareLink })),
  [`GET ${SITE}/publishing/auth`]: site(read('admin')),
  [`PATCH ${SITE}/publishing/auth`]: site(
    change('admin', { backend: 'custom', fallbackURL: 'https://app.example.com/login' }),
  ),
  [`POST ${SITE}/publishing/auth/regenerate`]: site(change('admin', undefined)),
  [`GET ${SITE}/publishing/preview`]: site(read('read')),
  'POST /urls/published': {
    least: 'open',
    ok: 200,
    body: ({ basename }) => ({ url: `http://localhost/${basename}` }),
    prepare: make.publishedAddress,
  },
  ...Object.fromEntries(
    Object.entries(permissions('site', `${SITE}/permissions`, 'admin')).map(([operation, row]) => [
      operation,
      site(row),
    ]),
  ),
  [`PATCH ${SITE}/structure/sort`]: site(
    change('admin', ({ siteSectionId }) => ({ item: { type: 'site-section', id: siteSectionId }, position: {} })),
  ),
  [`POST ${SITE}/section-groups/{siteSectionGroupId}/move`]: site(change('admin', {})),
  [`POST ${SITE}/search`]: site(change('read', { query: 'hello', scope: { mode: 'all' } })),
  [`POST ${SITE}/insights/events`]: site(done('read', EVENTS_EXAMPLE)),
  [`POST ${SITE}/insights/events/aggregate`]: site(change('read', AGGREGATION_EXAMPLE)),
  [`GET ${SITE}/insights/visitor-segments`]: site(read('read')),
  [`GET ${SITE}/search-queries`]: site(read('read')),
  [`GET ${SITE}/missing-addresses`]: site(read('read')),
  [`GET ${SITE}/questions`]: site(read('edit')),
  [`GET ${SITE}/questions/{siteQuestionId}`]: site(read('edit')),
  [`GET ${SITE}/question-stats`]: site(read('edit')),
  [`GET ${SITE}/findings`]: site(read('edit')),
  [`GET ${SITE}/stats/findings`]: site(read('edit')),
  [`GET ${SITE}/findings/{siteFindingId}`]: site(read('edit')),
  [`PATCH ${SITE}/findings/{siteFindingId}`]: site(change('review', { status: 'done' })),
  [`GET ${SITE}/findings/{siteFindingId}/questions`]: site(read('edit')),
  [`GET ${SITE}/findings/{siteFindingId}/change-requests`]: site(read('edit')),
  [`POST ${SITE}/findings/{siteFindingId}/change-requests`]: site({ least: 'edit', ok: 202 }),
  [`POST ${SITE}/ask`]: site(change('read', { question: 'hello', scope: { mode: 'all' } })),
  [`GET ${SITE}/ask/questions`]: site(read('read')),
  [`POST ${SITE}/template`]: site(change('admin', undefined, { prepare: make.site })),
  [`GET ${SITE}/redirects`]: site(read('read')),
  [`POST ${SITE}/redirects`]: site(
    add('admin', ({ siteSpaceId }) => ({ source: `/${newId()}`, destination: { kind: 'site-space', siteSpaceId } })),
  ),
  [`PUT ${SITE}/redirects`]: site(
    change('admin', () => ({
      redirects: [{ source: `/${newId()}`, destination: { kind: 'external', url: 'https://example.com/' } }],
    })),
  ),
  [`POST ${SITE}/redirects/import`]: site(
    change('admin', () => ({ redirects: { [newId()]: 'https://example.com/' } })),
  ),
  [`PATCH ${SITE}/redirects/{siteRedirectId}`]: site(change('admin', () => ({ source: `/${newId()}` }))),
  [`DELETE ${SITE}/redirects/{siteRedirectId}`]: site(done('admin', undefined, { prepare: make.redirect })),
  [`GET ${SITE}/redirect`]: site(read('read', { query: { source: '/old/page' } })),
  [`GET ${SITE}/customization`]: site(read('read')),
  [`PUT ${SITE}/customization`]: site(change('admin', DEFAULT_CUSTOMIZATION)),
  [`POST ${SITE}/customization/preview`]: site(change('admin', DEFAULT_CUSTOMIZATION)),
  'GET /custom-hostnames/{hostname}': read('read', { guest: 404 }),
  'PATCH /custom-hostnames/{hostname}': done('admin', undefined, { guest: 404 }),
  'DELETE /custom-hostnames/{hostname}': done('admin', undefined, {
    guest: 204,
    outsider: 204,
    prepare: make.customHostname,
  }),
  [`GET ${SITE}/site-spaces`]: site(read('read')),
  [`POST ${SITE}/site-spaces`]: site(add('admin', ({ spaceId }) => ({ spaceId }), { prepare: make.space })),
  [`POST ${SITE}/site-spaces/{siteSpaceId}/duplicate`]: site(add('admin', { draft: true })),
  [`PATCH ${SITE}/site-spaces/{siteSpaceId}`]: site(change('admin', { path: 'changed' })),
  [`DELETE ${SITE}/site-spaces/{siteSpaceId}`]: site(done('admin', undefined, { prepare: make.siteSpace })),
  [`POST ${SITE}/site-spaces/{siteSpaceId}/move`]: site(change('admin', {})),
  [`GET ${SITE}/site-spaces/{siteSpaceId}/customization`]: site(read('read')),
  [`PATCH ${SITE}/site-spaces/{siteSpaceId}/customization`]: site(change('admin', { title: 'Changed' })),
  [`POST ${SITE}/site-spaces/{siteSpaceId}/customization/preview`]: site(change('admin', { title: 'Changed' })),
  [`DELETE ${SITE}/site-spaces/{siteSpaceId}/customization`]: site(done('admin', undefined)),
  [`GET ${SITE}/sections`]: site(read('read')),
  [`POST ${SITE}/sections`]: site(add('admin', ({ spaceId }) => ({ spaceId }), { prepare: make.space })),
  [`PATCH ${SITE}/sections/{siteSectionId}`]: site(change('admin', { title: 'Changed' })),
  [`DELETE ${SITE}/sections/{siteSectionId}`]: site(done('admin', undefined, { prepare: make.section })),
  [`POST ${SITE}/sections/{siteSectionId}/move`]: site(change('admin', {})),
  [`POST ${SITE}/external-links`]: site(add('admin', { title: 'Community', url: 'https://community.example.com/' })),
  [`PATCH ${SITE}/external-links/{siteExternalLinkId}`]: site(change('admin', { title: 'Changed' })),
  [`DELETE ${SITE}/external-links/{siteExternalLinkId}`]: site(
    done('admin', undefined, { prepare: make.externalLink }),
  ),
  [`GET ${SITE}/section-groups`]: site(read('read')),
  [`POST ${SITE}/section-groups`]: site(add('admin', { title: 'Group' })),
  [`PATCH ${SITE}/section-groups/{siteSectionGroupId}`]: site(change('admin', { title: 'Changed' })),
  [`DELETE ${SITE}/section-groups/{siteSectionGroupId}`]: site(
    done('admin', undefined, { prepare: make.sectionGroup }),
  ),
  [`POST ${SITE}/section-groups/{siteSectionGroupId}/sections`]: site(
    add('admin', ({ siteSectionId }) => ({ sectionId: siteSectionId }), { prepare: make.section }),
  ),
  [`DELETE ${SITE}/section-groups/{siteSectionGroupId}/sections/{siteSectionId}`]: site(
    done('admin', undefined, { prepare: make.groupedSection }),
  ),
};

/** Every operation, as method and path below `/v1`. */
export const ROWS: Table = {
  ...USERS,
  ...ORGANIZATIONS,
  ...COLLECTIONS,
  ...SPACES,
  ...CONTENT,
  ...DISCUSSIONS,
  ...SITES,
};
