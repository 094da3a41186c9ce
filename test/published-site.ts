import { request } from 'node:http';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { Addresses } from '../src/kernel/common/addresses.js';
import { PublicListener } from '../src/kernel/platform/public-listener.js';
import type { TestApp } from './app.js';
import type { Workspace } from './build.js';
import type { Client } from './client.js';

/** Something that was made. */
export interface Made {
  readonly id: string;
}

export interface Space {
  readonly id: string;
  /** The ids of the pages, files and the like that the changes made. */
  readonly write: (...changes: object[]) => Promise<string[]>;
}

/** A space with live edits, empty at first. */
export async function buildSpace({ id, admin }: Workspace, title: string, language?: string): Promise<Space> {
  const { api } = admin;
  const made = await api.post<Made>(`/orgs/${id}/spaces`, {
    title,
    empty: true,
    editMode: 'live',
    ...(language !== undefined && { language }),
  });
  return {
    id: made.body.id,
    write: async (...changes) => {
      const { status, body } = await api.post<{ changes: Record<string, Made>[]; error?: unknown }>(
        `/spaces/${made.body.id}/content`,
        { changes },
        { query: { compat: false } },
      );
      expect([status, body.error]).toEqual([200, undefined]);
      return body.changes.map(
        (change) =>
          Object.values(change).find((value) => typeof value === 'object' && value !== null && 'id' in value)?.id ?? '',
      );
    },
  };
}

export interface Site {
  readonly api: Client;
  /** Of the API. */
  readonly path: string;
  readonly id: string;
  /** Below the public listener. */
  readonly base: string;
}

/** A published site of these spaces. */
export async function publish(
  { id, admin }: Workspace,
  spaces: readonly Space[],
  visibility = 'public',
  title = 'Handbook of everything',
): Promise<Site> {
  const { api } = admin;
  const sites = `/orgs/${id}/sites`;
  const made = await api.post<{ id: string; basename: string }>(sites, {
    title,
    visibility,
    spaces: spaces.map((space) => space.id),
  });
  await api.post(`${sites}/${made.body.id}/publish`);
  return { api, path: `${sites}/${made.body.id}`, id: made.body.id, base: `/${made.body.basename}` };
}

/** What a browser gets. */
export interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** Where a redirect leads. */
  readonly location: string | undefined;
}

/** The listener of published sites while tests run. */
export interface Listening {
  readonly origin: string;
  /** A request as a browser makes it, redirects not followed. */
  see(path: string, headers?: Readonly<Record<string, string>>, method?: string, body?: string): Promise<Seen>;
}

export function usePublicListener(app: { readonly current: TestApp }): Listening {
  let origin = '';
  beforeAll(async () => {
    origin = `http://localhost:${await app.current.get(PublicListener).listen()}`;
    app.current.get(Addresses).announce(app.current.url, origin);
  });
  afterAll(() => app.current.get(PublicListener).beforeApplicationShutdown());
  return {
    get origin() {
      return origin;
    },
    see: (path, headers = {}, method = 'GET', body) =>
      new Promise((resolve, reject) => {
        const sent = request(`${origin}${path}`, { method, headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks).toString(),
              location: response.headers.location,
            }),
          );
        });
        sent.on('error', reject).end(body);
      }),
  };
}

/** The page at an address of a preview, which keeps its token in a cookie and leads to the address without it. */
export async function seePreview(listener: Listening, url: string): Promise<Seen> {
  const { pathname, search } = new URL(url);
  const first = await listener.see(pathname + search);
  if (first.location === undefined) return first;
  const cookies = [first.headers['set-cookie'] ?? []].flat().map((each) => each.split(';')[0]);
  return listener.see(new URL(first.location, listener.origin).pathname, { cookie: cookies.join('; ') });
}
