import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { document, paragraph, plain } from '../../src/formats/document/build.js';
import { newId } from '../../src/kernel/common/ids.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import type { Workspace } from '../build.js';
import { useEngine } from '../translation-engine.js';
import { buildSpace, type Made, publish, type Space } from '../published-site.js';
import { type BrowsedWorkspace, succeeded } from './workspace.js';

const APP = join(import.meta.dirname, '../../app/src');
const FONT = join(
  import.meta.dirname,
  '../../node_modules/@fontsource-variable/overpass/files/overpass-latin-wght-normal.woff2',
);

/** The texts that screens show. */
export interface Words {
  /** A text of a field that takes so many characters. */
  readonly text: (name: string, most: number) => string;
  /** A subject of a conversation, which the service keeps without its HTML. */
  readonly subject: (name: string, most: number) => string;
  /** A text that is written in Markdown. */
  readonly markdown: (text: string) => string;
  readonly svg: string;
}

const PLAIN: Words = {
  text: (name) => name,
  subject: (name) => name,
  markdown: (text) => text,
  svg: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle cx="4" cy="4" r="4"/></svg>',
};

const pageText = (node: string): string =>
  `Needs **Node.js** ${node} for <code class="expression">space.vars.product</code>, as <code class="expression">page.vars.own</code>.\n\n{% hint style="info" %}\nA hint.\n{% endhint %}\n\n| A | B |\n|---|---|\n| 1 | 2 |\n`;

interface ListedPage {
  readonly id: string;
  readonly title: string;
}

/** An organization with something to show on every screen, and the addresses of the screens. */
export class FilledWorkspace {
  constructor(
    private readonly workspace: BrowsedWorkspace,
    private readonly words: Words = PLAIN,
  ) {}

  private get organization(): Workspace {
    return this.workspace.organization;
  }

  /** Addresses of the screens that need nobody to be signed in. */
  async outside(): Promise<string[]> {
    const { admin, id } = this.organization;
    const email = `${Math.random().toString(36).slice(2)}@example.com`;
    succeeded(await admin.api.post(`/orgs/${id}/invites`, { emails: [email], role: 'edit' }));
    const link = succeeded(await admin.api.post<Made>(`/orgs/${id}/link-invites`, { role: 'read' }));
    const paths = ['/sign-in', '/sign-in#unknown', '/invitations/unknown', `/join/${id}/${link.id}`];
    return [
      ...paths.map((path) => this.workspace.at(path)),
      await this.workspace.linkFor(admin),
      await this.workspace.addressFor(email, /http\S+\/invitations\/\w+/),
    ];
  }

