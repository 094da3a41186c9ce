import fc from 'fast-check';
import { isRecord, type Parameter } from '../../contract/json-schema.js';
import type { Ids } from '../../permissions/world.js';
import type { AccessLevel } from '../../../src/kernel/common/roles.js';
import type { Dice } from './dice.js';
import { AUTHORIZATIONS, HEADERS, METHODS, RAW_BODIES, randomText, SEGMENTS, TEXTS } from './hostile.js';
import { queryOf, type FuzzedOperation } from './operations.js';
import { MADE_SEEDS } from './seeds.js';
import { CALLERS, type Side } from './side.js';
import { mutated, type Values } from './values.js';
import { encoded, type Wire } from './wire.js';

/** Operations by which somebody outside comes in, as they are meant to: what they see then is theirs. */
const WAYS_IN: ReadonlySet<string> = new Set([
  'joinOrganization',
  'joinOrganizationWithInvite',
  'acceptInvitation',
  'exchangeLoginCode',
]);

/** Operations whose bodies name nothing of the other organization: those, and what is given back word for word, which would seem to tell what it was told. */
const NAMES_OWN: ReadonlySet<string> = new Set([
  ...WAYS_IN,
  'updateTranslation',
  'updateAgentInstructions',
  'updateSearchSynonyms',
  'trackEventsInSiteById',
  'updateChangeRequestById',
]);

/** A request and on whose behalf it is sent. */
export interface Asked {
  readonly wire: Wire;
  /** The organization of the caller; those without a token are nobody's, but count as of this one. */
  readonly side: Side;
  readonly other: Side;
  readonly caller: AccessLevel | 'nobody';
  readonly ids: Ids;
}

export interface Scene {
  readonly sides: readonly [Side, Side];
  readonly values: Values;
}

/** A request for an operation as it should be sent. */
export async function plainRequest(operation: FuzzedOperation, { sides: [side, other] }: Scene): Promise<Asked> {
  const ids = await prepared(operation, side, side.world.ids);
  const { row } = operation;
  const filler = new Filler(side, other, ids);
  const text = Object.entries(row ? queryOf(row) : {})
    .map(([name, value]) => `${name}=${encodeURIComponent(filler.filled(value))}`)
    .join('&');
  const body = operation.seeds[0];
  const headers = {
    Authorization: `Bearer ${side.person('admin').api.token ?? ''}`,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(row?.raw && { 'Content-Type': row.raw.type }),
  };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? 'x'));
  return {
    side,
    other,
    caller: 'admin',
    ids,
    wire: {
      method: operation.method,
      path: text === '' ? path : `${path}?${text}`,
      headers,
      body: row?.raw?.bytes ?? (body === undefined ? undefined : filler.json(body)),
      isChunked: false,
    },
  };
}

/** Any request for an operation: mostly one that gets far, with something wrong in it. */
export async function anyRequest(operation: FuzzedOperation, { sides, values }: Scene, dice: Dice): Promise<Asked> {
  const [side, other] = dice.chance(85) ? sides : [sides[1], sides[0]];
  const caller = dice.chance(55) ? 'admin' : dice.chance(12) ? 'nobody' : dice.pick(CALLERS);
  const isForeign = dice.chance(12) && !WAYS_IN.has(operation.id);
  const ids = isForeign ? other.idsFor(dice) : side.idsFor(dice);
  // What deletes gets something of its own to delete, or nothing would be left for the others.
  const own =
    !isForeign && dice.chance(operation.method === 'DELETE' ? 100 : operation.path.includes('{commentId}') ? 60 : 15)
      ? await prepared(operation, side, ids)
      : ids;
  const filler = new Filler(side, other, own, !NAMES_OWN.has(operation.id));
  const path = pathOf(operation, own, other, dice);
  const query = queryText(operation, side, other, values, dice);
  const content = contentOf(operation, values, dice, filler);
  const headers: Record<string, string> = { ...content.headers, ...authorizationOf(side, caller, dice) };
  while (dice.chance(12)) {
    const [name, choices] = dice.pick(HEADERS);
    headers[name] = filler.filled(dice.pick(choices));
  }
  if (headers['Expect'] !== undefined && content.body === undefined) delete headers['Expect'];
  const method = dice.chance(3) ? dice.pick(METHODS) : operation.method;
  return {
    side,
    other,
    caller,
    ids: own,
    wire: {
      method,
      path: filler.filled(path + query),
      headers,
      body: content.body,
      isChunked: content.body !== undefined && dice.chance(4),
    },
  };
}

async function prepared({ row }: FuzzedOperation, side: Side, ids: Ids): Promise<Ids> {
  if (!row?.prepare) return ids;
  const person = side.person('admin');
  const all: Ids = { ...side.world.ids, ...ids, adminId: person.id, outsiderId: '' };
  return { ...all, ...(await row.prepare({ ...side.world, ids: all, person }).catch(() => ({}))) };
}

function authorizationOf(side: Side, caller: AccessLevel | 'nobody', dice: Dice): Record<string, string> {
  if (caller !== 'nobody') return { Authorization: `Bearer ${side.person(caller).api.token ?? ''}` };
  return dice.chance(50) ? {} : { Authorization: dice.pick(AUTHORIZATIONS) };
}

