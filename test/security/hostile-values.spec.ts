import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { OutboxRelay } from '../../src/kernel/platform/outbox-relay.js';
import { useApp } from '../app.js';
import {
  isRecord,
  resolved,
  type Media,
  type OpenApiDocument,
  type OperationObject,
  type Parameter,
  type Schema,
} from '../contract/json-schema.js';
import { filled } from '../example-bodies.js';
import { ROWS, type Row } from '../permissions/rows.js';
import { buildWorld, type Ids, type World } from '../permissions/world.js';
import { rounds, seed } from '../property/content-generators.js';
import { buildSpace, publish, usePublicListener } from '../published-site.js';
import { ENDLESS } from './fuzz/operations.js';

/** One address of loopback may be asked; another one waits for requests that nobody may make. */
const app = useApp({ OUTBOUND_ALLOW: '127.0.0.1' });
const asked: string[] = [];
const trap = createServer((request, response) => void (asked.push(request.url ?? ''), response.end('inside')));
let trapAddress: string;

type Kind = 'text' | 'number' | 'flag' | 'list' | 'object';
/** A place for a value in the body of an operation: names, and 0 for the element of a list. */
interface Place {
  readonly operation: Operation;
  readonly way: readonly (string | number)[];
  readonly kind: Kind;
}
interface Operation {
  readonly name: string;
  readonly method: string;
  readonly template: string;
  readonly row: Row;
  readonly example: unknown;
  readonly schema: Schema | undefined;
  readonly parameters: readonly Parameter[];
}

const MAX_DEPTH = 8;
const NUL = '\0';
/** Of the places one in so many is tried, others in each run; all of them with ROUNDS. */
const SHARE = 8;
const isShort = process.env['ROUNDS'] === undefined;

/** What is sent in each place; how much of it the shorter run sends is counted by `rounds`. Numbers that JSON cannot write stand in `RAW`. */
const HOSTILE: Readonly<Record<Kind, () => readonly unknown[]>> = {
  text: () => [
    '\u202Etxt.exe\u2066',
    trapAddress,
    'x'.repeat(100_000),
    `'; DROP TABLE space; --`,
    '../../../../etc/passwd',
    '__proto__',
    '\uFFFE\uFFFF\u{10FFFF}',
    '',
    'a@'.repeat(50_000),
    '${7*7}{{7*7}}<%= 7*7 %>',
    '\u0001\u001f\u007f\u0085',
    ' \t\n',
    'A\u0300'.repeat(20_000),
    'http://'.repeat(10_000),
    '1e400',
    '%00%0d%0a',
    'constructor',
    '😀'.repeat(300),
    '9'.repeat(400),
    '0000-00-00T99:99:99Z',
    '-1',
    '{"$ne":null}',
    '(a+)+$',
    `data:text/html,<script>`,
    `${trapAddress}#@example.com/`,
  ],
  number: () => ['2^53+1', '1e308', -1, 0.5, '-2^63', Number.MIN_VALUE, '2^31', -0, 'NaN', null, '12'],
  flag: () => ['true', 1, null, {}, [false]],
  list: () => [{ length: 1e9 }, { 0: 'a' }, [[[[[[]]]]]], [null], 'a,b', null, {}],
  object: () => [
    { constructor: { prototype: { admin: true } }, toString: 1, hasOwnProperty: null, valueOf: {}, length: -1 },
    [],
    'x',
    null,
    { then: 'x', toJSON: 'y' },
    5,
  ],
};
const RAW: Readonly<Record<string, string>> = {
  '2^53+1': '9007199254740993',
  '-2^63': '-9223372036854775808',
  '2^31': '2147483648',
  '1e308': '1e308',
  NaN: '"NaN"',
};

let world: World;
let document: OpenApiDocument;
let operations: readonly Operation[];
let places: readonly Place[];

