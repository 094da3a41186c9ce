import type { Addresses } from '../../kernel/common/addresses.js';
import { Amount, Flag, Free, Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { GIT_PROVIDERS, type GitProvider } from '../../workspace/spaces/git-sync.schema.js';

const PRIORITIES = ['git', 'gitbook'] as const;
export type GitPriority = (typeof PRIORITIES)[number];

class InstallationTarget {
  @OneOf(['space', 'site']) type: 'space' | 'site';
  @Id({ optional: true, description: 'The space of the type `space`' }) spaceId?: string;
  @Id({
    optional: true,
    description: 'The site of the type `site`; with a space, the site whose installation has that of the space',
  })
  siteId?: string;
}

export class InstallGitProvider {
  @OneOf(GIT_PROVIDERS, { description: '`git` is any server that speaks git by https or SSH' }) provider: GitProvider;
  @Nested(() => InstallationTarget) target: InstallationTarget;
}

/** The most digits that a database and a number of JSON take. */
const MAX_ID = Number.MAX_SAFE_INTEGER;

class GitHubAppSetup {
  @Amount({ min: 1, max: MAX_ID, description: 'The id of the app', example: 123456 }) appId: number;
  @Amount({
    min: 1,
    max: MAX_ID,
    description: 'The id of its installation on the account of the repository',
    example: 987654,
  })
  installationId: number;
  @Text({
    min: 1,
    max: 16_384,
    description: 'A private key of the app, as PEM; kept encrypted and never shown',
    example: '-----BEGIN RSA PRIVATE KEY-----',
  })
  privateKey: string;
}

class GitHubAppConfiguration {
  @Amount({ example: 123456 }) appId: number;
  @Amount({ example: 987654 }) installationId: number;
}

const BRANCH = /^refs\/heads\/(?!-)[^\s~^:?*[\\\p{Cc}]+$/u;

const HOST_KEY = /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)) [A-Za-z0-9+/]+={0,2}$/;

export class ProviderSetup {
  @Text({
    optional: true,
    min: 1,
    max: 2048,
    description: 'The address for cloning, by https or SSH (`ssh://git@host/path` or `git@host:path`)',
    example: 'https://git.example.com/docs.git',
  })
  url?: string;
  @Amount({
    optional: true,
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    description: 'In the place of `url`: a repository of GitHub, whose address is asked for with the token',
    example: 1296269,
  })
  repositoryId?: number;
  @Amount({
    optional: true,
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    description: 'In the place of `url`: a project of GitLab, whose address is asked for with the token',
    example: 278964,
  })
  projectId?: number;
  @Url({
    optional: true,
    nullable: true,
    description:
      'The server of GitHub, GitLab or Gitea itself, where that is neither the public one nor the one of `url`; null for that',
    example: 'https://gitlab.example.com',
  })
  customInstanceURL?: string | null;
  @Text({
    optional: true,
    nullable: true,
    min: 1,
    max: 2048,
    description: 'A token that may read and push; kept encrypted and never shown. Null removes it',
    example: 'glpat-0123456789',
  })
  accessToken?: string | null;
  @Nested(() => GitHubAppSetup, {
    optional: true,
    nullable: true,
    description:
      'In the place of `accessToken`: an installation of a GitHub App, which asks for tokens of an hour by itself. Null removes it',
  })
  app?: GitHubAppSetup | null;
  @Text({
    optional: true,
    min: 1,
    max: 255,
    description: 'The name that goes with the token, where the server asks for one',
    example: 'x-access-token',
  })
  username?: string;
  @Text({
    optional: true,
    nullable: true,
    max: 2048,
    pattern: HOST_KEY,
    description:
      'The key of a server that is reached by SSH, as in `known_hosts` without the name. Null, or another server: the key that it shows first is kept',
    example: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE6fVVdKVQqBjIYTtnlYmLp0G2vG3fOm1cQxkT0aVb4B',
  })
  hostKey?: string | null;
  @Text({
    optional: true,
    max: 255,
    pattern: BRANCH,
    patternMessage: 'must be the whole name of a branch, such as refs/heads/main',
    example: 'refs/heads/main',
  })
  branch?: string;
}

