import { describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { Addresses } from '../src/kernel/common/addresses.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { DEFAULT_CUSTOMIZATION } from '../src/publishing/sites/customization.schema.js';
import { PublicListener } from '../src/kernel/platform/public-listener.js';
import { TestApp, useApp } from './app.js';
import { buildOrganization } from './build.js';
import { Client } from './client.js';
import { readPdf } from './pdf-reader.js';
import { buildSpace, publish, usePublicListener, type Seen, type Site, type Space } from './published-site.js';
import { forgedTokens, validTokens } from './security/visitor-tokens.js';

const app = useApp({ TRUSTED_PROXIES: 'loopback' });
const listener = usePublicListener(app);
const see: typeof listener.see = (...request) => listener.see(...request);

const flag = { type: 'boolean', description: 'Whether they test' };
const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    isBetaUser: flag,
    unsigned: {
      type: 'object',
      description: 'Unsigned claims of the site visitor.',
      additionalProperties: false,
      properties: { isBetaUser: flag },
    },
  },
};

async function build(visibility: string): Promise<{ site: Site; guide: Space }> {
  const workspace = await buildOrganization(app.current);
  const guide = await buildSpace(workspace, 'Guide');
  await guide.write(
    { operation: 'insert_page', title: 'Welcome', document: { markdown: 'Hello.\n' } },
    { operation: 'insert_page', title: 'Install', document: { markdown: 'Run it.\n' } },
  );
  const beta = await buildSpace(workspace, 'Beta');
  await beta.write({ operation: 'insert_page', title: 'What comes', document: { markdown: 'Soon.\n' } });
  const site = await publish(workspace, [guide], visibility);
  expect((await site.api.put(`${site.path}/adaptive-schema`, { jsonSchema: SCHEMA })).status).toBe(200);
  await site.api.patch(site.path, { adaptiveContent: { enabled: true } });
  const { id } = (await site.api.post<{ id: string }>(`${site.path}/sections`, { spaceId: beta.id, title: 'Beta' }))
    .body;
  const made = await site.api.patch(`${site.path}/sections/${id}`, {
    condition: 'visitor.claims.isBetaUser == true || visitor.claims.unsigned.isBetaUser == true',
  });
  expect(made.status).toBe(200);
  return { site, guide };
}

/** The cookies that an answer sets, as the browser sends them back. */
function cookiesOf({ headers }: Seen): { cookie: string; attributes: string[] } {
  const set = [headers['set-cookie'] ?? []].flat();
  return {
    cookie: set.map((each) => each.split(';', 1)[0]).join('; '),
    attributes: set.map((each) => each.slice(each.indexOf(';') + 2)),
  };
}

async function sign(site: Site, claims: object, expires: string | number = '1h'): Promise<string> {
  const { privateKey } = (await site.api.get<{ privateKey: string }>(`${site.path}/publishing/auth`)).body;
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(privateKey));
}

