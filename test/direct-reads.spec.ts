import { expect, it } from '@jest/globals';
import { Injectable, Module, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { Request } from 'express';
import { parametersOf } from '../src/kernel/common/path-template.js';
import { TestApp, useApp } from './app.js';
import { buildOrganization } from './build.js';
import { Client, type Answer, type RequestOptions } from './client.js';

const app = useApp();

/** Headers that differ from request to request. */
const OWN = new Set(['date', 'x-request-id', 'x-ratelimit-remaining', 'x-ratelimit-reset']);

function shape({ status, body, headers }: Answer): unknown {
  return { status, body, headers: Object.fromEntries([...headers].filter(([name]) => !OWN.has(name))) };
}

/** The answer of a direct read, which must be the one that the router gives to the same path with a slash at its end. */
async function bothWays(api: Client, path: string, options?: RequestOptions): Promise<Answer> {
  const direct = await api.get(path, options);
  const routed = await api.get(`${path}/`, options);
  expect(shape(direct)).toEqual(shape(routed));
  return direct;
}

it('answer as the router does', async () => {
  const { admin, id } = await buildOrganization(app.current);
  const { api } = admin;
  const { body: space } = await api.post<{ id: string }>(`/orgs/${id}/spaces`, {
    title: 'Handbook',
    empty: true,
    editMode: 'live',
  });
  const content = `/spaces/${space.id}/content`;
  const { body: made } = await api.post<{ changes: { page: { id: string } }[] }>(content, {
    changes: [{ operation: 'insert_page', title: 'Über uns', document: { markdown: '# Über uns\n\nText' } }],
  });
  const page = made.changes[0]?.page.id ?? '';
  const read = await bothWays(api, `${content}/page/${page}`);
  expect([read.status, read.body['title']]).toEqual([200, 'Über uns']);
  const etag = read.headers.get('etag') ?? '';
  const unchanged = await bothWays(api, `${content}/page/${page}`, { headers: { 'If-None-Match': etag } });
  expect(unchanged.status).toBe(304);
  for (const path of ['pages', 'files', `page/${page}`])
    expect((await bothWays(api, `${content}/${path}`, { query: { metadata: false } })).status).toBe(200);

  const ignored = await bothWays(api, `${content}/page/${page}`, { query: { colour: 'red' } });
  expect([ignored.status, ignored.headers.get('x-ignored-fields')]).toEqual([200, 'colour']);
  const strict = await bothWays(api, `${content}/page/${page}`, {
    query: { colour: 'red' },
    headers: { Prefer: 'handling=strict' },
  });
  expect(strict.status).toBe(400);
  expect((await bothWays(api, `${content}/page/${page}`, { query: { format: 'stone' } })).status).toBe(400);
  expect((await bothWays(api, `${content}/page/AAAAAAAAAAAAAAAAAAAA`)).status).toBe(404);
  expect((await bothWays(api, '/spaces/AAAAAAAAAAAAAAAAAAAA/content/pages')).status).toBe(404);
  expect((await bothWays(new Client(app.current.url, 'no-token-of-anybody'), `${content}/pages`)).status).toBe(401);
  expect((await bothWays(new Client(app.current.url, undefined), `${content}/pages`)).status).toBe(401);
});

it('are left to the router where an extension has a guard for all operations', async () => {
  @Injectable()
  class ClosedAtNight implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      return !context.switchToHttp().getRequest<Request>().path.endsWith('/content/pages');
    }
  }
  @Module({ providers: [{ provide: APP_GUARD, useClass: ClosedAtNight }] })
  class Hours {}
  const guarded = await TestApp.start({ FILES_DIR: app.current.config.filesDir }, app.current.databaseUrl, [Hours]);
  try {
    const { admin, id } = await buildOrganization(app.current);
    const { body: space } = await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, { title: 'Handbook' });
    const path = `/spaces/${space.id}/content/pages`;
    expect((await admin.api.get(path)).status).toBe(200);
    expect(await new Client(guarded.url, admin.api.token).get(path)).toMatchObject({
      status: 403,
      body: { error: { code: 403 } },
    });
  } finally {
    await guarded.close();
  }
});

it('take paths that are written plainly, and leave all others to the router', () => {
  const page = '/v1/spaces/:spaceId/content/page/:pageId'.split('/');
  const rest = '/v1/spaces/:spaceId/content/path/*pagePath'.split('/');
  const given = (template: string[], path: string) => parametersOf(template, path.split('/'));
  expect(given(page, '/v1/spaces/s/content/page/p%20q')).toEqual({ spaceId: 's', pageId: 'p q' });
  expect(given(rest, '/v1/spaces/s/content/path/a/b%2Fc')).toEqual({ spaceId: 's', pagePath: ['a', 'b/c'] });
  for (const path of [
    '/v1/spaces/s/content/page/p/',
    '/v1/spaces//content/page/p',
    '/v1/spaces/s/content/page',
    '/v1/spaces/s/content/page/p/q',
    '/V1/spaces/s/content/page/p',
  ])
    expect(given(page, path)).toBeUndefined();
  for (const path of ['/v1/spaces/s/content/path', '/v1/spaces/s/content/path/', '/v1/spaces/s/content/path/a//b'])
    expect(given(rest, path)).toBeUndefined();
});
