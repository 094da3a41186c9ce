import type { Answer } from './client.js';
import * as make from './permissions/world.js';
import type { Ids, World } from './permissions/world.js';

/** What examples call everything that has an id. */
const PLACEHOLDER = 'AbCdEfGh0123456789Xy';
/** Values of examples that only one login, link, site or specification has, with the names of those that there are. */
const KNOWN: ReadonlyMap<string, string> = new Map([
  [PLACEHOLDER, ''],
  ['k3JxV0aQm7TzB2nYwE5cRpL9sHdUfG1i4oXvZ8bN', 'secret'],
  ['0123456789abcdefghijABCDEFGHIJ0123456789', 'code'],
  ['https://docs.example.com/acme/guides/start', 'publishedUrl'],
  ['203.0.113.0/24', 'ipRange'],
  ['billing-api', 'specSlug'],
]);
/** The things that fields of bodies name, where their names do not say it by themselves. */
const NAMED: Readonly<Record<string, string>> = {
  parent: 'targetId',
  collection: 'targetId',
  spaces: 'spaceId',
  members: 'userId',
  users: 'userId',
  remove: 'userId',
  teams: 'teamId',
  defaultTeam: 'teamId',
  organization: 'organizationId',
  conversationsIssuesCluster: 'clusterId',
  defaultSiteSpace: 'siteSpaceId',
  defaultSiteSection: 'siteSectionId',
  storageKey: 'uploadId',
  actor: 'userId',
  createdBy: 'userId',
  reviewer: 'userId',
};

/** An example with ids of things that exist, where something of that name does. */
export function filled(value: unknown, ids: Ids, name = ''): unknown {
  const known = typeof value === 'string' ? KNOWN.get(value) : undefined;
  if (known !== undefined) return ids[known === '' ? name : known] ?? ids[NAMED[name] ?? `${name}Id`] ?? value;
  if (Array.isArray(value)) return value.map((each) => filled(each, ids, name));
  if (typeof value !== 'object' || value === null) return value;
  const { type } = value as { type?: unknown };
  const ownName = typeof type === 'string' ? type.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) : '';
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, filled(each, ids, key === 'id' ? ownName : key)]),
  );
}

interface Made {
  id: string;
}