describe('3b-12 share links', () => {
  it('open a site, leave the address, and stop at once when they are revoked', async () => {
    const { site } = await build('share-link');
    expect((await see(site.base)).status).toBe(404);
    const link = (
      await site.api.post<{ id: string; urls: { published: string } }>(`${site.path}/share-links`, { name: 'Auditors' })
    ).body;
    const opened = await see(`${new URL(link.urls.published).pathname}/install`);
    expect(opened).toMatchObject({ status: 307, location: `${site.base}/install` });
    const { cookie, attributes } = cookiesOf(opened);
    expect(attributes).toEqual([`Path=${site.base}; HttpOnly; SameSite=Lax`]);
    const page = await see(`${site.base}/install`, { cookie });
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'private, no-cache']);
    expect(page.body).not.toContain(cookie.split('=')[1]);
    expect(page.body).toContain('<meta name="robots" content="noindex">');
    expect((await see(`${site.base}/install`)).status).toBe(404);
    await site.api.patch(`${site.path}/share-links/${link.id}`, { active: false });
    expect((await see(`${site.base}/install`, { cookie })).status).toBe(404);
    expect((await see(`${site.base}/install`, { cookie, 'If-None-Match': String(page.headers['etag']) })).status).toBe(
      404,
    );
    await site.api.patch(site.path, { visibility: 'public' });
    expect((await see(`${site.base}/install`, { cookie })).status).toBe(200);
  });

  it('keep their files behind signatures that open sites do not need', async () => {
    const { site, guide } = await build('unlisted');
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await guide.write({
      operation: 'insert_files',
      files: [{ name: 'dot.png', contentType: 'image/png', base64: png }],
    });
    const file =
      (await site.api.get<{ items: { id: string }[] }>(`/spaces/${guide.id}/content/files`)).body.items[0]?.id ?? '';
    await guide.write({
      operation: 'insert_page',
      title: 'Picture',
      document: { markdown: `![A dot](/files/${file})\n` },
    });
    const sourceOf = ({ body }: Seen): string =>
      /<img[^>]* src="([^"]*~files[^"]*)"/.exec(body)?.[1]?.replaceAll('&#x26;', '&') ?? '';
    const open = new URL(sourceOf(await see(`${site.base}/picture`)));
    expect([...open.searchParams.keys()]).toEqual(['v']);
    expect((await fetch(open)).status).toBe(200);
    await site.api.patch(site.path, { visibility: 'share-link' });
    expect((await fetch(open)).status).toBe(404);
    const link = (await site.api.post<{ urls: { published: string } }>(`${site.path}/share-links`, { name: 'Link' }))
      .body;
    const { cookie } = cookiesOf(await see(new URL(link.urls.published).pathname));
    const signed = new URL(sourceOf(await see(`${site.base}/picture`, { cookie })));
    expect(signed.searchParams.has('signature')).toBe(true);
    expect((await fetch(signed)).status).toBe(200);
  });
});

describe('3b-16 links of the header', () => {
  it('are there for those whom their condition lets see them', async () => {
    const { site } = await build('public');
    const link = (title: string, condition?: string) => ({
      title,
      to: { kind: 'url', url: 'https://example.com/' },
      links: [],
      ...(condition !== undefined && { condition }),
    });
    const links = [
      link('For all'),
      link('For testers', 'visitor.claims.isBetaUser == true'),
      link('Unproven', 'visitor.claims.unsigned.isBetaUser == true'),
      link('Broken', 'visitor.claims.isBetaUser.nothing > 1'),
    ];
    const put = await site.api.put(`${site.path}/customization`, {
      ...DEFAULT_CUSTOMIZATION,
      header: { ...DEFAULT_CUSTOMIZATION.header, links },
    });
    expect(put).toMatchObject({ status: 200, body: { header: { links } } });
    const shown = async (headers: Record<string, string> = {}) => {
      const { body } = await see(site.base, headers);
      return links.map(({ title }) => title).filter((title) => body.includes(title));
    };
    expect(await shown()).toEqual(['For all']);
    expect(await shown({ cookie: `gitbook-visitor-token=${await sign(site, { isBetaUser: true })}` })).toEqual([
      'For all',
      'For testers',
    ]);
    expect(await shown({ cookie: `gitbook-visitor-token=${await sign(site, { isBetaUser: false })}` })).toEqual([
      'For all',
    ]);
    expect(
      await shown({ cookie: `gitbook-visitor-public=${encodeURIComponent(JSON.stringify({ isBetaUser: true }))}` }),
    ).toEqual(['For all', 'Unproven']);
    const refused = await site.api.put(`${site.path}/customization`, {
      ...DEFAULT_CUSTOMIZATION,
      header: { ...DEFAULT_CUSTOMIZATION.header, links: [link('Wrong', 'visitor.claims.(')] },
    });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'header.links.0.condition' }] } },
    });
  });
});

