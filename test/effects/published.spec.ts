import { beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_CUSTOMIZATION } from '../../src/publishing/sites/customization.schema.js';
import { useApp } from '../app.js';
import { buildOrganization } from '../build.js';
import { isRecord } from '../contract/json-schema.js';
import { buildSpace, publish, usePublicListener, type Made, type Site, seePreview } from '../published-site.js';
import { iconElement } from '../../src/formats/html/icons.js';
import { htmlOf } from '../../src/kernel/common/html.js';
import { LOOKS, SITE_LOOKS, type Look } from './looks.js';

const app = useApp();
const listener = usePublicListener(app);

/** The settings with others laid over them. */
function laidOver(settings: unknown, others: unknown): unknown {
  if (!isRecord(settings) || !isRecord(others)) return others;
  return Object.entries(others).reduce(
    (made, [name, other]) => ({ ...made, [name]: laidOver(settings[name], other) }),
    settings,
  );
}

describe('the customization', () => {
  let site: Site;
  let siteSpace: string;
  let usual: string;
  const page = async (): Promise<string> => (await listener.see(site.base)).body;

  beforeAll(async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    const markdown = 'The first paragraph [leads out](https://outside.example/a).\n\n```js\nconst a = 1;\n```\n';
    await space.write(
      { operation: 'insert_page', title: 'First', icon: 'bell', document: { markdown } },
      { operation: 'insert_page', title: 'Second', document: { markdown: 'The second.' } },
    );
    site = await publish(workspace, [space]);
    siteSpace = (await site.api.get<{ items: Made[] }>(`${site.path}/site-spaces`)).body.items[0]?.id ?? '';
    usual = await page();
  });

  /** The parts of a look that are on a page although they should not be, or are absent although they should be there. */
  const faultsOf = (html: string, { of, settings, shows = [], hides = [] }: Look): object[] =>
    [
      ...shows.map((pattern) => ({ pattern, there: pattern.test(html), before: pattern.test(usual), wanted: true })),
      ...hides.map((pattern) => ({ pattern, there: pattern.test(html), before: pattern.test(usual), wanted: false })),
    ].flatMap(({ pattern, there, before, wanted }) =>
      there === wanted && before !== wanted ? [] : [{ of, settings, pattern: String(pattern), there, before }],
    );

  it('of a site changes its pages, setting by setting', async () => {
    const faults: object[] = [];
    for (const look of [...LOOKS, ...SITE_LOOKS]) {
      // The actions of pages are a list and flags: what differs from before counts.
      if (SITE_LOOKS.includes(look)) await site.api.put(`${site.path}/customization`, DEFAULT_CUSTOMIZATION);
      const put = await site.api.put(`${site.path}/customization`, laidOver(DEFAULT_CUSTOMIZATION, look.settings));
      expect([look.settings, put.status]).toEqual([look.settings, 200]);
      faults.push(...faultsOf(await page(), look));
    }
    await site.api.put(`${site.path}/customization`, DEFAULT_CUSTOMIZATION);
    expect(faults).toEqual([]);
    expect(await page()).toHaveLength(usual.length);
  }, 30_000);

  it('that is not saved changes the page of the person who tries it, setting by setting', async () => {
    const faults: object[] = [];
    for (const look of [...LOOKS, ...SITE_LOOKS]) {
      const tried = await site.api.post<{ url: string }>(
        `${site.path}/customization/preview`,
        laidOver(DEFAULT_CUSTOMIZATION, look.settings),
      );
      expect([look.settings, tried.status]).toEqual([look.settings, 200]);
      faults.push(...faultsOf((await seePreview(listener, tried.body.url)).body, look));
    }
    for (const look of LOOKS) {
      const path = `${site.path}/site-spaces/${siteSpace}/customization/preview`;
      const tried = await site.api.post<{ url: string }>(path, look.settings);
      faults.push(...faultsOf((await seePreview(listener, tried.body.url)).body, look));
    }
    expect(faults).toEqual([]);
    expect(await page()).toHaveLength(usual.length);
  }, 60_000);

  it('of a site space changes its pages, setting by setting, until it is taken away', async () => {
    const path = `${site.path}/site-spaces/${siteSpace}/customization`;
    const faults: object[] = [];
    for (const look of LOOKS) {
      expect([look.settings, (await site.api.patch(path, look.settings)).status]).toEqual([look.settings, 200]);
      faults.push(...faultsOf(await page(), look));
      expect((await site.api.delete(path)).status).toBe(204);
    }
    expect(faults).toEqual([]);
    expect(await page()).toHaveLength(usual.length);
  }, 30_000);
});

