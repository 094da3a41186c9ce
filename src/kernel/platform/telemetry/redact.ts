import { formsOf } from '../../common/secrets.js';

/** Query parameters whose values are never logged. */
const SECRET_PARAMETER = /token|key|secret|signature|jwt|password|credential|auth|code|state|nonce|saml|page|location/i;
const HIDDEN = '[hidden]';
/**
 * Tokens, secrets of webhooks, signed tokens, credentials and private keys wherever they occur in a text, and the user
 * information of an address: the only text before an @ there.
 */
const SECRET_TEXT =
  /\b(?:bdy|bds|whsec)_[0-9A-Za-z]+(?:\.[\w-]{43})?|\beyJ[\w-]+\.[\w-]+\.[\w-]*|\b(?:Bearer|Basic) +[\w.~+/=-]+|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)|(?<=\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"]+@/gi;
/** Secrets that are a part of the path: the segment after these is redacted, however it is encoded. */
const SECRET_PATH =
  /(\/auth\/+(?:invitations|sign-in-links|invite-links)\/+|\/app\/+invitations\/+|\/app\/+join\/+[^/?#]+\/+|\/invites\/+|\/link-invites\/+|\/~share\/+)[^/?#]+/gi;
/** Maximum nesting depth of addresses within addresses. */
const MAX_DEPTH = 3;

/** An address as it may be logged: without secrets in path and query, also in addresses that are parameters of it. */
export function redactUrl(url: string, depth = 0): string {
  if (depth > MAX_DEPTH) return HIDDEN;
  const at = url.indexOf('?');
  const path = redacted(at < 0 ? url : url.slice(0, at), (text) =>
    redactText(text.replace(SECRET_PATH, `$1${HIDDEN}`)),
  );
  if (at < 0) return path;
  const parameters = url
    .slice(at + 1)
    .split('&')
    .map((pair) => redactParameter(pair, depth));
  return `${path}?${parameters.join('&')}`;
}

function redactParameter(pair: string, depth: number): string {
  const [name = ''] = pair.split('=', 1);
  if (SECRET_PARAMETER.test(name) || name.includes('%')) return `${name}=${HIDDEN}`;
  return redacted(pair, (text) => (/[/?&]/.test(text) ? redactUrl(text, depth + 1) : redactText(text)));
}

/** Returns a text as written if its decoded form contains nothing to redact, otherwise its redacted decoded form. */
function redacted(written: string, hide: (text: string) => string): string {
  const meant = decoded(written);
  const shown = hide(meant);
  return shown === meant ? written : shown;
}

/** Removes percent-encoding as often as it was applied, within limits. */
function decoded(text: string): string {
  let plain = text;
  for (let round = 0; round <= MAX_DEPTH && plain.includes('%'); round++)
    plain = plain.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());
  return plain;
}

/** A text without anything that looks like a token or private key. */
export function redactText(text: string): string {
  return text.replace(SECRET_TEXT, HIDDEN);
}

/** Redacts these very secrets, in all their forms; redacting short ones would hide too much. */
export function redactLiterals(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.filter(({ length }) => length >= 8).flatMap(formsOf);
  if (forms.length === 0) return (text) => text;
  const pattern = new RegExp(
    [...new Set(forms)].map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'),
    'g',
  );
  return (text) => text.replace(pattern, HIDDEN);
}