describe('announcements', () => {
  it('tell only those whom their condition names, on pages and in what front ends read', async () => {
    const { site } = await build('public');
    const announcement = {
      enabled: true,
      message: 'Testers, hear this',
      style: 'info',
      condition: 'visitor.claims.isBetaUser == true',
    };
    const customization = `${site.path}/customization`;
    expect(await site.api.put(customization, { ...DEFAULT_CUSTOMIZATION, announcement })).toMatchObject({
      status: 200,
      body: { announcement },
    });
    const told = async (claims?: object): Promise<boolean> => {
      const cookie = claims && `gitbook-visitor-token=${await sign(site, claims)}`;
      const { body } = await see(site.base, { ...(cookie !== undefined && { cookie }) });
      return body.includes('Testers, hear this');
    };
    expect([await told(), await told({ isBetaUser: true }), await told({ isBetaUser: false })]).toEqual([
      false,
      true,
      false,
    ]);
    const unproven = encodeURIComponent(JSON.stringify({ isBetaUser: true }));
    const shown = await see(site.base, { cookie: `gitbook-visitor-public=${unproven}` });
    expect(shown.body).not.toContain('Testers, hear this');
    // Of a section as of the site; a condition that has no value shows it to nobody.
    const { body: spaces } = await site.api.get<{ items: { id: string }[] }>(`${site.path}/site-spaces`);
    const own = `${site.path}/site-spaces/${spaces.items[0]?.id ?? ''}/customization`;
    for (const [condition, testers, others] of [
      ['visitor.claims.isBetaUser == false', false, true],
      ['visitor.claims.isBetaUser.nothing > 1', false, false],
    ] as const) {
      expect((await site.api.patch(own, { announcement: { ...announcement, condition } })).status).toBe(200);
      expect([await told({ isBetaUser: true }), await told({ isBetaUser: false })]).toEqual([testers, others]);
    }
    for (const answer of [
      await site.api.put(customization, {
        ...DEFAULT_CUSTOMIZATION,
        announcement: { ...announcement, condition: 'visitor.claims.(' },
      }),
      await site.api.patch(own, { announcement: { ...announcement, condition: 'visitor.claims.(' } }),
    ])
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: 'announcement.condition' }] } },
      });
  });
});

describe('PDFs', () => {
  it('of readers keep no member waiting, and none is begun for headers alone', async () => {
    const { site, guide } = await build('public');
    const pages = await guide.write(
      ...Array.from({ length: 21 }, (_, index) => ({ operation: 'insert_page', title: `Page ${index}` })),
    );
    const begun = async () =>
      (await app.current.database.query('SELECT 1 FROM pdf_rendering WHERE space_id = $1', [guide.id])).length;
    const head = await see(`${site.base}/~gitbook/pdf`, {}, 'HEAD');
    expect([head.status, head.headers['content-type'], head.headers['cache-control'], await begun()]).toEqual([
      200,
      'application/pdf',
      'no-store',
      0,
    ]);
    expect((await see(`${site.base}/~gitbook/pdf?page=nowhere`, {}, 'HEAD')).status).toBe(404);
    const waiting = (isReader: boolean, count: number) =>
      app.current.database.execute(
        `INSERT INTO pdf_rendering (id, space_id, key, status, wanted, name, created_at, asked_at)
         SELECT $1 || $2::text || n, $1, decode(md5($2::text || n), 'hex'), 'pending', CASE WHEN $2::boolean THEN '{"reader": {}}'::jsonb ELSE '{}' END, 'a.pdf', now(), now() FROM generate_series(1, $3::int) AS n`,
        [guide.id, isReader, count],
      );
    await waiting(true, 20);
    expect((await see(`${site.base}/~gitbook/pdf?page=${pages[0]}`)).status).toBe(429);
    const asked = async (page: string | undefined) =>
      (await site.api.get(`/spaces/${guide.id}/pdf`, { query: { page: page ?? '' } })).status;
    expect(await asked(pages[0])).toBe(200);
    await waiting(false, 19);
    expect(await asked(pages[1])).toBe(429);
    await app.current.database.execute('DELETE FROM pdf_rendering WHERE space_id = $1', [guide.id]);
    await app.current.get(Jobs).drain();
  });

  it('3b-16 hold what their reader sees, and nothing else', async () => {
    const { site, guide } = await build('visitor-auth');
    const [beta = '', plain = ''] = await guide.write(
      {
        operation: 'insert_page',
        title: 'For testers',
        condition: 'visitor.claims.isBetaUser == true',
        document: { markdown: 'Words for testers.\n' },
      },
      {
        operation: 'insert_page',
        title: 'Mixed',
        document: {
          markdown: 'Seen by all.\n\n{% if visitor.claims.isBetaUser == true %}\nSeen by testers.\n{% endif %}\n',
        },
      },
      { operation: 'insert_page', title: 'Put away', hidden: true, document: { markdown: 'Hidden words.\n' } },
    );
    await guide.write({
      operation: 'insert_page',
      title: 'Links',
      document: { markdown: `[](/pages/${beta}) and [the other](/pages/${plain})\n` },
    });
    const cookieOf = async (claims: object): Promise<string> => `gitbook-visitor-token=${await sign(site, claims)}`;
    const textOf = async (query: string, claims: object) => {
      const asked = await see(`${site.base}/~gitbook/pdf${query}`, { cookie: await cookieOf(claims) });
      expect([asked.status, asked.headers['cache-control']]).toEqual([302, 'no-store']);
      await app.current.get(Jobs).drain();
      const answer = await fetch(asked.location ?? '');
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf']);
      const { sheets, links } = await readPdf(new Uint8Array(await answer.arrayBuffer()));
      return { text: sheets.join(' '), links: links.flat().flatMap(({ url }) => url ?? []) };
    };
    const others = await textOf('', {});
    expect(others.text).toMatch(/Welcome.*Install.*Mixed.*Seen by all\./);
    expect(others.text).not.toMatch(/testers|Put away|Hidden words/);
    expect((await textOf('', { isBetaUser: true })).text).toMatch(
      /For testers.*Words for testers\..*Seen by testers\./,
    );
    const alone = await textOf(`?page=${plain}&only=yes`, {});
    expect([alone.text.includes('Seen by all.'), alone.text.includes('Welcome')]).toEqual([true, false]);
    const { body } = await see(`${site.base}/links`, { cookie: await cookieOf({}) });
    const href = /href="([^"]*~gitbook\/pdf\?page=[^"]*)"/.exec(body)?.[1]?.replaceAll('&#x26;', '&') ?? '';
    const links = await textOf(href.slice(href.indexOf('?')), {});
    expect([links.text.includes('testers'), links.links]).toEqual([false, [`${listener.origin}${site.base}/mixed`]]);
    expect((await see(`${site.base}/~gitbook/pdf?page=${beta}`, { cookie: await cookieOf({}) })).status).toBe(404);
    expect((await see(`${site.base}/~gitbook/pdf`)).status).toBe(401);
    await site.api.put(`${site.path}/customization`, { ...DEFAULT_CUSTOMIZATION, pdf: { enabled: false } });
    expect((await see(`${site.base}/~gitbook/pdf`, { cookie: await cookieOf({}) })).status).toBe(404);
    expect((await see(`${site.base}/links`, { cookie: await cookieOf({}) })).body).not.toContain('~gitbook/pdf');
  });
});

