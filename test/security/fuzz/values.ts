import fc from 'fast-check';
import { isRecord, resolved, type OpenApiDocument, type Schema } from '../../contract/json-schema.js';
import type { Dice } from './dice.js';
import { HOSTILE_CONTENT, HOSTILE_VALUES, randomText, TEXTS } from './hostile.js';

const MAX_DEPTH = 7;
/** Of 100 leaves, so many are hostile, and so many lie on the bounds of their schema or just beyond. */
const HOSTILE = 8;
const BOUNDARY = 12;

/** How fields that refer to things are called, where their names do not say it by themselves. */
const NAMED: Readonly<Record<string, string>> = {
  parent: 'collectionId',
  collection: 'collectionId',
  space: 'spaceId',
  spaces: 'spaceId',
  members: 'userId',
  users: 'userId',
  user: 'userId',
  remove: 'userId',
  add: 'userId',
  authors: 'userId',
  creator: 'userId',
  contributor: 'userId',
  reviewer: 'userId',
  requestedReviewer: 'userId',
  owner: 'userId',
  teams: 'teamId',
  team: 'teamId',
  defaultTeam: 'teamId',
  organization: 'organizationId',
  page: 'pageId',
  pages: 'pageId',
  targetPage: 'pageId',
  file: 'fileId',
  files: 'fileId',
  section: 'siteSectionId',
  sectionId: 'siteSectionId',
  siteSpace: 'siteSpaceId',
  spec: 'specSlug',
  slug: 'specSlug',
  cluster: 'clusterId',
  theme: 'themeId',
  conversationsIssuesCluster: 'clusterId',
  conversation: 'conversationId',
  revision: 'revisionId',
  primary: 'revisionId',
  reusableContent: 'reusableContentId',
  node: 'pageId',
  site: 'siteId',
  url: 'address',
  shareKey: 'shareKey',
  emails: 'email',
  email: 'email',
};

/** Makes values from the schemas of the document; `ids` are the names that have things behind them. */
export class Values {
  constructor(
    private readonly document: OpenApiDocument,
    private readonly ids: ReadonlySet<string>,
  ) {}

  /** A value that the schema takes, but for a leaf here and there. */
  of(dice: Dice, schema: Schema, name = '', depth = 0): unknown {
    if (schema.$ref) return this.of(dice, resolved<Schema>(this.document, schema), name, depth);
    if (dice.chance(HOSTILE / (depth + 1))) return dice.pick(HOSTILE_VALUES);
    if (schema.nullable && dice.chance(15)) return null;
    if (schema.allOf) return this.merged(dice, schema, name, depth);
    const branches = schema.oneOf ?? schema.anyOf;
    if (branches) return this.of(dice, dice.pick(branches), name, depth + 1);
    if (schema.enum && !dice.chance(3)) return dice.pick(schema.enum);
    const type = Array.isArray(schema.type) ? dice.pick(schema.type) : schema.type;
    if (type === 'object' || schema.properties) return this.object(dice, schema, depth);
    if (type === 'array') return this.list(dice, schema, name, depth);
    if (type === 'integer' || type === 'number') return numberOf(dice, schema, type);
    if (type === 'boolean') return dice.chance(95) ? dice.chance(50) : dice.pick(['true', 1, null]);
    if (type === 'null') return null;
    return type === 'string' ? this.text(dice, schema, name) : dice.of(fc.jsonValue({ maxDepth: 3 }));
  }

  private merged(dice: Dice, { allOf = [], ...rest }: Schema, name: string, depth: number): unknown {
    const parts = [...allOf, ...(rest.properties || rest.oneOf || rest.anyOf ? [rest] : [])].map((part) =>
      this.of(dice, part, name, depth),
    );
    return parts.every(isRecord) ? (Object.assign({}, ...parts) as object) : parts[0];
  }

  private object(dice: Dice, { properties = {}, required = [], additionalProperties }: Schema, depth: number): unknown {
    const made: Record<string, unknown> = {};
    for (const [name, property] of Object.entries(properties)) {
      const isWanted = required.includes(name)
        ? !dice.chance(3)
        : depth < MAX_DEPTH && dice.chance(depth > 3 ? 20 : 45);
      if (isWanted) made[name] = this.of(dice, property, name, depth + 1);
    }
    if (isRecord(additionalProperties) && depth < MAX_DEPTH)
      for (let left = dice.below(4); left > 0; left--)
        made[dice.of(randomText)] = this.of(dice, additionalProperties, '', depth + 1);
    if (dice.chance(4))
      made[
        dice.pick([
          '«proto»',
          'constructor',
          'toString',
          'then',
          'id',
          'object',
          'organizationId',
          'createdAt',
          'permissions',
          '',
        ])
      ] = dice.pick(HOSTILE_VALUES);
    return made;
  }

  private list(dice: Dice, { items = {}, minItems = 0, maxItems = 100 }: Schema, name: string, depth: number): unknown {
    if (depth >= MAX_DEPTH) return [];
    if (!dice.chance(BOUNDARY))
      return Array.from({ length: Math.max(Number(minItems), dice.below(3)) }, () =>
        this.of(dice, items, name, depth + 1),
      );
    const one = this.of(dice, items, name, depth + 1);
    const length = Math.min(
      2000,
      Math.max(0, dice.pick([0, Number(minItems), Number(minItems) - 1, Number(maxItems), Number(maxItems) + 1])),
    );
    return Array.from({ length }, () => one);
  }