beforeAll(async () => {
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.2', resolve));
  trapAddress = `http://127.0.0.2:${(trap.address() as AddressInfo).port}/`;
  const built = await buildWorld(app.current);
  world = { ...built, ids: { ...built.ids, adminId: built.workspace.admin.id } };
  document = (await (await fetch(new URL('/openapi.json', app.current.url))).json()) as OpenApiDocument;
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      operation && path.startsWith('/v1') && !ENDLESS.has(operation.operationId ?? '')
        ? operationOf(method.toUpperCase(), path.slice('/v1'.length) || '/', operation)
        : [],
    ),
  );
  places = operations.flatMap((operation) =>
    operation.schema ? [...placesOf(operation, operation.schema, [], new Set())] : [],
  );
}, 60_000);
afterAll(() => {
  trap.close();
});

function operationOf(method: string, template: string, { requestBody, parameters = [] }: OperationObject): Operation[] {
  const name = `${method} ${template}`;
  const row = ROWS[name];
  if (!row) return [];
  const media = resolved<{ content?: Record<string, Media> }>(document, requestBody ?? {}).content?.[
    'application/json'
  ];
  return [
    {
      name,
      method,
      template,
      row,
      example: media?.example,
      schema: media?.schema,
      parameters: parameters.map((each) => resolved<Parameter>(document, each)),
    },
  ];
}

function* placesOf(
  operation: Operation,
  of: Schema,
  way: readonly (string | number)[],
  above: ReadonlySet<Schema>,
): Generator<Place> {
  const schema = resolved<Schema>(document, of);
  if (above.has(schema) || way.length > MAX_DEPTH) return;
  const inside = new Set([...above, schema]);
  const types = [schema.type ?? []].flat();
  const kind: Kind | undefined = types.includes('string')
    ? 'text'
    : types.some((type) => type === 'integer' || type === 'number')
      ? 'number'
      : types.includes('boolean')
        ? 'flag'
        : types.includes('array')
          ? 'list'
          : schema.properties || types.includes('object')
            ? 'object'
            : undefined;
  if (kind !== undefined && way.length > 0) yield { operation, way, kind };
  for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])])
    yield* placesOf(operation, part, way, inside);
  if (schema.items) yield* placesOf(operation, schema.items, [...way, 0], inside);
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    yield* placesOf(operation, property, [...way, name], inside);
  if (isRecord(schema.additionalProperties))
    yield* placesOf(operation, schema.additionalProperties, [...way, 'name'], inside);
}

/** A body with a value in a place, everything else as it should be. */
function bodyWith(base: unknown, way: readonly (string | number)[], value: unknown): unknown {
  const [name, ...rest] = way;
  if (name === undefined) return value;
  if (typeof name === 'number')
    return [bodyWith(Array.isArray(base) ? (base as unknown[]).at(0) : undefined, rest, value)];
  const object = isRecord(base) ? base : {};
  return { ...object, [name]: bodyWith(object[name], rest, value) };
}

const jsonOf = (body: unknown): string =>
  JSON.stringify(body, (_, value: unknown) =>
    typeof value === 'string' && RAW[value] !== undefined ? `raw ${value}` : value,
  ).replace(/"raw ([^"]+)"/g, (_, name: string) => RAW[name] ?? '');

function baseOf({ row, example }: Operation, ids: Ids): unknown {
  const own = typeof row.body === 'function' ? (row.body as (ids: Ids) => object)(ids) : row.body;
  const shown: unknown = filled(example, ids);
  return own === undefined ? shown : isRecord(shown) ? { ...shown, ...own } : own;
}

function pathOf({ template, row }: Operation, ids: Ids, query: Readonly<Record<string, string>> = {}): string {
  const own = typeof row.query === 'function' ? row.query(ids) : (row.query ?? {});
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? 'absent'));
  const search = new URLSearchParams({ ...own, ...query }).toString();
  return `/v1${path}${search === '' ? '' : `?${search}`}`;
}

interface Told {
  readonly status: number;
  readonly body: { readonly error?: { readonly code?: number; readonly message?: unknown } } | undefined;
}

