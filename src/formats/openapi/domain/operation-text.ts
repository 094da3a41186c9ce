import { isObject } from '../../document/checks.js';

/** A specification of which only the requested parts are read. */
interface Parts {
  at(pointer: readonly string[]): unknown;
}

/** Characters of the text of one operation or schema. */
const MAX_TEXT = 4_000;
const MAX_DESCRIPTION = 600;
const MAX_DEPTH = 5;
const MAX_HOPS = 16;

/** Gathers words up to a length; each name once. */
class Words {
  private readonly texts: string[] = [];
  private readonly names = new Set<string>();
  private left = MAX_TEXT;

  get isFull(): boolean {
    return this.left <= 0;
  }

  name(text: unknown): void {
    if (typeof text !== 'string' || text === '' || this.names.has(text)) return;
    this.names.add(text);
    this.add(text);
  }

  sentence(text: unknown): void {
    if (typeof text === 'string' && text.trim() !== '')
      this.add(text.slice(0, MAX_DESCRIPTION).replace(/\s+/g, ' ').trim());
  }

  toString(): string {
    return this.texts.join(' ').slice(0, MAX_TEXT);
  }

  private add(text: string): void {
    if (this.isFull) return;
    this.texts.push(text);
    this.left -= text.length + 1;
  }
}

/**
 * The words by which an operation is found: method and path, its id, what it says, and the names of parameters and fields
 * with what these say. `kind` tells whether `path` is that of an operation or the name of a webhook.
 */
export function operationText(api: Parts, kind: 'paths' | 'webhooks', path: string, method: string): string {
  const words = new Words();
  words.name(`${method.toUpperCase()} ${path}`);
  const item = followed(api, api.at([kind, path]) ?? (kind === 'webhooks' ? api.at(['x-webhooks', path]) : undefined));
  const operation = followed(api, item?.[method.toLowerCase()]);
  if (!item || !operation) return words.toString();
  words.name(operation['operationId']);
  words.sentence(operation['summary']);
  words.sentence(operation['description']);
  const seen = new Set<unknown>();
  for (const given of [operation['parameters'], item['parameters']].flat()) {
    const parameter = followed(api, given);
    words.name(parameter?.['name']);
    words.sentence(parameter?.['description']);
    schemaWords(api, parameter?.['schema'], words, seen, 0);
  }
  mediaWords(api, followed(api, operation['requestBody']), words, seen);
  const responses = operation['responses'];
  for (const [status, given] of Object.entries(isObject(responses) ? responses : {})) {
    const response = followed(api, given);
    words.name(status);
    mediaWords(api, response, words, seen);
    schemaWords(api, response?.['schema'], words, seen, 0);
  }
  return words.toString();
}

/** The words by which a schema is found: its name, and the names of its fields with what these say. */
export function schemaText(api: Parts, name: string): string {
  const words = new Words();
  words.name(name);
  schemaWords(api, api.at(['components', 'schemas', name]) ?? api.at(['definitions', name]), words, new Set(), 0);
  return words.toString();
}

function mediaWords(
  api: Parts,
  body: Readonly<Record<string, unknown>> | undefined,
  words: Words,
  seen: Set<unknown>,
): void {
  words.sentence(body?.['description']);
  const content = body?.['content'];
  for (const media of Object.values(isObject(content) ? content : {}))
    schemaWords(api, isObject(media) ? media['schema'] : undefined, words, seen, 0);
}

function schemaWords(api: Parts, given: unknown, words: Words, seen: Set<unknown>, depth: number): void {
  const schema = followed(api, given);
  if (!schema || words.isFull || depth > MAX_DEPTH || seen.has(schema)) return;
  seen.add(schema);
  words.sentence(schema['description']);
  for (const value of [schema['enum']].flat()) words.name(value);
  const properties = schema['properties'];
  for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
    words.name(name);
    schemaWords(api, property, words, seen, depth + 1);
  }
  for (const part of ['allOf', 'anyOf', 'oneOf', 'items', 'additionalProperties'])
    for (const inner of [schema[part]].flat()) schemaWords(api, inner, words, seen, depth + 1);
}

/** The object that a value is, or refers to inside of the specification. */
function followed(api: Parts, value: unknown): Readonly<Record<string, unknown>> | undefined {
  let found = value;
  for (let hops = 0; hops < MAX_HOPS && isObject(found); hops++) {
    const pointer = found['$ref'];
    if (typeof pointer !== 'string') return found;
    found = pointer.startsWith('#/') ? api.at(pointer.slice(2).split('/').map(nameOf)) : undefined;
  }
  return undefined;
}

const nameOf = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');