/** A second server on the same database, as a browser sees it. */
async function besides(work: (see: (path: string, cookie: string) => Promise<number>) => Promise<void>): Promise<void> {
  const second = await TestApp.start({ TRUSTED_PROXIES: 'loopback' }, app.current.databaseUrl);
  try {
    const port = await second.get(PublicListener).listen();
    await work(
      async (path, cookie) =>
        (await fetch(`http://localhost:${port}${path}`, { headers: { cookie }, redirect: 'manual' })).status,
    );
  } finally {
    await second.close();
  }
}

describe('what lets visitors in', () => {
  it('3b-12 ends at once, on every server and where a page is known already: share links that are switched off or removed, and keys that are made anew', async () => {
    const [{ site }, { site: guarded }, { site: other }] = [
      await build('share-link'),
      await build('visitor-auth'),
      await build('share-link'),
    ];
    const link = async (name: string) =>
      (await site.api.post<{ id: string; urls: { published: string } }>(`${site.path}/share-links`, { name })).body;
    const [first, second] = [await link('First'), await link('Second')];
    const cookieFor = async ({ urls }: typeof first) => cookiesOf(await see(new URL(urls.published).pathname)).cookie;
    const [one, two, token] = [
      await cookieFor(first),
      await cookieFor(second),
      `gitbook-visitor-token=${await sign(guarded, {})}`,
    ];
    await besides(async (elsewhere) => {
      const shown = async () => {
        const found: number[] = [];
        for (const [of, cookie] of [
          [site, one],
          [site, two],
          [guarded, token],
        ] as const)
          found.push(
            (await see(`${of.base}/install`, { cookie })).status,
            await elsewhere(`${of.base}/install`, cookie),
          );
        return found;
      };
      expect([await shown(), await shown()]).toEqual([Array(6).fill(200), Array(6).fill(200)]);
      await site.api.patch(`${site.path}/share-links/${first.id}`, { active: false });
      expect(await shown()).toEqual([404, 404, 200, 200, 200, 200]);
      await site.api.delete(`${site.path}/share-links/${second.id}`);
      expect(await shown()).toEqual([404, 404, 404, 404, 200, 200]);
      await guarded.api.post(`${guarded.path}/publishing/auth/regenerate`);
      expect(await shown()).toEqual([404, 404, 404, 404, 401, 401]);
    });
    // A key opens its own site only, in the address and as a cookie.
    const third = await link('Third');
    const key = third.urls.published.split('/').at(-1) ?? '';
    expect((await see(`${site.base}/~share/${key}/install`)).status).toBe(307);
    expect((await see(`${other.base}/~share/${key}/install`)).status).toBe(404);
    expect(
      (await see(`${other.base}/install`, { cookie: (await cookieFor(third)).replaceAll(site.base, other.base) }))
        .status,
    ).toBe(404);
  });

  it('3b-13 is no forged token, whichever way it comes', async () => {
    const [{ site }, { site: other }] = [await build('visitor-auth'), await build('visitor-auth')];
    const keyOf = async ({ api, path }: Site) =>
      (await api.get<{ privateKey: string }>(`${path}/publishing/auth`)).body.privateKey;
    const [old, foreign] = [await keyOf(site), await keyOf(other)];
    await site.api.post(`${site.path}/publishing/auth/regenerate`);
    const key = await keyOf(site);
    const reading = async (token: string) => {
      const cookie = `gitbook-visitor-token=${token}`;
      const api = await new Client(app.current.url, undefined).post('/urls/published', {
        url: `${listener.origin}${site.base}/install`,
        visitor: { jwtToken: token },
      });
      return [
        (await see(`${site.base}/install`, { cookie })).status,
        (await see(`${site.base}/install?jwt_token=${encodeURIComponent(token)}`)).status,
        api.status,
      ];
    };
    for (const token of validTokens(key)) expect(await reading(token)).toEqual([200, 307, 200]);
    for (const [name, token] of Object.entries(await forgedTokens({ key, foreign, old }))) {
      const statuses = await reading(token);
      expect([name, statuses.filter((status) => ![400, 401, 404, 431].includes(status))]).toEqual([name, []]);
    }
  });
});

