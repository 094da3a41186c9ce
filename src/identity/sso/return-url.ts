import { isHttpAddress } from '../../kernel/platform/config/setting-schemas.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * An address to which a code may be sent without being readable on the way: by https, or on the machine of the browser
 * (RFC 8252, 7.3).
 */
export const isReturnUrl = (text: string): boolean => {
  if (!isHttpAddress(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  return (protocol === 'https:' || LOOPBACK.test(hostname)) && [username, password, hash].every((part) => part === '');
};