async function send(method: string, path: string, body?: string): Promise<Told> {
  const response = await fetch(`${app.current.url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      Authorization: `Bearer ${world.workspace.admin.api.token ?? ''}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body:
      text === '' || !/json/.test(response.headers.get('content-type') ?? '')
        ? undefined
        : (JSON.parse(text) as Told['body']),
  };
}

/** A request with headers and an address that nothing looks at before it is sent. */
function bare(
  origin: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): Promise<{ status: number; head: string; body: string }> {
  const { hostname, port, host } = new URL(origin);
  const all = {
    Host: host,
    Connection: 'close',
    ...(body !== '' && { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname, () =>
      socket.write(
        Buffer.from(
          `${method} ${path} HTTP/1.1\r\n${Object.entries(all)
            .map(([name, value]) => `${name}: ${value}\r\n`)
            .join('')}\r\n${body}`,
          'latin1',
        ),
      ),
    );
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
    socket.on('close', () => {
      const [head = '', ...rest] = Buffer.concat(chunks).toString('latin1').split('\r\n\r\n');
      resolve({ status: Number(/^HTTP\/1.1 (\d{3})/.exec(head)?.[1] ?? 599), head, body: rest.join('\r\n\r\n') });
    });
  });
}

/** What is wrong with an answer to something hostile. */
function faultOf({ status, body }: Told, wanted?: number): string[] {
  const isShaped =
    status < 400 ||
    (body?.error?.code === status &&
      typeof body.error.message === 'string' &&
      !/\b(SELECT|INSERT INTO|UPDATE) |violates|relation "|syntax error at|\bat \S+ \(|node_modules/.test(
        body.error.message,
      ));
  return [
    ...(status >= 500 || (wanted !== undefined && status !== wanted)
      ? [`${status} ${JSON.stringify(body).slice(0, 200)}`]
      : []),
    ...(isShaped ? [] : [`the answer ${JSON.stringify(body).slice(0, 300)}`]),
  ];
}

