import { Injectable } from '@nestjs/common';
import { DomainError, invalid } from '../../kernel/common/errors.js';
import { randomCharacters } from '../../kernel/common/ids.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { normalizePath } from '../../authoring/interchange/domain/repository-paths.js';
import type { GitProvider } from '../../workspace/spaces/git-sync.schema.js';
import { GitTransport } from '../imports/git/git-transport.js';
import type { GitInstallation } from './git-installation.entity.js';
import type { GitInstallationRow, SetUpGitInstallation } from './git-installations.schema.js';

const HOOK_SECRET_LENGTH = 40;

/** The name that goes with a token where none is given. Sources: the documentation of each provider. */
const TOKEN_USERS: Readonly<Record<GitProvider, string>> = {
  github: 'x-access-token',
  gitlab: 'oauth2',
  gitea: 'git',
  bitbucket: 'x-token-auth',
  git: 'git',
};

/** Reads what people say of a repository, and seals the secrets in it. */
@Injectable()
export class GitSetups {
  constructor(
    private readonly secrets: Secrets,
    private readonly transport: GitTransport,
  ) {}

  /** A new secret for the hook of an installation. */
  newHook(): { readonly secret: string; readonly sealed: Buffer } {
    const secret = randomCharacters(HOOK_SECRET_LENGTH);
    return { secret, sealed: this.secrets.encrypt(secret) };
  }

  /** The columns that a setup changes. */
  read(
    { provider, providerConfiguration, projectDirectory, commitMessageTemplate, priority }: SetUpGitInstallation,
    row: GitInstallationRow,
  ): Partial<GitInstallation> {
    if (provider !== row.provider) throw invalid('provider', `must be ${row.provider}, as it was installed`);
    const { url, branch, accessToken, username } = providerConfiguration;
    const remote = url === undefined ? undefined : this.remote(url);
    const directory = projectDirectory === undefined ? undefined : normalizePath(projectDirectory);
    if (projectDirectory !== undefined && directory === undefined)
      throw invalid('projectDirectory', 'leads out of the repository');
    const given = accessToken ?? remote?.credentials?.password;
    const user = username ?? remote?.credentials?.username ?? TOKEN_USERS[provider];
    return {
      ...(remote && { url: remote.url }),
      ...(branch !== undefined && { ref: branch }),
      ...(directory !== undefined && { directory }),
      ...(commitMessageTemplate !== undefined && { commitMessage: commitMessageTemplate || null }),
      ...(priority !== undefined && { priority }),
      ...(accessToken === null && given === undefined && { credentials: null }),
      ...(given !== undefined && {
        credentials: this.secrets.encrypt(JSON.stringify({ username: user, password: given })),
      }),
    };
  }

  private remote(url: string): ReturnType<GitTransport['read']> {
    try {
      return this.transport.read(url);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      throw invalid('providerConfiguration.url', error.details[0]?.message ?? error.message);
    }
  }
}