export class SetUpGitInstallation {
  @OneOf(GIT_PROVIDERS, { description: 'That of the installation', example: 'gitlab' }) provider: GitProvider;
  @Nested(() => ProviderSetup) providerConfiguration: ProviderSetup;
  @Text({
    optional: true,
    max: 1024,
    description: 'The folder of the repository that holds the documentation; empty for its root',
    example: 'docs',
  })
  projectDirectory?: string;
  @Text({
    optional: true,
    max: 500,
    description:
      'The first line of commits: `{change_request_number}`, `{change_request_subject}` and `{space}` are replaced. Empty for the default',
    example: 'docs: {change_request_subject} (#{change_request_number})',
  })
  commitMessageTemplate?: string;
  @Flag({
    optional: true,
    description:
      'Puts all changes of the space that wait into one commit, as at first; with false each merged change request, and each edit where the space is open for edits, becomes a commit of its own',
  })
  squash?: boolean;
  @Flag({
    optional: true,
    description:
      'Shows pull requests against the branch as change requests, with a status and a comment at the provider; for a site in each space that they concern. Not for the provider `git`. The access token needs the right to read and comment on pull requests, and to write statuses of commits',
  })
  previewExternalBranches?: boolean;
  @OneOf(PRIORITIES, {
    optional: true,
    description:
      'Begins to keep both sides equal: with `git` the space becomes what the branch says, with `gitbook` the branch becomes what the space says. Later changes of either side go to the other one',
  })
  priority?: GitPriority;
  @Free({
    optional: true,
    schema: { additionalProperties: { type: 'string' } },
    description:
      'For a site: the folder of the repository for each of its spaces, by the id of the installation of the space. Without one it follows from the path of the space',
  })
  childInstallationProjectDirectories?: Record<string, string>;
  @Flag({ optional: true, description: 'Replaces the secret of the hook; the answer shows the new one' })
  renewHookSecret?: boolean;
}

class ProviderConfiguration {
  @Text({ optional: true, example: 'https://git.example.com/docs.git' }) url?: string;
  @Amount({ optional: true, description: 'Where the repository of GitHub was chosen by it', example: 1296269 })
  repositoryId?: number;
  @Amount({ optional: true, description: 'Where the project of GitLab was chosen by it', example: 278964 })
  projectId?: number;
  @Url({ optional: true, example: 'https://gitlab.example.com' }) customInstanceURL?: string;
  @Text({ optional: true, example: 'refs/heads/main' }) branch?: string;
  @Nested(() => GitHubAppConfiguration, {
    optional: true,
    description: 'The installation of a GitHub App as which the repository is reached',
  })
  app?: GitHubAppConfiguration;
  @Text({
    optional: true,
    description: 'The key for a repository by SSH: add it there, with the right to write',
    example: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE6fVVdKVQqBjIYTtnlYmLp0G2vG3fOm1cQxkT0aVb4B bindery',
  })
  deployKey?: string;
  @Text({
    optional: true,
    description: 'The key by which the server is known: the one that was given, or that it showed first',
    example: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE6fVVdKVQqBjIYTtnlYmLp0G2vG3fOm1cQxkT0aVb4B',
  })
  hostKey?: string;
}

class InstallationHook {
  @Url({ description: 'Where the provider is to send its push events' }) url: string;
  @Text({
    optional: true,
    description: 'Signs the deliveries; shown once, after the installation or a renewal',
    example: 'AbCdEfGh0123456789XyAbCdEfGh0123456789Xy',
  })
  secret?: string;
}

class InstallationUrls {
  @Url({ example: 'http://localhost:3000/v1/git/installations/AbCdEfGh0123456789Xy' }) location: string;
}

