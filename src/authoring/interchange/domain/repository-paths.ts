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

/** Resolves `.` and `..`; `undefined` if the path leaves the repository. */
export function normalizePath(path: string): string | undefined {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join('/');
}

/** The path from a folder to another path. */
export function relativePath(directory: string, path: string): string {
  const from = directory === '' ? [] : directory.split('/');
  const to = path.split('/');
  let shared = 0;
  while (shared < from.length && shared < to.length - 1 && from[shared] === to[shared]) shared++;
  return [...from.slice(shared).map(() => '..'), ...to.slice(shared)].join('/');
}

/**
 * Encodes a path as a target in Markdown: escapes characters with a meaning in addresses or that would end the target.
 */
export function encodePath(path: string): string {
  return path.replace(/[\s"'()<>\\`|[\]#?%]/g, (character) =>
    encodeURIComponent(character).replace(/[()']/g, (rest) => `%${rest.charCodeAt(0).toString(16)}`),
  );
}

/** Decodes percent escapes; text that is not escaped properly stays unchanged. */
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

/** Tells whether a file is the page of its own folder. */
export function isIndex(path: string): boolean {
  return /^(readme|index)\.(md|markdown|mdx)$/i.test(baseOf(path));
}

export function withoutExtension(path: string): string {
  return path.replace(/\.[^./]+$/, '');
}

/** Makes a title of a file name: `install_by-rpm` becomes `Install by rpm`. */
export function titleFromName(name: string): string {
  const words = withoutExtension(name).replace(/[-_]+/g, ' ').trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

const COLLATOR = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Sorts names naturally: numbers by value, letters regardless of case. */
export function byName(a: string, b: string): number {
  return COLLATOR.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

/** Tells whether a name in a repository or archive is a valid file name on this machine. */
export function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && name.toLowerCase() !== '.git' && !/[/\\]|\p{Cc}/u.test(name);
}
