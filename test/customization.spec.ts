import { describe, expect, it } from '@jest/globals';
import {
  customizationBody,
  customizationOverride,
  DEFAULT_CUSTOMIZATION,
} from '../src/publishing/sites/customization.schema.js';
import { useApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import type { Answer } from './client.js';

const app = useApp();
const UNKNOWN = 'AbCdEfGh0123456789Xy';

interface Thing {
  id: string;
}
interface Refusal {
  error: { details?: { path: string }[] };
}

const pathsAt = (answer: Answer<Refusal>): string[] => (answer.body.error.details ?? []).map(({ path }) => path);

/** The defaults with one value in another place. */
function settingsWith(path: string, value: unknown): object {
  const settings = structuredClone(DEFAULT_CUSTOMIZATION) as Record<string, unknown>;
  const keys = path.split('.');
  let here = settings;
  for (const key of keys.slice(0, -1)) here = (here[key] ??= {}) as Record<string, unknown>;
  here[keys.at(-1) ?? ''] = value;
  return settings;
}

const PAIR = { light: '#abc', dark: '#AABBCC' };
const ENUMERATIONS: Readonly<Record<string, readonly string[]>> = {
  'styling.theme': ['clean', 'muted', 'bold', 'gradient'],
  'styling.corners': ['straight', 'rounded', 'circular'],
  'styling.depth': ['subtle', 'flat'],
  'styling.links': ['default', 'accent'],
  'styling.icons': ['regular', 'solid', 'duotone', 'light', 'thin'],
  'styling.background': ['plain', 'match'],
  'styling.search': ['prominent', 'subtle'],
  'styling.sidebar.background': ['default', 'filled'],
  'styling.sidebar.list': ['default', 'pill', 'line'],
  'styling.font': [
    'ABCFavorit',
    'Inter',
    'Roboto',
    'RobotoSlab',
    'OpenSans',
    'SourceSansPro',
    'Lato',
    'Ubuntu',
    'Raleway',
    'Merriweather',
    'Overpass',
    'NotoSans',
    'IBMPlexSerif',
    'Poppins',
    'FiraSans',
  ],
  'styling.monospaceFont': [
    'FiraCode',
    'IBMPlexMono',
    'JetBrainsMono',
    'SourceCodePro',
    'RobotoMono',
    'SpaceMono',
    'DMMono',
    'Inconsolata',
  ],
  'internationalization.locale': ['en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru'],
  'header.preset': ['default', 'bold', 'contrast', 'custom', 'none'],
  'themes.default': ['light', 'dark'],
  'ai.mode': ['none', 'search', 'assistant'],
  'externalLinks.target': ['self', 'blank'],
  'feedback.position': ['top', 'bottom'],
};
const COLOURS = [
  'styling.primaryColor',
  'styling.infoColor',
  'styling.successColor',
  'styling.warningColor',
  'styling.dangerColor',
  'header.backgroundColor',
  'header.linkColor',
];
const FLAGS = [
  'themes.toggeable',
  'pdf.enabled',
  'feedback.enabled',
  'problemReports.enabled',
  'pageVerification.enabled',
  'git.showEditLink',
  'pageActions.externalAI',
  'pageActions.markdown',
  'pageActions.mcp',
  'pagination.enabled',
  'trademark.enabled',
];

/** The actions of pages as clients before 0.202.0 write them. */
const FLAGS_ALONE = { externalAI: true, markdown: true, mcp: true };

/** Paths of what is wrong with settings. */
const faultsOf = (settings: unknown): string[] =>
  (customizationBody.safeParse(settings).error?.issues ?? []).map(({ path }) => path.join('.'));

describe('customization', () => {
  it('takes every member of every enumeration, and nothing else', () => {
    for (const [path, members] of Object.entries(ENUMERATIONS)) {
      for (const member of members)
        expect([path, member, faultsOf(settingsWith(path, member))]).toEqual([path, member, []]);
      for (const wrong of ['other', '', null, 7, members[0]?.toUpperCase()])
        expect([path, wrong, faultsOf(settingsWith(path, wrong))]).toEqual([path, wrong, [path]]);
    }
    for (const path of FLAGS)
      for (const wrong of ['true', 1, null])
        expect([path, faultsOf(settingsWith(path, wrong))]).toEqual([path, [path]]);
  });

  it('refuses cookies that count readers, and a site without some of its settings', () => {
    for (const [path, supported] of [
      ['insights.trackingCookie', false],
      ['advancedCustomization.enabled', true],
    ] as const)
      for (const value of [true, false])
        expect([path, value, faultsOf(settingsWith(path, value))]).toEqual([
          path,
          value,
          value === supported ? [] : [path],
        ]);
  });

  it('takes colours of three or six digits in pairs, and addresses of the web', () => {
    for (const path of COLOURS) {
      expect([path, faultsOf(settingsWith(path, PAIR))]).toEqual([path, []]);
      for (const wrong of ['red', '#ab', '#abcd', '#ggg', 'rgb(0,0,0)', '#abc;}'])
        expect([path, wrong, faultsOf(settingsWith(path, { light: wrong, dark: '#000' }))]).toEqual([
          path,
          wrong,
          [`${path}.light`],
        ]);
      expect(faultsOf(settingsWith(path, { light: '#fff' }))).toEqual([`${path}.dark`]);
    }
    expect(faultsOf(settingsWith('styling.tint', { color: PAIR }))).toEqual([]);
    for (const wrong of ['javascript:alert(1)', 'data:image/png;base64,', '/logo.png', 'ftp://example.com/']) {
      expect([wrong, faultsOf(settingsWith('header.logo', { light: wrong, dark: 'https://example.com/' }))]).toEqual([
        wrong,
        ['header.logo.light'],
      ]);
      for (const path of ['privacyPolicy.url', 'accessibilityStatement.url', 'problemReports.url'])
        expect([wrong, faultsOf(settingsWith(path, wrong))]).toEqual([wrong, [path]]);
    }
  });

  it('is complete without what the public API calls deprecated, and refuses to leave anything else out', () => {
    const {
      internationalization: _,
      socialAccounts: _s,
      problemReports: _r,
      pageVerification: _v,
      accessibilityStatement: _a,
      ...rest
    } = DEFAULT_CUSTOMIZATION;
    const { background: _b, codeTheme: _c, ...styling } = DEFAULT_CUSTOMIZATION.styling;
    const { preset: _p, ...header } = DEFAULT_CUSTOMIZATION.header;
    expect(customizationBody.parse({ ...rest, styling, header, insights: {} })).toEqual(DEFAULT_CUSTOMIZATION);
    for (const key of Object.keys(rest)) {
      const { [key as 'pdf']: _gone, ...others } = { ...DEFAULT_CUSTOMIZATION, pageActions: FLAGS_ALONE };
      expect([key, faultsOf(others)]).toEqual([key, [key]]);
    }
    for (const key of Object.keys(styling)) {
      const { [key as 'theme']: _gone, ...others } = DEFAULT_CUSTOMIZATION.styling;
      expect([key, faultsOf({ ...DEFAULT_CUSTOMIZATION, styling: others })]).toEqual([key, [`styling.${key}`]]);
    }
  });

  it('can be overridden by site spaces value by value, where the public API lets it', () => {
    for (const path of Object.keys(ENUMERATIONS).filter(
      (name) => !['styling.font', 'styling.monospaceFont', 'ai.mode'].includes(name),
    )) {
      const [group = '', ...keys] = path.split('.');
      const wrap = (value: unknown) => ({
        [group]: keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value),
      });
      expect([path, customizationOverride.safeParse(wrap(null)).success]).toEqual([path, true]);
      expect([
        path,
        customizationOverride.safeParse(wrap('other')).error?.issues.map((issue) => issue.path.join('.')),
      ]).toEqual([path, [path]]);
    }
    expect(
      customizationOverride.parse({
        styling: { font: 'Lato', monospaceFont: 'DMMono' },
        ai: { mode: 'search' },
        insights: {},
        pageActions: {},
      }),
    ).toEqual({ styling: {} });
  });

  it('takes what newer builds have, and gives it back', async () => {
    const {
      id,
      admin: { api },
    } = await buildOrganization(app.current);
    const { body: site } = await api.post<Thing>(`/orgs/${id}/sites`, { title: 'Manual' });
    const themes = { light: 'github-light', dark: 'github-dark' };
    const settings = {
      ...DEFAULT_CUSTOMIZATION,
      styling: { ...DEFAULT_CUSTOMIZATION.styling, codeTheme: { default: themes, openapi: themes } },
      ai: { mode: 'search', suggestions: ['How do I begin?'] },
      socialAccounts: [{ platform: 'mastodon', handle: '@docs', display: { footer: true, header: false } }],
    };
    const put = await api.put(`/orgs/${id}/sites/${site.id}/customization`, {
      ...settings,
      updatedAt: '2026-01-01T00:00:00.000Z',
    });
    expect([put.status, put.body]).toEqual([200, settings]);
    expect(faultsOf({ ...settings, socialAccounts: [{ platform: 'elsewhere', handle: '' }] })).toEqual([
      'socialAccounts.0.platform',
      'socialAccounts.0.handle',
      'socialAccounts.0.display',
    ]);
    expect(
      faultsOf(settingsWith('styling.codeTheme', { default: { light: 'plain', dark: 'nord' }, openapi: themes })),
    ).toEqual(['styling.codeTheme.default.light']);
  });

  it('has the actions of pages as a list and as flags, whichever a client writes', async () => {
    const {
      id,
      admin: { api },
    } = await buildOrganization(app.current);
    const make = async (title: string) => (await api.post<Thing>(`/orgs/${id}/spaces`, { title, empty: true })).body.id;
    const { body: site } = await api.post<Thing>(`/orgs/${id}/sites`, {
      title: 'Manual',
      spaces: [await make('Guide')],
    });
    const path = `/orgs/${id}/sites/${site.id}`;
    const { pdf: _p, git: _g, ...latest } = DEFAULT_CUSTOMIZATION;
    const put = async (body: object) => {
      const written = await api.put<typeof DEFAULT_CUSTOMIZATION>(`${path}/customization`, body);
      expect(written.status).toBe(200);
      const { body: read } = await api.get<typeof DEFAULT_CUSTOMIZATION>(`${path}/customization`);
      expect(written.body).toEqual(read);
      const { pageActions, pdf, git } = read;
      const { items, ...flags } = pageActions;
      return [items, { ...flags, pdf: pdf.enabled, git: git.showEditLink }];
    };
    const none = { externalAI: false, markdown: false, mcp: false, pdf: false, git: false };
    // The latest client writes the list alone.
    expect(await put({ ...latest, pageActions: { items: ['git', 'markdown'] } })).toEqual([
      ['git', 'markdown'],
      { ...none, git: true, markdown: true },
    ]);
    // An earlier one writes flags, and the list as it was: what it turns on comes last, what it turns off goes.
    const { body: read } = await api.get<typeof DEFAULT_CUSTOMIZATION>(`${path}/customization`);
    expect(
      await put({ ...read, pageActions: { ...read.pageActions, markdown: false, mcp: true }, pdf: { enabled: true } }),
    ).toEqual([['git', 'mcp', 'pdf'], { ...none, git: true, mcp: true, pdf: true }]);
    // One that knows no list keeps the order that others gave.
    expect(
      await put({
        ...latest,
        pageActions: { externalAI: false, markdown: true, mcp: true },
        pdf: { enabled: false },
        git: { showEditLink: true },
      }),
    ).toEqual([['git', 'mcp', 'markdown'], { ...none, git: true, mcp: true, markdown: true }]);
    // The assistant follows its mode, unless the menu is off.
    const assistant = { ...latest, ai: { mode: 'assistant' } };
    expect((await put({ ...assistant, pageActions: { items: ['pdf'] } }))[0]).toEqual(['assistant', 'pdf']);
    expect((await put({ ...assistant, pageActions: { items: ['pdf', 'assistant'] } }))[0]).toEqual([
      'pdf',
      'assistant',
    ]);
    expect((await put({ ...latest, pageActions: { items: ['pdf', 'assistant'] } }))[0]).toEqual(['pdf']);
    expect(await put({ ...assistant, pageActions: { items: [] } })).toEqual([[], none]);
    // A site space turns PDFs on for itself.
    const { body: spaces } = await api.get<{ items: Thing[] }>(`${path}/site-spaces`);
    const own = await api.patch(`${path}/site-spaces/${spaces.items[0]?.id}/customization`, { pdf: { enabled: true } });
    expect(own.body).toMatchObject({ pageActions: { items: ['assistant', 'pdf'] }, pdf: { enabled: true } });

    for (const [pageActions, faults] of [
      [{ items: ['markdown', 'markdown'] }, ['pageActions.items']],
      [{ items: ['print'] }, ['pageActions.items.0']],
      [{ externalAI: true, mcp: true }, ['pdf', 'git', 'pageActions.markdown']],
      [{}, ['pdf', 'git', 'pageActions.externalAI', 'pageActions.markdown', 'pageActions.mcp']],
    ] as const) {
      const refused = await api.put<Refusal>(`${path}/customization`, { ...latest, pageActions });
      expect([pageActions, refused.status, pathsAt(refused)]).toEqual([pageActions, 400, faults]);
    }
  });

  it('is refused in the words of other bodies', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const { body: site } = await api.post<Thing>(`/orgs/${workspace.id}/sites`, { title: 'Manual' });
    const path = `/orgs/${workspace.id}/sites/${site.id}/customization`;
    const NO_FAVICON = 'favicon: must be {icon: {light, dark}}, {emoji} with one emoji or its code, or {}';
    const refused: readonly (readonly [body: object, message: string])[] = [
      [[], 'body: must be an object'],
      [settingsWith('title', 'A'), 'title: must be longer than or equal to 2 characters'],
      [
        settingsWith('footer.copyright', 'x'.repeat(301)),
        'footer.copyright: must be shorter than or equal to 300 characters',
      ],
      [settingsWith('header.links', 'none'), 'header.links: must be an array'],
      [settingsWith('feedback.enabled', 'yes'), 'feedback.enabled: must be a boolean'],
      [settingsWith('styling.depth', 'deep'), 'styling.depth: must be one of the following values: subtle, flat'],
      [
        settingsWith('header.links', [{ title: 'More', to: { kind: 'tag' }, links: [] }]),
        'header.links.0.to.kind: must be one of the following values: url, page, anchor, space, collection, file, user, reusable-content, openapi',
      ],
      [settingsWith('favicon', { emoji: 'book' }), NO_FAVICON],
      [settingsWith('favicon', { icon: { light: 'https://example.com/a.png' } }), NO_FAVICON],
    ];
    for (const [body, message] of refused)
      expect(await api.put(path, body)).toMatchObject({ status: 400, body: { error: { message } } });
    const settings = settingsWith('favicon', { emoji: '📘' });
    expect(await api.put(path, settings)).toMatchObject({ status: 200, body: { favicon: { emoji: '📘' } } });
    const told = {
      status: 400,
      body: {
        error: { message: 'body: must be an object', details: [{ path: 'body', message: 'must be an object' }] },
      },
    };
    expect(await api.post(`/orgs/${workspace.id}/sites`, [])).toMatchObject(told);
    expect(await api.patch(`/orgs/${workspace.id}/sites/${site.id}`, [{ title: 'Manual' }])).toMatchObject(told);
  });

  it('refers only to what is there and whoever writes it can see', async () => {
    const workspace = await buildOrganization(app.current);
    const { api } = workspace.admin;
    const make = async (title: string) =>
      (await api.post<Thing>(`/orgs/${workspace.id}/spaces`, { title, empty: true, editMode: 'live' })).body.id;
    const [guide, aside] = [await make('Guide'), await make('Aside')];
    const changes = [
      { operation: 'insert_page', title: 'Home' },
      { operation: 'insert_files', files: [{ name: 'a.txt', contentType: 'text/plain', base64: 'YQ==' }] },
      { operation: 'insert_reusable_content', title: 'Hours', document: { markdown: 'Nine' } },
    ];
    for (const space of [guide, aside]) await api.post(`/spaces/${space}/content`, { changes });
    const contentOf = async (space: string) => {
      const { body } = await api.get<{ pages: Thing[]; files: Thing[]; reusableContents: Thing[] }>(
        `/spaces/${space}/content`,
      );
      return { page: body.pages[0]?.id, file: body.files[0]?.id, reusableContent: body.reusableContents[0]?.id };
    };
    const [own, other] = [await contentOf(guide), await contentOf(aside)];
    const { body: collection } = await api.post<Thing>(`/orgs/${workspace.id}/collections`, { title: 'Shelf' });
    const { body: site } = await api.post<Thing>(`/orgs/${workspace.id}/sites`, { title: 'Manual', spaces: [guide] });
    const path = `/orgs/${workspace.id}/sites/${site.id}/customization`;
    const linked = (to: object) =>
      settingsWith('header.links', [{ title: 'More', to: null, links: [{ title: 'There', to }] }]);
    const good = [
      { kind: 'page', page: own.page },
      { kind: 'page', page: other.page, space: aside },
      { kind: 'anchor', anchor: 'top', page: own.page },
      { kind: 'anchor', anchor: 'top' },
      { kind: 'space', space: aside },
      { kind: 'file', file: own.file },
      { kind: 'reusable-content', reusableContent: other.reusableContent, space: aside },
      { kind: 'collection', collection: collection.id },
      { kind: 'user', user: workspace.admin.id },
      { kind: 'url', url: 'https://example.com/' },
      { kind: 'openapi', spec: 'animals' },
    ];
    const register = ({ id, admin }: Workspace, slug: string) =>
      admin.api.put(`/orgs/${id}/openapi/${slug}`, { source: { text: 'openapi: 3.1.0' } });
    expect((await register(workspace, 'animals')).status).toBe(201);
    for (const to of good) expect([to, (await api.put(path, linked(to))).status]).toEqual([to, 200]);
    const foreign = await buildOrganization(app.current);
    expect((await register(foreign, 'pets')).status).toBe(201);
    const { body: theirs } = await foreign.admin.api.post<Thing>(`/orgs/${foreign.id}/spaces`, {
      title: 'Theirs',
      empty: true,
    });
    const bad: readonly (readonly [object, string])[] = [
      [{ kind: 'page', page: other.page }, 'page'],
      [{ kind: 'page', page: own.page, space: aside }, 'page'],
      [{ kind: 'page', page: UNKNOWN }, 'page'],
      [{ kind: 'page', page: own.page, space: theirs.id }, 'space'],
      [{ kind: 'anchor', anchor: 'top', page: UNKNOWN }, 'page'],
      [{ kind: 'space', space: theirs.id }, 'space'],
      [{ kind: 'space', space: UNKNOWN }, 'space'],
      [{ kind: 'file', file: other.file }, 'file'],
      [{ kind: 'reusable-content', reusableContent: UNKNOWN }, 'reusableContent'],
      [{ kind: 'collection', collection: UNKNOWN }, 'collection'],
      [{ kind: 'user', user: foreign.admin.id }, 'user'],
      [{ kind: 'openapi', spec: 'pets' }, 'spec'],
      [{ kind: 'openapi', spec: 'unknown' }, 'spec'],
    ];
    for (const [to, field] of bad) {
      const answer = await api.put<Refusal>(path, linked(to));
      expect([to, answer.status, pathsAt(answer)]).toEqual([to, 400, [`header.links.0.links.0.to.${field}`]]);
    }
    const { body: spaces } = await api.get<{ items: Thing[] }>(path.replace('customization', 'site-spaces'));
    const patch = await api.patch<Refusal>(
      path.replace('customization', `site-spaces/${spaces.items[0]?.id}/customization`),
      { header: { primaryLink: { kind: 'page', page: UNKNOWN } } },
    );
    expect([patch.status, pathsAt(patch)]).toEqual([400, ['header.primaryLink.page']]);
  });
});
