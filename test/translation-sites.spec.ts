import { beforeAll, describe, expect, it } from '@jest/globals';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { OutboxRelay } from '../src/kernel/platform/outbox-relay.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { buildSpace, publish, usePublicListener, type Made, type Space } from './published-site.js';
import { useEngine, type TestEngine } from './translation-engine.js';

const app = useApp({ TRANSLATION_DELAY: '0' });
const listener = usePublicListener(app);
let org: Workspace;
let engine: TestEngine;

const paragraphOf = (text: string): object => ({
  ...{ object: 'block', type: 'paragraph', data: {} },
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
});

beforeAll(async () => {
  engine = useEngine(app.current, ['es', 'fr']);
  org = await buildOrganization(app.current);
});

async function translate(space: Space, body: object): Promise<string> {
  const made = await org.admin.api.post<{ result: { space: string } }>(`/orgs/${org.id}/translations`, {
    source: { space: space.id, language: 'en' },
    ...body,
  });
  expect([made.status, made.body]).toEqual([201, made.body]);
  await app.current.get(OutboxRelay).drain();
  await app.current.get(Jobs).drain();
  return made.body.result.space;
}

/** The languages and paths that a page names to search engines. */
async function named(path: string): Promise<Record<string, string>> {
  const { body } = await listener.see(path);
  const found = body.matchAll(/<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">/g);
  return Object.fromEntries([...found].map(([, language = '', href = '']) => [language, new URL(href).pathname]));
}

describe('translations on a site', () => {
  it('name each other and are found by readers who change the language, whatever their slugs are', async () => {
    const source = await buildSpace(org, 'Guide', 'en');
    await source.write(
      ...['Home', 'Steps'].map((title) => ({
        ...{ operation: 'insert_page', title, slug: title.toLowerCase() },
        document: { markdown: 'Read this.' },
      })),
    );
    const spaces = [
      await translate(source, { language: 'es', slugs: 'translate' }),
      await translate(source, { language: 'fr', slugs: 'translate' }),
    ];
    const site = await publish(org, [source, ...spaces.map((id) => ({ ...source, id }))]);
    const { body } = await org.admin.api.get<{ items: { path: string; space: Made }[] }>(`${site.path}/site-spaces`);
    const [es = '', fr = ''] = spaces.map((id) => {
      const path = body.items.find(({ space }) => space.id === id)?.path ?? '';
      return `${site.base}/${path}`;
    });
    const wanted = {
      ...{ en: `${site.base}/steps`, es: `${es}/stepsix`, fr: `${fr}/stepsix` },
      'x-default': `${site.base}/steps`,
    };
    for (const path of [wanted.en, wanted.es, wanted.fr]) expect([path, await named(path)]).toEqual([path, wanted]);
    const root = { en: site.base, es, fr, 'x-default': site.base };
    for (const path of [site.base, es, fr]) expect([path, await named(path)]).toEqual([path, root]);
    for (const [asked, found] of [
      [`${es}/steps?fallback=true`, wanted.es],
      [`${site.base}/stepsix?fallback=true`, wanted.en],
      [`${es}/nowhere?fallback=true`, es],
    ] as const) {
      const { status, location = '' } = await listener.see(asked);
      expect([status, new URL(location, listener.origin).pathname]).toEqual([307, found]);
    }
  });

  it('name no page that is the translation of another one, though it stands at the same path', async () => {
    const source = await buildSpace(org, 'Book', 'en');
    const page = (title: string): object => ({
      ...{ operation: 'insert_page', title, slug: title.toLowerCase() },
      document: { markdown: 'Read this.' },
    });
    await source.write(page('Home'), page('A'));
    const result = await translate(source, { language: 'es', slugs: 'translate' });
    const site = await publish(org, [source, { ...source, id: result }]);
    const { body } = await org.admin.api.get<{ items: { path: string; space: Made }[] }>(`${site.path}/site-spaces`);
    const es = `${site.base}/${body.items.find(({ space }) => space.id === result)?.path ?? ''}`;
    // No run has translated it yet.
    await source.write(page('Aix'));
    expect(await named(`${site.base}/aix`)).toEqual({});
    const { en, es: found } = await named(`${es}/aix`);
    expect([en, found]).toEqual([`${site.base}/a`, `${es}/aix`]);
  });

  it('are several to one language as variants, of which search engines are told the first', async () => {
    const source = await buildSpace(org, 'Manual', 'en');
    await source.write({
      ...{ operation: 'insert_page', title: 'Home', slug: 'home' },
      document: { markdown: 'Read this.' },
    });
    const create = (body: object) =>
      org.admin.api.post<{ id: string }>(`/orgs/${org.id}/translations`, {
        ...{ source: { space: source.id, language: 'en' }, language: 'es' },
        ...body,
      });
    const tone = { object: 'document', data: {}, nodes: [paragraphOf('Address readers informally.')] };
    const plain = await translate(source, { language: 'es' });
    const informal = await translate(source, { language: 'es', variant: 'informal', instructions: tone });
    expect(engine.jobs.map(({ instructions }) => instructions)).toContain('Address readers informally.');
    const spaces = [plain, informal].map(async (id) => (await org.admin.api.get<Made>(`/spaces/${id}`)).body);
    expect(await Promise.all(spaces)).toMatchObject([
      { title: 'Manual (español)' },
      { title: 'Manual (español, informal)' },
    ]);
    for (const body of [{}, { variant: 'informal' }]) expect((await create(body)).status).toBe(409);
    for (const variant of ['', ' x', 'x\ny', 'x'.repeat(21), 1]) expect((await create({ variant })).status).toBe(400);
    const { body: listed } = await org.admin.api.get<{ items: { variant?: string }[] }>(`/orgs/${org.id}/translations`);
    expect(listed.items.slice(0, 2).map(({ variant }) => variant)).toEqual(['informal', undefined]);

    const site = await publish(org, [source, ...[plain, informal].map((id) => ({ ...source, id }))]);
    const { body } = await org.admin.api.get<{ items: { path: string; space: Made }[] }>(`${site.path}/site-spaces`);
    const [first = '', second = ''] = [plain, informal].map(
      (id) => `${site.base}/${body.items.find(({ space }) => space.id === id)?.path ?? ''}`,
    );
    const wanted = { en: site.base, es: first, 'x-default': site.base };
    expect([await named(site.base), await named(first), await named(second)]).toEqual([wanted, wanted, {}]);
    const raced = await Promise.all([1, 2].map(() => create({ variant: 'formal' })));
    expect(raced.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});