describe('visitor authentication', () => {
  it('sends readers to the login and lets in whom it names', async () => {
    const { site } = await build('visitor-auth');
    expect((await see(`${site.base}/install`)).status).toBe(401);
    await site.api.patch(`${site.path}/publishing/auth`, {
      backend: 'custom',
      fallbackURL: 'https://login.example.com/docs?tenant=1',
    });
    const away = await see(`${site.base}/install?a=b`);
    expect([away.status, away.location]).toEqual([
      302,
      `https://login.example.com/docs?tenant=1&location=${encodeURIComponent('install?a=b')}`,
    ]);
    const token = await sign(site, { isBetaUser: true });
    const entering = await see(`${site.base}/install?jwt_token=${token}&a=b`);
    expect(entering).toMatchObject({ status: 307, location: `${site.base}/install?a=b` });
    const { cookie, attributes } = cookiesOf(entering);
    expect(attributes[0]).toMatch(new RegExp(`^Path=${site.base}; HttpOnly; SameSite=Lax; Max-Age=3[56]\\d\\d$`));
    const inside = await see(site.base, { cookie });
    expect([inside.status, inside.headers['cache-control'], inside.headers['vary']]).toEqual([
      200,
      'private, no-cache',
      'Accept, Cookie, Accept-Encoding',
    ]);
    expect(inside.body).toContain('Beta');
    expect((await see(site.base, { cookie: `gitbook-visitor-token=${await sign(site, {})}` })).body).not.toContain(
      'Beta',
    );
    for (const bad of ['x', 'a.b.c', await sign(site, {}, 1), `${token}x`])
      expect((await see(`${site.base}/install?jwt_token=${bad}`)).status).toBe(302);
    const out = await see(`${site.base}/~gitbook/auth/logout`, { cookie });
    expect(cookiesOf(out).attributes.every((each) => each.endsWith('Max-Age=0'))).toBe(true);
    await site.api.post(`${site.path}/publishing/auth/regenerate`);
    expect((await see(site.base, { cookie })).status).toBe(302);
  });

  it('lets members look at what is not published yet, and keeps it out of shared caches and search engines', async () => {
    const { site } = await build('public');
    await site.api.post(`${site.path}/unpublish`);
    const preview = new URL(
      (await site.api.get<{ url: string }>(`${site.path}/publishing/preview`, { query: { claims: '(isBetaUser:!t)' } }))
        .body.url,
    );
    expect((await see(preview.pathname)).status).toBe(404);
    const entering = await see(preview.pathname + preview.search);
    expect(entering).toMatchObject({ status: 307, location: site.base });
    const inside = await see(site.base, { cookie: cookiesOf(entering).cookie });
    expect([inside.status, inside.headers['cache-control']]).toEqual([200, 'private, no-cache']);
    expect(inside.body).toContain('Beta');
    expect(inside.body).toContain('<meta name="robots" content="noindex">');
  });

  it('lets the workspace, and nobody else, frame what its members see, and no page of other readers', async () => {
    for (const visibility of ['public', 'unlisted', 'visitor-auth', 'share-link']) {
      const { site } = await build(visibility);
      if (visibility === 'unlisted') await site.api.patch(site.path, { adaptiveContent: { enabled: false } });
      const framersOf = ({ headers }: Seen) =>
        /frame-ancestors ([^;]*)/.exec(String(headers['content-security-policy']))?.[1];
      const link = await site.api.post<{ urls: { published?: string } }>(`${site.path}/share-links`, { name: 'A' });
      const key = cookiesOf(await see(new URL(link.body.urls.published ?? site.base, listener.origin).pathname)).cookie;
      const token = `gitbook-visitor-token=${await sign(site, {})}`;
      const reader: Record<string, string> =
        { 'visitor-auth': { cookie: token }, 'share-link': { cookie: key } }[visibility] ?? {};
      const ofReaders = [await see(site.base, reader), await see(`${site.base}/gone-from-here`, reader)];
      const { body } = await site.api.get<{ url: string }>(`${site.path}/publishing/preview`);
      const preview = new URL(body.url);
      const { cookie } = cookiesOf(await see(preview.pathname + preview.search));
      const workspace = `'self' ${new URL(app.current.get(Addresses).app('')).origin}`;
      for (const path of ['', '/install', '/gone-from-here']) {
        const inside = await see(site.base + path, { cookie });
        expect([visibility, path, framersOf(inside)]).toEqual([visibility, path, workspace]);
        expect([inside.headers['cache-control']].flat().join()).not.toContain('public');
      }
      // Kept pages are the same objects for all: no reader gets them with the policy of a member.
      ofReaders.push(await see(site.base, reader));
      expect([visibility, ...ofReaders.map(framersOf)]).toEqual([visibility, "'self'", "'self'", "'self'"]);
      const etag = String(ofReaders[0]?.headers['etag']);
      // A browser that has the page from before, with the policy of readers, gets it anew.
      const again = await see(site.base, { cookie, 'If-None-Match': etag });
      expect([visibility, again.status, framersOf(again)]).toEqual([visibility, 200, workspace]);
    }
  });

  it('3b-17 leads back to nothing but the site', async () => {
    const { site } = await build('visitor-auth');
    await site.api.patch(`${site.path}/publishing/auth`, {
      backend: 'custom',
      fallbackURL: 'https://login.example.com/',
    });
    const cookie = `gitbook-visitor-token=${await sign(site, {})}`;
    const login = (location: string, headers = {}) =>
      see(`${site.base}/~gitbook/auth/login?location=${encodeURIComponent(location)}`, headers);
    expect((await login(`${site.base}/install?x=1`, { cookie })).location).toBe(`${site.base}/install?x=1`);
    expect((await login('install?x=1', { cookie })).location).toBe(`${site.base}/install?x=1`);
    for (const hostile of [
      '//evil.example',
      '\\evil.example',
      '/\\evil.example',
      'https://evil.example',
      '/elsewhere',
      `${site.base}/../elsewhere`,
      `${site.base}x`,
      '/\tx',
      'javascript:alert(1)',
    ]) {
      expect((await login(hostile, { cookie })).location).toBe(site.base);
      expect(new URL((await login(hostile)).location ?? '').searchParams.get('location')).toBe('');
    }
  });
});

