import { webAddress } from '../../../kernel/common/web-address.js';

/** Schemes that no application on the machine of a person has for itself. */
const REFUSED_SCHEMES = /^(?:javascript|data|vbscript|file|blob|about|ftp|filesystem|view-source|mailto|tel):$/;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
export const MAX_REDIRECT_URI = 2048;

/**
 * The reason why a client may not be sent a code at an address; undefined if it may: by https, by http to the machine of
 * the browser (RFC 8252, 7.3), or by the scheme of an application there (7.1).
 */
export function redirectUriFault(text: string): string | undefined {
  const address = webAddress(text);
  if (!address || text.length > MAX_REDIRECT_URI) return 'is not an address';
  if (address.hash !== '' || text.includes('#')) return 'must have no part after #';
  if (address.username !== '' || address.password !== '') return 'must have no name and password';
  if (REFUSED_SCHEMES.test(address.protocol)) return 'has a scheme that is not allowed';
  if (address.protocol === 'http:' && !LOOPBACK.has(address.hostname))
    return 'must be https, or http to localhost, 127.0.0.1 or [::1]';
  return undefined;
}

/** The part of an address that a person should see: its host, or the application that its scheme opens. */
export function shownRedirect(text: string): string {
  const { protocol, host } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? host : `an application on this device (${protocol})`;
}

/** The source of a content security policy to which a form may lead. */
export function policySource(text: string): string {
  const { protocol, origin } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? origin : protocol;
}