describe('pages', () => {
  it('show in the navigation and on the page what is written of it', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    const attributes = (name: string, emoji: string): object => ({
      title: `${name} title`,
      linkTitle: `${name} link`,
      description: `${name} description`,
      emoji,
    });
    const target = (name: string): object => ({ kind: 'url', url: `https://outside.example/${name}` });
    await space.write({ operation: 'insert_tag', slug: 'new', label: 'Brand new', color: 'green', emoji: '1f680' });
    const [page = '', link = ''] = await space.write(
      { operation: 'insert_page', ...attributes('First', '1f4d8'), tags: [{ tag: { kind: 'tag', tag: 'new' } }] },
      { operation: 'insert_page', type: 'link', title: 'Leaves', icon: 'bell', target: target('one') },
      { operation: 'insert_page', type: 'group', title: 'Chapter' },
    );
    const { base } = await publish(workspace, [space]);
    const shown = async (): Promise<Record<string, string | undefined>> => {
      const html = (await listener.see(base)).body;
      const tree = /<nav class="tree".*?<\/nav>/s.exec(html)?.[0] ?? '';
      const main = /<main.*?<\/main>/s.exec(html)?.[0] ?? '';
      return {
        entry: /<a class="tree-page"[^>]*aria-current="page"[^>]*>.*?<span>([^<]*)<\/span>/s.exec(tree)?.[1],
        emoji: /aria-current="page".*?(\p{Emoji_Presentation})/su.exec(tree)?.[1],
        heading: /<h1[^>]*>.*?([\w ]+)<\/h1>/s.exec(main)?.[1],
        description: /<p class="lead"[^>]*>([^<]*)/.exec(main)?.[1],
        target: /href="(https:\/\/outside\.example\/\w+)"[^>]*>(?:<svg class="icon".*?<\/svg>)<span>Leaves/s.exec(
          tree,
        )?.[1],
        group: /<p class="tree-heading">([^<]*)/.exec(tree)?.[1],
        tag: /<ul class="page-tags">(.*?)<\/ul>/s.exec(main)?.[1],
      };
    };
    const first = await shown();
    expect(first).toMatchObject({
      entry: 'First link',
      emoji: '📘',
      heading: 'First title',
      description: 'First description',
      target: 'https://outside.example/one',
      group: 'Chapter',
      tag: expect.stringMatching(/text-green.*🚀.*Brand new/s),
    });
    await space.write(
      { operation: 'update_page', page, ...attributes('Second', '1f680') },
      { operation: 'update_page', page: link, target: target('two') },
      { operation: 'update_tag', tag: 'new', label: 'Older', color: 'blue', emoji: '1f4d8' },
    );
    expect(await shown()).toMatchObject({
      entry: 'Second link',
      emoji: '🚀',
      heading: 'Second title',
      description: 'Second description',
      target: 'https://outside.example/two',
      tag: expect.stringMatching(/text-blue.*📘.*Older/s),
    });
    await space.write(
      { operation: 'update_page', page, emoji: '', icon: 'bell' },
      { operation: 'update_tag', tag: 'new', emoji: '', icon: 'bell' },
    );
    const last = await shown();
    expect([last['emoji'], last['tag']]).toEqual([undefined, expect.stringContaining('<svg class="icon"')]);
  });

  it('stand in sections, groups and beside links, which menus show with their titles, icons and descriptions', async () => {
    const workspace = await buildOrganization(app.current);
    const [first, second, third] = [
      await buildSpace(workspace, 'Guide'),
      await buildSpace(workspace, 'Reference'),
      await buildSpace(workspace, 'Older'),
    ];
    for (const space of [first, second, third])
      await space.write({ operation: 'insert_page', title: 'Start', document: { markdown: 'Text' } });
    const { api, path, base } = await publish(workspace, [first]);
    const make = async (what: string, body: object): Promise<string> => {
      const made = await api.post<Made>(`${path}/${what}`, body);
      expect([what, made.status]).toEqual([what, 201]);
      return made.body.id;
    };
    const icon = (name: string): string => htmlOf([iconElement(name, 'regular')]);
    const menus = async (): Promise<string> =>
      /<nav class="tabs-bar".*?<\/nav>/s.exec((await listener.see(base)).body)?.[0] ?? '';
    const section = await make('sections', { spaceId: second.id, title: 'Reference', icon: 'bell' });
    expect(await menus()).toMatch(/Reference/);
    expect(await menus()).toContain(icon('bell'));
    const group = await make('section-groups', { title: 'More', icon: 'star', sections: [section] });
    const link = { title: 'Community', description: 'Ask others', icon: 'user', url: 'https://outside.example/one' };
    const added = await make('external-links', { ...link, parent: group });
    await api.patch(`${path}/sections/${section}`, { title: 'All calls', icon: 'clock', description: 'Call by call' });
    const made = await menus();
    for (const part of [
      'More',
      icon('star'),
      'Community',
      'Ask others',
      icon('user'),
      link.url,
      'All calls',
      icon('clock'),
      'Call by call',
    ])
      expect(made).toContain(part);
    await api.patch(`${path}/section-groups/${group}`, { title: 'Still more', icon: 'heart' });
    const changes = { title: 'Forum', description: 'Tell others', icon: 'flag', url: 'https://outside.example/two' };
    await api.patch(`${path}/external-links/${added}`, changes);
    const changed = await menus();
    for (const part of ['Still more', icon('heart'), 'Forum', 'Tell others', icon('flag'), changes.url])
      expect(changed).toContain(part);
    const variant = await api.post<{ id: string }>(`${path}/site-spaces`, { spaceId: third.id, sectionId: section });
    expect(variant.status).toBe(201);
    const { body } = await api.get<{ items: { id: string; siteSpaces: Made[] }[] }>(`${path}/sections`);
    expect(body.items.find(({ id }) => id === section)?.siteSpaces.map(({ id }) => id)).toContain(variant.body.id);
  });
});
