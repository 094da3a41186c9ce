import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { isObject } from '../../../formats/document/checks.js';
import { readYaml, YamlLines } from '../../../formats/markdown/yaml.js';
import { isMarkdown } from './repository-paths.js';

/**
 * Tells whether a file of a repository is documentation, and is deleted when the space no longer has it: Markdown and
 * files in `.gitbook`, below the root of the documentation; and the configuration of `directory`.
 */
export function isManagedPath(path: string, directory: string, root: string): boolean {
  if (path === (directory === '' ? '.gitbook.yaml' : `${directory}/.gitbook.yaml`)) return true;
  const prefix = root === '' ? '' : `${root}/`;
  if (!path.startsWith(prefix)) return false;
  const inside = path.slice(prefix.length);
  if (inside.startsWith('.gitbook/')) return true;
  return (
    isMarkdown(inside) && !inside.split('/').some((segment) => segment.startsWith('.') || segment === 'node_modules')
  );
}

/** Keys that an export writes to the configuration of a repository; all others belong to other tools. */
const OWN_KEYS = ['structure', 'redirects'] as const;

/**
 * The configuration of a repository after an export: structure and redirects are those of the space, all else is kept.
 * Undefined if nothing is left.
 */
export function mergedConfig(before: string | undefined, own: string | undefined): string | undefined {
  const known = before === undefined ? undefined : mappingIn(before);
  if (before === undefined || known === undefined) return own;
  const wanted = (own === undefined ? {} : readYaml(own)) as Readonly<Record<string, unknown>>;
  const others = Object.fromEntries(Object.entries(known).filter(([key]) => !OWN_KEYS.some((name) => name === key)));
  const merged = { ...others, ...wanted };
  if (Object.keys(merged).length === 0) return undefined;
  const text = replaced(before, Object.keys(known), wanted);
  return isDeepStrictEqual(mappingIn(text), merged) ? text : stringify(merged, WRITING);
}

const WRITING = { lineWidth: 0 } as const;

/** Undefined if the text is not YAML, or not a mapping. */
function mappingIn(yaml: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = readYaml(yaml) ?? {};
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the lines of our keys in a file with one key after another: correct if nothing else is written on them. */
function replaced(source: string, keys: readonly string[], wanted: Readonly<Record<string, unknown>>): string {
  const lines = source.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const places = new YamlLines(source);
  const begins = keys.map((key) => places.of(key) - 1);
  const written = (name: string): string[] =>
    wanted[name] === undefined ? [] : [stringify({ [name]: wanted[name] }, WRITING).trimEnd()];
  const parts: string[] = lines.slice(0, Math.min(...begins, lines.length));
  keys.forEach((key, index) => {
    const section = lines.slice(begins[index], begins[index + 1]);
    const name = OWN_KEYS.find((each) => each === key);
    // Comments between two keys belong to the second one.
    const last = section.findLastIndex((line, at) => at === 0 || (line.trim() !== '' && !line.startsWith('#')));
    parts.push(...(name === undefined ? section : [...written(name), ...section.slice(last + 1)]));
  });
  for (const name of OWN_KEYS) if (!keys.includes(name)) parts.push(...written(name));
  return `${parts.join('\n')}\n`;
}
