import { webAddress } from '../../../kernel/common/web-address.js';

/** Tells whether an address is one of the workspace, whose own address is given: nothing else is ever returned to. */
export function isInWorkspace(address: string, workspace: string): boolean {
  const [url, root] = [webAddress(address), webAddress(workspace)];
  if (!url || !root || url.origin !== root.origin || url.username !== '' || url.password !== '') return false;
  const path = root.pathname.replace(/\/+$/, '');
  return url.pathname === path || url.pathname.startsWith(`${path}/`);
}

/** Tells whether a text is a path below the workspace, such as `/o/AbCdEfGh0123456789Xy?tab=all`. */
export function isWorkspacePath(path: string, workspace: string): boolean {
  return /^\/(?![/\\])/.test(path) && isPrintable(path) && isInWorkspace(`${workspace}${path}`, workspace);
}

/** No spaces and control characters, which browsers would leave out of an address. */
function isPrintable(text: string): boolean {
  return !/[\s\p{Cc}\\]/u.test(text);
}
