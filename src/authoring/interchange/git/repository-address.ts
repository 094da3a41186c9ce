import { invalid } from '../../../kernel/common/errors.js';
import { addressFault } from '../../../kernel/common/safe-address.js';
import { decodePath } from '../domain/repository-paths.js';
import type { GitCredentials } from './guarded-http.js';
import { webAddress } from '../../../kernel/common/web-address.js';

/** Tells whether a source of an import is the address of a repository and not a folder. */
export function isRepositoryAddress(source: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(source) || /^[\w.-]+@[\w.-]+:/.test(source);
}

/** The address without a trailing slash; throws `invalid` for everything but https without a name or password. */
export function readRepositoryAddress(source: string): string {
  const { url, credentials } = readRemote(source);
  if (credentials) throw invalid('url', 'must not contain a name or password');
  return url;
}

/**
 * The address of a repository without a trailing slash, and the name and password or token in it. Throws `invalid` for
 * everything but https; `ways` names all that the caller takes.
 */
export function readRemote(
  source: string,
  httpsOnly = true,
  ways = 'https',
): { readonly url: string; readonly credentials?: GitCredentials } {
  const url = webAddress(source);
  if (url?.protocol !== 'https:' && (httpsOnly || url?.protocol !== 'http:'))
    throw invalid('url', `repositories are reached by ${ways} only`);
  const fault = addressFault(source);
  if (fault !== undefined) throw invalid('url', fault);
  const { username, password } = url;
  const given = username !== '' || password !== '';
  const credentials = given && { username: decodePath(username), password: decodePath(password) };
  [url.username, url.password, url.hash, url.search] = ['', '', '', ''];
  return { url: url.toString().replace(/\/+$/, ''), ...(credentials && { credentials }) };
}
