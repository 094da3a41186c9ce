/** The meaning of an address in the application. */
export type AppPlace =
  | { readonly collection: string }
  | {
      readonly space: string;
      readonly changeRequest?: string;
      readonly revision?: string;
      readonly pageId?: string;
      readonly path?: string;
    };

/**
 * Parses the path below the application: `/o/<organization>/s/<space>` or `/c/<collection>`, then a change request or
 * revision, then a page.
 */
export function readAppPath(path: string): AppPlace | undefined {
  const [organization, kind, id, ...rest] = path
    .replace(/^\/o\//, '')
    .replace(/\/+$/, '')
    .split('/');
  if (!path.startsWith('/o/') || !organization || !id) return undefined;
  if (kind === 'c') return rest.length === 0 ? { collection: id } : undefined;
  if (kind !== 's') return undefined;
  const within =
    rest[0] === '~' && (rest[1] === 'changes' || rest[1] === 'revisions') && rest[2]
      ? { [rest[1] === 'changes' ? 'changeRequest' : 'revision']: rest[2] }
      : {};
  const page = Object.keys(within).length > 0 ? rest.slice(3) : rest;
  if (page.length === 0) return { space: id, ...within };
  if (page[0] === '~') return page[1] === 'pages' && page[2] ? { space: id, ...within, pageId: page[2] } : undefined;
  return { space: id, ...within, path: page.join('/') };
}
