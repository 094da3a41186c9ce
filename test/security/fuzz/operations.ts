import {
  isRecord,
  resolved,
  type Media,
  type OpenApiDocument,
  type OperationObject,
  type Parameter,
  type Schema,
} from '../../contract/json-schema.js';
import { ROWS, type Row } from '../../permissions/rows.js';
import type { Ids } from '../../permissions/world.js';

/** What examples call everything that has an id. */
const PLACEHOLDER = 'AbCdEfGh0123456789Xy';

/** An operation of the served document, with what the permission matrix knows about it. */
export interface FuzzedOperation {
  readonly id: string;
  readonly method: string;
  /** With the version, such as `/v1/spaces/{spaceId}`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The schema of its JSON body. */
  readonly body: Schema | undefined;
  /** Bodies that it takes, with `«name»` in the places of ids. */
  readonly seeds: readonly unknown[];
  readonly row: Row | undefined;
}

/** Gives the name of every id that is asked for. */
const names: Ids = new Proxy({}, { get: (_, name) => (typeof name === 'string' ? `«${name}»` : undefined) });

/** Its answers do not end; a spec of its own opens and closes them. */
export const ENDLESS: ReadonlySet<string> = new Set(['streamNotifications', 'streamPresenceInSpace']);

/** All operations of the document whose answers end, in its order. */
export function operationsOf(document: OpenApiDocument): FuzzedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      operation && !ENDLESS.has(operation.operationId ?? '')
        ? [read(document, method.toUpperCase(), path, operation)]
        : [],
    ),
  );
}

function read(document: OpenApiDocument, method: string, path: string, operation: OperationObject): FuzzedOperation {
  const short = path.slice('/v1'.length).replace(/\/$/, '') || '/';
  const row = ROWS[`${method} ${short}`];
  const parameters = (operation.parameters ?? []).map((each) => resolved<Parameter>(document, each));
  const media = resolved<{ content?: Record<string, Media> }>(document, operation.requestBody ?? {}).content?.[
    'application/json'
  ];
  const seeds = [row && seedOf(row), media?.example === undefined ? undefined : withIds(media.example)].filter(
    (seed) => seed !== undefined,
  );
  return {
    id: operation.operationId ?? `${method} ${path}`,
    method,
    path,
    parameters,
    body: media?.schema,
    seeds,
    row,
  };
}

/** The body of a row with the names of ids in their places. */
function seedOf({ body }: Row): unknown {
  return typeof body === 'function' ? (body as (ids: Ids) => object)(names) : body;
}

/** The query of a row, likewise. */
export function queryOf({ query }: Row): Readonly<Record<string, string>> {
  return typeof query === 'function' ? query(names) : (query ?? {});
}

function withIds(value: unknown, name = ''): unknown {
  if (value === PLACEHOLDER) return `«${name.endsWith('Id') ? name : `${name}Id`}»`;
  if (Array.isArray(value)) return value.map((each) => withIds(each, name.replace(/s$/, '')));
  if (!isRecord(value)) return value;
  const type =
    typeof value['type'] === 'string'
      ? value['type'].replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
      : '';
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withIds(each, key === 'id' ? type : key)]),
  );
}

/** What the things of an answer are called in paths: by the kind that they say, or by the path that they are created on. */
export class Kinds {
  private readonly below = new Map<string, string>();
  readonly names: ReadonlySet<string>;

  constructor(operations: readonly FuzzedOperation[]) {
    const found = new Set<string>(['basename', 'email']);
    for (const { path } of operations) {
      for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) found.add(name);
      const [, parent, last] = /^(.*)\/\{(\w+)\}$/.exec(path) ?? [];
      if (parent !== undefined && last !== undefined) this.below.set(parent, last);
    }
    this.names = found;
  }

  /** Ids of the things that an answer holds: of itself, or of one of its items. */
  idsIn(path: string, answer: unknown, choose: (count: number) => number): (readonly [name: string, id: string])[] {
    if (!isRecord(answer)) return [];
    const items: unknown[] = Array.isArray(answer['items']) ? answer['items'] : [answer];
    const thing = items[choose(items.length)];
    if (!isRecord(thing)) return [];
    const found: (readonly [string, string])[] = [];
    if (typeof thing['revision'] === 'string') found.push(['revisionId', thing['revision']]);
    if (typeof thing['documentId'] === 'string') found.push(['documentId', thing['documentId']]);
    if (typeof thing['id'] !== 'string') return found;
    const own =
      typeof thing['object'] === 'string'
        ? `${thing['object'].replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Id`
        : '';
    const name = this.names.has(own) ? own : this.below.get(path);
    return name === undefined ? found : [...found, [name, thing['id']]];
  }
}
