import { describe, expect, it } from '@jest/globals';
import { withBlockIds } from '../src/formats/document/block-ids.js';
import { paragraph, plain } from '../src/formats/document/build.js';
import { BLOCKS, INLINES, MARK_ORDER } from '../src/formats/document/node-kinds.js';
import type { Document } from '../src/formats/document/types.js';
import { validateDocument } from '../src/formats/document/validate.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import { everyConstruct, typesIn } from './every-construct.js';

const app = useApp();

interface Place {
  /** `block`, `inline` or `mark`. */
  readonly object: string;
  readonly type: string;
  /** Names and indexes that lead from the document to the node. */
  readonly way: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
}
type Json = Record<string, unknown>;

/** What a node cannot do without, by type; everything else in `data` may be left out. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  hint: ['style'],
  if: ['expression'],
  image: ['ref'],
  file: ['ref'],
  embed: ['url'],
  math: ['formula'],
  table: ['view', 'records', 'definition'],
  swagger: ['ref', 'path', 'method'],
  'openapi-operation': ['ref', 'path', 'method'],
  'openapi-schemas': ['ref', 'schemas'],
  'openapi-webhook': ['ref', 'name', 'method'],
  'content-ref': ['ref'],
  integration: ['integration', 'block', 'props'],
  'reusable-content': ['ref'],
  update: ['date'],
  prompt: ['description'],
  link: ['ref'],
  emoji: ['code'],
  icon: ['icon'],
  expression: ['expression'],
  'inline-math': ['formula'],
  'inline-image': ['ref'],
  mention: ['ref'],
  // A button has `ref` or `action`; this is the one with `ref`.
  button: ['label', 'kind', 'ref'],
  color: ['text', 'background'],
};

/** Fields of which any value will do. */
const FREE: Readonly<Record<string, readonly string[]>> = { integration: ['action'] };

/** Types of which the interface closes `data`: a field of another name is refused. */
const CLOSED = [
  'paragraph',
  'list-unordered',
  'list-tasks',
  'divider',
  'blockquote',
  'expandable',
  'tabs',
  'stepper',
  'column',
  'annotation',
];

const ids = {
  file: 'file1',
  page: 'page1',
  space: 'space1',
  collection: 'collection1',
  user: 'user1',
  reusableContent: 'reusable1',
};
const FULL = everyConstruct(ids);
const copy = (): Json => JSON.parse(JSON.stringify(FULL)) as Json;

/** For each type the node of it that has most data. */
const PLACES: readonly Place[] = (() => {
  const best = new Map<string, Place>();
  const enter = (value: unknown, way: readonly string[]): void => {
    if (typeof value !== 'object' || value === null) return;
    const { object, type, data } = value as { object?: string; type?: string; data?: Json };
    if (['block', 'inline', 'mark'].includes(String(object)) && type !== undefined) {
      const before = best.get(`${object} ${type}`);
      if (before === undefined || Object.keys(before.data).length < Object.keys(data ?? {}).length)
        best.set(`${object} ${type}`, { object: String(object), type, way, data: data ?? {} });
    }
    for (const [name, member] of Object.entries(value)) enter(member, [...way, name]);
  };
  enter(FULL.nodes, ['nodes']);
  return [...best.values()];
})();

/** The document with one node of it changed. */
function changed(way: readonly string[], change: (node: Json) => void): Json {
  const made = copy();
  change(way.reduce<unknown>((at, name) => (at as Json)[name], made) as Json);
  return made;
}

const withData = ({ way }: Place, change: (data: Json) => void): Json =>
  changed(way, (node) => change(node['data'] as Json));

/** A value of another type than the one that belongs there. */
function wrong(value: unknown): unknown {
  if (typeof value === 'string') return { not: 'a text' };
  return typeof value === 'object' ? true : [['no such value']];
}

const rows = PLACES.flatMap((place) => Object.keys(place.data).map((field) => ({ type: place.type, field, place })));
const typed = rows.filter(({ type, field }) => !(FREE[type] ?? []).includes(field));

