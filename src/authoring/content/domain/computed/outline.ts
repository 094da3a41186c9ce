import { isObject } from '../../../../formats/document/checks.js';
import { beginningOf, hasOnlyCharacters, storable } from '../../../../formats/document/characters.js';
import { linkedOperation } from '../../../../formats/openapi/domain/linked-operation.js';
import { OPERATION_METHODS } from '../../../../formats/openapi/domain/operation-methods.js';
import { ICON_NAME } from '../../../../kernel/common/icon-name.js';
import { isSlug, slugOf } from '../slug.js';

/** One operation of an API, or of one of its webhooks. */
export interface OutlineOperation {
  /** Its path, or the name of the webhook. */
  readonly path: string;
  readonly method: string;
  /** Its `operationId`. */
  readonly id?: string;
  readonly title: string;
  /** The slug of its page: from its id, which stays where its words change. */
  readonly slug: string;
  readonly icon?: string;
  /** The description of its page. */
  readonly summary?: string;
  readonly isDeprecated?: true;
  /** The operations that links of its responses name: by their ids, or as `get /pets`. */
  readonly links?: readonly string[];
}

/** The information of a tag about the page of its operations. */
export interface OutlineTag {
  readonly name: string;
  readonly title: string;
  readonly slug?: string;
  readonly icon?: string;
  /** The title of the page. */
  readonly summary?: string;
  /** In Markdown. */
  readonly description: string;
  /** The name of the parent tag. */
  readonly parent?: string;
  readonly operations: readonly OutlineOperation[];
}

/** The information that pages need from an OpenAPI specification; the rest is for rendering operations. */
export interface ApiOutline {
  readonly title: string;
  /** In Markdown. */
  readonly description: string;
  readonly slug?: string;
  readonly icon?: string;
  readonly tags: readonly OutlineTag[];
  /** Operations without a tag. */
  readonly untagged: readonly OutlineOperation[];
  readonly webhooks: readonly OutlineOperation[];
  /** Names. */
  readonly schemas: readonly string[];
}

type Json = Record<string, unknown>;

export const MAX_TITLE = 250;
const MAX_SUMMARY = 300;
const MAX_MARKDOWN = 100_000;
const MAX_TAGS = 1_000;
const MAX_OPERATIONS = 10_000;
const MAX_HOPS = 16;
const MAX_LINKS = 30;

/**
 * Reads the outline of a parsed specification: Swagger 2.0 and OpenAPI 3; null for anything else. References are
 * followed inside the specification only, and never in a cycle; invalid parts are left out.
 */
export function outlineOf(specification: unknown): ApiOutline | null {
  if (!isObject(specification) || !isKnownVersion(specification)) return null;
  const info = objectAt(specification, 'info');
  const tags = new Map<string, Json>();
  for (const tag of listAt(specification, 'tags'))
    if (isObject(tag) && isName(tag.name) && tags.size < MAX_TAGS) tags.set(tag.name, tags.get(tag.name) ?? tag);
  const byTag = new Map<string | undefined, OutlineOperation[]>([...tags.keys()].map((name) => [name, []]));
  let count = 0;
  for (const { tag, operation } of operationsOf(specification, objectAt(specification, 'paths'), (path) =>
    path.startsWith('/'),
  )) {
    if (++count > MAX_OPERATIONS) break;
    const name = tag !== undefined && (byTag.has(tag) || byTag.size < MAX_TAGS) ? tag : undefined;
    const operations = byTag.get(name);
    if (operations) operations.push(operation);
    else byTag.set(name, [operation]);
  }
  const parents = parentsOf(specification);
  const webhooks = { ...objectAt(specification, 'x-webhooks'), ...objectAt(specification, 'webhooks') };
  const page = pageOf(info, 'info');
  return {
    ...page,
    title: textOf(info, MAX_TITLE, 'x-page-title', 'title') ?? 'API',
    description: textOf(info, MAX_MARKDOWN, 'description') ?? '',
    tags: [...byTag].flatMap(([name, operations]) =>
      name === undefined ? [] : [tagOf(name, tags.get(name) ?? {}, parents.get(name), operations)],
    ),
    untagged: byTag.get(undefined) ?? [],
    webhooks: [...operationsOf(specification, webhooks, () => true)]
      .slice(0, MAX_OPERATIONS)
      .map(({ operation }) => operation),
    schemas: schemasOf(specification),
  };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && hasOnlyCharacters(value);
}

function isKnownVersion({ openapi, swagger }: Json): boolean {
  return /^3(\.|$)/.test(versionOf(openapi)) || /^2(\.|$)/.test(versionOf(swagger));
}

/** YAML parses a version without quotes as a number. */
function versionOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function* operationsOf(
  root: Json,
  items: Json,
  isPath: (path: string) => boolean,
): Generator<{ tag: string | undefined; operation: OutlineOperation }> {
  for (const [path, value] of Object.entries(items)) {
    const item = followed(root, value);
    if (!item || !isPath(path) || !hasOnlyCharacters(path) || isInternal(item)) continue;
    for (const method of OPERATION_METHODS) {
      const operation = Object.hasOwn(item, method) ? item[method] : undefined;
      if (!isObject(operation) || isInternal(operation)) continue;
      const tag = listAt(operation, 'tags').find(isName);
      yield { tag, operation: operationAt(root, path, method, operation) };
    }
  }
}