  /** A text for a field; ids where the name says so, now and then those of the other organization. */
  text(dice: Dice, schema: Schema, name: string): unknown {
    const id = this.idFor(name);
    if (id !== undefined && !dice.chance(15)) return dice.chance(15) ? `«${id}@»` : `«${id}»`;
    if (dice.chance(HOSTILE)) return dice.pick(isLong(name) ? HOSTILE_CONTENT : TEXTS);
    const [least, most] = [Number(schema['minLength'] ?? 0), Number(schema['maxLength'] ?? 300)];
    if (dice.chance(BOUNDARY))
      return 'x'.repeat(Math.min(200_000, Math.max(0, dice.pick([least, least - 1, most, most + 1]))));
    if (schema.enum) return dice.pick(TEXTS);
    if (schema['example'] !== undefined && dice.chance(30)) return schema['example'];
    const made = formatted(dice, schema);
    if (made !== undefined) return made;
    if (dice.chance(40)) return `«canary» ${dice.of(fc.string({ unit: 'grapheme', maxLength: 20 }))}`.slice(0, most);
    return dice.of(
      fc.string({ unit: 'grapheme', minLength: Math.min(least, 100), maxLength: Math.min(Math.max(least, most), 60) }),
    );
  }

  private idFor(name: string): string | undefined {
    const wanted = this.ids.has(name) ? name : this.ids.has(`${name}Id`) ? `${name}Id` : NAMED[name];
    return wanted !== undefined && this.ids.has(wanted) ? wanted : undefined;
  }
}

const isLong = (name: string): boolean =>
  /^(markdown|document|text|body|content|instructions|nodes|html|description|jsonSchema|value)$/.test(name);

function formatted(dice: Dice, { format, pattern }: Schema): string | undefined {
  if (format === 'uri')
    return dice.pick(['https://example.com/a', 'http://127.0.0.1:9/«canary»', dice.of(fc.webUrl())]);
  if (format === 'email') return dice.pick(['a@example.com', '«email»', dice.of(fc.emailAddress())]);
  if (format === 'date-time')
    return dice
      .of(
        fc.date({ noInvalidDate: true, min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z') }),
      )
      .toISOString();
  if (pattern === undefined) return undefined;
  try {
    return dice.of(fc.stringMatching(new RegExp(pattern)));
  } catch {
    return undefined; // it says what the generator of texts cannot make
  }
}

function numberOf(dice: Dice, { minimum, maximum }: Schema, type: string): unknown {
  const [least, most] = [Number(minimum ?? -1000), Number(maximum ?? 100_000)];
  if (dice.chance(BOUNDARY))
    return dice.pick([
      least,
      least - 1,
      most,
      most + 1,
      least + 0.5,
      0,
      -1,
      '«raw:9007199254740993»',
      '«raw:1e400»',
      String(least),
    ]);
  return type === 'integer'
    ? dice.of(fc.integer({ min: Math.ceil(least), max: Math.floor(most) }))
    : dice.of(fc.double({ min: least, max: most, noNaN: true }));
}

/** Changes a good value in one place, or in up to three. */
export function mutated(dice: Dice, value: unknown): unknown {
  let made: unknown = structuredClone(value);
  for (let left = dice.chance(65) ? 1 : 1 + dice.below(3); left > 0; left--) made = mutatedOnce(dice, made);
  return made;
}

function mutatedOnce(dice: Dice, value: unknown): unknown {
  const inside = Array.isArray(value) ? value.length : isRecord(value) ? Object.keys(value).length : 0;
  if (inside === 0 || dice.chance(4)) return otherValue(dice, value);
  if (Array.isArray(value)) {
    const at = dice.below(inside);
    const each = value[at] as unknown;
    const changed = dice.chance(10) ? [] : dice.chance(15) ? [each, each] : [mutatedOnce(dice, each)];
    return (value as unknown[]).toSpliced(at, 1, ...changed);
  }
  const entries = Object.entries(value as Record<string, unknown>);
  const at = dice.below(inside);
  const [name, each] = entries[at] ?? ['', undefined];
  if (dice.chance(5)) entries.splice(at, 1);
  else if (dice.chance(6))
    entries.push([
      dice.pick(['«proto»', 'constructor', 'id', 'object', '', 'x'.repeat(1000)]),
      dice.pick(HOSTILE_VALUES),
    ]);
  else entries[at] = [name, mutatedOnce(dice, each)];
  return Object.fromEntries(entries);
}

function otherValue(dice: Dice, value: unknown): unknown {
  if (typeof value === 'string') {
    const kind = dice.below(8);
    if (kind === 0) return dice.pick(HOSTILE_CONTENT);
    if (kind === 1) return `«canary» ${value}`;
    if (kind === 2) return value + dice.pick(TEXTS);
    if (kind === 3) return dice.of(randomText);
    if (kind === 4) return dice.pick(HOSTILE_VALUES);
    return value.startsWith('«') && kind === 5 ? value.replace('»', '@»') : dice.pick(TEXTS);
  }
  return dice.pick(dice.chance(20) ? HOSTILE_CONTENT : HOSTILE_VALUES);
}