/** `GitSyncInstallation` of the public API. */
export class GitInstallationBody {
  @ObjectName('git-sync-installation') object: 'git-sync-installation';
  @Id() id: string;
  @OneOf(GIT_PROVIDERS) provider: GitProvider;
  @Nested(() => ProviderConfiguration) providerConfiguration: ProviderConfiguration;
  @Nested(() => InstallationTarget) target: InstallationTarget;
  @Id({ optional: true, description: 'The installation of the site, which has the connection of this one' })
  parentInstallationId?: string;
  @OneOf(['active', 'pending', 'unauthenticated'], {
    description:
      '`pending` until a repository and a branch are chosen; `unauthenticated` while the provider does not let the token or the app in',
  })
  status: 'active' | 'pending' | 'unauthenticated';
  @Text({ optional: true, example: 'docs' }) projectDirectory?: string;
  @Text({ optional: true, example: 'docs: {change_request_subject}' }) commitMessageTemplate?: string;
  @Flag({ description: 'False where each change of the space becomes a commit of its own' }) squash: boolean;
  @Flag({ description: 'True where pull requests become change requests' }) previewExternalBranches: boolean;
  @OneOf(PRIORITIES, { optional: true }) priority?: GitPriority;
  @Nested(() => InstallationHook) hook: InstallationHook;
  @Text({
    optional: true,
    description: 'Why both sides are not equal now, and what to do; tried again until it succeeds',
    example: 'The branch and the space have changed in the same places: settle the conflicts in change request #7',
  })
  error?: string;
  @Id({ optional: true, description: 'The change request with what both sides have changed' }) changeRequest?: string;
  @Timestamp({ optional: true, description: 'When the branch is looked at again' }) nextSyncAt?: string;
  @Timestamp() createdAt: string;
  @Id() createdBy: string;
  @Timestamp() updatedAt: string;
  @Nested(() => InstallationUrls) urls: InstallationUrls;
}

/** A row of table git_installation, without what is sealed in it. */
export interface GitInstallationRow {
  readonly id: string;
  /** Null for that of a site. */
  readonly spaceId: string | null;
  /** The site itself, or that of the parent. */
  readonly siteId: string | null;
  readonly parentId: string | null;
  readonly provider: GitProvider;
  readonly url: string | null;
  readonly serverUrl: string | null;
  readonly repositoryId: string | null;
  readonly ref: string | null;
  readonly directory: string;
  readonly commitMessage: string | null;
  readonly squash: boolean;
  readonly previewExternalBranches: boolean;
  readonly deployKey: string | null;
  readonly appId: string | null;
  readonly appInstallationId: string | null;
  readonly isRefused: boolean;
  readonly hostKey: string | null;
  readonly priority: GitPriority | null;
  readonly failure: string | null;
  readonly changeRequestId: string | null;
  readonly dueAt: Date | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** An installation as shown; the secret of its hook only to the person who has just made it. */
export function presentGitInstallation(
  row: GitInstallationRow,
  addresses: Addresses,
  hookSecret?: string,
): GitInstallationBody {
  const { url, ref } = row;
  const location = addresses.location(`/git/installations/${row.id}`);
  return {
    object: 'git-sync-installation',
    id: row.id,
    provider: row.provider,
    providerConfiguration: {
      ...(url !== null && { url }),
      ...(row.repositoryId !== null && {
        [row.provider === 'github' ? 'repositoryId' : 'projectId']: Number(row.repositoryId),
      }),
      ...(row.serverUrl !== null && { customInstanceURL: row.serverUrl }),
      ...(ref !== null && { branch: ref }),
      ...(row.appId !== null && {
        app: { appId: Number(row.appId), installationId: Number(row.appInstallationId) },
      }),
      ...(row.deployKey !== null && { deployKey: row.deployKey }),
      ...(row.hostKey !== null && { hostKey: row.hostKey }),
    },
    target: {
      type: row.spaceId === null ? 'site' : 'space',
      ...(row.spaceId !== null && { spaceId: row.spaceId }),
      ...(row.siteId !== null && { siteId: row.siteId }),
    },
    ...(row.parentId !== null && { parentInstallationId: row.parentId }),
    status: statusOf(row),
    ...(row.directory !== '' && { projectDirectory: row.directory }),
    ...(row.commitMessage !== null && { commitMessageTemplate: row.commitMessage }),
    squash: row.squash,
    previewExternalBranches: row.previewExternalBranches,
    ...(row.priority !== null && { priority: row.priority }),
    hook: {
      url: `${addresses.location(`/git/installations/${row.parentId ?? row.id}`)}/hook`,
      ...(hookSecret !== undefined && { secret: hookSecret }),
    },
    ...(row.failure !== null && { error: row.failure }),
    ...(row.changeRequestId !== null && { changeRequest: row.changeRequestId }),
    ...(row.dueAt && { nextSyncAt: row.dueAt.toISOString() }),
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy,
    updatedAt: row.updatedAt.toISOString(),
    urls: { location },
  };
}

function statusOf({ url, ref, isRefused }: GitInstallationRow): GitInstallationBody['status'] {
  if (url === null || ref === null) return 'pending';
  return isRefused ? 'unauthenticated' : 'active';
}

export class PlanGitSync {
  @OneOf(PRIORITIES, { description: 'The side that would win' }) priority: GitPriority;
}
