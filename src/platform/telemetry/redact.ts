/** Query parameters whose values are never logged. */
const SECRET_PARAMETER = /token|key|secret|signature|jwt|password|code|state|saml|page|location/i;
const HIDDEN = '[hidden]';
/** Tokens and signed tokens wherever they stand in a text. */
const SECRET_TEXT = /\bbdy_[0-9A-Za-z]+|\beyJ[\w-]+\.[\w-]+\.[\w-]*|\b(?:Bearer|Basic) +[\w.~+/=-]+|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)|(?<=\bhttps?:\/\/)[^\s/@]+@/g;
/** Secrets that are a part of the path: what follows these is hidden. */
const SECRET_PATH = /(\/auth\/invitations\/|\/invites\/|\/link-invites\/|\/~share\/)[^/?]+/g;

/** An address as it may be logged: without secrets in path and query. */
export function redactUrl(url: string): string {
  const [path = '', query] = url.split('?', 2);
  const shown = redactText(path.replace(SECRET_PATH, `$1${HIDDEN}`));
  if (query === undefined) return shown;
  const parameters = query.split('&').map((pair) => {
    const name = pair.split('=', 1)[0] ?? '';
    return SECRET_PARAMETER.test(name) || name.includes('%') ? `${name}=${HIDDEN}` : redactText(pair);
  });
  return `${shown}?${parameters.join('&')}`;
}

/** A text without anything that looks like a token or private key. */
export function redactText(text: string): string {
  return text.replace(SECRET_TEXT, HIDDEN);
}
