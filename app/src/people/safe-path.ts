/** A path below the workspace to which it is safe to go, else its home: an address of another server is none. */
export function safePath(path: string | undefined): string {
  return path !== undefined && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path) ? path : '/';
}
