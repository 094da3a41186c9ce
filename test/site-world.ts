import { createHmac } from 'node:crypto';
import { beforeEach, expect } from '@jest/globals';
import { document, inline, paragraph, plain } from '../src/formats/document/build.js';
import type { ContentRef } from '../src/formats/document/types.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { OutboxRelay } from '../src/kernel/platform/outbox-relay.js';
import { SiteSyncer } from '../src/operations/git-sync/sites/site-syncer.service.js';
import type { TestApp } from './app.js';
import type { Workspace } from './build.js';
import type { Forge } from './forge.js';
import { GitHttpBackend, type FolderRepository } from './git-http-backend.js';
import type { RepositoryServer } from './git-server.js';
import { MAIN } from './git-pair.js';
import { useForge, useGitServer, type GitWorld } from './git-world.js';

export interface Installation {
  id: string;
  parentInstallationId?: string;
  target: { type: string; spaceId?: string; siteId?: string };
  projectDirectory?: string;
  priority?: string;
  error?: string;
  hook: { url: string; secret?: string };
}

/** A file that describes a site with two spaces. */
export const SITE = `# The site of the handbook.
site:
  title: Handbook
  structure:
    - type: space
      key: guides
      title: Guides
      path: guides
      default: true
      content:
        directory: ./guides
    - type: space
      key: internals
      title: Internals
      path: internals
      localizedTitle:
        de: Innereien
      content:
        directory: ./internals
`;
/** A repository of the site. */
export const FILES = {
  LICENSE: 'Free.',
  'docs.yaml': SITE,
  'guides/README.md': '# Guides\n\nHow to.\n',
  'internals/README.md': '# Internals\n\nHow it works.\n',
};

/** A server of repositories in folders. */
interface FolderServer extends RepositoryServer {
  readonly create: (name: string) => Promise<FolderRepository>;
}

interface Listed {
  id: string;
  path: string;
  pages?: Listed[];
}

export let serial = 0;

/** A site that is connected with a repository, and its two sides. */
export class SitePair {
  constructor(
    private readonly world: SiteWorld<FolderServer>,
    readonly site: string,
    readonly git: FolderRepository,
    readonly url: string,
    readonly parent: Installation,
    private readonly provider: string,
  ) {}

  setUp(rest: object = {}, configuration: object = { url: this.url, branch: MAIN }) {
    return this.world.organization.admin.api.patch<Installation>(`/git/installations/${this.parent.id}`, {
      provider: this.provider,
      providerConfiguration: configuration,
      ...rest,
    });
  }

  async begin(priority: 'git' | 'gitbook', rest: object = {}): Promise<void> {
    expect(await this.setUp({ priority, ...rest })).toMatchObject({ status: 200, body: { status: 'active' } });
    await this.world.settle();
    for (const each of await this.list()) expect(each).not.toHaveProperty('error');
  }

  async list(): Promise<Installation[]> {
    const path = `/orgs/${this.world.organization.id}/sites/${this.site}/spaces/git/installations`;
    return (await this.world.organization.admin.api.get<{ items: Installation[] }>(path)).body.items;
  }

  async children(): Promise<Installation[]> {
    return (await this.list()).filter((each) => each.parentInstallationId === this.parent.id);
  }

  async child(directory: string): Promise<Installation> {
    const found = (await this.children()).find((each) => each.projectDirectory === directory);
    if (!found) throw new Error(`there is no installation of ${directory}`);
    return found;
  }

  files(): Promise<Record<string, string>> {
    return this.git.files(this.git.refs.get(MAIN) ?? '');
  }

  async push(changed: Readonly<Record<string, string | undefined>>): Promise<void> {
    const files = Object.entries({ ...(await this.files()), ...changed });
    const kept = files.filter((each): each is [string, string] => each[1] !== undefined);
    await this.git.commit(MAIN, 'Edit in git\n', Object.fromEntries(kept));
  }

  /** Looks at both sides of the structure now, and lets everything follow. */
  async sync(): Promise<void> {
    await this.world.app.get(SiteSyncer).sync(this.parent.id, new AbortController().signal);
    await this.world.settle();
    for (const each of await this.list()) expect(each).not.toHaveProperty('error');
  }

  /** Hands in a push event. */
  async hook(secret: string, push: object, delivery: string): Promise<number> {
    const body = JSON.stringify({ ref: MAIN, before: '1'.repeat(40), ...push });
    const response = await fetch(this.parent.hook.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-delivery': delivery,
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      },
      body,
    });
    return response.status;
  }
}

/** A service beside a git server, and the organization of a test. */
export class SiteWorld<Server extends FolderServer = GitHttpBackend> {
  constructor(
    readonly app: TestApp,
    readonly server: Server,
    readonly organization: Workspace,
  ) {}

