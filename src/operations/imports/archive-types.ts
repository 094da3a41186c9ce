import { DomainError } from '../../kernel/common/errors.js';

const ARCHIVES: ReadonlyMap<string, string> = new Map([
  ['application/gzip', 'folder.tar.gz'],
  ['application/x-gzip', 'folder.tar.gz'],
  ['application/x-tar', 'folder.tar'],
  ['application/tar+gzip', 'folder.tar.gz'],
  ['application/zip', 'folder.zip'],
  ['application/octet-stream', 'folder'],
]);

/** Content types of bodies with archives. */
export const ARCHIVE_TYPES: readonly string[] = [...ARCHIVES.keys()];

/** The stored name and type of a request body with this Content-Type; throws `unsupportedMediaType`. */
export function archiveType(header: string | undefined): { readonly name: string; readonly type: string } {
  const type = header?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const name = ARCHIVES.get(type);
  if (name === undefined)
    throw new DomainError('unsupportedMediaType', `The Content-Type must be one of ${ARCHIVE_TYPES.join(', ')}`);
  return { name, type };
}
