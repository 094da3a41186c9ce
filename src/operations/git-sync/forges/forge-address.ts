import type { GitProvider } from '../../../workspace/spaces/git-sync.schema.js';

/** The servers of the providers themselves, and the address of their API. */
const PUBLIC: Readonly<Partial<Record<GitProvider, { readonly origin: string; readonly api: string }>>> = {
  github: { origin: 'https://github.com', api: 'https://api.github.com' },
  bitbucket: { origin: 'https://bitbucket.org', api: 'https://api.bitbucket.org/2.0' },
  gitlab: { origin: 'https://gitlab.com', api: 'https://gitlab.com/api/v4' },
};
/** The API below any other server of each. */
const BELOW: Readonly<Partial<Record<GitProvider, string>>> = {
  github: '/api/v3',
  gitlab: '/api/v4',
  gitea: '/api/v1',
  bitbucket: '/2.0',
};

/** The name of each provider in messages. */
export const FORGE_TITLES: Readonly<Record<GitProvider, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  gitea: 'Gitea',
  bitbucket: 'Bitbucket',
  git: 'The server',
};

/**
 * The address of the API of a provider: below `server` where one is named, otherwise on the server of the repository, which is
 * reached by https where that is by SSH. Undefined where neither says which server that is.
 */
export function apiAddress(provider: GitProvider, url: string | null, server: string | null): string | undefined {
  const of = PUBLIC[provider];
  const origin = server ?? (url === null ? of?.origin : originOf(url));
  if (origin === undefined) return undefined;
  return origin === of?.origin ? of.api : `${origin}${BELOW[provider] ?? ''}`;
}

/** The name of a repository on its server, as in `team/handbook`. */
export function repositoryName(url: string, server: string | null): string {
  const below = server === null ? '' : new URL(server).pathname;
  const { pathname } = new URL(url);
  const path = below.length > 1 && pathname.startsWith(`${below}/`) ? pathname.slice(below.length) : pathname;
  return decodeURIComponent(path)
    .replace(/^\/(?:~\/)?/, '')
    .replace(/\.git$/, '');
}

function originOf(url: string): string {
  const { protocol, host, hostname } = new URL(url);
  return protocol === 'ssh:' ? `https://${hostname}` : `${protocol}//${host}`;
}
