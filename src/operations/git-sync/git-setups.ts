import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid } from '../../kernel/common/errors.js';
import { newId, randomCharacters } from '../../kernel/common/ids.js';
import { Secrets } from '../../kernel/common/secrets.js';
import { normalizePath } from '../../authoring/interchange/domain/repository-paths.js';
import { newDeployKey } from '../../authoring/interchange/git/guarded-ssh.js';
import { sshTarget } from '../../authoring/interchange/git/ssh-address.js';
import type { GitProvider } from '../../workspace/spaces/git-sync.schema.js';
import { APP_USER } from './forges/forge-credentials.js';
import { ForgeError } from './forges/forge-error.js';
import { Forges } from './forges/forges.service.js';
import { appKeyOf } from './forges/github-app.js';
import { GitTransport } from '../imports/git/git-transport.js';
import { GitInstallation } from './git-installation.entity.js';
import type { GitInstallationRow, ProviderSetup, SetUpGitInstallation } from './git-installations.schema.js';
import { GitSyncStates } from './git-sync-states.js';

const HOOK_SECRET_LENGTH = 40;

/** The name that goes with a token where none is given. Sources: the documentation of each provider. */
const TOKEN_USERS: Readonly<Record<GitProvider, string>> = {
  github: APP_USER,
  gitlab: 'oauth2',
  gitea: 'git',
  bitbucket: 'x-token-auth',
  git: 'git',
};

const NO_APP = { appId: null, appInstallationId: null } as const;

/** Providers that others run as well. */
const OWN_SERVERS: ReadonlySet<GitProvider> = new Set(['github', 'gitlab', 'gitea']);

const FORGET_PULLS = ['git_request_branch', 'git_pull_request'].map(
  (table) =>
    `DELETE FROM ${table} WHERE installation_id IN (SELECT g.id FROM git_installation g WHERE g.id = $1 OR g.parent_id = $1)`,
);