describe('3b-25 every operation', () => {
  it('is among those that are tried', () => {
    const endless = ['GET /user/notifications/stream', 'GET /spaces/{spaceId}/presence/stream'];
    expect([...operations.map(({ name }) => name), ...endless].sort()).toEqual(Object.keys(ROWS).sort());
    expect(places.length).toBeGreaterThan(300);
  });

  it('refuses NUL characters and halves of surrogate pairs in each text of its body, wherever it stands', async () => {
    const faults: string[] = [];
    // Operations whose bodies are of one class need no more than one of them.
    const known = new Set<string>();
    const texts = places.filter(
      ({ operation, way, kind }) =>
        kind === 'text' && known.size < known.add(`${JSON.stringify(operation.schema)} ${way.join('.')}`).size,
    );
    for (const [index, { operation, way }] of texts.entries()) {
      const bad = index % 3 === 0 ? `a\ud800b` : `a${NUL}b`;
      const told = await send(
        operation.method,
        pathOf(operation, world.ids),
        jsonOf(bodyWith(baseOf(operation, world.ids), way, bad)),
      );
      faults.push(...faultOf(told, 400).map((fault) => `${operation.name} ${way.join('.')}: ${fault}`));
    }
    expect({ faults, tried: texts.length > 150 }).toEqual({ faults: [], tried: true });
  }, 60_000);

  it('refuses them in each parameter of its path and query', async () => {
    const faults: string[] = [];
    const parameters = operations.flatMap((operation) =>
      operation.parameters.map(({ name, in: where }) => ({ operation, name, where })),
    );
    for (const [index, { operation, name, where }] of parameters.entries()) {
      const bad = ['a%00b', '%ED%A0%80', '%C0%80', '%'][index % 4] ?? '';
      const path = pathOf(
        operation,
        where === 'path' ? { ...world.ids, [name]: 'BAD' } : world.ids,
        where === 'path' ? {} : { [name]: 'BAD' },
      ).replace('BAD', bad);
      faults.push(
        ...faultOf(await send(operation.method, path, operation.schema ? '{}' : undefined), 400).map(
          (fault) => `${operation.name} ${name}=${bad}: ${fault}`,
        ),
      );
    }
    expect({ faults, tried: parameters.length > 300 }).toEqual({ faults: [], tried: true });
  }, 60_000);

  it('refuses bodies that JSON allows and nobody needs', async () => {
    const faults: string[] = [];
    const inner = (json: string, more: string): string =>
      `${json.replace(/\}\s*$/, '')}${json === '{}' ? '' : ','}${more}}`;
    for (const [at, operation] of operations.filter(({ schema }) => schema !== undefined).entries()) {
      const body = jsonOf(baseOf(operation, world.ids) ?? {});
      const bodies = [
        inner(body, '"x":1e400'),
        inner(body, '"__proto__":{"isAdmin":true}'),
        inner(body, `"deep":${'['.repeat(10_000)}${']'.repeat(10_000)}`),
        inner(body, '"a\\u0000":1'),
        inner(body, '"x":[{"y":1,"\\u0079":2}]'),
        body.slice(0, -1),
        `${body}${body}`,
        'null',
        '"text"',
        `\u0000${body}`,
      ];
      for (const [index, each] of bodies.entries())
        if (!isShort || (index + at) % 3 === seed % 3)
          faults.push(
            ...faultOf(await send(operation.method, pathOf(operation, world.ids), each), 400).map(
              (fault) => `${operation.name} body ${index}: ${fault}`,
            ),
          );
    }
    expect(faults).toEqual([]);
  }, 60_000);

  it('believes neither of two values of one name, and takes names of objects for nothing but names', async () => {
    const path = `/v1/orgs/${world.workspace.id}`;
    const before = (await send('GET', path)).body;
    expect(await send('PATCH', path, '{"title":"First","ti\\u0074le":"Second"}')).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'title' }] } },
    });
    expect((await send('GET', path)).body).toEqual(before);
    expect(
      (
        await send(
          'PATCH',
          path,
          '{"title":"\\u202Etxt.exe","TITLE":"x","constructor":{"prototype":{"isAdmin":true}},"toString":1}',
        )
      ).status,
    ).toBe(200);
    expect((await send('GET', path)).body).toMatchObject({ title: '\u202Etxt.exe' });
    expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined();
    expect((await send('GET', `${path}/members?limit=9007199254740993`)).status).toBe(400);
  });

  it('answers hostile values in each place of its body, and does nothing with them that fails later', async () => {
    const faults: string[] = [];
    let sent = 0;
    for (const [index, { operation, way, kind }] of places.entries()) {
      const values = HOSTILE[kind]();
      if (isShort && index % SHARE !== seed % SHARE) continue;
      for (let times = 0; times < Math.min(rounds(1), values.length); times++) {
        const value = values[(index + seed + times) % values.length];
        const ids = { ...world.ids, ...(await operation.row.prepare?.({ ...world, person: world.workspace.admin })) };
        const begin = performance.now();
        const told = await send(
          operation.method,
          pathOf(operation, ids),
          jsonOf(bodyWith(baseOf(operation, ids), way, value)),
        );
        sent++;
        const isSlow = performance.now() - begin > 5000 ? ['it took more than 5 seconds'] : [];
        faults.push(
          ...[...faultOf(told), ...isSlow].map(
            (fault) => `${operation.name} ${way.join('.')} = ${String(JSON.stringify(value)).slice(0, 60)}: ${fault}`,
          ),
        );
      }
    }
    await app.current.get(OutboxRelay).drain();
    await app.current.get(Jobs).drain();
    expect({ faults, sent, asked }).toEqual({ faults: [], sent, asked: [] });
    expect(await app.current.get(Jobs).deadLetters()).toEqual([]);
  }, 900_000);

  it('answers hostile values in each parameter of its path and query', async () => {
    const faults: string[] = [];
    const parameters = operations.flatMap((operation) =>
      operation.parameters.map(({ name, in: where }) => ({ operation, name, where })),
    );
    for (const [index, { operation, name, where }] of parameters.entries()) {
      if (isShort && index % SHARE !== seed % SHARE) continue;
      // Longer ones are no addresses any more.
      const values = [
        ...HOSTILE.text(),
        '9007199254740993',
        '-9223372036854775809',
        '0x10',
        'NaN',
        'null',
        '[]',
        '2026-13-45',
        '*',
        '+inf',
      ].map((value) => String(value).slice(0, 1000));
      for (let times = 0; times < Math.min(rounds(1), values.length); times++) {
        const value = values[(index + seed + times) % values.length] ?? '';
        const path = pathOf(
          operation,
          where === 'path' ? { ...world.ids, [name]: value } : world.ids,
          where === 'path' ? {} : { [name]: value },
        );
        const told = await send(operation.method, path, operation.schema ? '{}' : undefined);
        const array =
          where === 'query'
            ? await send(
                operation.method,
                `${path}${path.includes('?') ? '&' : '?'}${name}[__proto__][x]=1&${name}[]=${name}&${name}=1`,
                operation.schema ? '{}' : undefined,
              )
            : told;
        faults.push(
          ...[...faultOf(told), ...faultOf(array)].map(
            (fault) => `${operation.name} ${name}=${value.slice(0, 60)}: ${fault}`,
          ),
        );
      }
    }
    expect(faults).toEqual([]);
  }, 300_000);

  it('answers hostile values in each header that it reads', async () => {
    const faults: string[] = [];
    const values = [
      '\u00ff\u0080',
      'x'.repeat(10_000),
      `'; DROP TABLE space; --`,
      '__proto__',
      '"',
      'W/"',
      '*',
      '"1.abc", "2.def"',
      '-1',
      '9007199254740993',
      '1e400',
      ',,,;;;===',
      '%00',
      'null',
      'bytes=0-18446744073709551616',
      '🚀'.normalize('NFKD').replace(/./gu, '?'),
    ];
    const names = [
      'Authorization',
      'If-Match',
      'If-None-Match',
      'If-Modified-Since',
      'Idempotency-Key',
      'Accept',
      'Accept-Language',
      'Accept-Encoding',
      'Origin',
      'Host',
      'X-Forwarded-For',
      'X-Forwarded-Host',
      'X-Forwarded-Proto',
      'Forwarded',
      'X-Request-Id',
      'User-Agent',
      'Cookie',
      'Range',
      'Access-Control-Request-Method',
      'X-HTTP-Method-Override',
    ];
    const token = `Bearer ${world.workspace.admin.api.token ?? ''}`;
    for (const [at, name] of names.entries()) {
      for (const [index, value] of values.entries()) {
        if (isShort && (at * values.length + index) % 3 !== seed % 3) continue;
        for (const [method, path, body] of [
          ['PATCH', `/v1/orgs/${world.workspace.id}`, '{"title":"Changed"}'],
          ['GET', `/v1/spaces/${world.ids['spaceId'] ?? ''}/content`, undefined],
        ] as const) {
          const { status, body: answer } = await bare(
            app.current.url,
            method,
            path,
            {
              Authorization: token,
              ...(body !== undefined && { 'Content-Type': 'application/json' }),
              [name]: name === 'Authorization' ? `Bearer ${value}` : value,
            },
            body,
          );
          if (status >= 500 || /^x-injected/im.test(answer))
            faults.push(`${method} ${name}: ${value.slice(0, 40)}: ${status} ${answer.slice(0, 200)}`);
        }
      }
    }
    expect(faults).toEqual([]);
  }, 60_000);
});

