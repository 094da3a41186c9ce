import { placeOfOther } from './domain/export.js';
import { joinPath, relativePath } from './domain/repository-paths.js';

/** New ids by old ones. */
export type Names = Pick<ReadonlyMap<string, string>, 'get' | 'size'>;

/**
 * Copies a JSON value with other ids: every text that equals an id is replaced, since ids are long and random. A value
 * without ids is returned unchanged.
 */
export function renameIds<T>(value: T, names: Names): T {
  return names.size === 0 ? value : (rename(value, names) as T);
}

/** Like `renameIds` for a value written as JSON. */
export function renameIdsIn(json: string, names: Names): string {
  if (names.size === 0) return json;
  return json.replace(NAMED, (whole, text: string) => {
    const name = names.get(text);
    return name === undefined ? whole : JSON.stringify(name);
  });
}

/** All texts of a value, written as JSON, that may be ids. */
export function idsIn(json: string): Set<string> {
  return new Set([...json.matchAll(NAMED)].map(([, text = '']) => text));
}

/** Those of the names whose ids occur in a value, written as JSON. */
export function namesUsed(json: string, names: ReadonlyMap<string, string>): Map<string, string> {
  const used = new Map<string, string>();
  for (const [, text = ''] of json.matchAll(NAMED)) {
    const name = names.get(text);
    if (name !== undefined) used.set(text, name);
  }
  return used;
}

/** The paths of the pages of spaces, by the ids of both. */
export type OtherPaths = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The paths of a space in one folder, from the folder of another space. */
export function seenFrom(place: string, other: string, paths: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...paths].map(([id, path]) => [id, relativePath(place, joinPath(other, path))]));
}

/** The paths of those pages of other spaces whose ids occur in a value, written as JSON, with the id of their space. */
export function placesUsed(json: string, others: OtherPaths): Map<string, string> {
  const used = new Map<string, string>();
  if (others.size === 0) return used;
  const named = idsIn(json);
  for (const [space, paths] of others) {
    if (!named.has(space)) continue;
    for (const id of named) {
      const path = paths.get(id);
      if (path !== undefined) used.set(placeOfOther(space, id), path);
    }
  }
  return used;
}

/** A complete string value of id characters in JSON, not a property name. */
const NAMED = /(?<!\\)"([\w-]+)"(?!:)/g;

function rename(value: unknown, names: Names): unknown {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => rename(each, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, rename(each, names)]));
}
