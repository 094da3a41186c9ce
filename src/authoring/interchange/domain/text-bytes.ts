import { isUtf8 } from 'node:buffer';

/** Maximum size of a text: more bytes than any page has. */
export const MAX_FOLDER_TEXT = 4 * 1024 ** 2;
/** Bytes of a pointer of Git LFS at most. Source: its specification. */
export const MAX_POINTER = 1024;
const POINTER = 'version https://git-lfs.github.com/spec/';

/** The text in a file; one that is not UTF-8 is read as Windows-1252, in which all bytes are characters. */
export function textOfBytes(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : new TextDecoder('windows-1252').decode(bytes);
}

/** Tells whether a file stands for one that Git LFS keeps elsewhere. */
export function isLfsPointer(bytes: Buffer): boolean {
  return bytes.length < MAX_POINTER && bytes.toString('latin1', 0, POINTER.length) === POINTER;
}

/** The fault of the bytes of a file, as a problem of its import; undefined for most files. */
export function bytesFault(
  bytes: Buffer,
  isText: boolean,
): { readonly rule: 'lfs-pointer' | 'foreign-encoding'; readonly message: string } | undefined {
  if (isLfsPointer(bytes))
    return {
      rule: 'lfs-pointer',
      message: 'is a pointer of Git LFS: the file itself is not in the repository, and the pointer is kept as it is',
    };
  if (isText && !isUtf8(bytes))
    return {
      rule: 'foreign-encoding',
      message: 'is not UTF-8: it is read as Windows-1252, and written as UTF-8 once the page is changed',
    };
  return undefined;
}