describe('3b-26 every body', () => {
  it('is refused in bounded time where a list in it is far too long, whatever stands in that', async () => {
    const faults: string[] = [];
    const known = new Set<string>();
    const lists = places.filter(
      ({ operation, way, kind }) =>
        kind === 'list' && known.size < known.add(`${JSON.stringify(operation.schema)} ${way.join('.')}`).size,
    );
    for (const [index, { operation, way }] of lists.entries()) {
      if (isShort && index % 4 !== seed % 4) continue;
      const ids = { ...world.ids, ...(await operation.row.prepare?.({ ...world, person: world.workspace.admin })) };
      const base = baseOf(operation, ids);
      const shown = way.reduce<unknown>(
        (at, name) => (isRecord(at) || Array.isArray(at) ? (at as Record<string, unknown>)[name] : undefined),
        base,
      );
      const item: unknown = (index + Math.floor(seed / 4)) % 2 === 0 && Array.isArray(shown) ? shown[0] : {};
      const begin = process.cpuUsage();
      const told = await send(
        operation.method,
        pathOf(operation, ids),
        jsonOf(bodyWith(base, way, Array<unknown>(100_000).fill(item))),
      );
      const seconds = process.cpuUsage(begin).user / 1e6;
      // A change of another kind than the one that is shown does not have the field.
      const isRefused = told.status === 400 || told.status === 413 || (way[0] === 'changes' && told.status === 200);
      faults.push(
        ...[
          ...faultOf(told),
          ...(isRefused ? [] : [`${told.status}`]),
          ...(seconds > 5 ? [`it cost ${seconds} seconds`] : []),
        ].map((fault) => `${operation.name} ${way.join('.')}: ${fault}`),
      );
    }
    expect({ faults, tried: lists.length > 30 }).toEqual({ faults: [], tried: true });
  }, 120_000);

  it('is refused in bounded time where an object in it has far too many names', async () => {
    const names = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]));
    const { organizationId, spaceId } = world.ids;
    const place = (count: number): readonly (readonly [string, string, object])[] => [
      [
        'POST',
        `/v1/spaces/${spaceId ?? ''}/content`,
        { changes: [{ operation: 'set_variables', variables: names(count) }] },
      ],
      [
        'POST',
        `/v1/spaces/${spaceId ?? ''}/comments`,
        { body: { document: { object: 'document', data: names(count), nodes: [] } } },
      ],
      ['PATCH', `/v1/orgs/${organizationId ?? ''}`, { title: 'Names', ...names(count) }],
    ];
    for (const [method, path, body] of place(200_000)) {
      const told = await send(method, path, JSON.stringify(body));
      expect(told.status).toBe(400);
      expect(JSON.stringify(told.body)).toContain('the object has more than 20000 names');
    }
    const most = place(19_000)[0];
    expect(JSON.stringify((await send(most?.[0] ?? '', most?.[1] ?? '', JSON.stringify(most?.[2]))).body)).toContain(
      'must not name more than 2000 variables',
    );
  }, 120_000);

  it('costs next to nothing where it is large and its sender needs no token', async () => {
    const junk = [
      `{"code":"x","junk":[${'"a",'.repeat(600_000)}0]}`,
      `{"code":[${'"a",'.repeat(600_000)}0]}`,
      `{"code":{"a":[${'{},'.repeat(300_000)}0]}}`,
    ];
    for (const body of junk) {
      const begin = process.cpuUsage();
      const response = await fetch(`${app.current.url}/v1/auth/exchange`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      });
      expect(response.status).toBe(413);
      expect(process.cpuUsage(begin).user / 1e6).toBeLessThan(2);
    }
  });
});

