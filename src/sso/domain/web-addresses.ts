import { webAddress } from '../../common/web-address.js';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** What is wrong with the address at which people log in; browsers are sent there, the server never asks it. */
export function ssoUrlFault(text: string): string | undefined {
  const url = webAddress(text);
  if (!url) return 'is not an address';
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname))) return 'must begin with https:// (http is possible on this machine only)';
  if (url.username !== '' || url.password !== '') return 'must not hold a name or password';
  if (url.hash !== '') return 'must not have a part after #';
  return undefined;
}

/** Whether a browser may be sent to an address with a code: its query is free, everything else must be in the list. */
export function isReturnAddress(text: string, allowed: readonly string[]): boolean {
  const url = webAddress(text);
  if (!url || url.username !== '' || url.password !== '' || url.hash !== '') return false;
  return allowed.some((each) => {
    const one = webAddress(each);
    return one !== undefined && one.origin === url.origin && one.pathname === url.pathname;
  });
}
