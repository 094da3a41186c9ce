import { Readable } from 'node:stream';
import type { AccessLevel } from '../../src/kernel/common/roles.js';
import { newId } from '../../src/kernel/common/ids.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { Blobs } from '../../src/kernel/platform/storage/blobs.js';
import { LoginTokens } from '../../src/identity/sso/login-tokens.service.js';
import type { TestApp } from '../app.js';
import { buildOrganization, type Person, type Workspace } from '../build.js';
import type { Answer, Client } from '../client.js';
import { inSession, linkFor } from '../session-client.js';
import { makeIdentity } from '../security/saml/certificates.js';
import { questionId, siteSource } from '../../src/insight/conversations/domain/site-question.js';
import { SegmentRecords } from '../../src/insight/translations/segments/segment-records.js';
import { QuestionRecorder } from '../../src/insight/conversations/question-recorder.js';

/** The parameters of paths, and `targetId`, a collection to move things into. */
export type Ids = Readonly<Record<string, string>>;

/** An organization with one thing of each kind, made by its founder, who is none of those who are tried. */
export interface World {
  readonly app: TestApp;
  readonly workspace: Workspace;
  readonly ids: Ids;
  /** Who is being tried. */
  readonly person: Person;
}

interface Made {
  id: string;
}

function body<Body>(answer: Answer<Body>): Body {
  if (answer.status >= 300)
    throw new Error(`the world could not be made: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** The client with which a row is asked for a person. */
export async function clientFor(row: { readonly session?: true }, app: TestApp, { id, api }: Person): Promise<Client> {
  return row.session && id !== '' ? inSession(app, id) : api;
}

const founder = ({ workspace }: World) => workspace.admin.api;

export async function member({ workspace }: World): Promise<Ids> {
  return { userId: (await workspace.member('read')).id };
}

/** Everybody may change themselves, which the administrator does; the others try somebody else. */
export function ownId({ person, ids }: World): Promise<Ids> {
  const userId = (person.id === ids['adminId'] ? person.id : ids['userId']) ?? '';
  return Promise.resolve({ userId });
}

/** Another organization, which admits the addresses of everybody here. */
export async function joinable({ app }: World): Promise<Ids> {
  const { id, admin } = await buildOrganization(app);
  body(await admin.api.patch(`/orgs/${id}`, { emailDomains: ['example.com'] }));
  return { organizationId: id };
}

export async function invitation(world: World): Promise<Ids> {
  const email = `${newId().toLowerCase()}@example.com`;
  body(await founder(world).post(`/orgs/${world.workspace.id}/invites`, { emails: [email] }));
  const listed = body(
    await founder(world).get<{ items: { email: string; urls: { accept?: string } }[] }>(
      `/orgs/${world.workspace.id}/invites`,
    ),
  );
  return {
    secret:
      listed.items
        .find((each) => each.email === email)
        ?.urls.accept?.split('/')
        .at(-1) ?? '',
  };
}

export async function signInLink({ app, workspace }: World): Promise<Ids> {
  return { secret: await linkFor(app, (await workspace.member('read')).id) };
}

/** Another session of the person who asks; there is none for those without an account. */
export async function ownSession({ app, person }: World): Promise<Ids> {
  return { sessionId: person.id === '' ? newId() : (await inSession(app, person.id)).session.id };
}

export async function signedInMember(world: World): Promise<Ids> {
  const ids = await member(world);
  await inSession(world.app, ids['userId'] ?? '');
  return ids;
}

export async function inviteLink(world: World, role: AccessLevel | null = 'read'): Promise<Ids> {
  return { inviteId: body(await founder(world).post<Made>(`/orgs/${world.workspace.id}/link-invites`, { role })).id };
}

/** A link that gives members nothing more than they have; people outside only guess one. */
export async function usedLink(world: World): Promise<Ids> {
  return world.person.id === world.ids['outsiderId'] ? { inviteId: newId() } : inviteLink(world, null);
}

export async function webhook(world: World): Promise<Ids> {
  return {
    webhookId: body(
      await founder(world).post<Made>(`/orgs/${world.workspace.id}/webhooks`, {
        url: 'http://127.0.0.1:9/',
        events: ['team_created'],
      }),
    ).id,
  };
}

export async function auditEvent(world: World): Promise<Ids> {
  const { items } = body(
    await founder(world).get<{ items: Made[] }>(`/orgs/${world.workspace.id}/audit-events`, { query: { limit: 1 } }),
  );
  return { auditEventId: items[0]?.id ?? '' };
}

export async function provisioned(world: World): Promise<Ids> {
  const userName = `${newId()}@example.com`;
  const path = `/orgs/${world.workspace.id}/scim/v2/Users`;
  return { userId: body(await founder(world).post<Made>(path, { userName })).id };
}

/** Names of what SCIM describes. */
export const scimNames = (): Promise<Ids> =>
  Promise.resolve({ resourceTypeId: 'User', schemaId: 'urn:ietf:params:scim:schemas:core:2.0:Group' });

export async function samlProvider(world: World): Promise<Ids> {
  return {
    samlProviderId: body(await founder(world).post<Made>(`/orgs/${world.workspace.id}/saml`, { label: 'Provider' })).id,
  };
}

/** A provider with all settings. */
export async function completeSamlProvider(world: World): Promise<Ids> {
  const settings = {
    label: 'Provider',
    entityID: 'https://idp.example.com',
    ssoURL: 'https://idp.example.com',
    certificate: makeIdentity().certificate,
  };
  return {
    samlProviderId: body(await founder(world).post<Made>(`/orgs/${world.workspace.id}/saml`, settings)).id,
  };
}

/** A test login of those who may begin one; others guess. */
async function loginTest(world: World, protocol: string, providerId: string): Promise<string> {
  const begun = await world.person.api.post<Made>(`/orgs/${world.workspace.id}/${protocol}/${providerId}/tests`);
  return begun.status === 201 ? begun.body.id : newId();
}

export async function samlLoginTest(world: World): Promise<Ids> {
  const { samlProviderId = '' } = await completeSamlProvider(world);
  return { samlProviderId, samlLoginTestId: await loginTest(world, 'saml', samlProviderId) };
}

export async function oidcLoginTest(world: World): Promise<Ids> {
  const { oidcProviderId = '' } = await completeOidcProvider(world);
  return { oidcProviderId, oidcLoginTestId: await loginTest(world, 'oidc', oidcProviderId) };
}

/** A provider with all settings, which does not answer. */
export async function completeOidcProvider(world: World): Promise<Ids> {
  const settings = { label: 'Provider', issuer: 'http://127.0.0.1:9', clientID: 'bindery', clientSecret: 'secret' };
  return {
    oidcProviderId: body(await founder(world).post<Made>(`/orgs/${world.workspace.id}/oidc`, settings)).id,
  };
}

export async function oidcProvider(world: World): Promise<Ids> {
  return {
    oidcProviderId: body(
      await founder(world).post<Made>(`/orgs/${world.workspace.id}/oidc`, {
        label: 'Provider',
        clientSecret: 'known-to-both-sides',
      }),
    ).id,
  };
}

/** As a login leaves it behind. */
export async function loginCode(world: World): Promise<Ids> {
  const login = {
    userId: world.workspace.admin.id,
    organizationId: world.workspace.id,
    providerId: world.ids['samlProviderId'] ?? '',
    sessionUntil: null,
  };
  return { code: await world.app.get(LoginTokens).issueCode(login) };
}

export async function translation(world: World): Promise<Ids> {
  const { spaceId } = await space(world);
  const made = body(
    await founder(world).post<Made & { result: { space: string } }>(`/orgs/${world.workspace.id}/translations`, {
      source: { space: spaceId, language: 'en' },
      language: 'es',
    }),
  );
  return { translationId: made.id, segmentId: await segment(world, made.id, made.result.space) };
}

/** A text as a run leaves it behind, of a page that is gone since. */
async function segment(world: World, translationId: string, resultSpaceId: string): Promise<string> {
  const organizationId = world.workspace.id;
  await world.app.get(SegmentRecords).replace(
    { organizationId, translationId, resultSpaceId },
    [
      {
        ...{ kind: 'page', sourceItemId: newId(), itemId: newId() },
        segments: [{ source: ['Begin here.'], target: ['Comience aquí.'], isCorrected: false, isUntranslated: false }],
      },
    ],
    new AbortController().signal,
  );
  const path = `/orgs/${organizationId}/translations/${translationId}/segments`;
  return body(await founder(world).get<{ items: readonly Made[] }>(path)).items[0]?.id ?? '';
}

/** A font that was uploaded. */
export async function uploadedFont(world: World): Promise<Ids> {
  const { key } = body(
    await founder(world).post<{ key: string }>(`/orgs/${world.workspace.id}/storage/upload`, {
      kind: 'customization_font',
      file: { name: 'acme.woff2', type: 'font/woff2', size: 4 },
    }),
  );
  const { hash } = await world.app
    .get(Blobs)
    .store(Readable.from([Buffer.from('font')]), { name: 'acme.woff2', maxBytes: 4 });
  await world.app.database.execute(`UPDATE upload SET hash = decode($2, 'hex') WHERE id = $1`, [key, hash]);
  return { uploadId: key };
}

export async function customRole(world: World): Promise<Ids> {
  const role = { title: 'Editor of links', base: 'read', permissions: ['site:manageRedirects'] };
  return { customRoleId: body(await founder(world).post<Made>(`/orgs/${world.workspace.id}/custom-roles`, role)).id };
}

export async function customFont(world: World): Promise<Ids> {
  const { uploadId } = await uploadedFont(world);
  return {
    fontId: body(
      await founder(world).put<Made>(`/orgs/${world.workspace.id}/fonts`, {
        fontFamily: 'Acme Sans',
        fontFaces: [{ weight: 400, storageKey: uploadId }],
      }),
    ).id,
  };
}

async function glossaryEntry(world: World): Promise<Ids> {
  const path = `/orgs/${world.workspace.id}/translations-glossary`;
  body(
    await founder(world).put(path, { operations: [{ type: 'insert', translations: { en: 'page', es: 'página' } }] }),
  );
  return { glossaryEntryId: body(await founder(world).get<{ items: readonly Made[] }>(path)).items[0]?.id ?? '' };
}

export async function specification(world: World): Promise<Ids> {
  const specSlug = newId();
  const source = { text: JSON.stringify({ openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: {} }) };
  body(await founder(world).post(`/orgs/${world.workspace.id}/openapi`, { slug: specSlug, source }));
  return { specSlug };
}

async function version(world: World): Promise<Ids> {
  return {
    versionId: body(
      await founder(world).get<Made>(
        `/orgs/${world.workspace.id}/openapi/${world.ids['specSlug'] ?? ''}/versions/latest`,
      ),
    ).id,
  };
}

async function delivery(world: World): Promise<Ids> {
  return {
    deliveryId: body(
      await founder(world).post<Made>(`/orgs/${world.workspace.id}/webhooks/${world.ids['webhookId'] ?? ''}/ping`),
    ).id,
  };
}

async function ingested(world: World, source: string): Promise<string> {
  const id = newId();
  const path = `/orgs/${world.workspace.id}/conversations`;
  body(
    await founder(world).post(
      path,
      { id, parts: [{ type: 'message', role: 'user', body: 'How is this done?' }] },
      { query: { source } },
    ),
  );
  return (
    body(await founder(world).get<{ items: Made[] }>(path, { query: { source, externalId: id } })).items[0]?.id ?? ''
  );
}

export async function conversation(world: World): Promise<Ids> {
  return { conversationId: await ingested(world, 'email') };
}

export async function conversationsSource(world: World): Promise<Ids> {
  const source = `integration:desk:${newId()}`;
  await ingested(world, source);
  return { source };
}

/** A cluster of some issues, all of them in one conversation, that was reviewed, so that no rebuild removes it. */
async function insertCluster({ app, workspace }: World, issues = 1): Promise<string> {
  const id = newId();
  await app.database.execute(
    `WITH theme AS (INSERT INTO issues_theme (id, organization_id, label, icon, summary, created_at, updated_at) VALUES ($1, $2, 'Theme', 'circle', '', now(), now()) RETURNING id)
     INSERT INTO issues_cluster (id, organization_id, theme_id, label, icon, summary, issues, conversations, reviewed_at, created_at, updated_at)
     SELECT $1, $2, id, 'Cluster', 'circle', '', $3::int, least($3::int, 1), now(), now(), now() FROM theme`,
    [id, workspace.id, issues],
  );
  return id;
}

/** An issue of the last conversation from a source, in a cluster. The conversation is read then, so that nobody replaces it. */
async function insertIssue({ app, workspace }: World, clusterId: string, source: string): Promise<string> {
  const id = newId();
  await app.database.execute(
    `WITH c AS (UPDATE conversation SET processed_at = now()
       WHERE id = (SELECT max(c.id) FROM conversation c JOIN conversation_source s ON s.id = c.source_id WHERE s.organization_id = $2 AND s.name = $4) RETURNING *)
     INSERT INTO conversation_issue (id, organization_id, conversation_id, source_id, cluster_id, model_version, title, summary, text, language, created_at, ingested_at)
     SELECT $1, $2, c.id, c.source_id, $3, 0, 'Issue', '', 'How is this done?', 'en', c.created_at, c.ingested_at FROM c`,
    [id, workspace.id, clusterId, source],
  );
  return id;
}

/** A cluster with an issue of a conversation, as they are found in the background. */
async function cluster(world: World): Promise<Ids> {
  const clusterId = await insertCluster(world);
  return { clusterId, themeId: clusterId, issueId: await insertIssue(world, clusterId, 'email') };
}

/** Two clusters, one of which has two issues. */
export async function clusters(world: World): Promise<Ids> {
  const [clusterId, otherClusterId] = [await insertCluster(world, 2), await insertCluster(world, 0)];
  const issueId = await insertIssue(world, clusterId, 'email');
  await insertIssue(world, clusterId, 'email');
  return { clusterId, otherClusterId, issueId };
}

/** A merge of two clusters, without the rebuild that a merge over HTTP causes: it would change what the world shows. */
export async function decision(world: World): Promise<Ids> {
  const { clusterId, otherClusterId } = await clusters(world);
  const decisionId = newId();
  await world.app.database.execute(
    `INSERT INTO issues_decision (organization_id, id, number, kind, cluster_id, other_id, created_at)
     SELECT $1, $2, coalesce(max(number), 0) + 1, 'merge', $3, $4, now() FROM issues_decision WHERE organization_id = $1`,
    [world.workspace.id, decisionId, clusterId, otherClusterId],
  );
  return { decisionId };
}

/** A question that a site did not answer, and its cluster, which is a finding of the site. */
async function siteQuestion(world: World): Promise<Ids> {
  const { app, workspace, ids } = world;
  const { siteId = '' } = ids;
  const text = `How is ${newId()} found?`;
  await app.get(QuestionRecorder).record({ organizationId: workspace.id, siteId, siteTitle: 'Site', text });
  const siteFindingId = await insertCluster(world);
  await insertIssue(world, siteFindingId, siteSource(siteId));
  return { siteQuestionId: questionId(text), siteFindingId };
}

export async function team(world: World): Promise<Ids> {
  return { teamId: body(await founder(world).put<Made>(`/orgs/${world.workspace.id}/teams`, { title: 'Team' })).id };
}

export async function teamMember(world: World): Promise<Ids> {
  const { userId = '' } = await member(world);
  body(await founder(world).put(`/orgs/${world.workspace.id}/teams/${world.ids['teamId'] ?? ''}/members/${userId}`));
  return { userId };
}

export async function collection(world: World): Promise<Ids> {
  return {
    collectionId: body(
      await founder(world).post<Made>(`/orgs/${world.workspace.id}/collections`, { title: 'Collection' }),
    ).id,
  };
}

export async function space(world: World): Promise<Ids> {
  return {
    spaceId: body(
      await founder(world).post<Made>(`/orgs/${world.workspace.id}/spaces`, { title: `Space ${newId()}`, empty: true }),
    ).id,
  };
}

/** Something to move, and an organization of whoever is being tried to move it to. */
export const movable =
  (make: (world: World) => Promise<Ids>) =>
  async (world: World): Promise<Ids> => {
    const other = await buildOrganization(world.app);
    const { id } = world.person;
    if (id !== '')
      await world.app.database.execute(
        `INSERT INTO member (organization_id, user_id, role, joined_at) VALUES ($1, $2, 'admin', now())`,
        [other.id, id],
      );
    return { ...(await make(world)), otherId: other.id };
  };

export async function deletedSpace(world: World): Promise<Ids> {
  const made = await space(world);
  body(await founder(world).delete(`/spaces/${made['spaceId'] ?? ''}`));
  return made;
}

export type GrantKind = 'space' | 'collection' | 'site';

const permissionsOf = ({ workspace, ids }: World, kind: GrantKind) =>
  `${kind === 'site' ? `/orgs/${workspace.id}` : ''}/${kind}s/${ids[`${kind}Id`] ?? ''}/permissions`;

export const userGrant =
  (kind: GrantKind) =>
  async (world: World): Promise<Ids> => {
    const { userId = '' } = await member(world);
    body(await founder(world).post(permissionsOf(world, kind), { role: 'read', users: [userId] }));
    return { userId };
  };

export const teamGrant =
  (kind: GrantKind) =>
  async (world: World): Promise<Ids> => {
    const { teamId = '' } = await team(world);
    body(await founder(world).post(permissionsOf(world, kind), { role: 'read', teams: [teamId] }));
    return { teamId };
  };

export async function changeRequest(world: World): Promise<Ids> {
  const path = `/spaces/${world.ids['spaceId'] ?? ''}/change-requests`;
  const { id } = body(await founder(world).post<Made>(path, { subject: 'Proposal' }));
  body(
    await founder(world).post(`${path}/${id}/content`, { changes: [{ operation: 'insert_page', title: 'Proposed' }] }),
  );
  return { changeRequestId: id };
}

/** A change request, and the page that it makes. */
export async function changedPage(world: World): Promise<Ids> {
  const { changeRequestId = '' } = await changeRequest(world);
  const path = `/spaces/${world.ids['spaceId'] ?? ''}/change-requests/${changeRequestId}`;
  const { changes } = body(await founder(world).get<{ changes: { page: Made }[] }>(`${path}/changes`));
  const { revision } = body(await founder(world).get<{ revision: string }>(path));
  return { changeRequestId, pageId: changes[0]?.page.id ?? '', requestRevisionId: revision };
}

/** A change request that is merged. */
export async function mergedRequest(world: World): Promise<Ids> {
  const made = await changeRequest(world);
  const space = `/spaces/${world.ids['spaceId'] ?? ''}`;
  // Other rows set merge rules.
  body(await founder(world).patch(space, { mergeRules: { type: 'none' } }));
  body(await founder(world).post(`${space}/change-requests/${made['changeRequestId'] ?? ''}/merge`));
  return made;
}

/** A review by somebody else than the author. */
export async function review(world: World): Promise<Ids> {
  const reviewer = await world.workspace.member('review');
  const path = `/spaces/${world.ids['spaceId'] ?? ''}/change-requests/${world.ids['changeRequestId'] ?? ''}/reviews`;
  return { reviewId: body(await reviewer.api.post<Made>(path, { status: 'approved' })).id };
}

/** Where a discussion is: on the space itself, or on its change request. */
export type Discussed = 'space' | 'request';

const commentsOf = ({ ids }: World, place: Discussed) =>
  `/spaces/${ids['spaceId'] ?? ''}${place === 'space' ? '' : `/change-requests/${ids['changeRequestId'] ?? ''}`}/comments`;

/** The comment and the reply that were posted there when the world was made. */
export const discussed =
  (place: Discussed) =>
  (world: World): Promise<Ids> =>
    Promise.resolve({
      commentId: world.ids[`${place}CommentId`] ?? '',
      commentReplyId: world.ids[`${place}ReplyId`] ?? '',
    });

/** Something of whoever is being tried, or of the founder where they cannot post. */
async function posted(world: World, path: string): Promise<string> {
  const text = { body: { markdown: 'So it is' } };
  const own = await world.person.api.post<Made>(path, text);
  return own.status === 200 ? own.body.id : body(await founder(world).post<Made>(path, text)).id;
}

export const ownComment =
  (place: Discussed) =>
  async (world: World): Promise<Ids> => ({ commentId: await posted(world, commentsOf(world, place)) });

export const ownReply =
  (place: Discussed) =>
  async (world: World): Promise<Ids> => {
    const { commentId = '' } = await discussed(place)(world);
    return { commentId, commentReplyId: await posted(world, `${commentsOf(world, place)}/${commentId}/replies`) };
  };

/** A suggestion for a block of a page of the change request. */
export async function suggestion(world: World): Promise<Ids> {
  const { spaceId = '', changeRequestId = '' } = world.ids;
  const request = `/spaces/${spaceId}/change-requests/${changeRequestId}`;
  const { changes } = body(
    await founder(world).post<{ changes: { page: Made }[] }>(
      `${request}/content`,
      { changes: [{ operation: 'insert_page', title: 'Suggested', document: { markdown: 'As it is' } }] },
      { query: { compat: false } },
    ),
  );
  const page = changes[0]?.page.id ?? '';
  const { document } = body(
    await founder(world).get<{ document: { nodes: { key: string }[] } }>(`${request}/content/page/${page}`),
  );
  const comment = await founder(world).post<Made>(`${request}/comments`, {
    page,
    node: document.nodes[0]?.key,
    body: { markdown: 'Better so' },
    suggestion: { markdown: 'As it should be' },
  });
  return { commentId: body(comment).id };
}

async function discussion(world: World, place: Discussed): Promise<Ids> {
  const commentId = await posted(world, commentsOf(world, place));
  return {
    [`${place}CommentId`]: commentId,
    [`${place}ReplyId`]: await posted(world, `${commentsOf(world, place)}/${commentId}/replies`),
  };
}

/** The revision that the space is at. */
export async function revisionOfSpace(world: World): Promise<Ids> {
  const { spaceId } = world.ids;
  const { revision } = body(await founder(world).get<{ revision: string }>(`/spaces/${spaceId ?? ''}`));
  return { revisionId: revision };
}

/** A change of the space, so that going back to its revision changes something. */
export async function writtenSince(world: World): Promise<Ids> {
  body(
    await founder(world).post(`/spaces/${world.ids['spaceId'] ?? ''}/content`, {
      changes: [{ operation: 'insert_page', title: 'Later' }],
    }),
  );
  return {};
}

/** A run that nothing works on. */
export async function importRun(world: World): Promise<Ids> {
  const source = { type: 'website', url: 'https://docs.example.com/' };
  return {
    importRunId: body(
      await founder(world).post<Made>(`/org/${world.workspace.id}/imports`, {
        source,
        target: { space: world.ids['spaceId'] },
      }),
    ).id,
  };
}

/** An export of the organization that nothing works on. */
export async function organizationExport(world: World): Promise<Ids> {
  body(await founder(world).post(`/orgs/${world.workspace.id}/export`));
  return {};
}

/** An import of the person who is being tried, of an archive that holds none. */
export async function organizationImport({ app, person }: World): Promise<Ids> {
  const organizationImportId = newId();
  if (person.id !== '')
    await app.database.execute(
      `INSERT INTO organization_run (id, kind, status, created_by, error, created_at, completed_at)
       VALUES ($1, 'import', 'failed', $2, 'It is no archive', now(), now())`,
      [organizationImportId, person.id],
    );
  return { organizationImportId };
}

/** What an import from a repository leaves behind. */
export async function repository({ app, ids }: World): Promise<Ids> {
  await app.database.execute(
    `INSERT INTO space_git (space_id, repo_name, url, remote, ref, directory, oid, revision_id, event_at, updated_at)
     VALUES ($1, 'docs', 'https://git.example.com/docs', 'https://git.example.com/docs.git', 'main', '', repeat('0', 40), 'none', now(), now()) ON CONFLICT DO NOTHING`,
    [ids['spaceId']],
  );
  return {};
}

/** A space of which nobody has made an installation yet. */
export async function noGitInstallation(world: World): Promise<Ids> {
  await world.app.database.execute('DELETE FROM git_installation WHERE space_id = $1', [world.ids['spaceId']]);
  return {};
}

let hookSecret = '';

/** The only installation of the space, with a repository that nobody reaches. */
export async function gitInstallation(world: World): Promise<Ids> {
  await noGitInstallation(world);
  const target = { type: 'space', spaceId: world.ids['spaceId'] };
  const made = body<{ id: string; hook: { secret: string } }>(
    await founder(world).post('/git/installations', { provider: 'gitlab', target }),
  );
  hookSecret = made.hook.secret;
  body(
    await founder(world).patch(`/git/installations/${made.id}`, {
      provider: 'gitlab',
      providerConfiguration: { url: 'https://git.example.com/docs.git', branch: 'refs/heads/main' },
      priority: 'git',
    }),
  );
  return { installationId: made.id, accountName: 'octocat', repositoryName: 'handbook', projectId: '278964' };
}

/** The installation of the site, without a repository. */
export async function siteGitInstallation(world: World): Promise<Ids> {
  const { siteId = '' } = world.ids;
  await world.app.database.execute('DELETE FROM git_installation WHERE site_id = $1', [siteId]);
  await world.app.database.execute(
    'DELETE FROM git_installation WHERE space_id IN (SELECT space_id FROM site_space WHERE site_id = $1)',
    [siteId],
  );
  const target = { type: 'site', siteId };
  const made = body<{ id: string }>(await founder(world).post('/git/installations', { provider: 'gitlab', target }));
  return { installationId: made.id };
}

/** A change request that is about to become a pull request. */
export async function pullRequest(world: World): Promise<Ids> {
  const { spaceId, changeRequestId } = world.ids;
  const { database } = world.app;
  const known = await database.one('SELECT FROM git_installation WHERE space_id = $1 AND url IS NOT NULL', [spaceId]);
  if (!known) await gitInstallation(world);
  await database.execute(
    `INSERT INTO git_request_branch (installation_id, change_request_id, ref, created_at, updated_at)
     SELECT id, $2, 'refs/heads/topic', now(), now() FROM git_installation WHERE space_id = $1 ON CONFLICT DO NOTHING`,
    [spaceId, changeRequestId],
  );
  return {};
}

export function signedHook(): Readonly<Record<string, string>> {
  return { 'x-gitlab-token': hookSecret };
}

const inSite = ({ workspace, ids }: World, rest: string) => `/orgs/${workspace.id}/sites/${ids['siteId'] ?? ''}${rest}`;

export async function site(world: World): Promise<Ids> {
  return {
    siteId: body(await founder(world).post<Made>(`/orgs/${world.workspace.id}/sites`, { title: `Site ${newId()}` })).id,
  };
}

/** A site of its own with a hostname. */
export async function customHostname(world: World): Promise<Ids> {
  const { siteId = '' } = await site(world);
  const hostname = `docs.${siteId.toLowerCase()}.example`;
  body(await founder(world).patch(`/orgs/${world.workspace.id}/sites/${siteId}`, { hostname }));
  return { hostname };
}

export async function publication(world: World): Promise<Ids> {
  body(await founder(world).post(inSite(world, '/publish')));
  return {};
}

export const ADAPTIVE_SCHEMA = {
  jsonSchema: {
    type: 'object',
    properties: { isBetaUser: { type: 'boolean', description: 'The visitor tries the beta' } },
    additionalProperties: false,
  },
} as const;

export async function adaptiveSchema(world: World): Promise<Ids> {
  body(await founder(world).put(inSite(world, '/adaptive-schema'), ADAPTIVE_SCHEMA));
  return {};
}

export async function shareLink(world: World): Promise<Ids> {
  return { shareLinkId: body(await founder(world).post<Made>(inSite(world, '/share-links'), { name: 'Link' })).id };
}

export async function publishedAddress(world: World): Promise<Ids> {
  await publication(world);
  return { basename: body(await founder(world).get<{ basename: string }>(inSite(world, ''))).basename };
}

/** Where the space is found in the application. */
export async function spaceAddress(world: World): Promise<Ids> {
  return {
    address: body(await founder(world).get<{ urls: { app: string } }>(`/spaces/${world.ids['spaceId'] ?? ''}`)).urls
      .app,
  };
}

export async function siteSpace(world: World): Promise<Ids> {
  const { spaceId } = await space(world);
  return { siteSpaceId: body(await founder(world).post<Made>(inSite(world, '/site-spaces'), { spaceId })).id };
}

export async function redirect(world: World): Promise<Ids> {
  const destination = { kind: 'site-space', siteSpaceId: world.ids['siteSpaceId'] };
  return {
    siteRedirectId: body(
      await founder(world).post<Made>(inSite(world, '/redirects'), { source: `/${newId()}`, destination }),
    ).id,
  };
}

export async function section(world: World): Promise<Ids> {
  const { spaceId } = await space(world);
  return { siteSectionId: body(await founder(world).post<Made>(inSite(world, '/sections'), { spaceId })).id };
}

export async function sectionGroup(world: World): Promise<Ids> {
  return {
    siteSectionGroupId: body(await founder(world).post<Made>(inSite(world, '/section-groups'), { title: 'Group' })).id,
  };
}

export async function externalLink(world: World): Promise<Ids> {
  const link = { title: 'Community', url: 'https://community.example.com/' };
  return {
    siteExternalLinkId: body(await founder(world).post<Made>(inSite(world, '/external-links'), link)).id,
  };
}

export async function groupedSection(world: World): Promise<Ids> {
  const { siteSectionId } = await section(world);
  body(
    await founder(world).post(inSite(world, `/section-groups/${world.ids['siteSectionGroupId'] ?? ''}/sections`), {
      sectionId: siteSectionId,
    }),
  );
  return { siteSectionId: siteSectionId ?? '' };
}

interface Written {
  revision: string;
  changes: { page: { id: string; documentId?: string } | string }[];
  insertedFiles: Made[];
}
interface Revision {
  id: string;
  pages: { id: string; documentId?: string; path: string }[];
  files: Made[];
  reusableContents: Made[];
}

async function content(world: World, spaceId: string): Promise<Ids> {
  const changes = [
    { operation: 'insert_page', title: 'Page', document: { markdown: `Hello ${spaceId}` } },
    {
      operation: 'insert_files',
      files: [{ name: 'a.txt', contentType: 'text/plain', base64: Buffer.from('a').toString('base64') }],
    },
    { operation: 'insert_reusable_content', title: 'Hours', document: { markdown: 'Nine to five' } },
  ];
  body(await founder(world).post<Written>(`/spaces/${spaceId}/content`, { changes }));
  const revision = body(await founder(world).get<Revision>(`/spaces/${spaceId}/content`));
  const [page] = revision.pages;
  return {
    revisionId: revision.id,
    pageId: page?.id ?? '',
    pagePath: page?.path ?? '',
    documentId: page?.documentId ?? '',
    fileId: revision.files[0]?.id ?? '',
    reusableContentId: revision.reusableContents[0]?.id ?? '',
  };
}

/** Builds everything that rows name, in an organization of its own unless one is given; `work` has the jobs done that wait. */
export async function buildWorld(
  app: TestApp,
  given?: Workspace,
  work: (now: World) => Promise<unknown> = () => app.get(Jobs).drain(),
): Promise<World> {
  const workspace = given ?? (await buildOrganization(app));
  let world: World = { app, workspace, ids: { organizationId: workspace.id }, person: workspace.admin };
  const learn = async (make: (world: World) => Promise<Ids>) => {
    world = { ...world, ids: { ...world.ids, ...(await make(world)) } };
  };
  const hostname = `h-${newId().toLowerCase()}`;
  body(await workspace.admin.api.patch(`/orgs/${workspace.id}`, { hostname }));
  await learn(() =>
    Promise.resolve({
      subdomain: hostname,
      emailDomain: 'example.com',
      tokenId: newId(),
      client: 'window-1',
      templateId: 'changelog',
    }),
  );
  await learn(member);
  await learn(team);
  await learn((now) => inviteLink(now));
  await learn(collection);
  await learn(async (now) => ({ targetId: (await collection(now))['collectionId'] ?? '' }));
  const live = body(
    await workspace.admin.api.post<Made>(`/orgs/${workspace.id}/spaces`, {
      title: 'Live',
      empty: true,
      editMode: 'live',
    }),
  );
  await learn(() => Promise.resolve({ spaceId: live.id }));
  await learn((now) => content(now, live.id));
  await learn(changeRequest);
  for (const place of ['space', 'request'] as const) await learn((now) => discussion(now, place));
  for (const kind of ['space', 'collection'] as const) {
    body(
      await workspace.admin.api.post(`/${kind}s/${world.ids[`${kind}Id`] ?? ''}/permissions`, {
        role: 'read',
        users: [world.ids['userId']],
        teams: [world.ids['teamId']],
      }),
    );
  }
  await learn(site);
  body(
    await workspace.admin.api.post(permissionsOf(world, 'site'), {
      role: 'read',
      users: [world.ids['userId']],
      teams: [world.ids['teamId']],
    }),
  );
  await learn(customHostname);
  await learn(siteSpace);
  await learn(section);
  await learn(sectionGroup);
  await learn(externalLink);
  await learn(shareLink);
  await learn(redirect);
  body(
    await workspace.admin.api.post(inSite(world, '/redirects'), {
      source: '/old/page',
      destination: { kind: 'external', url: 'https://example.com/' },
    }),
  );
  await learn(specification);
  await work(world);
  await learn(version);
  await learn(translation);
  await learn(glossaryEntry);
  await learn(uploadedFont);
  await learn(customFont);
  await learn(customRole);
  await learn(samlProvider);
  await learn(oidcProvider);
  await learn(webhook);
  await learn(delivery);
  await learn(conversation);
  await learn(cluster);
  await learn(decision);
  await learn(async (now) => ({ otherClusterId: await insertCluster(now, 0) }));
  await learn(siteQuestion);
  return world;
}

/** A page of a space of its own, and who is being tried, if it is a member. */
export async function unlimitedPage(world: World): Promise<Ids> {
  const { workspace, person, ids } = world;
  const { api } = workspace.admin;
  const { id: spaceId } = body(
    await api.post<Made>(`/orgs/${workspace.id}/spaces`, { title: 'Limited', empty: true, editMode: 'live' }),
  );
  const { changes } = body(
    await api.post<{ changes: { page: Made }[] }>(
      `/spaces/${spaceId}/content`,
      { changes: [{ operation: 'insert_page', title: 'Page' }] },
      { query: { compat: false } },
    ),
  );
  const memberId = person.id === ids['outsiderId'] ? '' : person.id;
  return { spaceId, pageId: changes[0]?.page.id ?? '', memberId };
}

/** A page that its administrator answers for. */
export async function verifiedPage(world: World): Promise<Ids> {
  const { spaceId = '', pageId = '' } = world.ids;
  body(await founder(world).put(`/spaces/${spaceId}/verifications/${pageId}`, { until: '2099-01-31T00:00:00.000Z' }));
  return {};
}

/** The same, limited to who is being tried. */
export async function limitedPage(world: World): Promise<Ids> {
  const ids = await unlimitedPage(world);
  const { spaceId = '', pageId = '', memberId = '' } = ids;
  body(
    await founder(world).put(`/spaces/${spaceId}/permissions/pages/${pageId}`, {
      users: memberId === '' ? [] : [memberId],
    }),
  );
  return ids;
}
