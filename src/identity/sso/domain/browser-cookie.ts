import { parseCookies } from '../../../kernel/common/cookies.js';

/** The time that a person may take to log in at the identity provider, in milliseconds. */
export const LOGIN_LIFE = 10 * 60_000;
const NAME = 'bindery-login';
const SECRET = /^[0-9A-Za-z]{40}$/;

/**
 * The cookie by which a browser proves that a login began in it. It is `Lax`: browsers omit it from a form post by an
 * identity provider, and send it to the address to which the response redirects, with https and without. With https no
 * other host of the domain can set one (`__Host-`); with http it is limited to the path of the logins.
 */
export function browserCookie(api: string, secret: string): string {
  const { protocol, pathname } = new URL(api);
  const scope = protocol === 'https:' ? 'Path=/; Secure' : `Path=${pathname.replace(/\/$/, '')}/sso`;
  return `${nameAt(api)}=${secret}; ${scope}; HttpOnly; SameSite=Lax; Max-Age=${LOGIN_LIFE / 1000}`;
}

/** The secret in the cookies of a request; undefined if no valid one is present. */
export function browserSecret(api: string, cookies: string | undefined): string | undefined {
  const secret = parseCookies(cookies).get(nameAt(api));
  return secret !== undefined && SECRET.test(secret) ? secret : undefined;
}

function nameAt(api: string): string {
  return api.startsWith('https:') ? `__Host-${NAME}` : NAME;
}