describe('3b-25 the listener of published sites and files', () => {
  const listener = usePublicListener(app);
  let base: string;
  beforeAll(async () => {
    const space = await buildSpace(world.workspace, 'Guide');
    await space.write({ operation: 'insert_page', title: 'Welcome', document: { markdown: 'Hello.\n' } });
    base = (await publish(world.workspace, [space])).base;
  });

  const BAD = [
    '%00',
    'a%00b',
    '%ED%A0%80',
    '%C0%80',
    '%',
    '%zz',
    '%E2%80%AE',
    `';--`,
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '__proto__',
    'x'.repeat(6000),
    '%F0%9F%9A%80',
    '%0d%0aX-Injected:%20yes',
    '1e400',
    '9007199254740993',
    '[]',
    '%5C',
  ];

  it('answers hostile paths, parameters and forms', async () => {
    const faults: string[] = [];
    const addresses = (bad: string) => [
      `/${bad}`,
      `${base}/${bad}`,
      `${base}/${bad}.md`,
      `${base}/~search?q=${bad}`,
      `${base}/~search?q=hello&from=${bad}`,
      `${base}?shareKey=${bad}`,
      `${base}/~share/${bad}/x`,
      `${base}?jwt_token=${bad}`,
      `${base}?visitor.${bad}=1`,
      `${base}?visitor.a=${bad}`,
      `${base}/~gitbook/auth/login?location=${bad}`,
      `${base}/~gitbook/pdf?page=${bad}`,
      `${base}/~gitbook/pdf?page=${bad}&only=${bad}&limit=${bad}`,
      `${base}/~assets/${bad}/site.css`,
      `${base}/llms.txt?${bad}`,
      `${base}/sitemap.xml?x=${bad}`,
      `/~files/${bad}/a.txt`,
      `/~files/${world.ids['fileId'] ?? ''}/${bad}?v=${bad}&expires=${bad}&signature=${bad}`,
      `/~pdf/${bad}`,
      `/~pdf/a?${bad}=${bad}`,
      `/~uploads/${bad}`,
      `/~uploads/abc?expires=${bad}&signature=${bad}&size=${bad}`,
      `/~app/${bad}`,
      `/${bad}/${bad}/${bad}`,
      `/robots.txt?${bad}`,
    ];
    for (const bad of BAD) {
      for (const address of addresses(bad)) {
        for (const method of address.startsWith('/~uploads') ? ['PUT'] : isShort ? ['GET'] : ['GET', 'HEAD']) {
          const { status, head } = await bare(listener.origin, method, address, { Accept: 'text/html' });
          if (status >= 500 || /^x-injected/im.test(head))
            faults.push(`${method} ${address.slice(0, 100)}: ${status} ${head}`);
        }
      }
      for (const form of [
        `page=${bad}&rating=good`,
        `page=x&rating=${bad}`,
        `${bad}`,
        `page=x&rating=bad&comment=${bad}`,
      ]) {
        const { status } = await bare(
          listener.origin,
          'POST',
          `${base}/~feedback`,
          { 'Content-Type': 'application/x-www-form-urlencoded' },
          form,
        );
        if (status >= 500) faults.push(`form ${form.slice(0, 100)}: ${status}`);
      }
      for (const form of [
        `q=${bad}&space=${world.ids['spaceId'] ?? ''}&page=${world.ids['pageId'] ?? ''}`,
        `q=x&space=${bad}&page=${bad}`,
      ]) {
        const { status } = await bare(
          listener.origin,
          'POST',
          `${base}/~search`,
          { 'Content-Type': 'application/x-www-form-urlencoded' },
          form,
        );
        if (status >= 500) faults.push(`opened result ${form.slice(0, 100)}: ${status}`);
      }
    }
    expect(faults).toEqual([]);
  }, 60_000);

  it('answers hostile headers and cookies', async () => {
    const faults: string[] = [];
    for (const name of [
      'Host',
      'Cookie',
      'Accept',
      'Accept-Language',
      'Accept-Encoding',
      'If-None-Match',
      'Range',
      'If-Range',
      'Referer',
      'User-Agent',
      'Origin',
      'X-Forwarded-Host',
      'X-Forwarded-For',
      'X-Forwarded-Proto',
    ]) {
      for (const value of [
        ...BAD,
        '\u00ff\u0080',
        `gitbook-share-key=%00; gitbook-visitor-token=%00; gitbook-visitor-public=%7B%22a%22%3A%22%5Cu0000%22%7D`,
        'gitbook-visitor-public={"__proto__":{"a":1}}',
        '[::1',
        'a:b:c',
        'localhost:99999',
        'text/html;q=x',
      ]) {
        const { status, head } = await bare(listener.origin, 'GET', `${base}/welcome`, { [name]: value });
        if (status >= 500 || /^x-injected/im.test(head)) faults.push(`${name}: ${value.slice(0, 80)}: ${status}`);
      }
    }
    expect(faults).toEqual([]);
  }, 60_000);
});
