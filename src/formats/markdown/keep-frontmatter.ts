import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../document/checks.js';
import { readFrontmatter, writeFrontmatter } from './frontmatter.js';
import { mappingIn, replaceKeys } from './yaml-keys.js';

/** The head of a page as written: with its fences, and the mark of UTF-8 before them. */
export function headIn(source: string): string {
  return source.slice(0, source.length - readFrontmatter(source).body.length);
}

/**
 * The head `after`, which the serializer has written, with the lines that `before` has for the same values: their order,
 * comments and quotes stay.
 */
export function keepFrontmatter(before: string, after: string): string {
  const mark = before.startsWith('\uFEFF') ? '\uFEFF' : '';
  const [is, were] = [valuesOf(after), valuesOf(writeFrontmatter(readFrontmatter(before).frontmatter))];
  if (is === undefined || were === undefined) return mark + after;
  if (isDeepStrictEqual(is, were)) return before;
  const [, open = '', yaml = '', close = ''] = /^(\uFEFF?---[^\n]*\n)([\s\S]*?)(---[^\n]*\n?)$/.exec(before) ?? [];
  const written = mappingIn(yaml);
  if (open === '' || written === undefined || Object.keys(is).length === 0) return mark + after;
  const changes: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(were), ...Object.keys(is)]))
    if (!isSame(name, is[name], were[name])) changes[spelled(name, written)] = is[name];
  return open + replaceKeys(yaml, Object.keys(written), changes) + close;
}

/** Tags are a set, and one that is not the primary tag can be written in two ways. */
function isSame(name: string, is: unknown, was: unknown): boolean {
  if (name !== 'tags' || !Array.isArray(is) || !Array.isArray(was)) return isDeepStrictEqual(is, was);
  const plain = (tags: readonly unknown[]): string[] =>
    tags.map((tag) => JSON.stringify(isObject(tag) && tag['primary'] !== true ? tag['tag'] : tag)).sort();
  return isDeepStrictEqual(plain(is), plain(was));
}

/** Undefined if what is between the fences is not a mapping. */
function valuesOf(head: string): Readonly<Record<string, unknown>> | undefined {
  return mappingIn(/^---\n([\s\S]*?)---\n/.exec(head)?.[1] ?? '');
}

/** The name that a page has for a value: variables have two. */
function spelled(name: string, written: Readonly<Record<string, unknown>>): string {
  return name === 'vars' && Object.hasOwn(written, 'variables') ? 'variables' : name;
}