  /** Addresses of the screens behind the sign-in of the administrator, each with something to show. */
  async inside(): Promise<string[]> {
    const { organization, words, workspace } = this;
    const { admin, id } = organization;
    const colleague = await organization.member('review');
    for (const [person, name] of [
      [admin, 'Administrator'],
      [colleague, 'Colleague'],
    ] as const)
      succeeded(await person.api.patch(`/users/${person.id}`, { displayName: words.text(name, 64) }));
    succeeded(await admin.api.patch(`/orgs/${id}`, { title: words.text('Organization', 255) }));
    succeeded(await admin.api.post('/user/tokens', { name: words.text('Token', 100) }));
    const collection = succeeded(
      await admin.api.post<Made>(`/orgs/${id}/collections`, { title: words.text('Guides', 50) }),
    );
    const about = { description: words.text('All of them', 100) };
    succeeded(await admin.api.patch(`/collections/${collection.id}`, about));
    const space = await buildSpace(organization, words.text('Handbook', 50));
    const deleted = await buildSpace(organization, words.text('Old', 50));
    succeeded(await admin.api.post(`/spaces/${space.id}/move`, { parent: collection.id }));
    succeeded(await admin.api.delete(`/spaces/${deleted.id}`));
    const writers = { title: words.text('Writers', 64), members: [colleague.id] };
    const team = succeeded(await admin.api.put<Made>(`/orgs/${id}/teams`, writers));
    const roles = { role: 'edit', users: [colleague.id], teams: [team.id] };
    succeeded(await admin.api.post(`/spaces/${space.id}/permissions`, roles));
    const site = await publish(organization, [space]);
    const sitePath = `/orgs/${id}/sites/${site.id}`;
    succeeded(await admin.api.patch(sitePath, { title: words.text('Site', 128) }));
    succeeded(await admin.api.post(`${sitePath}/share-links`, { name: words.text('Friends', 50) }));
    const destination = { kind: 'external', url: 'https://example.com/?a=%22%3E%3Cb%3E' };
    succeeded(await admin.api.post(`${sitePath}/redirects`, { source: '/old', destination }));
    const { install, operations, tagged } = await this.write(space);
    const { number, path } = await workspace.propose(space, words.text('Newer', 100), this.edit(install, '22'));
    await space.write(this.edit(install, '20'));
    await this.changeMore(path, install);
    await this.discuss(path, install);
    await workspace.app.get(Jobs).drain();
    const services = await this.services(space);
    const { revision } = succeeded(await admin.api.get<{ revision: string }>(`/spaces/${space.id}`));
    const place = `/s/${space.id}`;
    const request = `${place}/~/changes/${number}`;
    const page = `/~/pages/${install}`;
    const query = encodeURIComponent(words.text('node', 200));
    const inOrganization = [
      ...[
        '',
        `/c/${collection.id}`,
        `/c/${collection.id}/access`,
        '/people',
        '/people?tab=invitations',
        '/people?tab=links',
      ],
      ...['/search?query=node', `/search?query=${query}`, '/search', '/trash', '/changes', `/no/such/${query}`],
      ...['', page, `${page}?edit=true`, `/~/pages/${operations}`, `/~/pages/${tagged}`].map((to) => place + to),
      ...['/~/changes', '/~/files', '/~/variables', '/~/history', '/~/access'].map((to) => place + to),
      ...services,
      // No module brings screens here.
      ...['', '/s/' + space.id + '/~'].flatMap((to) => [`${to}/extensions`, `${to}/extensions/none`]),
      '/people?tab=teams',
      ...['', `/${site.id}`, `/${site.id}?tab=links`, `/${site.id}?tab=redirects`].map((to) => `/sites${to}`),
      ...['', page].map((to) => `${place}/~/revisions/${revision}${to}`),
      ...['', '/~/changes', '/~/conflicts', '/~/files', '/~/history', page, `${page}?edit=true`].map(
        (to) => request + to,
      ),
      ...(await this.settings(space)),
      ...['contents', 'addresses', 'look', 'visitors', 'insights', 'links', 'redirects', 'access'].map(
        (tab) => `/sites/${site.id}?tab=${tab}`,
      ),
    ];
    const tabs = ['', '?tab=sessions', '?tab=tokens', '?tab=notifications'];
    return [
      ...['/', '/notifications', `/u/${colleague.id}`, ...tabs.map((tab) => `/account${tab}`)].map((to) =>
        workspace.at(to),
      ),
      ...inOrganization.map((to) => workspace.home(to)),
    ];
  }

  /** The address that leads on to the preview of a site: a page that is no screen of the workspace. */
  async preview(): Promise<string> {
    const space = await buildSpace(this.organization, 'Previewed');
    const site = await publish(this.organization, [space]);
    return this.workspace.home(`/sites/${site.id}/preview`);
  }

  /** Imports, specifications, webhooks and translations; gives the addresses of their screens. */
  private async services(space: Space): Promise<string[]> {
    const { words, workspace, organization } = this;
    const { admin, id } = organization;
    const { api } = admin;
    const source = { type: 'website', url: 'http://127.0.0.1:1/docs/' };
    const run = succeeded(await api.post<Made>(`/org/${id}/imports`, { source, target: { space: space.id } }));
    const [first, second] = ['  version: 1', '  version: "1"'].map(
      (version) => `openapi: 3.1.0\ninfo:\n  title: Pets\n${version}\npaths: {}\n`,
    );
    for (const text of [second, first])
      succeeded(await api.put(`/orgs/${id}/openapi/faulty`, { source: { type: 'text', text, tolerant: false } }));
    const url = 'http://127.0.0.1:1/hook';
    const hook = { url, events: ['*'], description: words.text('For the chat', 500) };
    const webhook = succeeded(await api.post<Made>(`/orgs/${id}/webhooks`, hook));
    succeeded(await api.post(`/orgs/${id}/webhooks/${webhook.id}/ping`));
    useEngine(workspace.app, ['ar']);
    const languages = { source: { space: space.id, language: 'en' }, language: 'ar' };
    const translation = succeeded(await api.post<Made>(`/orgs/${id}/translations`, languages));
    const entry = { type: 'insert', translations: { en: words.text('term', 255), ar: words.text('مصطلح', 255) } };
    succeeded(await api.put(`/orgs/${id}/translations-glossary`, { operations: [entry] }));
    const asked = [0, 1].map((index) => ({
      id: `asked${index}`,
      subject: words.subject('Exports', 512),
      metadata: { attributes: { plan: words.text('pro', 1000) } },
      parts: [{ type: 'message', role: 'user', body: words.markdown('How do I export the handbook to PDF?') }],
    }));
    succeeded(await api.post(`/orgs/${id}/conversations`, asked));
    succeeded(await api.put(`/orgs/${id}/agent-instructions`, { markdown: words.markdown('Write **briefly**.') }));
    const { items: conversations } = succeeded(await api.get<{ items: Made[] }>(`/orgs/${id}/conversations`));
    const clusterId = newId();
    await workspace.app.database.execute(
      `INSERT INTO issues_cluster (id, organization_id, label, icon, summary, issues, conversations, reviewed_at, created_at, updated_at)
       VALUES ($1, $2, $3, 'circle', $4, 0, 0, now(), now(), now())`,
      [clusterId, id, words.text('Exports', 100), words.text('How is it exported?', 1000)],
    );
    await workspace.app.get(Jobs).drain();
    return [
      ...['', '?tab=topics&by=issues', '?tab=conversations', '?tab=settings'].map((to) => `/conversations${to}`),
      `/conversations/clusters/${clusterId}`,
      ...conversations.map((conversation) => `/conversations/all/${conversation.id}`),
      ...['/templates', '/templates/changelog', '/agent-instructions', '/archive', `/s/${space.id}/~/exports`],
      ...['', `/${run.id}`].map((to) => `/s/${space.id}/~/imports${to}`),
      ...['/openapi', '/openapi/faulty', '/openapi/pets', '/webhooks', `/webhooks/${webhook.id}`],
      ...['', '?tab=glossary'].map((to) => `/translations${to}`),
      ...['', '?tab=pages', '?tab=files', '?tab=settings'].map((to) => `/translations/${translation.id}${to}`),
    ];
  }

