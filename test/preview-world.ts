import { expect } from '@jest/globals';
import type { TestApp } from './app.js';
import { buildOrganization, type Person, type Workspace } from './build.js';
import type { Answer } from './client.js';
import { buildSpace, publish, type Listening, type Seen, type Site, type Space } from './published-site.js';

export interface Preview {
  readonly object: string;
  readonly url: string;
  readonly expiresAt: string;
  readonly sites: readonly { readonly id: string; readonly title: string }[];
  readonly error?: { readonly details?: readonly { readonly path: string }[] };
}

/** A change request with the address of its API. */
export interface Request {
  readonly id: string;
  readonly number: number;
  readonly path: string;
}

export interface World {
  readonly workspace: Workspace;
  readonly guide: Space;
  readonly more: Space;
  readonly site: Site;
  readonly pages: readonly string[];
  readonly request: Request;
}

export const page = (title: string, markdown: string, attributes: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...attributes,
});

export async function propose(
  { admin: { api } }: Workspace,
  { id }: Space,
  subject: string,
  ...changes: object[]
): Promise<Request> {
  const made = await api.post<{ id: string; number: number }>(`/spaces/${id}/change-requests`, { subject });
  const path = `/spaces/${id}/change-requests/${made.body.id}`;
  if (changes.length > 0) await write({ ...made.body, path }, api, ...changes);
  return { id: made.body.id, number: made.body.number, path };
}

export async function write({ path }: Request, api: Person['api'], ...changes: object[]): Promise<void> {
  const { status, body } = await api.post<{ error?: unknown }>(
    `${path}/content`,
    { changes },
    { query: { compat: false } },
  );
  expect([status, body.error]).toEqual([200, undefined]);
}

/** A published site of two spaces, and a change request that changes, adds, moves and deletes pages of the first. */
export async function build(app: TestApp, visibility = 'public'): Promise<World> {
  const workspace = await buildOrganization(app);
  const [guide, more] = [await buildSpace(workspace, 'Guide', 'en'), await buildSpace(workspace, 'More', 'en')];
  const pages = await guide.write(
    page('Welcome', 'The bridge is made of **granite**. [Install](/install)\n'),
    page('Install', 'Take the old road.\n'),
    page('Obsolete', 'Nobody needs this.\n'),
    page('Part', 'A part.\n'),
  );
  await more.write(page('Elsewhere', 'Another space.\n'));
  const site = await publish(workspace, [guide, more], visibility);
  const [welcome, install, obsolete, part] = pages;
  const request = await propose(
    workspace,
    guide,
    'Of <b>marble</b>',
    { operation: 'update_page', page: welcome, document: { markdown: 'The bridge is made of **marble**.\n' } },
    { operation: 'delete_page', page: obsolete },
    { operation: 'update_page', page: part, into: install },
    page('Fresh', 'A page that is new.\n'),
  );
  return { workspace, guide, more, site, pages, request };
}

export const previewOf = (
  { path }: Request,
  { api }: Person,
  query: Readonly<Record<string, string>> = {},
): Promise<Answer<Preview>> => api.get<Preview>(`${path}/preview`, { query });

/** Opens the address of a preview as a browser: its base, the cookie that it keeps, and the redirect that set it. */
export async function open(
  listener: Listening,
  url: string,
): Promise<{ base: string; cookie: string; seen: Seen; location: string }> {
  const { pathname, search } = new URL(url);
  const seen = await listener.see(pathname + search);
  const [set = ''] = [seen.headers['set-cookie'] ?? []].flat();
  return {
    base: pathname.split('/').slice(0, 4).join('/'),
    cookie: set.split(';', 1)[0] ?? '',
    seen,
    location: seen.location ?? '',
  };
}

export async function opened(
  listener: Listening,
  request: Request,
  person: Person,
  query: Readonly<Record<string, string>> = {},
) {
  const { status, body } = await previewOf(request, person, query);
  expect([status, body.error]).toEqual([200, undefined]);
  const { base, cookie, location } = await open(listener, body.url);
  return {
    base,
    cookie,
    location,
    url: body.url,
    get: (path: string, more = {}) => listener.see(base + path, { cookie, ...more }),
  };
}

export const tokenOf = (url: string): string => new URL(url).searchParams.get('token') ?? '';
