import { isObject } from '../../document/checks.js';

/** An OpenAPI specification of which only the requested parts are read. */
export interface ApiDescription {
  /**
   * Returns the value at a JSON pointer, given by its names such as `['components', 'schemas', 'Pet']`; undefined if
   * there is none.
   */
  at(pointer: readonly string[]): unknown;
}

export type ReadonlyJsonObject = Readonly<Record<string, unknown>>;

const MAX_HOPS = 16;

/** A value, with the name under which it was found if it is a reference. */
export interface Found {
  readonly value: ReadonlyJsonObject;
  readonly name?: string;
  /** The pointer of the value, to recognize it again. */
  readonly pointer?: string;
}

/** Returns the object that a value is or refers to inside of the same specification; undefined for all others. */
export function followed(api: ApiDescription, value: unknown): Found | undefined {
  let found: Found | undefined = isObject(value) ? { value } : undefined;
  for (let hops = 0; found && hops < MAX_HOPS; hops++) {
    const pointer = found.value['$ref'];
    if (typeof pointer !== 'string') return found;
    const names = pointer.startsWith('#/') ? pointer.slice(2).split('/').map(nameOf) : undefined;
    const target = names && api.at(names);
    found = names && isObject(target) ? { value: target, name: names[names.length - 1] ?? '', pointer } : undefined;
  }
  return undefined;
}

function nameOf(part: string): string {
  let name = part;
  try {
    name = decodeURIComponent(part);
  } catch {
    // Not URL-encoded; it is used unchanged.
  }
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}

export function objectAt(value: ReadonlyJsonObject, name: string): ReadonlyJsonObject {
  const found = Object.hasOwn(value, name) ? value[name] : undefined;
  return isObject(found) ? found : {};
}

export function listAt(value: ReadonlyJsonObject, name: string): readonly unknown[] {
  const found = Object.hasOwn(value, name) ? value[name] : undefined;
  return Array.isArray(found) ? found : [];
}

/** Reads a text that is not empty, cut to a length. */
export function textAt(value: ReadonlyJsonObject, name: string, length = 10_000): string | undefined {
  const found = Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof found === 'string' && found.trim() !== '' ? found.slice(0, length).trim() : undefined;
}

/** Tells whether a value is hidden from readers. */
export function isInternal(value: ReadonlyJsonObject): boolean {
  return value['x-internal'] === true || value['x-gitbook-ignore'] === true;
}