function made<Body>({ status, body }: Answer<Body>): Body {
  if (status >= 300) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Posts below an address of the API as the administrator. */
const posted = ({ workspace }: World, path: string, body?: object): Promise<Made> =>
  workspace.admin.api.post<Made>(path, body).then(made);
const siteOf = ({ workspace, ids }: World): string => `/orgs/${workspace.id}/sites/${ids['siteId'] ?? ''}`;

const usersOf = ({ workspace }: World): string => `/orgs/${workspace.id}/scim/v2/Users`;

/** The member whom the examples name by her address. */
async function ada(world: World): Promise<Ids> {
  const { workspace } = world;
  const path = usersOf(world);
  const found = await workspace.admin.api.get<{ Resources: Made[] }>(path, {
    query: { filter: 'userName eq "ada@example.com"' },
  });
  const user =
    made(found).Resources[0] ?? made(await workspace.admin.api.post<Made>(path, { userName: 'ada@example.com' }));
  return { userId: user.id };
}

async function withoutAda(world: World): Promise<Ids> {
  const { userId = '' } = await ada(world);
  made(await world.workspace.admin.api.delete(`${usersOf(world)}/${userId}`));
  return {};
}

/** The team that the examples name. */
async function writers({ workspace }: World): Promise<Ids> {
  const { items } = made(
    await workspace.admin.api.get<{ items: (Made & { title: string })[] }>(`/orgs/${workspace.id}/teams`),
  );
  const team = items.find(({ title }) => title === 'Technical writers');
  return team ? { teamId: team.id } : {};
}

/** The section with a path, and a space in it; where none has that path, one that may get it. */
async function sectionAt(world: World, path = 'guides'): Promise<Ids> {
  const { items } = made(
    await world.workspace.admin.api.get<{ items: (Made & { path: string; siteSpaces: Made[] })[] }>(
      `${siteOf(world)}/sections`,
    ),
  );
  const section = items.find((each) => each.path === path) ?? items.find(({ siteSpaces }) => siteSpaces.length > 0);
  return { siteSectionId: section?.id ?? '', defaultSiteSpace: section?.siteSpaces[0]?.id ?? '' };
}

/** A space in the collection into which something is moved. */
async function neighbour(world: World): Promise<Ids> {
  const body = { title: 'Neighbour', empty: true, parent: world.ids['targetId'] };
  return { space: (await posted(world, `/orgs/${world.workspace.id}/spaces`, body)).id };
}

/** A change request of somebody else, who may not review it. */
async function anothersRequest({ workspace, ids }: World): Promise<Ids> {
  const author = await workspace.member('create');
  const path = `/spaces/${ids['spaceId'] ?? ''}/change-requests`;
  return { changeRequestId: made(await author.api.post<Made>(path, { subject: 'Proposal' })).id };
}

/** A change request that is behind, and the revision that it can be brought to. */
async function outdatedRequest(world: World): Promise<Ids> {
  const request = await make.changeRequest(world);
  await make.writtenSince(world);
  const { body } = await world.workspace.admin.api.get<{ revision: string }>(`/spaces/${world.ids['spaceId'] ?? ''}`);
  return { ...request, primary: body.revision };
}

async function sectionsBeside(world: World): Promise<Ids> {
  return { siteSection: (await make.section(world))['siteSectionId'] ?? '' };
}

const inGroup = ({ ids }: World): Promise<Ids> => Promise.resolve({ parent: ids['siteSectionGroupId'] ?? '' });

/** Two clusters, and an issue that the first one can do without. */
async function twoClusters(world: World): Promise<Ids> {
  const ids = await make.clusters(world);
  return { ...ids, cluster: ids['otherClusterId'] ?? '', issues: ids['issueId'] ?? '' };
}

/** A page that a site shows; redirects from the address of the example are removed. */
async function sitePage(world: World): Promise<Ids> {
  const { api } = world.workspace.admin;
  const redirects = `${siteOf(world)}/redirects`;
  const { items } = made(await api.get<{ items: (Made & { source: string })[] }>(redirects));
  for (const { id, source } of items) if (source === '/old/page') made(await api.delete(`${redirects}/${id}`));
  const space = { title: 'Shown', empty: true, editMode: 'live' };
  const { id: spaceId } = await posted(world, `/orgs/${world.workspace.id}/spaces`, space);
  const { id: siteSpaceId } = await posted(world, `${siteOf(world)}/site-spaces`, { spaceId });
  const changes = [{ operation: 'insert_page', title: 'Start' }];
  await posted(world, `/spaces/${spaceId}/content`, { changes });
  const { pages } = made(await api.get<{ pages: Made[] }>(`/spaces/${spaceId}/content`));
  return { siteSpaceId, pageId: pages[0]?.id ?? '' };
}

/** Things that an example needs to be carried out, beside the world of the permissions. */
export const PREPARED: Readonly<Record<string, (world: World) => Promise<Ids>>> = {
  'POST /orgs/{organizationId}/conversations-clusters/{clusterId}/merge': twoClusters,
  'POST /orgs/{organizationId}/conversations-clusters/{clusterId}/split': twoClusters,
  'PUT /orgs/{organizationId}/teams/{teamId}/members': async (world) => {
    await ada(world);
    return {};
  },
  'POST /orgs/{organizationId}/scim/v2/Users': withoutAda,
  'PUT /orgs/{organizationId}/scim/v2/Users/{userId}': ada,
  'PUT /orgs/{organizationId}/scim/v2/Groups/{teamId}': writers,
  'POST /collections/{collectionId}/move': neighbour,
  'POST /spaces/{spaceId}/move': neighbour,
  'POST /spaces/{spaceId}/change-requests/{changeRequestId}/update': outdatedRequest,
  'POST /spaces/{spaceId}/change-requests/{changeRequestId}/reviews': anothersRequest,
  'PUT /spaces/{spaceId}/change-requests/{changeRequestId}/changes/{pageId}/viewed': async (world) => {
    const { requestRevisionId = '', ...ids } = await make.changedPage(world);
    return { ...ids, revision: requestRevisionId };
  },
  'POST /urls/published': async (world) => {
    await make.publication(world);
    const { urls } = made(await world.workspace.admin.api.get<{ urls: { published: string } }>(siteOf(world)));
    return { publishedUrl: urls.published };
  },
  'POST /orgs/{organizationId}/sites/{siteId}/redirects': sitePage,
  'PATCH /orgs/{organizationId}/sites/{siteId}/redirects/{siteRedirectId}': sitePage,
  'POST /orgs/{organizationId}/sites/{siteId}/site-spaces/{siteSpaceId}/move': async (world) => ({
    siteSpace: (await make.siteSpace(world))['siteSpaceId'] ?? '',
  }),
  'POST /orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}/move': sectionsBeside,
  'POST /orgs/{organizationId}/sites/{siteId}/section-groups': async (world) => ({
    ...(await inGroup(world)),
    sections: (await make.section(world))['siteSectionId'] ?? '',
  }),
  'POST /orgs/{organizationId}/sites/{siteId}/external-links': inGroup,
  'PATCH /orgs/{organizationId}/sites/{siteId}/external-links/{siteExternalLinkId}': inGroup,
  'PATCH /orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}': async (world) => ({
    parent: (await make.sectionGroup(world))['siteSectionGroupId'] ?? '',
  }),
  'POST /orgs/{organizationId}/sites/{siteId}/site-spaces': async (world) => ({
    ...(await make.space(world)),
    sectionId: world.ids['siteSectionId'] ?? '',
  }),
  'POST /orgs/{organizationId}/sites/{siteId}/section-groups/{siteSectionGroupId}/sections': async (world) => ({
    sectionId: (await make.section(world))['siteSectionId'] ?? '',
  }),
  // A list has to contain the address of whoever sets it.
  'PUT /orgs/{organizationId}/ip-allow-list': () => Promise.resolve({ ipRange: '127.0.0.0/8' }),
  'PUT /orgs/{organizationId}/sites/{siteId}/ip-allow-list': () => Promise.resolve({ ipRange: '127.0.0.0/8' }),
  'PATCH /orgs/{organizationId}/sites/{siteId}': (world) => sectionAt(world),
  'PATCH /orgs/{organizationId}/sites/{siteId}/sections/{siteSectionId}': (world) => sectionAt(world),
};