/** Adds installations, reads what people say of a repository, and seals the secrets in both. */
@Injectable()
export class GitSetups {
  constructor(
    private readonly secrets: Secrets,
    private readonly transport: GitTransport,
    private readonly forges: Forges,
    private readonly states: GitSyncStates,
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** A new secret for the hook of an installation. */
  newHook(): { readonly secret: string; readonly sealed: Buffer } {
    const secret = randomCharacters(HOOK_SECRET_LENGTH);
    return { secret, sealed: this.secrets.encrypt(secret) };
  }

  /** Adds an installation, in the transaction of the caller; gives its id, and the secret of its hook. */
  async add(
    { userId }: Pick<Caller, 'userId'>,
    facts: Partial<GitInstallation> & Pick<GitInstallation, 'provider'>,
  ): Promise<{ readonly id: string; readonly hookSecret: string }> {
    const now = this.clock.now();
    const id = newId(now.getTime());
    const { secret, sealed } = this.newHook();
    await this.database.of(GitInstallation).insert({
      updatedBy: userId,
      ...facts,
      id,
      hookSecret: sealed,
      createdBy: userId,
      createdAt: now,
      updatedAt: now,
    });
    return { id, hookSecret: secret };
  }

  /** Forgets the pull requests of an installation, and of those that belong to it: another repository has others. */
  async forgetPulls(id: string): Promise<void> {
    for (const statement of FORGET_PULLS) await this.database.execute(statement, [id]);
  }

  /** The columns that a setup changes. */
  async read(setup: SetUpGitInstallation, row: GitInstallationRow): Promise<Partial<GitInstallation>> {
    const {
      provider,
      providerConfiguration,
      projectDirectory,
      commitMessageTemplate,
      squash,
      previewExternalBranches,
      priority,
    } = setup;
    if (previewExternalBranches === true && provider === 'git')
      throw invalid('previewExternalBranches', 'is possible with a provider that has pull requests');
    if (provider !== row.provider) throw invalid('provider', `must be ${row.provider}, as it was installed`);
    const { url, branch, hostKey } = providerConfiguration;
    const server = this.serverOf(setup.providerConfiguration, provider);
    const address = url ?? (await this.chosen(setup, row, server === undefined ? row.serverUrl : server));
    const remote = address === undefined ? undefined : this.remote(address, 'url');
    const chosenId = setup.providerConfiguration.repositoryId ?? setup.providerConfiguration.projectId;
    const directory = projectDirectory === undefined ? undefined : normalizePath(projectDirectory);
    if (projectDirectory !== undefined && directory === undefined)
      throw invalid('projectDirectory', 'leads out of the repository');
    return {
      ...(server !== undefined && { serverUrl: server }),
      ...(remote && { url: remote.url, repositoryId: chosenId === undefined ? null : String(chosenId) }),
      ...(remote && (await this.ofServer(remote.url, row))),
      ...(hostKey !== undefined && { hostKey }),
      ...(branch !== undefined && { ref: branch }),
      ...(directory !== undefined && { directory }),
      ...(commitMessageTemplate !== undefined && { commitMessage: commitMessageTemplate || null }),
      ...(squash !== undefined && { squash }),
      ...(previewExternalBranches !== undefined && { previewExternalBranches }),
      ...(priority !== undefined && { priority }),
      ...this.credentialsOf(setup, remote?.credentials),
    };
  }

  /** A token and an app replace each other. */
  private credentialsOf(
    { provider, providerConfiguration: { accessToken, app, username } }: SetUpGitInstallation,
    written: { readonly username?: string; readonly password?: string } = {},
  ): Partial<GitInstallation> {
    const token = accessToken ?? written.password;
    const path = 'providerConfiguration.app';
    if (app && provider !== 'github') throw invalid(path, `is not possible with the provider ${provider}`);
    if (app && token !== undefined) throw invalid(path, 'is not possible beside an access token: give one of them');
    if (app && !appKeyOf(app.privateKey))
      throw invalid(`${path}.privateKey`, 'must be an RSA key of 2,048 bits or more, as PEM and without a passphrase');
    if (app)
      return {
        appId: String(app.appId),
        appInstallationId: String(app.installationId),
        credentials: this.secrets.encrypt(app.privateKey),
      };
    if (token === undefined) return accessToken === null || app === null ? { ...NO_APP, credentials: null } : {};
    const user = username ?? written.username ?? TOKEN_USERS[provider];
    return { ...NO_APP, credentials: this.secrets.encrypt(JSON.stringify({ username: user, password: token })) };
  }

  /** A deploy key where there is none yet; another server has to be met anew. */
  private async ofServer(url: string, row: GitInstallationRow): Promise<Partial<GitInstallation>> {
    if (!this.transport.isSsh(url)) return {};
    const { host, port } = sshTarget(url);
    const before = row.url !== null && this.transport.isSsh(row.url) ? sshTarget(row.url) : undefined;
    const key = row.deployKey === null ? await newDeployKey() : undefined;
    return {
      ...((before?.host !== host || before.port !== port) && { hostKey: null }),
      ...(key && { deployKey: key.publicKey, deploySecret: this.secrets.encrypt(key.privateKey) }),
    };
  }

  /** The address of the server of a provider, without what follows its host and path; null for the public one. */
  private serverOf({ customInstanceURL: given }: ProviderSetup, provider: GitProvider): string | null | undefined {
    if (given === undefined || given === null) return given;
    if (!OWN_SERVERS.has(provider))
      throw invalid('providerConfiguration.customInstanceURL', `is not possible with the provider ${provider}`);
    return this.remote(given, 'customInstanceURL').url;
  }

  /** The address of the repository that is chosen by its id; undefined where none is. */
  private async chosen(
    setup: SetUpGitInstallation,
    row: GitInstallationRow,
    serverUrl: string | null,
  ): Promise<string | undefined> {
    const { provider, providerConfiguration } = setup;
    const { repositoryId, projectId } = providerConfiguration;
    const [name, id] = repositoryId === undefined ? ['projectId', projectId] : ['repositoryId', repositoryId];
    if (id === undefined) return undefined;
    const path = `providerConfiguration.${name}`;
    if (provider !== (name === 'repositoryId' ? 'github' : 'gitlab'))
      throw invalid(path, `is not possible with the provider ${provider}: give the url`);
    const access = { ...(await this.states.get(row.id)), ...this.credentialsOf(setup), provider, serverUrl };
    try {
      const address = await (await this.forges.repositories(access))?.addressOf(id);
      if (address !== undefined) return address;
    } catch (error) {
      if (!(error instanceof ForgeError)) throw error;
      throw invalid(path, error.message);
    }
    throw invalid(path, 'names nothing that the access token or the app may see: give the url, or other credentials');
  }

  private remote(url: string, name: 'url' | 'customInstanceURL'): ReturnType<GitTransport['read']> {
    try {
      return name === 'url' ? this.transport.readAny(url) : this.transport.read(url);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      throw invalid(`providerConfiguration.${name}`, error.details[0]?.message ?? error.message);
    }
  }
}