  /** A provider of each protocol, merge rules and a font; gives the addresses of the screens of settings. */
  private async settings(space: Space): Promise<string[]> {
    const { words, organization } = this;
    const { admin, id } = organization;
    const { api } = admin;
    const providers: string[] = [];
    for (const protocol of ['saml', 'oidc']) {
      const label = words.text('Identity', 30);
      const provider = succeeded(await api.post<Made>(`/orgs/${id}/${protocol}`, { label }));
      providers.push(`/sso/${protocol}/${provider.id}`);
    }
    const message = words.text('Friday is no day to merge', 500);
    const mergeRules = {
      type: 'rules',
      rules: [
        { rule: 'require_specific_reviewers', users: [admin.id] },
        { rule: 'custom', expression: 'reviews.length > 0', message },
      ],
    };
    succeeded(await api.patch(`/orgs/${id}`, { mergeRules }));
    succeeded(await api.patch(`/spaces/${space.id}`, { mergeRules }));
    const bytes = readFileSync(FONT);
    const file = { name: 'house.woff2', type: 'font/woff2', size: bytes.length };
    const { key, url } = succeeded(
      await api.post<{ key: string; url: string }>(`/orgs/${id}/storage/upload`, { kind: 'customization_font', file }),
    );
    await fetch(url, { method: 'PUT', body: bytes, headers: { 'Content-Type': file.type } });
    const font = { fontFamily: words.text('House', 50), fontFaces: [{ weight: 400, storageKey: key }] };
    succeeded(await api.put(`/orgs/${id}/fonts`, font));
    return [
      ...['', '?tab=rules', '?tab=fonts', '?tab=retention', ...providers].map((to) => `/settings${to}`),
      `/s/${space.id}/~/merge-rules`,
    ];
  }

  private edit(page: string, node: string): object {
    const markdown = this.words.markdown(pageText(node));
    const description = this.words.text(`For ${node}`, 300);
    return { operation: 'update_page', page, description, document: { markdown } };
  }

