/*
 * Paths inside a documentation repository: relative to its root, with slashes, without `.` or `..`.
 */

/** The folder of a path; '' is the root. */
export function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

export function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function joinPath(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('/');
}

/** Follows `.` and `..`; `undefined` where the path leaves the repository. */
export function normalizePath(path: string): string | undefined {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join('/');
}

/** The way from a folder to a path. */
export function relativePath(directory: string, path: string): string {
  const from = directory === '' ? [] : directory.split('/');
  const to = path.split('/');
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared++;
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/');
}

/** A path as a target in Markdown: what has a meaning in addresses or would end the target is escaped. */
export function encodePath(path: string): string {
  return path.replace(/[\s"'()<>\\`|[\]#?%]/g, (character) =>
    encodeURIComponent(character).replace(/[()']/g, (rest) => `%${rest.charCodeAt(0).toString(16)}`),
  );
}

/** Undoes percent escapes; text that is not escaped properly stays as it is. */
export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export function isMarkdown(path: string): boolean {
  return /\.(md|markdown|mdx)$/i.test(path);
}

/** Whether a file is the page of its own folder. */
export function isIndex(path: string): boolean {
  return /^(readme|index)\.(md|markdown|mdx)$/i.test(baseOf(path));
}

export function withoutExtension(path: string): string {
  return path.replace(/\.[^./]+$/, '');
}

/** A title for what has only a file name: `install_by-rpm` is `Install by rpm`. */
export function titleFromName(name: string): string {
  const words = withoutExtension(name).replace(/[-_]+/g, ' ').trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

const COLLATOR = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Sorts names as people do: numbers by value, letters without case. */
export function byName(a: string, b: string): number {
  return COLLATOR.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

/** Whether a name in a repository or archive can be one in a folder of this machine. */
export function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && name.toLowerCase() !== '.git' && !/[/\\]|\p{Cc}/u.test(name);
}
