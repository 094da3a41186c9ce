import { isDeepStrictEqual } from 'node:util';
import { stringify } from 'yaml';
import { isObject } from '../../../formats/document/checks.js';
import { mergeText, withLineEndsOf } from '../../../formats/markdown/merge-text.js';
import { mappingIn, replaceKeys, YAML_WRITING } from '../../../formats/markdown/yaml-keys.js';
import { readRepositoryConfig, redirectedPath } from './gitbook-yaml.js';
import { decodePath, isMarkdown } from './repository-paths.js';

/**
 * Tells whether a file of a repository is documentation, and is deleted when the space no longer has it: Markdown and
 * files in `.gitbook`, below the root of the documentation; and the configuration of `directory`. A table of contents in
 * a folder below belongs to something else.
 */
export function isManagedPath(path: string, directory: string, root: string): boolean {
  if (path === (directory === '' ? '.gitbook.yaml' : `${directory}/.gitbook.yaml`)) return true;
  const prefix = root === '' ? '' : `${root}/`;
  if (!path.startsWith(prefix)) return false;
  const inside = path.slice(prefix.length);
  if (inside.startsWith('.gitbook/')) return true;
  if (inside.endsWith('/SUMMARY.md')) return false;
  return (
    isMarkdown(inside) && !inside.split('/').some((segment) => segment.startsWith('.') || segment === 'node_modules')
  );
}

/** Keys that an export writes to the configuration of a repository; all others belong to other tools. */
const OWN_KEYS = ['structure', 'redirects'] as const;

/**
 * The configuration of a repository after an export: structure and redirects are those of the space; redirects that lead
 * nowhere, all else, and whatever says the same are kept as written. Undefined if nothing is left.
 */
export function mergedConfig(
  before: string | undefined,
  own: string | undefined,
  dead: readonly string[] = [],
): string | undefined {
  const known = before === undefined ? undefined : mappingIn(before);
  if (before === undefined || known === undefined) return own;
  const changes = changesOf(before, known, own, dead);
  const merged = Object.fromEntries(
    Object.entries({ ...known, ...changes }).filter(([, value]) => value !== undefined),
  );
  if (Object.keys(merged).length === 0) return undefined;
  if (Object.keys(changes).length === 0) return before;
  const attempts = [() => edited(before, known, changes), () => replaceKeys(before, Object.keys(known), changes)];
  for (const attempt of attempts) {
    const text = attempt();
    if (text !== undefined && isDeepStrictEqual(mappingIn(text), merged)) return text;
  }
  return stringify(merged, YAML_WRITING);
}

type Mapping = Readonly<Record<string, unknown>>;

/** The keys whose values differ in meaning, with those that they shall have; undefined removes a key. */
function changesOf(before: string, known: Mapping, own: string | undefined, dead: readonly string[]): Mapping {
  const wanted = (own === undefined ? undefined : mappingIn(own)) ?? {};
  const [were, is] = [readRepositoryConfig(before), readRepositoryConfig(own)];
  const redirects = redirectsOf(known, is.redirects, dead);
  const same = {
    structure: were.readme === is.readme && were.summary === is.summary,
    redirects: isDeepStrictEqual(redirects, known['redirects'] ?? {}),
  };
  const values: Mapping = { ...wanted, redirects: Object.keys(redirects).length === 0 ? undefined : redirects };
  return Object.fromEntries(
    OWN_KEYS.filter((name) => !same[name] && (Object.hasOwn(known, name) || values[name] !== undefined)).map((name) => [
      name,
      values[name],
    ]),
  );
}

/** The redirects of a space, spelled as they are in the mapping that is there. */
function redirectsOf(known: Mapping, wanted: ReadonlyMap<string, string>, dead: readonly string[]): Mapping {
  const written = isObject(known['redirects']) ? known['redirects'] : {};
  const kept = Object.entries(written).flatMap(([from, to]): [string, unknown][] => {
    const target = wanted.get(redirectedPath(from));
    if (target === undefined) return dead.includes(redirectedPath(from)) ? [[from, to]] : [];
    return [[from, typeof to === 'string' && plainTarget(to) === plainTarget(target) ? to : target]];
  });
  const names = new Set(kept.map(([from]) => redirectedPath(from)));
  return Object.fromEntries([...kept, ...[...wanted].filter(([from]) => !names.has(from))]);
}

/** A path that is written in different ways. */
function plainTarget(target: string): string {
  return /^[a-z][a-z0-9+.-]*:/i.test(target) ? target : decodePath(target).replace(/^(?:\.?\/)+/, '');
}

/** The configuration with changed redirects one by one, which keeps the comments between the others. */
function edited(before: string, known: Mapping, changes: Mapping): string | undefined {
  const { redirects } = changes;
  if (Object.keys(changes).length !== 1 || !isObject(redirects) || !isObject(known['redirects'])) return undefined;
  const [was = '', is = ''] = [known, { ...known, redirects }].map((values) =>
    withLineEndsOf(before, stringify(values, YAML_WRITING)),
  );
  return mergeText(was, is, before.endsWith('\n') ? before : `${before}\n`);
}