  /** Pages, files, variables and texts to be used again; gives the ids of the pages to be shown, one made from a tag. */
  private async write(space: Space): Promise<Record<'install' | 'operations' | 'tagged', string>> {
    const { words } = this;
    const { admin, id } = this.organization;
    const specification = {
      openapi: '3.1.0',
      info: { title: words.text('Pets', 200), version: '1', description: words.markdown('All pets.') },
      servers: [{ url: words.text('https://pets.example.com', 200) }],
      paths: {
        '/pets': {
          get: {
            summary: words.text('List pets', 200),
            description: words.markdown('Lists them.'),
            tags: [words.text('Tag', 100)],
            parameters: [
              { name: words.text('limit', 100), in: 'query', description: words.markdown('How many.'), schema: {} },
            ],
            responses: { 200: { description: words.markdown('The pets.') } },
          },
        },
      },
    };
    const source = { type: 'text', text: JSON.stringify(specification) };
    succeeded(await admin.api.put(`/orgs/${id}/openapi/pets`, { source }));
    await this.workspace.app.get(Jobs).drain();
    const base64 = Buffer.from(words.svg).toString('base64');
    const file = (name: string, contentType: string) => ({ name: words.text(name, 256), contentType, base64 });
    const [install = '', operations = ''] = await space.write(
      {
        operation: 'insert_page',
        title: words.text('Install', 250),
        linkTitle: words.text('First', 100),
        description: words.text('How to', 300),
        icon: 'rocket',
        variables: { own: words.text('Own value', 200) },
        document: { markdown: words.markdown(pageText('18')) },
      },
      {
        operation: 'insert_page',
        title: words.text('Operations', 250),
        icon: 'paw',
        document: { markdown: '{% openapi-operation spec="pets" path="/pets" method="get" %}\n' },
      },
      { operation: 'insert_page', type: 'group', title: words.text('Group', 250) },
      {
        operation: 'insert_page',
        type: 'link',
        title: words.text('Link', 250),
        target: { kind: 'url', url: 'https://example.com/?a="><b>' },
      },
      { operation: 'insert_page', title: words.text('Marked', 250), emoji: words.text('1f680', 50) },
      {
        operation: 'insert_page',
        type: 'computed',
        title: 'Reference',
        computed: {
          type: 'builtin:openapi',
          props: { models: true },
          dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } },
        },
      },
      {
        operation: 'insert_files',
        files: [file('picture.svg', 'image/svg+xml'), file('notes.txt', 'text/plain')],
      },
      // Objects of JavaScript have a property of the second name without being given one.
      {
        operation: 'set_variables',
        variables: { product: words.text('Bindery', 200), constructor: words.text('Own', 200) },
      },
    );
    await this.workspace.app.get(Jobs).drain();
    const { pages } = succeeded(await admin.api.get<{ pages: ListedPage[] }>(`/spaces/${space.id}/content/pages`));
    return { install, operations, tagged: pages.find(({ title }) => title.startsWith('Tag'))?.id ?? '' };
  }

  /** Other things that a change request changes than the text of a page. */
  private async changeMore(path: string, page: string): Promise<void> {
    const { words } = this;
    const attributes = {
      linkTitle: words.text('Begin', 100),
      icon: 'anchor',
      variables: { own: words.text('Other value', 200) },
    };
    const changes = [
      { operation: 'update_page', page, ...attributes },
      {
        operation: 'insert_reusable_content',
        title: words.text('Used again', 250),
        document: { markdown: words.markdown('Words.') },
      },
    ];
    succeeded(await this.organization.admin.api.post(`${path}/content`, { changes }));
  }

  /** Comments with a reply and a suggestion on a page of a change request, and a review. */
  private async discuss(path: string, page: string): Promise<void> {
    const { words, organization } = this;
    const { admin } = organization;
    const reviewer = await organization.member('review');
    const body = (text: string) => ({ body: { markdown: words.markdown(text) } });
    const description = document([paragraph(plain(words.text('Why it is newer', 1000)))]);
    succeeded(await admin.api.patch(path, { description }));
    const { id } = succeeded(await reviewer.api.post<Made>(`${path}/comments`, body('Is **22** right?')));
    succeeded(await admin.api.post(`${path}/comments/${id}/replies`, body('It is.')));
    const { document: present } = succeeded(
      await admin.api.get<{ document: { nodes: { key: string }[] } }>(`${path}/content/page/${page}`, {
        query: { format: 'document' },
      }),
    );
    const suggestion = { markdown: words.markdown('Needs **Node.js** 24.') };
    succeeded(
      await reviewer.api.post(`${path}/comments`, {
        ...body('Better so'),
        page,
        node: present.nodes[0]?.key,
        suggestion,
      }),
    );
    succeeded(
      await reviewer.api.post(`${path}/reviews`, { status: 'changes-requested', comment: body('Not yet.').body }),
    );
  }
}

/** The routes, as their files name them, of which no visited path is one. */
export function unvisitedRoutes(visited: readonly string[]): string[] {
  return readdirSync(APP, { recursive: true, encoding: 'utf8' })
    .filter((name) => /routes?\.tsx?$/.test(name))
    .flatMap((name) => [...readFileSync(join(APP, name), 'utf8').matchAll(/\bpath: '([^']+)'/g)])
    .map(([, path = '']) => path)
    .filter((path) => path !== '/' && path !== '/$')
    .filter((path) => {
      const pattern = new RegExp(`${path.replaceAll(/\$\w+/g, '[^/]+')}(/|$)`);
      return !visited.some((each) => pattern.test(each));
    });
}
