import { Injectable } from '@nestjs/common';
import { Outbound } from '../../../kernel/platform/outbound/outbound.js';
import type { GitProvider } from '../../../workspace/spaces/git-sync.schema.js';
import { GitTransport } from '../../imports/git/git-transport.js';
import { apiAddress, FORGE_TITLES, repositoryName } from './forge-address.js';
import { ForgeCredentials, type ForgeAccess } from './forge-credentials.js';
import { ForgeHttp, GITHUB_HEADERS } from './forge-http.js';
import { BitbucketPulls } from './bitbucket-pulls.js';
import type { ForgePulls, ForgeRepositories } from './forge.js';
import { GiteaPulls } from './gitea-pulls.js';
import { GitHubPulls } from './github-pulls.js';
import { GitLabPulls } from './gitlab-pulls.js';
import { GitHub } from './github.js';
import { GitLab } from './gitlab.js';

const PULLS: Readonly<Partial<Record<GitProvider, new (http: ForgeHttp, repository: string) => ForgePulls>>> = {
  github: GitHubPulls,
  gitlab: GitLabPulls,
  gitea: GiteaPulls,
  bitbucket: BitbucketPulls,
};

/** Makes clients of the APIs of forges, with the access token of an installation. */
@Injectable()
export class Forges {
  constructor(
    private readonly outbound: Outbound,
    private readonly credentials: ForgeCredentials,
    private readonly transport: GitTransport,
  ) {}

  /** Undefined for a provider whose repositories cannot be listed. */
  async repositories(access: ForgeAccess): Promise<ForgeRepositories | undefined> {
    if (access.provider !== 'github' && access.provider !== 'gitlab') return undefined;
    const held = await this.credentials.of(access);
    const http = this.http(access, held && `Bearer ${held.password}`);
    return http && (access.provider === 'github' ? new GitHub(http, access.appId !== null) : new GitLab(http));
  }

  /** Undefined for a server that has no pull requests. */
  async pulls(access: ForgeAccess & { readonly url: string }): Promise<ForgePulls | undefined> {
    const Pulls = PULLS[access.provider];
    const http = Pulls && this.http(access, await this.authorizationOf(access));
    return http && new Pulls(http, repositoryName(access.url, access.serverUrl));
  }

  private http({ provider, url, serverUrl }: ForgeAccess, authorization: string | undefined): ForgeHttp | undefined {
    const base = apiAddress(provider, url, serverUrl);
    if (base === undefined) return undefined;
    return new ForgeHttp(this.outbound, {
      title: FORGE_TITLES[provider],
      base,
      authorization,
      httpsOnly: this.transport.httpsOnly,
      ...(provider === 'github' && { headers: GITHUB_HEADERS }),
    });
  }

  /** Tokens of people at Bitbucket go with their name, all others alone. */
  private async authorizationOf(access: ForgeAccess): Promise<string | undefined> {
    const held = await this.credentials.of(access);
    if (!held) return undefined;
    const { username, password } = held;
    return access.provider === 'bitbucket' && username !== 'x-token-auth'
      ? `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
      : `Bearer ${password}`;
  }
}
