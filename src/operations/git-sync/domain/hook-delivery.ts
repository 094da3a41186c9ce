import { createHmac, timingSafeEqual } from 'node:crypto';

export type HookHeaders = Readonly<Record<string, string | string[] | undefined>>;

type Provider = 'github' | 'gitlab' | 'gitea' | 'bitbucket' | 'git';

/** How a provider signs a delivery and names it. Sources: the webhook documentation of each. */
interface HookScheme {
  /** The header with the signature, or with the secret itself. */
  readonly signature: string;
  /** The text of the header for a body. */
  readonly expected: (secret: string, body: Buffer) => string;
  /** The header with the id of the delivery. */
  readonly delivery: string;
}

const hmac = (secret: string, body: Buffer): string => createHmac('sha256', secret).update(body).digest('hex');
const prefixed = (secret: string, body: Buffer): string => `sha256=${hmac(secret, body)}`;

const SCHEMES: Readonly<Record<Provider, HookScheme>> = {
  github: { signature: 'x-hub-signature-256', expected: prefixed, delivery: 'x-github-delivery' },
  gitlab: { signature: 'x-gitlab-token', expected: (secret) => secret, delivery: 'x-gitlab-event-uuid' },
  gitea: { signature: 'x-gitea-signature', expected: hmac, delivery: 'x-gitea-delivery' },
  bitbucket: { signature: 'x-hub-signature', expected: prefixed, delivery: 'x-request-uuid' },
  git: { signature: 'x-hub-signature-256', expected: prefixed, delivery: 'x-delivery' },
};
const MAX_DELIVERY_ID = 200;

/** Tells whether a delivery was signed with the secret; takes the same time for every wrong signature. */
export function isSigned(provider: Provider, secret: string, headers: HookHeaders, body: Buffer): boolean {
  const { signature, expected } = SCHEMES[provider];
  const given = headers[signature];
  if (typeof given !== 'string') return false;
  const [one, other] = [given, expected(secret, body)].map((text) =>
    createHmac('sha256', secret).update(text).digest(),
  );
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

/** The id of a delivery, the same where it is sent again; undefined where the provider gives none. */
export function deliveryId(provider: Provider, headers: HookHeaders): string | undefined {
  const given = headers[SCHEMES[provider].delivery];
  return typeof given === 'string' && given !== '' ? given.slice(0, MAX_DELIVERY_ID) : undefined;
}

/** Commits that a forge may leave out of a push where it lists so many and says no number. */
const LISTED = 20;
/** Bytes of a body up to which its branch is looked for; a push that says more is taken to concern every branch. */
const MAX_READ = 256 * 1024;

/** Tells whether a push concerns one of some branches, given as `refs/heads/…`. A body that does not say so may. */
export function concerns(branches: readonly string[], body: Buffer): boolean {
  if (body.length > MAX_READ) return true;
  let push: unknown;
  try {
    push = JSON.parse(body.toString('utf8'));
  } catch {
    return true;
  }
  const refs = refsOf(push);
  return refs.length === 0 || refs.some((ref) => branches.includes(ref));
}

/** Tells whether a push may have changed what is at some path; true where it does not list what it has changed. */
export function touches(body: Buffer, isMet: (path: string) => boolean): boolean {
  const paths = body.length > MAX_READ ? undefined : changedPaths(body);
  return paths?.some(isMet) ?? true;
}

/** The paths that a push has changed; undefined where its list of commits may be cut, or says no paths. */
function changedPaths(body: Buffer): string[] | undefined {
  let push: unknown;
  try {
    push = JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
  const { commits, forced, created, before, ...counts } = (push ?? {}) as Record<string, unknown>;
  const total = counts['total_commits_count'] ?? counts['total_commits'] ?? counts['size'];
  if (!Array.isArray(commits) || commits.length === 0 || forced === true || created === true) return undefined;
  if (typeof before === 'string' && /^0+$/.test(before)) return undefined;
  if (typeof total === 'number' ? total !== commits.length : commits.length >= LISTED) return undefined;
  const paths: string[] = [];
  for (const commit of commits as readonly (Record<string, unknown> | null)[])
    for (const list of ['added', 'modified', 'removed']) {
      const some = commit?.[list];
      if (!Array.isArray(some)) return undefined;
      paths.push(...some.filter((path): path is string => typeof path === 'string'));
    }
  return paths;
}

interface Push {
  readonly ref?: unknown;
  readonly push?: { readonly changes?: readonly { readonly new?: Named; readonly old?: Named }[] };
}
type Named = { readonly name?: unknown } | null;

/** GitHub, GitLab and Gitea name one ref; Bitbucket lists what has changed. */
function refsOf(push: unknown): string[] {
  if (typeof push !== 'object' || push === null) return [];
  const { ref, push: changed } = push as Push;
  if (typeof ref === 'string') return [ref];
  if (!Array.isArray(changed?.changes)) return [];
  return changed.changes.flatMap((change: { readonly new?: Named; readonly old?: Named } | null) =>
    [change?.new?.name, change?.old?.name].flatMap((name) => (typeof name === 'string' ? [`refs/heads/${name}`] : [])),
  );
}