describe('3b-14 claims that nobody signs', () => {
  it('are taken from the address, remembered, and never count as signed ones', async () => {
    const { site } = await build('public');
    expect((await see(site.base)).body).not.toContain('Beta');
    expect((await see(`${site.base}/beta`)).status).toBe(404);
    const given = await see(`${site.base}?visitor.isBetaUser=true`);
    expect(given).toMatchObject({ status: 307, location: site.base });
    const { cookie } = cookiesOf(given);
    expect((await see(site.base, { cookie })).body).toContain('Beta');
    expect((await see(`${site.base}/beta`, { cookie })).status).toBe(200);
    const taken = cookiesOf(await see(`${site.base}?visitor.isBetaUser=false`, { cookie }));
    expect((await see(site.base, { cookie: taken.cookie })).body).not.toContain('Beta');
    for (const hostile of [
      'visitor.__proto__.isBetaUser=true',
      'visitor.constructor.prototype.isBetaUser=true',
      'visitor.claims.isBetaUser=true',
      'visitor.=true',
      'visitor.a.b.c.d.e.f.g=1',
    ]) {
      const answer = await see(`${site.base}?${hostile}`);
      expect([answer.status, answer.location]).toEqual([307, site.base]);
      expect((await see(site.base, { cookie: cookiesOf(answer).cookie })).body).not.toContain('Beta');
    }
    expect(({} as { isBetaUser?: boolean }).isBetaUser).toBeUndefined();
  });
});