  /** Connects a new site, which shows these spaces, with a new repository that has these files. */
  async connect(
    files: Readonly<Record<string, string>>,
    spaces: readonly string[] = [],
    provider = 'git',
  ): Promise<SitePair> {
    const { api } = this.organization.admin;
    const name = `site${serial++}`;
    const git = await this.server.create(name);
    await git.commit(MAIN, 'Begin\n', files);
    const { body: site } = await api.post<{ id: string }>(`/orgs/${this.organization.id}/sites`, {
      title: 'Manual',
      spaces,
    });
    const made = await api.post<Installation>('/git/installations', {
      provider,
      target: { type: 'site', siteId: site.id },
    });
    expect(made).toMatchObject({ status: 201, body: { status: 'pending', target: { type: 'site', siteId: site.id } } });
    return new SitePair(this, site.id, git, `${this.server.url}/${name}.git`, made.body, provider);
  }

  /** Lets the events and jobs of both sides run until nothing is left to do. */
  async settle(): Promise<void> {
    for (let round = 0; round < 6; round++) {
      await this.app.get(OutboxRelay).drain();
      await this.app.get(Jobs).drain();
    }
  }

  async newSpace(title: string, text: string): Promise<string> {
    const { api } = this.organization.admin;
    const { body } = await api.post<{ id: string }>(`/orgs/${this.organization.id}/spaces`, { title, empty: true });
    await api.patch(`/spaces/${body.id}`, { editMode: 'live' });
    const page = { operation: 'insert_page', title, document: { markdown: text } };
    expect((await api.post(`/spaces/${body.id}/content`, { changes: [page] })).status).toBe(200);
    return body.id;
  }

  async text(spaceId: string | undefined): Promise<string> {
    const { api } = this.organization.admin;
    const { body } = await api.get<{ pages: { id: string }[] }>(`/spaces/${spaceId ?? ''}/content`);
    const path = `/spaces/${spaceId ?? ''}/content/page/${body.pages[0]?.id ?? ''}?format=markdown`;
    return (await api.get<{ markdown: string }>(path)).body.markdown;
  }

  /** The ids of the pages of a space, by path. */
  async pagesOf(spaceId: string | undefined): Promise<Map<string, string>> {
    const path = `/spaces/${spaceId ?? ''}/content/pages`;
    const { body } = await this.organization.admin.api.get<{ pages: Listed[] }>(path);
    const all = (pages: readonly Listed[]): [string, string][] =>
      pages.flatMap((page) => [[page.path, page.id], ...all(page.pages ?? [])]);
    return new Map(all(body.pages));
  }

  /** Adds a page with a link; gives its id. */
  async addLink(spaceId: string, title: string, ref: ContentRef): Promise<string> {
    const content = document([paragraph(plain('See '), inline('link', { ref }, [plain('there')]), plain('.'))]);
    const page = { operation: 'insert_page', title, document: { document: content } };
    expect((await this.organization.admin.api.post(`/spaces/${spaceId}/content`, { changes: [page] })).status).toBe(
      200,
    );
    return (await this.pagesOf(spaceId)).get(title.toLowerCase()) ?? '';
  }

  /** The targets of the links of a page, in order. */
  async linksOf(spaceId: string | undefined, page: string | undefined): Promise<object[]> {
    const path = `/spaces/${spaceId ?? ''}/content/page/${page ?? ''}?format=document`;
    const { body } = await this.organization.admin.api.get<{ document: unknown }>(path);
    const found: object[] = [];
    JSON.stringify(body.document, (_, value: unknown) => {
      const { ref } = (value ?? {}) as { ref?: object };
      if (ref !== undefined) found.push(ref);
      return value;
    });
    return found;
  }

  /** The titles of the spaces of a site, in order. */
  async titles(site: string): Promise<string[]> {
    const path = `/orgs/${this.organization.id}/sites/${site}/site-spaces`;
    const { body } = await this.organization.admin.api.get<{ items: { space: { title: string } }[] }>(path);
    return body.items.map(({ space }) => space.title);
  }
}

/** Starts a git server for the tests of a file; each test has a world with an organization of its own. */
export function useSites(app: { readonly current: TestApp }): { readonly current: SiteWorld } {
  return worldsOf(useGitServer(app, () => GitHttpBackend.start()));
}

/** The same with a stand-in for forges. */
export function useForgeSites(app: { readonly current: TestApp }): { readonly current: SiteWorld<Forge> } {
  return worldsOf(useForge(app));
}

function worldsOf<Server extends FolderServer>(git: GitWorld<Server>): { readonly current: SiteWorld<Server> } {
  let world: SiteWorld<Server> | undefined;
  beforeEach(() => {
    world = new SiteWorld(git.app, git.server, git.organization);
  });
  return {
    get current() {
      if (!world) throw new Error('there is a world only inside of tests');
      return world;
    },
  };
}
