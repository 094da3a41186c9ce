import { webAddress } from '../../../kernel/common/web-address.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
/** What this service answers at its root, beside what begins with ~. */
const OWN_NAMES: ReadonlySet<string> = new Set([
  '',
  'v1',
  'sso',
  'docs',
  'docs-yaml',
  'openapi.json',
  'healthz',
  'readyz',
  'metrics',
]);
const OWN = 'is an address of this service: give that of the identity provider';
/** Where the tenants of Entra ID are, all over the world and in its national clouds. */
const MICROSOFT =
  /^(login\.(microsoftonline\.(com|us)|partner\.microsoftonline\.cn|windows\.net|microsoft\.com)|sts\.windows\.net)$/;
/** Names of all tenants of a kind, which no id token is issued by. */
const ALL_TENANTS = /^\/(common|organizations|consumers)(\/|$)/i;

/** What is wrong with the name of an identity provider. `own` has the addresses of this service. */
export function entityIdFault(text: string, own: readonly string[]): string | undefined {
  return isOwn(text, own) ? OWN : undefined;
}

/** What is wrong with the address at which people log in; browsers are sent there, the server never asks it. */
export function ssoUrlFault(text: string, own: readonly string[]): string | undefined {
  const url = webAddress(text);
  if (!url) return 'is not an address';
  if (url.protocol !== 'https:' && !isOnThisMachine(url))
    return 'must begin with https:// (http is possible on this machine only)';
  if (url.username !== '' || url.password !== '') return 'must not hold a name or password';
  if (url.hash !== '') return 'must not have a part after #';
  return isOwn(text, own) ? OWN : undefined;
}

/** What is wrong with the name of an issuer of OpenID Connect, below whose address its settings are read. */
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

/** Whether an address is one that this service answers; other services may stand beside it at the same origin. */
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
 * Whether a browser may be sent to an address with a code: its query is free, everything else must be in the list. Native
 * applications listen where there is room (RFC 8252, 7.3), so what has no port there and is on this machine may have any.
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
