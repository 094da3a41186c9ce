import { parseCookies } from '../../../kernel/common/cookies.js';

/** How long somebody may take to log in at the identity provider, in milliseconds. */
export const LOGIN_LIFE = 10 * 60_000;
const NAME = 'bindery-login';
const SECRET = /^[0-9A-Za-z]{40}$/;

/**
 * The cookie by which a browser shows that a login began in it. It is `Lax`: browsers leave it out where an identity provider
 * lets them send a form, and bring it along to the address that the form leads to, with https and without. By https nobody
 * else of the domain can plant one (`__Host-`); by http it stays below the address of the logins.
 */
export function browserCookie(api: string, secret: string): string {
  const { protocol, pathname } = new URL(api);
  const scope = protocol === 'https:' ? 'Path=/; Secure' : `Path=${pathname.replace(/\/$/, '')}/sso`;
  return `${nameAt(api)}=${secret}; ${scope}; HttpOnly; SameSite=Lax; Max-Age=${LOGIN_LIFE / 1000}`;
}

/** The secret in the cookies of a request; undefined where there is none that could be ours. */
export function browserSecret(api: string, cookies: string | undefined): string | undefined {
  const secret = parseCookies(cookies).get(nameAt(api));
  return secret !== undefined && SECRET.test(secret) ? secret : undefined;
}

function nameAt(api: string): string {
  return api.startsWith('https:') ? `__Host-${NAME}` : NAME;
}