describe('over HTTP', () => {
  async function space() {
    const { id, admin } = await buildOrganization(app.current);
    const made = (await admin.api.post<{ id: string }>(`/orgs/${id}/spaces`, { title: 'Types', empty: true })).body.id;
    const request = (await admin.api.post<{ id: string }>(`/spaces/${made}/change-requests`, { subject: 'Write' })).body
      .id;
    const url = `/spaces/${made}/change-requests/${request}/content`;
    return {
      url,
      api: admin.api,
      write: (document: unknown) =>
        admin.api.post<{ changes: { page: { id: string } }[] }>(
          url,
          { changes: [{ operation: 'insert_page', title: 'Types', document: { document } }] },
          { query: { compat: false } },
        ),
    };
  }

  it('every type comes back with nothing but what it must have', async () => {
    const { url, api, write } = await space();
    const bare = copy();
    for (const { type, way } of PLACES) {
      const node = way.reduce<unknown>((at, name) => (at as Json)[name], bare) as Json;
      if (node['data'] !== undefined)
        node['data'] = Object.fromEntries(
          Object.entries(node['data'] as Json).filter(([field]) => (REQUIRED[type] ?? []).includes(field)),
        );
    }
    const answer = await write(bare);
    expect([answer.status, answer.body]).toEqual([200, answer.body]);
    const page = await api.get<{ document: Document }>(`${url}/page/${answer.body.changes[0]?.page.id ?? ''}`);
    const withoutKeys = JSON.parse(
      JSON.stringify(page.body.document, (name, value: unknown) => (name === 'key' ? undefined : value)),
    ) as unknown;
    expect(withoutKeys).toEqual(withBlockIds(bare as unknown as Document));
  });

  it('a fault of any type names its path in the request', async () => {
    const { write } = await space();
    const first = PLACES.flatMap(
      (place) => rows.find(({ type, field }) => type === place.type && !(FREE[type] ?? []).includes(field)) ?? [],
    );
    expect(first.length).toBeGreaterThan(35);
    for (const { field, place } of first) {
      const { status, body } = await write(withData(place, (data) => (data[field] = wrong(data[field]))));
      const path = ['changes.0.document.document', ...place.way, 'data', field].join('.');
      const [detail] = (body as unknown as { error: { details: { path: string }[] } }).error.details;
      expect([status, detail?.path.slice(0, path.length)]).toEqual([400, path]);
    }
  });
});

describe('the table of types', () => {
  it('has every block, inline and mark', () => {
    expect(typesIn(FULL)).toEqual(new Set([...Object.keys(BLOCKS), ...Object.keys(INLINES), ...MARK_ORDER]));
    expect(PLACES).toHaveLength(38 + 9 + 8);
    expect(validateDocument(FULL)).toEqual([]);
    for (const [type, fields] of Object.entries(REQUIRED))
      expect(rows.filter((row) => row.type === type).map(({ field }) => field)).toEqual(
        expect.arrayContaining([...fields]),
      );
  });
});

describe('a field', () => {
  it.each(typed)('$type: $field of a wrong type is refused with its path', ({ field, place }) => {
    const faults = validateDocument(withData(place, (data) => (data[field] = wrong(data[field]))));
    const path = [...place.way, 'data', field].join('.');
    expect(faults.map((fault) => fault.path).filter((at) => at !== path && !at.startsWith(`${path}.`))).toEqual([]);
    expect(faults.length).toBeGreaterThan(0);
  });

  it.each(rows)('$type: $field may be missing only where it says nothing', ({ type, field, place }) => {
    const faults = validateDocument(withData(place, (data) => delete data[field]));
    const path = [...place.way, 'data', field].join('.');
    if (!(REQUIRED[type] ?? []).includes(field)) expect(faults).toEqual([]);
    else
      expect(faults).toEqual([
        expect.objectContaining({
          path: expect.stringMatching(new RegExp(`^${path.replaceAll('.', '\\.')}(\\.(kind|type))?$`)) as unknown,
        }),
      ]);
  });

  it.each(CLOSED.map((type) => ({ type })))('that $type does not have is refused', ({ type }) => {
    const place = PLACES.find((each) => each.type === type);
    const faults = validateDocument(
      changed(place?.way ?? [], (node) => (node['data'] = { ...(node['data'] as Json | undefined), surplus: true })),
    );
    expect(faults).toEqual([
      { path: [...(place?.way ?? []), 'data', 'surplus'].join('.'), message: 'is not a field of this object' },
    ]);
  });
});

describe('a child', () => {
  const stray = plain('stray');
  it.each(PLACES.filter(({ object }) => object !== 'mark'))(
    'of the wrong kind in $type is refused with its path',
    ({ type, way }) => {
      const kind = { ...BLOCKS, ...INLINES }[type as keyof typeof BLOCKS];
      const line = ['phrasing', 'link', 'text', 'code-line-content'].includes(String(kind.nodes));
      const child = kind.nodes === 'none' || line ? paragraph(stray) : stray;
      const faults = validateDocument(changed(way, (node) => (node['nodes'] = [child])));
      expect(faults).toContainEqual(
        expect.objectContaining({ path: [...way, 'nodes', ...(kind.nodes === 'none' ? [] : ['0'])].join('.') }),
      );
    },
  );

  it.each(
    PLACES.filter(
      ({ object, type }) =>
        object !== 'mark' && { ...BLOCKS, ...INLINES }[type as keyof typeof BLOCKS].fragments !== undefined,
    ),
  )('of the wrong kind in a fragment of $type is refused with its path', ({ way }) => {
    const faults = validateDocument(
      changed(
        way,
        (node) => ((node['fragments'] as Json[])[0] = { ...(node['fragments'] as Json[])[0], nodes: [stray] }),
      ),
    );
    expect(faults.map(({ path }) => path)).toContain([...way, 'fragments', '0', 'nodes', '0'].join('.'));
  });
});
