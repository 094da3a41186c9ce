import { DomainError } from '../../kernel/common/errors.js';

const ARCHIVES: ReadonlyMap<string, string> = new Map([
  ['application/gzip', 'folder.tar.gz'],
  ['application/x-gzip', 'folder.tar.gz'],
  ['application/x-tar', 'folder.tar'],
  ['application/tar+gzip', 'folder.tar.gz'],
  ['application/zip', 'folder.zip'],
  ['application/octet-stream', 'folder'],
]);

/** What bodies with archives may say that they are. */
export const ARCHIVE_TYPES: readonly string[] = [...ARCHIVES.keys()];

/** The name and type under which the body of a request with this Content-Type is kept; throws `unsupportedMediaType`. */
export function archiveType(header: string | undefined): { readonly name: string; readonly type: string } {
  const type = header?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const name = ARCHIVES.get(type);
  if (name === undefined)
    throw new DomainError('unsupportedMediaType', `The Content-Type must be one of ${ARCHIVE_TYPES.join(', ')}`);
  return { name, type };
}
