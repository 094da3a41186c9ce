import { beforeAll, describe, expect, it } from '@jest/globals';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { OutboxRelay } from '../src/kernel/platform/outbox-relay.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { buildSpace, publish, usePublicListener, type Made, type Space } from './published-site.js';
import { useEngine } from './translation-engine.js';

const app = useApp({ TRANSLATION_DELAY: '0' });
const listener = usePublicListener(app);
let org: Workspace;

beforeAll(async () => {
  useEngine(app.current, ['es', 'fr']);
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
});
