import { createHash } from 'node:crypto';

/** A plain token that a product sets on the parent domain. */
const SHARED_TOKEN = 'gitbook-visitor-token';
const TOKEN_PREFIX = `${SHARED_TOKEN}~`;
const PUBLIC_CLAIMS = 'gitbook-visitor-public';
const SHARE_KEY = 'gitbook-share-key';

const MAX_CLAIMS = 8192;
/**
 * Maximum size of a cookie with its name and attributes in bytes; browsers silently drop longer ones (RFC 6265, 6.1).
 */
const MAX_COOKIE = 4096;
const MAX_DEPTH = 5;
/** Names that would give access to object prototypes. */
const REFUSED: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** The credentials of a request, and those of them that were in its address. */
export interface Credentials {
  readonly jwtToken?: string;
  readonly unsignedClaims?: Readonly<Record<string, unknown>>;
  readonly shareKey?: string;
  /** Credentials to store in cookies, because they were in the address. */
  readonly given: { readonly jwtToken?: string; readonly claims: boolean; readonly shareKey?: string };
}

/**
 * Reads the credentials of a request for a path of the listener: those of its query take precedence over those of its
 * cookies.
 */
export function credentialsOf(query: URLSearchParams, cookies: ReadonlyMap<string, string>, path: string): Credentials {
  const jwt = query.get('jwt_token') ?? undefined;
  const key = query.get('shareKey') ?? undefined;
  const claims = claimsIn(cookies.get(PUBLIC_CLAIMS));
  const before = JSON.stringify(claims);
  for (const [name, value] of query)
    if (name.startsWith('visitor.')) setClaim(claims, name.slice('visitor.'.length), value);
  const jwtToken = jwt ?? storedToken(cookies, path);
  const shareKey = key ?? cookies.get(SHARE_KEY);
  return {
    ...(jwtToken !== undefined && { jwtToken }),
    ...(shareKey !== undefined && { shareKey }),
    ...(Object.keys(claims).length > 0 && { unsignedClaims: claims }),
    given: {
      ...(jwt !== undefined && { jwtToken: jwt }),
      ...(key !== undefined && { shareKey: key }),
      claims: JSON.stringify(claims) !== before || [...query.keys()].some(isClaim),
    },
  };
}

/** The rest of a query without credentials, with its question mark. */
export function withoutCredentials(query: URLSearchParams): string {
  const rest = new URLSearchParams(
    [...query].filter(([name]) => name !== 'jwt_token' && name !== 'shareKey' && !isClaim(name)),
  );
  return rest.size === 0 ? '' : `?${rest.toString()}`;
}

export interface CookieScope {
  /** Base path of the site. */
  readonly basePath: string;
  readonly isSecure: boolean;
  /** Seconds since 1970. */
  readonly now: number;
}

/**
 * Cookies that store the credentials of an address, for the site alone; undefined if browsers would drop one of them.
 */
export function rememberingCookies({ given, unsignedClaims }: Credentials, scope: CookieScope): string[] | undefined {
  const cookies: string[] = [];
  if (given.jwtToken !== undefined) {
    const expires = expiryOf(given.jwtToken);
    const value = JSON.stringify({ basePath: `${scope.basePath}/`, token: given.jwtToken });
    cookies.push(
      cookie(
        tokenName(scope.basePath),
        value,
        scope,
        expires === undefined ? undefined : Math.max(0, Math.floor(expires - scope.now)),
      ),
    );
  }
  if (given.shareKey !== undefined) cookies.push(cookie(SHARE_KEY, given.shareKey, scope));
  if (given.claims && unsignedClaims) cookies.push(cookie(PUBLIC_CLAIMS, JSON.stringify(unsignedClaims), scope));
  return cookies.every((each) => Buffer.byteLength(each) <= MAX_COOKIE) ? cookies : undefined;
}

/** Cookies that delete the site's stored credentials of a visitor. */
export function forgettingCookies(scope: CookieScope): string[] {
  return [tokenName(scope.basePath), SHARE_KEY, PUBLIC_CLAIMS].map((name) => cookie(name, '', scope, 0));
}

function storedToken(cookies: ReadonlyMap<string, string>, path: string): string | undefined {
  let best: { basePath: string; token: string } | undefined;
  for (const [name, value] of cookies) {
    if (!name.startsWith(TOKEN_PREFIX)) continue;
    const stored = parsed(value);
    const { basePath, token } =
      typeof stored === 'object' && stored !== null ? (stored as { basePath?: unknown; token?: unknown }) : {};
    if (typeof basePath !== 'string' || typeof token !== 'string' || !`${path}/`.startsWith(basePath)) continue;
    if (!best || basePath.length > best.basePath.length) best = { basePath, token };
  }
  return best?.token ?? cookies.get(SHARED_TOKEN);
}

function tokenName(basePath: string): string {
  return `${TOKEN_PREFIX}${createHash('sha256').update(`${basePath}/`).digest('hex').slice(0, 12)}`;
}

/** The expiry in a token; whether it is genuine was decided before. */
function expiryOf(token: string): number | undefined {
  const payload = parsed(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  const exp = typeof payload === 'object' && payload !== null ? (payload as { exp?: unknown }).exp : undefined;
  return typeof exp === 'number' ? exp : undefined;
}

function isClaim(name: string): boolean {
  return name.startsWith('visitor.');
}

function claimsIn(json: string | undefined): Record<string, unknown> {
  const value = json === undefined || json.length > MAX_CLAIMS ? undefined : parsed(json);
  return (
    (copied(typeof value === 'object' && !Array.isArray(value) ? value : undefined, 0) as
      Record<string, unknown> | undefined) ?? emptyClaims()
  );
}

/** Copies received data, into objects without a prototype and without the refused names. */
function copied(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  if (depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return value.map((item) => copied(item, depth + 1));
  const copy = emptyClaims();
  for (const [name, item] of Object.entries(value)) if (!REFUSED.has(name)) copy[name] = copied(item, depth + 1);
  return copy;
}

function setClaim(claims: Record<string, unknown>, path: string, text: string): void {
  const names = path.split('.');
  if (names.length > MAX_DEPTH || text.length > MAX_CLAIMS || names.some((name) => name === '' || REFUSED.has(name)))
    return;
  let into = claims;
  for (const name of names.slice(0, -1)) {
    const inner = into[name];
    const next =
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? (inner as Record<string, unknown>)
        : emptyClaims();
    into[name] = next;
    into = next;
  }
  const last = names.at(-1);
  if (last !== undefined)
    into[last] = text === 'undefined' ? undefined : copied(parsed(text) ?? (text === 'null' ? null : text), 0);
}

function emptyClaims(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

function cookie(name: string, value: string, { basePath, isSecure }: CookieScope, maxAge?: number): string {
  return [
    `${name}=${encodeURIComponent(value)}`,
    `Path=${basePath === '' ? '/' : basePath}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
  ].join('; ');
}
