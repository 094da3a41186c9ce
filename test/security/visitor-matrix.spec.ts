import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { SignJWT } from 'jose';
import { DEFAULT_CUSTOMIZATION } from '../../src/publishing/sites/customization.schema.js';
import { useApp } from '../app.js';
import { buildOrganization } from '../build.js';
import { open } from '../preview-world.js';
import { buildSpace, publish, usePublicListener, type Site } from '../published-site.js';

/*
 * Whatever a site says to programs and to people who ask, it says to the same visitor on its pages: each kind of
 * visitor by each way, compared with the pages themselves.
 */

const app = useApp();
const listener = usePublicListener(app);

/** Words that stand on one page each, and in nothing else. */
const WORDS = {
  open: 'quartzite',
  /** A page with a condition. */
  beta: 'obsidian',
  /** A part of an open page with a condition. */
  part: 'malachite',
  /** A page of a section with a condition. */
  section: 'turquoise',
  /** A page that is not in navigation. */
  hidden: 'amethyst',
  /** A page that no search finds. */
  unlisted: 'tourmaline',
} as const;
type Word = (typeof WORDS)[keyof typeof WORDS];
const PATHS = ['', '/beta', '/more/second', '/hidden', '/unlisted'];
const CONDITION = 'visitor.claims.isBetaUser == true';
const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: { isBetaUser: { type: 'boolean', description: 'Whether they test' } },
};

/** A visitor: what the browser or program sends, and the address of the site for them. */
interface Visitor {
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For programs, which keep no cookies: a token, or an address with a key. */
  readonly token?: string;
  readonly shared?: string;
}

const wordsIn = (text: string): Word[] => Object.values(WORDS).filter((word) => text.toLowerCase().includes(word));

async function build(visibility: string): Promise<{ site: Site; visitors: Record<string, Visitor> }> {
  const workspace = await buildOrganization(app.current);
  const [guide, more] = [await buildSpace(workspace, 'Guide', 'en'), await buildSpace(workspace, 'More', 'en')];
  const page = (title: string, markdown: string, attributes: object = {}) => ({
    operation: 'insert_page',
    title,
    document: { markdown },
    ...attributes,
  });
  const about = (word: string): string => `The bridge is made of ${word}.`;
  await guide.write(
    page(
      'First',
      `${about(WORDS.open)}\n\n{% if ${CONDITION} %}\n\n## Bridge\n\n${about(WORDS.part)}\n\n{% endif %}\n`,
    ),
    page('Beta', about(WORDS.beta), { condition: CONDITION }),
    page('Hidden', about(WORDS.hidden), { hidden: true }),
    page('Unlisted', about(WORDS.unlisted), { noIndex: true }),
  );
  await more.write(page('Start', 'Nothing.'), page('Second', about(WORDS.section)));
  const site = await publish(workspace, [guide], visibility);
  const expected = async (answer: Promise<{ status: number }>): Promise<void> =>
    expect((await answer).status).toBeLessThan(300);
  await expected(site.api.put(`${site.path}/adaptive-schema`, { jsonSchema: SCHEMA }));
  await expected(site.api.patch(site.path, { adaptiveContent: { enabled: true } }));
  await expected(site.api.put(`${site.path}/customization`, { ...DEFAULT_CUSTOMIZATION, ai: { mode: 'assistant' } }));
  const section = await site.api.post<{ id: string }>(`${site.path}/sections`, { spaceId: more.id, title: 'More' });
  await expected(site.api.patch(`${site.path}/sections/${section.body.id}`, { condition: CONDITION }));
  const { privateKey } = (await site.api.get<{ privateKey: string }>(`${site.path}/publishing/auth`)).body;
  const sign = (claims: object, key = privateKey) =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).setExpirationTime('1h').sign(Buffer.from(key));
  const { base } = site;
  const link = await site.api.post<{ urls: { published: string } }>(`${site.path}/share-links`, { name: 'Auditors' });
  const withToken = async (claims: object, key?: string): Promise<Visitor> => {
    const token = await sign(claims, key);
    return { base, headers: { cookie: `gitbook-visitor-token=${token}` }, token };
  };
  /** A browser keeps the key in a cookie. */
  const withKey = async (address: string): Promise<Visitor> => {
    const shared = new URL(address).pathname.replace(/\/$/, '');
    const entered = await listener.see(shared);
    const cookie = [entered.headers['set-cookie'] ?? []].flat().map((each) => each.split(';', 1)[0] ?? '');
    return { base, headers: { cookie: cookie.join('; ') }, shared };
  };
  const request = await site.api.post<{ id: string }>(`/spaces/${guide.id}/change-requests`, { subject: 'Nothing' });
  /** A member who previews a change request with some claims. */
  const previewing = async (query: Readonly<Record<string, string>>): Promise<Visitor> => {
    const path = `/spaces/${guide.id}/change-requests/${request.body.id}/preview`;
    const opened = await open(listener, (await site.api.get<{ url: string }>(path, { query })).body.url);
    return { base: opened.base, headers: { cookie: opened.cookie } };
  };
  return {
    site,
    visitors: {
      'a member who previews': await previewing({}),
      'a member who previews as a tester': await previewing({ claims: '(isBetaUser:!t)' }),
      nobody: { base, headers: {} },
      'somebody with a forged token': await withToken({ isBetaUser: true }, 'x'.repeat(64)),
      'somebody with a wrong key': { base: `${base}/~share/wrongwrongwrongwrong`, headers: {} },
      'somebody with a token': await withToken({ isBetaUser: false }),
      'a tester': await withToken({ isBetaUser: true }),
      ...(visibility === 'share-link' && { 'somebody with a key': await withKey(link.body.urls.published) }),
    },
  };
}

