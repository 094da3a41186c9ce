import { Injectable } from '@nestjs/common';
import { Secrets } from '../../../kernel/common/secrets.js';
import { Outbound } from '../../../kernel/platform/outbound/outbound.js';
import type { GitProvider } from '../../../workspace/spaces/git-sync.schema.js';
import type { GitCredentials } from '../../../authoring/interchange/git/guarded-http.js';
import { GitTransport } from '../../imports/git/git-transport.js';
import { apiAddress, FORGE_TITLES, repositoryName } from './forge-address.js';
import { ForgeHttp } from './forge-http.js';
import { BitbucketPulls } from './bitbucket-pulls.js';
import type { ForgePulls, ForgeRepositories } from './forge.js';
import { GiteaPulls } from './gitea-pulls.js';
import { GitHubPulls } from './github-pulls.js';
import { GitLabPulls } from './gitlab-pulls.js';
import { GitHub } from './github.js';
import { GitLab } from './gitlab.js';

/** The columns of an installation by which its forge is reached. */
export interface ForgeAccess {
  readonly provider: GitProvider;
  readonly url: string | null;
  readonly serverUrl: string | null;
  readonly credentials: Buffer | null;
}

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
    private readonly secrets: Secrets,
    private readonly transport: GitTransport,
  ) {}

  /** Undefined for a provider whose repositories cannot be listed. `token` is one that is not stored yet. */
  repositories(access: ForgeAccess, token = this.tokenOf(access)): ForgeRepositories | undefined {
    if (access.provider !== 'github' && access.provider !== 'gitlab') return undefined;
    const http = this.http(access, token === undefined ? undefined : `Bearer ${token}`);
    return http && (access.provider === 'github' ? new GitHub(http) : new GitLab(http));
  }

  /** Undefined for a server that has no pull requests. */
  pulls(access: ForgeAccess & { readonly url: string }): ForgePulls | undefined {
    const Pulls = PULLS[access.provider];
    const http = Pulls && this.http(access, this.authorizationOf(access));
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
      ...(provider === 'github' && { headers: { 'x-github-api-version': '2022-11-28' } }),
    });
  }

  /** Tokens of people at Bitbucket go with their name, all others alone. */
  private authorizationOf({ provider, credentials }: ForgeAccess): string | undefined {
    const held = this.held(credentials);
    if (!held) return undefined;
    const { username, password } = held;
    return provider === 'bitbucket' && username !== 'x-token-auth'
      ? `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
      : `Bearer ${password}`;
  }

  private tokenOf({ credentials }: ForgeAccess): string | undefined {
    return this.held(credentials)?.password;
  }

  private held(credentials: Buffer | null): GitCredentials | undefined {
    return credentials === null ? undefined : (JSON.parse(this.secrets.decrypt(credentials)) as GitCredentials);
  }
}