describe('feeds of updates', () => {
  it('have what a visitor sees of a page, and nothing that another one does', async () => {
    const { site, guide } = await build('public');
    const update = (day: number, words: string) => `{% update date="2026-01-0${day}" %}\n${words}\n{% endupdate %}\n`;
    const markdown = `{% updates %}\n${update(2, '{% if visitor.claims.isBetaUser == true %}\n\nFor testers.\n\n{% endif %}\n\nFor all.')}{% endupdates %}\n`;
    await guide.write({ operation: 'insert_page', title: 'News', document: { markdown } });
    const cookie = `gitbook-visitor-token=${await sign(site, { isBetaUser: true })}`;
    const feed = async (headers: Record<string, string> = {}) => (await see(`${site.base}/news/rss.xml`, headers)).body;
    expect(await feed({ cookie })).toContain('For testers.');
    const open = await feed();
    expect(open).toContain('For all.');
    expect(open).not.toContain('For testers.');
  });
});

describe('what parts of pages with a condition name', () => {
  it('is open to the tokens of those readers who see them', async () => {
    const { site, guide } = await build('public');
    const url = 'https://vimeo.com/1084537';
    const markdown = `{% if visitor.claims.isBetaUser == true %}\n\n{% embed url="${url}" %}\n\n{% endif %}\n`;
    await guide.write({ operation: 'insert_page', title: 'Film', document: { markdown } });
    const statusFor = async (visitor: object) => {
      const found = await site.api.post<{ apiToken: string }>('/urls/published', {
        url: `${listener.origin}${site.base}`,
        ...visitor,
      });
      const reader = new Client(app.current.url, found.body.apiToken);
      return (await reader.get(`/spaces/${guide.id}/embed`, { query: { url } })).status;
    };
    expect(await statusFor({})).toBe(404);
    expect(await statusFor({ visitor: { jwtToken: await sign(site, { isBetaUser: true }) } })).toBe(200);
  });
});

describe('addresses', () => {
  it('are those that a trusted proxy says', async () => {
    const { site } = await build('public');
    await site.api.patch(site.path, { proxy: 'example.com/docs' });
    const page = await see(`${site.base}/install`, { 'X-Forwarded-Host': 'example.com', 'X-Forwarded-Proto': 'https' });
    expect(page.status).toBe(200);
    expect(page.body).toContain('<link rel="canonical" href="https://example.com/docs/install">');
    expect(page.body).toMatch(/<link nonce="[^"]*" rel="stylesheet" href="\/docs\/~assets\//);
    expect((await see(`${site.base}/install`, { 'X-Forwarded-Host': 'elsewhere.example' })).body).toContain(
      `href="${listener.origin}${site.base}/install.md"`,
    );
    const style = /href="(\/docs\/~assets\/[^"]+)"/.exec(page.body)?.[1] ?? '';
    expect(await see(style)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'public, max-age=31536000, immutable' },
    });
    expect((await see('/~assets/other/site.js')).headers['cache-control']).toBe('no-cache');
    expect((await see('/~assets/other/nothing.js')).status).toBe(404);
  });
});
