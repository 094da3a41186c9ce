import { isJson, type JsonObject } from '../json.js';
import { OPERATION_METHODS } from '../operation-methods.js';
import {
  entriesAt,
  itemsAt,
  memberAt,
  type ComparedDocument,
  type Located,
  type LocatedObject,
} from './effective-schema.js';

/** Headers that parameters cannot describe. */
const IGNORED_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

/** An operation in one version, with its path. */
export interface FoundOperation {
  readonly operation: LocatedObject;
  readonly item: LocatedObject;
  readonly path: string;
}

/** The operations of a path, a webhook or a callback, by method. */
export function operationsAt(document: ComparedDocument, given: Located, path: string): Map<string, FoundOperation> {
  const found = new Map<string, FoundOperation>();
  const item = document.follow(given);
  if (!item) return found;
  for (const method of OPERATION_METHODS) {
    const at = memberAt(item, method);
    const operation = at && document.follow(at);
    if (operation) found.set(method, { operation, item, path });
  }
  return found;
}

export function callbacksOf(
  document: ComparedDocument,
  { operation }: FoundOperation,
): Map<string, { readonly name: string; readonly found: FoundOperation }> {
  const all = new Map<string, { readonly name: string; readonly found: FoundOperation }>();
  for (const [name, given] of entriesAt(operation, 'callbacks')) {
    const callback = document.follow(given);
    for (const [expression, value] of Object.entries(callback?.value ?? {})) {
      if (!callback || expression.startsWith('x-')) continue;
      const item = memberAt(callback, expression) ?? { value, pointer: callback.pointer };
      for (const [method, found] of operationsAt(document, item, expression))
        all.set(JSON.stringify([name, expression, method]), { name, found });
    }
  }
  return all;
}

/**
 * The parameters of an operation, those of its path among them. Those in the path count by their position: their names
 * are not sent.
 */
export function parametersByPlace(
  document: ComparedDocument,
  { operation, item, path }: FoundOperation,
): Map<string, { readonly parameter: LocatedObject; readonly label: string }> {
  const found = new Map<string, { readonly parameter: LocatedObject; readonly label: string }>();
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name);
  for (const given of [...itemsAt(item, 'parameters'), ...itemsAt(operation, 'parameters')]) {
    const parameter = document.follow(given);
    const { in: place, name } = parameter?.value ?? {};
    if (!parameter || typeof place !== 'string' || typeof name !== 'string') continue;
    if (place === 'header' && IGNORED_HEADERS.has(name.toLowerCase())) continue;
    const key = place === 'path' ? names.indexOf(name) : place === 'header' ? name.toLowerCase() : name;
    found.set(`${place} ${key === -1 ? name : key}`, { parameter, label: `${place} parameter ${name}` });
  }
  return found;
}

/** How values of a parameter are written, with the defaults of OpenAPI. */
export function serializationOf({ in: place, style, explode, allowReserved, content }: JsonObject): string {
  if (isJson(content)) return 'of its media type';
  const written = typeof style === 'string' ? style : place === 'query' || place === 'cookie' ? 'form' : 'simple';
  const parts = typeof explode === 'boolean' ? explode : written === 'form';
  return `${written}${parts ? ', exploded' : ''}${allowReserved === true ? ', with reserved characters' : ''}`;
}

/** Media types of a body by their names without parameters' blanks and capitals. */
export function mediaByType(body: LocatedObject): Map<string, Located> {
  return new Map(
    [...entriesAt(body, 'content')].map(([type, media]) => [type.toLowerCase().replace(/\s+/g, ''), media]),
  );
}

/** Responses by their status. */
export function responsesOf({ operation }: FoundOperation): Map<string, Located> {
  return new Map([...entriesAt(operation, 'responses')].filter(([status]) => !status.startsWith('x-')));
}
