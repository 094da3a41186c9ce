import { expect } from '@jest/globals';
import type { TestApp } from './app.js';
import { buildOrganization, type Person, type Workspace } from './build.js';

/** A comment or reply as specs look at it. */
export interface Post {
  id: string;
  postedBy: { id: string; displayName: string; email?: string };
  postedAt: string;
  editedAt?: string;
  status?: string;
  resolvedAt?: string;
  resolvedBy?: { id: string };
  reactions: { emoji: string; count: number; users: { user: { id: string }; reactedAt: string }[] }[];
  replies: number;
  repliers: { updatedAt: string; count: number; user: { id: string } }[];
  body: { markdown?: string; document?: { nodes: { type: string; key: string; nodes?: object[] }[] } };
  target: {
    page?: { id: string };
    node?: { id: string };
    tableCell?: object;
    changeRequest?: string;
    review?: string;
    space: string;
    revision: string;
  };
  urls: { location: string };
  permissions: Record<string, boolean>;
  [name: string]: unknown;
}
export interface List<Item = Post> {
  items: Item[];
  count: number;
  next?: { page: string };
}
export interface Failure {
  error: { code: number; message: string; details?: { path: string; message: string }[] };
}

/** A space with a page and a change request, and where their comments are. */
export interface Discussion {
  readonly org: Workspace;
  readonly admin: Person;
  readonly id: string;
  readonly space: string;
  readonly request: string;
  readonly requestId: string;
  readonly page: string;
}

export const PLACES = ['space', 'request'] as const;

export async function discussion(app: TestApp, markdown = 'First\n\nSecond'): Promise<Discussion> {
  const org = await buildOrganization(app);
  const { api } = org.admin;
  const { body } = await api.post<{ id: string }>(`/orgs/${org.id}/spaces`, {
    title: 'Docs',
    empty: true,
    editMode: 'live',
  });
  const space = `/spaces/${body.id}`;
  const [page = ''] = await write(org.admin, space, {
    operation: 'insert_page',
    title: 'Guide',
    document: { markdown },
  });
  const request = await api.post<{ id: string }>(`${space}/change-requests`, { subject: 'Proposal' });
  return {
    org,
    admin: org.admin,
    id: body.id,
    space,
    request: `${space}/change-requests/${request.body.id}`,
    requestId: request.body.id,
    page,
  };
}

/** Writes content; gives the ids of the pages that were touched. */
export async function write(person: Person, place: string, ...changes: object[]): Promise<string[]> {
  const { status, body } = await person.api.post<{ changes: { page: { id: string } | string }[] }>(
    `${place}/content`,
    { changes },
    { query: place.includes('change-requests') ? { compat: false } : {} },
  );
  expect([status, body]).toEqual([200, body]);
  return body.changes.map(({ page }) => (typeof page === 'string' ? page : page.id));
}

/** The blocks of a page. */
export async function blocks(
  person: Person,
  place: string,
  page: string,
): Promise<{ key: string; type: string; data: Record<string, object>; nodes?: object[] }[]> {
  const { body } = await person.api.get<{
    document: { nodes: { key: string; type: string; data: Record<string, object> }[] };
  }>(`${place}/content/page/${page}`);
  return body.document.nodes;
}

export async function post(person: Person, place: string, markdown: string, more: object = {}): Promise<Post> {
  const { status, body } = await person.api.post<Post>(`${place}/comments`, { body: { markdown }, ...more });
  expect([status, body]).toEqual([200, body]);
  return body;
}

export async function answer(person: Person, place: string, comment: string, markdown: string): Promise<Post> {
  const { status, body } = await person.api.post<Post>(`${place}/comments/${comment}/replies`, { body: { markdown } });
  expect([status, body]).toEqual([200, body]);
  return body;
}
