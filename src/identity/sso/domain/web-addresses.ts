import { webAddress } from '../../../kernel/common/web-address.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
/** Names of the paths that this service uses at its root, beside those that begin with ~. */
const OWN_NAMES: ReadonlySet<string> = new Set([
  '',
  'v1',
  'app',
  'sso',
  'docs',
  'docs-yaml',
  'openapi.json',
  'healthz',
  'readyz',
  'metrics',
]);
const OWN = 'is an address of this service: give that of the identity provider';
/** The hosts of Entra ID tenants, worldwide and in national clouds. */
const MICROSOFT =
  /^(login\.(microsoftonline\.(com|us)|partner\.microsoftonline\.cn|windows\.net|microsoft\.com)|sts\.windows\.net)$/;
/** Names for all tenants of a kind, which never issue an id token. */
const ALL_TENANTS = /^\/(common|organizations|consumers)(\/|$)/i;

/** The fault of the entity id of an identity provider. `own` lists the addresses of this service. */
export function entityIdFault(text: string, own: readonly string[]): string | undefined {
  return isOwn(text, own) ? OWN : undefined;
}

/** The fault of the login address of a provider; browsers are redirected there, the server never requests it. */
export function ssoUrlFault(text: string, own: readonly string[]): string | undefined {
  const url = webAddress(text);
  if (!url) return 'is not an address';
  if (url.protocol !== 'https:' && !isOnThisMachine(url))
    return 'must begin with https:// (http is possible on this machine only)';
  if (url.username !== '' || url.password !== '') return 'must not hold a name or password';
  if (url.hash !== '') return 'must not have a part after #';
  return isOwn(text, own) ? OWN : undefined;
}

/** The fault of an issuer of OpenID Connect, below whose address its settings are read. */
export function issuerFault(text: string, own: readonly string[]): string | undefined {
  const url = webAddress(text);
  if (!url) return 'is not an address';
  if (url.username !== '' || url.password !== '') return 'must not hold a name or password';
  if (/[?#]/.test(text)) return 'must not have a part after ? or #';
  if (url.pathname.includes('/.well-known/')) return 'must be the issuer alone, without /.well-known/ and what follows';
  if (MICROSOFT.test(url.hostname) && ALL_TENANTS.test(url.pathname))
    return 'stands for all tenants of Microsoft, and nobody logs in by that name: put the id of your tenant in its place';
  return isOwn(text, own) ? OWN : undefined;
}

function isOnThisMachine({ protocol, hostname }: URL): boolean {
  return protocol === 'http:' && LOOPBACK.test(hostname);
}

/** Tells whether this service responds at an address; other services may exist at the same origin. */
function isOwn(text: string, own: readonly string[]): boolean {
  const url = webAddress(text);
  return (
    url !== undefined &&
    own.some((each) => {
      const base = webAddress(each);
      const root = base?.pathname.replace(/\/?$/, '/');
      if (root === undefined || base?.origin !== url.origin || !`${url.pathname}/`.startsWith(root)) return false;
      const [name = ''] = url.pathname.slice(root.length).split('/', 1);
      return name.startsWith('~') || OWN_NAMES.has(name);
    })
  );
}

/**
 * Tells whether a browser may be redirected to an address with a code: its query is free, the rest must be in the list.
 * Native applications listen on any free port (RFC 8252, 7.3), so a loopback address that is listed without a port may
 * have any.
 */
export function isReturnAddress(text: string, allowed: readonly string[]): boolean {
  const url = webAddress(text);
  if (!url || url.username !== '' || url.password !== '' || url.hash !== '') return false;
  return allowed.some((each) => {
    const one = webAddress(each);
    if (one?.protocol !== url.protocol || one.hostname !== url.hostname || one.pathname !== url.pathname) return false;
    return one.port === url.port || (one.port === '' && isOnThisMachine(one));
  });
}