function operationAt(root: Json, path: string, method: string, operation: Json): OutlineOperation {
  const id = textOf(operation, MAX_TITLE, 'operationId');
  const { slug, ...page } = pageOf(operation, 'operation');
  const wanted = slug?.normalize('NFC').toLowerCase();
  const links = linksOf(root, operation);
  return {
    path,
    method,
    ...(id !== undefined && { id }),
    title:
      textOf(operation, MAX_TITLE, 'x-page-title', 'summary') ??
      id ??
      beginningOf(`${method.toUpperCase()} ${path}`, MAX_TITLE),
    slug: wanted !== undefined && isSlug(wanted) ? wanted : slugOf(camelCaseWords(id ?? `${method} ${path}`)),
    ...page,
    ...(operation['deprecated'] === true && { isDeprecated: true }),
    ...(links.length > 0 && { links }),
  };
}

function linksOf(root: Json, operation: Json): string[] {
  const named = Object.values(objectAt(operation, 'responses')).flatMap((response) =>
    Object.values(objectAt(followed(root, response) ?? {}, 'links')).flatMap(
      (link) => linkedOperation(followed(root, link) ?? {}) ?? [],
    ),
  );
  return [...new Set(named)].slice(0, MAX_LINKS);
}

/** The words of an id in camel case: `listHTTPRoutes` has three. */
export function camelCaseWords(id: string): string {
  return id.replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' ');
}

function tagOf(
  name: string,
  tag: Json,
  parent: string | undefined,
  operations: readonly OutlineOperation[],
): OutlineTag {
  const above = textOf(tag, MAX_TITLE, 'parent', 'x-parent') ?? parent;
  return {
    name,
    ...pageOf(tag, 'tag'),
    title:
      textOf(tag, MAX_TITLE, 'x-page-title', 'x-displayName', 'summary') ?? beginningOf(capitalized(name), MAX_TITLE),
    description: textOf(tag, MAX_MARKDOWN, 'description') ?? '',
    ...(above !== undefined && { parent: above }),
    operations,
  };
}

function pageOf(facts: Json, of: 'info' | 'tag' | 'operation'): Pick<OutlineTag, 'slug' | 'icon' | 'summary'> {
  const slug = textOf(facts, 100, 'x-page-slug');
  const icon = textOf(facts, 50, 'x-page-icon');
  const summary = of === 'info' ? undefined : textOf(facts, MAX_SUMMARY, 'x-page-description');
  return {
    ...(slug !== undefined && { slug }),
    ...(icon !== undefined && ICON_NAME.test(icon) && { icon }),
    ...(summary !== undefined && { summary }),
  };
}

/** The parent of each tag in `x-tagGroups`. */
function parentsOf(specification: Json): Map<string, string> {
  const parents = new Map<string, string>();
  for (const group of listAt(specification, 'x-tagGroups')) {
    if (!isObject(group) || typeof group.name !== 'string' || group.name === '') continue;
    for (const tag of listAt(group, 'tags'))
      if (typeof tag === 'string' && tag !== group.name && !parents.has(tag))
        parents.set(tag, beginningOf(storable(group.name), MAX_TITLE));
  }
  return parents;
}

function schemasOf(specification: Json): string[] {
  const schemas = {
    ...objectAt(specification, 'definitions'),
    ...objectAt(objectAt(specification, 'components'), 'schemas'),
  };
  return Object.entries(schemas)
    .flatMap(([name, schema]) => (!hasOnlyCharacters(name) || (isObject(schema) && isInternal(schema)) ? [] : [name]))
    .slice(0, MAX_OPERATIONS);
}

/** The object that a value is or refers to by a pointer into the same specification. */
function followed(root: Json, value: unknown): Json | undefined {
  let at = value;
  for (let hops = 0; hops < MAX_HOPS && isObject(at); hops++) {
    if (typeof at.$ref !== 'string') return at;
    at = at.$ref.startsWith('#/') ? pointed(root, at.$ref.slice(2)) : undefined;
  }
  return undefined;
}

function pointed(root: Json, pointer: string): unknown {
  let at: unknown = root;
  for (const part of pointer.split('/').slice(0, MAX_HOPS)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}

function isInternal(value: Json): boolean {
  return value['x-internal'] === true || value['x-gitbook-ignore'] === true;
}

function objectAt(value: Json, name: string): Json {
  const found = Object.hasOwn(value, name) ? value[name] : undefined;
  return isObject(found) ? found : {};
}

function listAt(value: Json, name: string): readonly unknown[] {
  const found = Object.hasOwn(value, name) ? value[name] : undefined;
  return Array.isArray(found) ? found : [];
}

/** The first of these that is a text with content, cut to a length. */
function textOf(value: Json, length: number, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const found = Object.hasOwn(value, name) ? value[name] : undefined;
    const text = typeof found === 'string' ? storable(found.slice(0, 2 * length)).trim() : '';
    if (text !== '') return beginningOf(text, length);
  }
  return undefined;
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
