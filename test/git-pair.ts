import { expect } from '@jest/globals';
import { OutboxRelay } from '../src/kernel/platform/outbox-relay.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import type { TestApp } from './app.js';
import type { Workspace } from './build.js';
import type { Entry, RepositoryServer, ServedRepository } from './git-server.js';

export const MAIN = 'refs/heads/main';
export const FILES = {
  LICENSE: 'Free.',
  'SUMMARY.md': '# Contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n',
  'README.md': '# Home\n\nWelcome.\n',
  'guide.md': '# Guide\n\nFirst paragraph.\n\nSecond paragraph.\n\nThird paragraph.\n',
};

export interface Installation {
  id: string;
  status: string;
  error?: string;
  changeRequest?: string;
  hook: { url: string; secret?: string };
  providerConfiguration: { url?: string; deployKey?: string; hostKey?: string };
}
export interface Run {
  id: string;
  status: string;
  error?: string;
  changed?: boolean;
  problems?: { file: string; message: string }[];
  plan?: { direction: string; files: { path: string; change: string }[] };
}

/** Where pairs are made. */
export interface PairWorld {
  readonly app: TestApp;
  readonly organization: Workspace;
  readonly server: RepositoryServer;
}

let serial = 0;

/** A space that is connected with a repository, and its two sides. */
export class GitPair {
  private constructor(
    private readonly world: PairWorld,
    readonly space: string,
    readonly repository: ServedRepository,
    readonly installation: Installation,
  ) {}

  static async make(
    world: PairWorld,
    provider = 'git',
    files: Readonly<Record<string, Entry>> = FILES,
  ): Promise<GitPair> {
    const { organization, server } = world;
    const { api } = organization.admin;
    const name = `pair${serial++}`;
    const repository = await server.create(name);
    if (Object.keys(files).length > 0) await repository.commit(MAIN, 'Begin\n', files);
    const { body: space } = await api.post<{ id: string }>(`/orgs/${organization.id}/spaces`, {
      title: 'Guide',
      empty: true,
    });
    await api.patch(`/spaces/${space.id}`, { editMode: 'live' });
    const made = await api.post<Installation>('/git/installations', {
      provider,
      target: { type: 'space', spaceId: space.id },
    });
    expect(made).toMatchObject({ status: 201, body: { status: 'pending', provider } });
    const pair = new GitPair(world, space.id, repository, made.body);
    const set = await pair.setUp({ url: `${server.url}/${name}.git`, branch: MAIN });
    expect(set).toMatchObject({ status: 200, body: { status: 'active' } });
    return pair;
  }

  get organization(): Workspace {
    return this.world.organization;
  }
  get path(): string {
    return `/git/installations/${this.installation.id}`;
  }
  get head(): string {
    return this.repository.refs.get(MAIN) ?? '';
  }

  setUp(providerConfiguration: object, rest: object = {}) {
    const { provider } = this.installation as unknown as { provider: string };
    return this.world.organization.admin.api.patch<Installation>(this.path, {
      provider,
      providerConfiguration,
      ...rest,
    });
  }

  async begin(priority: 'git' | 'gitbook'): Promise<void> {
    expect((await this.setUp({}, { priority })).status).toBe(200);
    await this.settle();
  }

  /** Lets the events and jobs of both sides run until nothing is left to do. */
  async settle(): Promise<void> {
    const { app } = this.world;
    while ((await app.get(OutboxRelay).drain()) + (await app.get(Jobs).drain()) > 0);
  }

  async sync(): Promise<Run> {
    const { body } = await this.world.organization.admin.api.post<Run>(`${this.path}/sync`, {});
    await this.settle();
    return (await this.world.organization.admin.api.get<Run>(`/org/${this.world.organization.id}/imports/${body.id}`))
      .body;
  }

  /** The synchronization that ended last. */
  async lastRun(): Promise<Run> {
    const { organization } = this.world;
    const [last] = (await organization.admin.api.get<{ items: Run[] }>(`/org/${organization.id}/imports`)).body.items;
    return (await organization.admin.api.get<Run>(`/org/${organization.id}/imports/${last?.id ?? ''}`)).body;
  }

  async state(): Promise<Installation> {
    return (await this.world.organization.admin.api.get<Installation>(this.path)).body;
  }

  /** The git objects of the files of the branch, by path. */
  blobs(): Promise<Map<string, string>> {
    return this.repository.blobs(this.head);
  }

  files(): Promise<Record<string, string>> {
    return this.repository.files(this.head);
  }

  async push(changed: Readonly<Record<string, Entry>>, message = 'Edit in git\n'): Promise<string> {
    return this.repository.commit(MAIN, message, { ...(await this.files()), ...changed });
  }

  async page(slug: string): Promise<{ id: string; markdown: string }> {
    const { body } = await this.world.organization.admin.api.get<{ pages: { id: string; slug: string }[] }>(
      `/spaces/${this.space}/content`,
    );
    const id = body.pages.find((page) => page.slug === slug)?.id ?? '';
    const page = await this.world.organization.admin.api.get<{ markdown: string }>(
      `/spaces/${this.space}/content/page/${id}?format=markdown`,
    );
    return { id, markdown: page.body.markdown };
  }

  async write(slug: string, replace: (markdown: string) => string): Promise<void> {
    const { id, markdown } = await this.page(slug);
    const { status } = await this.world.organization.admin.api.post(`/spaces/${this.space}/content`, {
      changes: [{ operation: 'update_page', page: id, document: { markdown: replace(markdown) } }],
    });
    expect(status).toBe(200);
  }
}