/** All that an MCP client gets from a site; nothing if it is not let in. */
async function mcpTexts({ base: plain, shared, token }: Visitor, question: string): Promise<string> {
  const base = shared ?? plain;
  const client = new McpClient({ name: 'somebody', version: '1' });
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  try {
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${listener.origin}${base}/~gitbook/mcp`), {
        requestInit: { headers },
      }),
    );
  } catch {
    return '';
  }
  const texts: string[] = [];
  for (const [name, input] of [
    ['searchDocumentation', { query: question }],
    ...Object.values(WORDS).map((word) => ['searchDocumentation', { query: word }] as const),
    ['askQuestion', { question }],
    ['listPages', {}],
    ...PATHS.map((path) => ['getPage', { page: `${listener.origin}${base}${path}` }] as const),
  ] as const) {
    const { content, isError } = await client.callTool({ name, arguments: input });
    if (isError !== true) texts.push(JSON.stringify(content));
  }
  await client.close();
  // The question and the addresses are the visitor's own words.
  return texts.join('\n');
}

describe.each(['public', 'unlisted', 'share-link', 'visitor-auth'])('a site with the visibility %s', (visibility) => {
  let visitors: Record<string, Visitor>;
  const question = 'What is the bridge made of?';
  const see = async ({ base, headers }: Visitor, path: string, more: Record<string, string> = {}): Promise<string> => {
    const { status, body } = await listener.see(base + path, { ...headers, ...more });
    return status < 300 ? body : '';
  };
  const joined = async (texts: readonly Promise<string>[]): Promise<string> => (await Promise.all(texts)).join('\n');

  const WAYS: Readonly<Record<string, (visitor: Visitor) => Promise<string>>> = {
    search: (visitor) =>
      joined([
        see(visitor, `/~search?q=${encodeURIComponent(question)}`),
        see(visitor, `/~search?q=${encodeURIComponent(question)}`, { accept: 'application/json' }),
      ]),
    answers: (visitor) => see(visitor, `/~ask?q=${encodeURIComponent(question)}`),
    MCP: (visitor) => mcpTexts(visitor, question),
    'llms.txt': (visitor) =>
      joined(
        ['/llms.txt', '/llms-full.txt', '/more/llms.txt', '/more/llms-full.txt'].map((path) => see(visitor, path)),
      ),
    Markdown: (visitor) =>
      joined(
        PATHS.flatMap((path) => [
          see(visitor, `${path === '' ? '/first' : path}.md`),
          see(visitor, path, { accept: 'text/markdown' }),
        ]),
      ),
    sitemap: (visitor) => joined([see(visitor, '/sitemap.xml'), see(visitor, '/robots.txt')]),
  };

  beforeAll(async () => {
    visitors = (await build(visibility)).visitors;
  }, 60_000);

  it('says nothing to anybody that its pages do not say to them', async () => {
    const told: Record<string, Record<string, Word[]>> = {};
    for (const [name, visitor] of Object.entries(visitors)) {
      const onPages = wordsIn(await joined(PATHS.map((path) => see(visitor, path))));
      told[name] = { pages: onPages };
      for (const [way, ask] of Object.entries(WAYS)) {
        const said = wordsIn(await ask(visitor));
        expect([name, way, said.filter((word) => !onPages.includes(word))]).toEqual([name, way, []]);
        told[name][way] = said;
      }
    }
    // It does say something, so that there was something to compare.
    const tester = told[visibility === 'share-link' ? 'somebody with a key' : 'a tester'];
    for (const way of ['pages', 'search', 'answers', 'MCP', 'llms.txt', 'Markdown'])
      expect([way, tester?.[way]]).toEqual([way, expect.arrayContaining([WORDS.open])]);
    if (visibility !== 'share-link')
      for (const way of ['pages', 'search', 'MCP', 'llms.txt', 'Markdown'])
        expect([way, tester?.[way]]).toEqual([way, expect.arrayContaining([WORDS.beta])]);
    for (const ways of Object.values(told))
      for (const way of ['search', 'answers', 'llms.txt']) expect(ways[way]).not.toContain(WORDS.unlisted);
    for (const [name, words] of [
      ['a member who previews', [WORDS.open]],
      ['a member who previews as a tester', [WORDS.open, WORDS.part, WORDS.beta, WORDS.section]],
    ] as const) {
      for (const way of ['pages', 'Markdown', 'llms.txt'])
        expect([name, way, told[name]?.[way]]).toEqual([name, way, expect.arrayContaining([...words])]);
      // These know published content only.
      for (const way of ['search', 'answers', 'MCP', 'sitemap'])
        expect([name, way, told[name]?.[way]]).toEqual([name, way, []]);
      expect([name, told[name]?.['pages']?.includes(WORDS.beta)]).toEqual([name, words.length > 1]);
    }
    const closed = visibility === 'share-link' || visibility === 'visitor-auth';
    const stranger = closed ? [] : expect.arrayContaining([WORDS.open]);
    for (const name of ['nobody', 'somebody with a forged token'])
      expect([name, told[name]?.['pages']]).toEqual([name, stranger]);
  }, 60_000);
});
