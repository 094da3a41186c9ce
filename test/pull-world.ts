import { expect } from '@jest/globals';
import type { Workspace } from './build.js';
import type { Client } from './client.js';
import type { Forge, ForgeRepo } from './forge.js';
import { GitPair } from './git-pair.js';
import type { GitWorld } from './git-world.js';

export type PullProvider = 'github' | 'gitlab' | 'gitea' | 'bitbucket';

export interface Request {
  id: string;
  number: number;
  status: string;
  subject: string;
}

/** A space that is equal with a branch at a forge, and its change requests. */
export class PullWorld {
  private constructor(
    private readonly organization: Workspace,
    readonly pair: GitPair,
    readonly repo: ForgeRepo,
  ) {}

  static async connect(
    hosted: GitWorld<Forge>,
    provider: PullProvider = 'github',
    previewExternalBranches = true,
  ): Promise<PullWorld> {
    const pair = await GitPair.make(hosted, provider);
    const repo = hosted.server.repositories.at(-1);
    if (!repo) throw new Error('there is no repository');
    const set = await pair.setUp({ accessToken: hosted.server.token }, { previewExternalBranches });
    expect(set.body).toMatchObject({ previewExternalBranches });
    await pair.begin('git');
    expect(await pair.state()).not.toHaveProperty('error');
    return new PullWorld(hosted.organization, pair, repo);
  }

  private get api(): Client {
    return this.organization.admin.api;
  }

  at({ id }: Pick<Request, 'id'>): string {
    return `/spaces/${this.pair.space}/change-requests/${id}`;
  }

  async requests(): Promise<Request[]> {
    const found: Request[] = [];
    for (const status of ['open', 'archived', 'merged']) {
      const path = `/spaces/${this.pair.space}/change-requests?status=${status}`;
      found.push(...(await this.api.get<{ items: Request[] }>(path)).body.items);
    }
    return found;
  }

  async markdown(request: Request, slug: string): Promise<string> {
    const { body } = await this.api.get<{ markdown: string }>(
      `${this.at(request)}/content/path/${slug}?format=markdown`,
    );
    return body.markdown;
  }

  /** Replaces a word of a page in a change request. */
  async edit(by: Client, request: Request, slug: string, from: string, to: string): Promise<void> {
    const { id } = await this.pair.page(slug);
    const markdown = (await this.markdown(request, slug)).replace(from, to);
    const changes = [{ operation: 'update_page', page: id, document: { markdown } }];
    expect((await by.post(`${this.at(request)}/content`, { changes })).status).toBe(200);
  }

  async merge(request: Request): Promise<void> {
    const { body } = await this.api.post(`${this.at(request)}/merge`, {});
    expect(body).toMatchObject({ result: 'merge' });
    await this.pair.settle();
  }
}