function pathOf(operation: FuzzedOperation, ids: Ids, other: Side, dice: Dice): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const kind = dice.below(100);
    if (kind < 86) return encodeURIComponent(ids[name] ?? 'x');
    if (kind < 90 && !WAYS_IN.has(operation.id)) return encodeURIComponent(other.world.ids[name] ?? 'x');
    if (kind < 93) return encodeURIComponent(dice.pick(Object.values(ids)));
    if (kind < 97) return dice.pick(SEGMENTS);
    return encoded(dice.of(randomText));
  });
  return dice.chance(1) ? path + dice.pick(['/', '//', '/.', '/..', '/%2e%2e', ';a=b', '%00', '/x']) : path;
}

function queryText(operation: FuzzedOperation, side: Side, other: Side, values: Values, dice: Dice): string {
  const wanted: (readonly [string, unknown])[] = [];
  for (const [name, value] of Object.entries(operation.row ? queryOf(operation.row) : {}))
    if (dice.chance(70)) wanted.push([name, value]);
  for (const parameter of operation.parameters.filter((each) => each.in === 'query')) {
    if (dice.chance(30)) wanted.push([parameter.name, parameterValue(parameter, side, other, values, dice)]);
  }
  if (dice.chance(4))
    wanted.push([
      dice.pick([
        'limit[]',
        'page[a]',
        '__proto__',
        'constructor',
        '',
        'x',
        'limit',
        'page',
        'order',
        'format',
        'a[b][c]',
        'access_token',
      ]),
      dice.pick(TEXTS),
    ]);
  if (dice.chance(3)) wanted.push(...wanted);
  const pairs = wanted.flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .slice(0, 150)
      .map(
        (each) =>
          `${encoded(name)}=${dice.chance(2) ? '%zz%' : encoded(isRecord(each) ? JSON.stringify(each) : String(each)).replaceAll(/%C2%AB(\w+)(?:%40)?%C2%BB/g, (token) => decodeURIComponent(token))}`,
      ),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&').slice(0, 60_000)}`;
}

function parameterValue(
  { name, schema = {} }: Parameter,
  side: Side,
  other: Side,
  values: Values,
  dice: Dice,
): unknown {
  if (name === 'page' && schema['maxLength'] !== undefined) {
    const token = (dice.chance(80) ? side : other).pageToken(dice);
    return dice.chance(70) ? token : dice.chance(50) ? token.slice(0, -1) : `${token.slice(0, 8)}A${token.slice(9)}`;
  }
  return dice.chance(10) ? dice.of(randomText) : values.of(dice, schema, name);
}

interface Content {
  readonly headers: Record<string, string>;
  readonly body: Buffer | undefined;
}

function contentOf(operation: FuzzedOperation, values: Values, dice: Dice, filler: Filler): Content {
  if (dice.chance(operation.method === 'GET' ? 2 : 6)) {
    const { bytes, type, encoding } = dice.pick(RAW_BODIES);
    return {
      headers: {
        ...(type !== undefined && { 'Content-Type': type }),
        ...(encoding !== undefined && { 'Content-Encoding': encoding }),
      },
      body: Buffer.from(bytes),
    };
  }
  const raw = operation.row?.raw;
  if (raw && dice.chance(80)) return { headers: { 'Content-Type': raw.type }, body: damaged(raw.bytes, dice) };
  if (!operation.body && operation.seeds.length === 0) return { headers: {}, body: undefined };
  const make = MADE_SEEDS[operation.id];
  if (make && dice.chance(60))
    return { headers: { 'Content-Type': 'application/json' }, body: filler.json(make(dice)) };
  const seed = operation.seeds.length > 0 && dice.chance(60) ? dice.pick(operation.seeds) : undefined;
  const value =
    seed === undefined ? values.of(dice, operation.body ?? {}) : dice.chance(20) ? seed : mutated(dice, seed);
  return { headers: { 'Content-Type': 'application/json' }, body: filler.json(value) };
}

function damaged(bytes: Buffer, dice: Dice): Buffer {
  const made = Buffer.from(bytes);
  for (let left = dice.below(4); left > 0; left--) made[dice.below(made.length)] = dice.below(256);
  return dice.chance(20)
    ? made.subarray(0, dice.below(made.length))
    : dice.chance(10)
      ? Buffer.concat([made, dice.of(fc.uint8Array({ maxLength: 50 }))])
      : made;
}

/** Puts ids and the canary in the places where requests name them. */
class Filler {
  constructor(
    private readonly side: Side,
    private readonly other: Side,
    private readonly ids: Ids,
    private readonly namesForeign = true,
  ) {}

  filled(text: string): string {
    return text.replace(/«(\w+)(@?)»/g, (_, name: string, foreign: string) => {
      if (name === 'canary') return this.side.marks.canary;
      return (
        (foreign !== '' && this.namesForeign
          ? this.other.world.ids[name]
          : (this.ids[name] ?? this.side.world.ids[name])) ?? 'AbCdEfGh0123456789Xy'
      );
    });
  }

  json(value: unknown): Buffer {
    const text = (JSON.stringify(value) as string | undefined) ?? 'null';
    return Buffer.from(
      this.filled(
        text
          .replaceAll('"«proto»":', '"__proto__":')
          .replace(/"«raw:((?:[^"\\]|\\.)*)»"/g, (whole) => (JSON.parse(whole) as string).slice('«raw:'.length, -1)),
      ),
    );
  }
}
