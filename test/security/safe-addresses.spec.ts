import { beforeAll, describe, expect, it } from '@jest/globals';
import { h } from 'hastscript';
import { htmlOf } from '../../src/kernel/common/html.js';
import { addressFault, safeAddress } from '../../src/kernel/common/safe-address.js';
import { validateDocument, validateStored } from '../../src/formats/document/validate.js';
import { parseMarkdown } from '../../src/formats/markdown/parse.js';
import { useApp } from '../app.js';
import { buildOrganization, type Person } from '../build.js';
import { isRecord, resolved, typeOf, type Media, type OpenApiDocument, type Schema } from '../contract/json-schema.js';
import { filled } from '../example-bodies.js';
import { ROWS } from '../permissions/rows.js';
import { buildWorld, type Ids, type World } from '../permissions/world.js';
import { buildSpace, publish, usePublicListener, type Seen, type Site } from '../published-site.js';

const app = useApp();
const listener = usePublicListener(app);

/** Addresses that nobody may store, as browsers read them: they leave out tabs, line feeds and what stands before. */
const UNSAFE = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' java\nscript:alert(1)',
  'java\tscript:alert(1)',
  '\u0001javascript:alert(1)',
  'javascript\r:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml,<svg onload=alert(1)>',
  'vbscript:x',
  'feed:javascript:alert(1)',
  'jar:https://example.com/a.jar!/b.html',
  'VBScript\n:x',
  'blob:https://example.com/1',
  'https://example.com/\u0001x',
  'https://exam\tple.com/',
  'https://example.com/\u0085',
];
const SAFE = 'https://example.com/safe';

/** Fields that hold addresses although neither their format nor their name says so, and those whose name only seems to. */
const ADDRESSES: ReadonlySet<string> = new Set(['url', 'repoTreeURL', 'repoCommitURL']);
const NO_ADDRESSES: ReadonlySet<string> = new Set([]);
const LOOKS_LIKE_ADDRESS =
  /ur[il]s?$|href|src$|link$|logo|photo|avatar|cover$|canonical|website|homepage|endpoint|issuer|callback|webhook|referrer/i;

const reference = (url: string) => ({ kind: 'url', url });
const link = {
  object: 'inline',
  type: 'link',
  isVoid: false,
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: 'a', marks: [] }] }],
};
const inLine = (inline: object): object => ({
  object: 'block',
  type: 'paragraph',
  isVoid: false,
  data: {},
  nodes: [inline],
});
const documentOf = (node: object): object => ({ object: 'document', data: {}, nodes: [node] });
const voidBlock = (type: string, data: object): object => ({ object: 'block', type, isVoid: true, data });
const table = (value: unknown): object =>
  voidBlock('table', {
    view: { type: 'grid', columns: ['c'], hideHeader: false },
    definition: { c: { id: 'c', title: 'C', type: 'content-ref' } },
    records: { r: { orderIndex: 'a', values: { c: value } } },
  });

type Probe = readonly [path: string, make: (url: string) => unknown];
const DOCUMENT: readonly Probe[] = [
  ['nodes.0.nodes.0.data.ref.url', (url) => documentOf(inLine({ ...link, data: { ref: reference(url) } }))],
  [
    'nodes.0.nodes.0.data.ref.url',
    (url) =>
      documentOf(inLine({ object: 'inline', type: 'inline-image', isVoid: true, data: { ref: reference(url) } })),
  ],
  [
    'nodes.0.nodes.0.data.refDark.url',
    (url) =>
      documentOf(
        inLine({
          object: 'inline',
          type: 'inline-image',
          isVoid: true,
          data: { ref: reference(SAFE), refDark: reference(url) },
        }),
      ),
  ],
  [
    'nodes.0.nodes.0.data.ref.url',
    (url) =>
      documentOf(
        inLine({
          object: 'inline',
          type: 'button',
          isVoid: true,
          data: { label: 'Go', kind: 'primary', ref: reference(url) },
        }),
      ),
  ],
  [
    'nodes.0.nodes.0.data.ref.url',
    (url) => documentOf(inLine({ object: 'inline', type: 'mention', isVoid: true, data: { ref: reference(url) } })),
  ],
  [
    'nodes.0.nodes.0.data.ref.url',
    (url) =>
      documentOf({
        object: 'block',
        type: 'images',
        isVoid: false,
        data: {},
        nodes: [voidBlock('image', { ref: reference(url) })],
      }),
  ],
  ['nodes.0.data.url', (url) => documentOf(voidBlock('embed', { url }))],
  ['nodes.0.data.url', (url) => documentOf(voidBlock('integration', { integration: 'a', block: 'b', props: {}, url }))],
  [
    'nodes.0.data.props.url',
    (url) => documentOf(voidBlock('integration', { integration: 'a', block: 'b', props: { url, height: 3 } })),
  ],
  ['nodes.0.data.ref.url', (url) => documentOf(voidBlock('content-ref', { ref: reference(url) }))],
  [
    'nodes.0.data.ref.url',
    (url) => documentOf(voidBlock('swagger', { ref: reference(url), path: '/a', method: 'get' })),
  ],
  [
    'nodes.0.data.link.url',
    (url) =>
      documentOf(
        voidBlock('openapi-operation', {
          ref: { kind: 'openapi', spec: 'a' },
          path: '/a',
          method: 'get',
          link: { title: 'a', url },
        }),
      ),
  ],
  ['nodes.0.data.records.r.values.c.url', (url) => documentOf(table(reference(url)))],
  ['nodes.0.data.records.r.values.c.ref.url', (url) => documentOf(table({ ref: reference(url), objectFit: 'cover' }))],
];
/** What may stand in fields of any shape, by their names: the places of addresses in it, and no probes where there are none. */
const FREE: Readonly<Record<string, readonly Probe[]>> = {
  document: DOCUMENT,
  cover: [
    ['ref.url', (url) => ({ ref: reference(url) })],
    ['refDark.url', (url) => ({ ref: reference(SAFE), refDark: reference(url) })],
  ],
  metaLinks: [
    ['canonical.url', (url) => ({ canonical: reference(url) })],
    ['alternates.1.url', (url) => ({ alternates: [reference(SAFE), reference(url)] })],
  ],
  target: [['url', reference]],
  contentRefs: [['feedback.url', (url) => ({ feedback: reference(url) })]],
  // Lines that lead to no address are told of, one by one, in the answer.
  redirects: [],
  ...Object.fromEntries(
    [
      'layout',
      'variables',
      'computed',
      'computedSource',
      'childInstallationProjectDirectories',
      'source',
      'attributes',
      'cookies',
      'visitorAuthClaims',
      'unsignedClaims',
      'values',
      'instructions',
      'description',
      'properties',
      'name',
      'translations',
      'forms',
      'memberships',
      'defaultContent',
      'Operations',
    ].map((name) => [name, []]),
  ),
};

interface Place {
  readonly operation: string;
  readonly way: readonly (string | number)[];
  /** Makes the body with a value in the place. */
  readonly body: (value: unknown) => unknown;
  readonly schema: Schema;
}

let world: World;
/** Somebody who has not made the change requests. */
let reviewer: Person;
let document: OpenApiDocument;
let places: readonly Place[];

/** The smallest value that a schema takes. */
function sampleOf(of: Schema): unknown {
  const schema = resolved<Schema>(document, of);
  const type = typeOf(schema);
  if (schema.const !== undefined || schema.enum) return schema.const ?? schema.enum?.[0];
  const [variant] = schema.oneOf ?? schema.anyOf ?? schema.allOf ?? [];
  if (variant && type === undefined) return sampleOf(variant);
  if (type === 'object')
    return Object.fromEntries((schema.required ?? []).map((name) => [name, sampleOf(schema.properties?.[name] ?? {})]));
  if (type === 'array') return Number(schema['minItems'] ?? 0) > 0 && schema.items ? [sampleOf(schema.items)] : [];
  if (type === 'boolean') return true;
  return type === 'integer' || type === 'number' ? (schema['minimum'] ?? 1) : schema['format'] === 'uri' ? SAFE : 'abc';
}

/** Whether a body is of a variant: it has the words that tell the variant from others. */
function isOf(schema: Schema, base: unknown): boolean {
  return (
    isRecord(base) &&
    Object.entries(schema.properties ?? {}).every(([name, of]) => {
      const words = resolved<Schema>(document, of);
      const only = words.const ?? (words.enum?.length === 1 ? words.enum[0] : undefined);
      return only === undefined || base[name] === only;
    })
  );
}

function* placesIn(
  operation: string,
  of: Schema,
  base: unknown,
  way: readonly (string | number)[],
  body: Place['body'],
  above: ReadonlySet<Schema>,
): Generator<Place> {
  const schema = resolved<Schema>(document, of);
  if (above.has(schema) || way.length > 12) return;
  const inside = new Set([...above, schema]);
  if (way.length > 0) yield { operation, way, body, schema };
  for (const part of [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])])
    yield* placesIn(operation, part, base, way, body, inside);
  const { items, properties = {} } = schema;
  if (items)
    yield* placesIn(
      operation,
      items,
      Array.isArray(base) ? (base as unknown[])[0] : undefined,
      [...way, 0],
      (value) => body([value]),
      inside,
    );
  const sample = sampleOf(schema);
  const own =
    isRecord(base) && isOf(schema, base)
      ? { ...(isRecord(sample) ? sample : {}), ...base }
      : isRecord(sample)
        ? sample
        : {};
  for (const [name, property] of Object.entries(properties)) {
    // A document is given in one of its two forms.
    const { markdown: _, ...rest } = own;
    yield* placesIn(
      operation,
      property,
      own[name],
      [...way, name],
      (value) => body({ ...(name === 'document' ? rest : own), [name]: value }),
      inside,
    );
  }
}

const nameOf = ({ way }: Place): string => String(way.filter((part) => typeof part === 'string').at(-1) ?? '');
const isText = (place: Place): boolean => typeOf(place.schema) === 'string' && place.schema.enum === undefined;
const isAddress = (place: Place): boolean =>
  isText(place) && (place.schema['format'] === 'uri' || ADDRESSES.has(nameOf(place)));
const isFree = (place: Place): boolean =>
  typeOf(place.schema) === 'object' && place.schema.properties === undefined && place.schema.allOf === undefined;

beforeAll(async () => {
  const built = await buildWorld(app.current);
  world = { ...built, ids: { ...built.ids, adminId: built.workspace.admin.id } };
  reviewer = await built.workspace.member('admin');
  document = (await (await fetch(new URL('/openapi.json', app.current.url))).json()) as OpenApiDocument;
  places = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path.slice('/v1'.length) || '/'}`;
      const media = resolved<{ content?: Record<string, Media> }>(document, operation?.requestBody ?? {}).content?.[
        'application/json'
      ];
      const row = ROWS[name];
      if (!media?.schema || !row) return [];
      const own = typeof row.body === 'function' ? (row.body as (ids: Ids) => object)(world.ids) : row.body;
      const example: unknown = filled(media.example, world.ids);
      return [
        ...placesIn(
          name,
          media.schema,
          isRecord(example) && isRecord(own) ? { ...example, ...own } : (own ?? example),
          [],
          (value) => value,
          new Set(),
        ),
      ];
    }),
  );
}, 60_000);

interface Told {
  readonly status: number;
  readonly paths: readonly string[];
}

const prepared = new Map<string, Ids>();

async function send(operation: string, body: unknown): Promise<Told> {
  const [method = '', template = ''] = operation.split(' ');
  const row = ROWS[operation];
  const ids = prepared.get(operation) ?? { ...world.ids, ...(await row?.prepare?.(world)) };
  prepared.set(operation, ids);
  const query = new URLSearchParams((typeof row?.query === 'function' ? row.query(ids) : row?.query) ?? {}).toString();
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ''));
  const response = await fetch(`${app.current.url}/v1${path}${query === '' ? '' : `?${query}`}`, {
    method,
    headers: {
      Authorization: `Bearer ${(operation.endsWith('/reviews') ? reviewer : world.workspace.admin).api.token ?? ''}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const error =
    response.status < 400
      ? undefined
      : (JSON.parse(text) as { error?: { details?: readonly { path: string }[] } }).error;
  return { status: response.status, paths: (error?.details ?? []).map(({ path: at }) => at) };
}

/** Whether a refusal names a field; of fields with several forms it names the field, as no form of it fits. */
function names({ status, paths }: Told, wanted: string): boolean {
  return (
    status === 400 &&
    paths.some(
      (path) => path === wanted || (/(^|\.)(favicon|font|monospaceFont)$/.test(path) && wanted.startsWith(`${path}.`)),
    )
  );
}

describe('3b-29 fields that hold addresses', () => {
  it('are all known: by their format, or by a table', () => {
    const unknown = places.filter(
      (place) =>
        isText(place) &&
        LOOKS_LIKE_ADDRESS.test(nameOf(place)) &&
        !isAddress(place) &&
        !NO_ADDRESSES.has(nameOf(place)),
    );
    expect(unknown.map(({ operation, way }) => `${operation} ${way.join('.')}`)).toEqual([]);
    const free = places.filter((place) => isFree(place) && FREE[nameOf(place)] === undefined);
    expect(free.map(({ operation, way }) => `${operation} ${way.join('.')}`)).toEqual([]);
    expect(places.filter(isAddress).length).toBeGreaterThan(60);
  });

  it('refuse what runs and what has control characters, by their path', async () => {
    const faults: string[] = [];
    const known = new Set<string>();
    for (const place of places.filter(isAddress)) {
      const at = place.way.join('.');
      // Operations whose bodies are of one class need no more than one of them.
      if (known.has(`${JSON.stringify(place.schema)} ${at}`) && !/imports|customization/.test(place.operation))
        continue;
      known.add(`${JSON.stringify(place.schema)} ${at}`);
      for (const url of UNSAFE) {
        const told = await send(place.operation, place.body(url));
        if (!names(told, at))
          faults.push(`${place.operation} ${at} ${JSON.stringify(url)}: ${told.status} ${told.paths.join()}`);
      }
    }
    expect({ faults, tried: known.size > 30 }).toEqual({ faults: [], tried: true });
  }, 120_000);

  it('are found inside of fields of any shape, documents included', async () => {
    const faults: string[] = [];
    let tried = 0;
    for (const place of places.filter(isFree)) {
      // A resolution counts where there is a conflict only, and a template has references of its own; both are read by functions that others are read by as well.
      if (place.way.includes('resolutions') || (place.way.includes('contentRefs') && place.way[0] === 'template'))
        continue;
      for (const [inside, make] of FREE[nameOf(place)] ?? []) {
        const at = `${place.way.join('.')}.${inside}`;
        const url = UNSAFE[tried++ % UNSAFE.length] ?? '';
        const told = await send(place.operation, place.body(make(url)));
        if (!names(told, at))
          faults.push(`${place.operation} ${at} ${JSON.stringify(url)}: ${told.status} ${told.paths.join()}`);
      }
    }
    expect({ faults, tried: tried > 100 }).toEqual({ faults: [], tried: true });
  }, 120_000);
});

describe('3b-29 addresses', () => {
  it('are judged in one place, for each use', () => {
    for (const url of UNSAFE) expect([url, addressFault(url) === undefined]).toEqual([url, false]);
    for (const url of UNSAFE.filter((each) => !each.startsWith('http')))
      expect([url, safeAddress(url), safeAddress(url, 'image')]).toEqual([url, undefined, undefined]);
    expect(
      [
        'mailto:a@example.com',
        'tel:+1',
        '#a',
        '/a:b',
        '?a=b:c',
        '//example.com',
        'ftp://example.com',
        'vscode:extension/a',
        '',
      ].map((url) => [addressFault(url), safeAddress(url), safeAddress(url, 'image')]),
    ).toEqual([
      [undefined, 'mailto:a@example.com', undefined],
      [undefined, 'tel:+1', undefined],
      ...['#a', '/a:b', '?a=b:c', '//example.com'].map((url) => [undefined, url, url]),
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
    ]);
    expect([
      safeAddress('data:image/svg+xml,x', 'icon'),
      safeAddress('data:text/html,x', 'icon'),
      safeAddress('javascript:x', 'icon'),
    ]).toEqual(['data:image/svg+xml,x', undefined, undefined]);
  });

  it('are left out of HTML with their attribute where they are unsafe, whatever it is called', () => {
    const attributes = [
      'href',
      'xLinkHref',
      'xlink:href',
      'HREF',
      'src',
      'srcSet',
      'srcset',
      'action',
      'formAction',
      'poster',
      'cite',
      'data',
      'ping',
      'background',
      'manifest',
      'longDesc',
      'srcDoc',
      'imageSrcSet',
    ];
    for (const url of UNSAFE.filter((each) => !each.startsWith('http'))) {
      // Between words of a list, line feeds separate.
      for (const name of attributes.filter((each) => !/\s/.test(url) || !/set$|ping/i.test(each)))
        expect([
          name,
          htmlOf([{ type: 'element', tagName: 'x', properties: { [name]: url, title: 'kept' }, children: [] }]),
        ]).toEqual([name, '<x title="kept"></x>']);
    }
    expect(htmlOf([h('a', { ping: [SAFE, 'javascript:x'], href: SAFE })])).toBe(`<a href="${SAFE}"></a>`);
    expect(
      htmlOf([h('img', { srcSet: `${SAFE} 1x,javascript:x 2x` }), h('img', { srcSet: `${SAFE} 1x, /b 2x` })]),
    ).toBe(`<img><img srcset="${SAFE} 1x, /b 2x">`);
    expect(
      htmlOf([
        h('meta', { httpEquiv: 'refresh', content: '0;url=javascript:x' }),
        h('meta', { property: 'og:image', content: 'javascript:x' }),
        h('meta', { name: 'description', content: 'javascript:x' }),
      ]),
    ).toBe('<meta http-equiv="refresh"><meta property="og:image"><meta name="description" content="javascript:x">');
    const svg = {
      type: 'element' as const,
      tagName: 'svg',
      properties: {},
      children: [
        {
          type: 'element' as const,
          tagName: 'animate',
          properties: { attributeName: 'xlink:href', values: 'javascript:x' },
          children: [],
        },
        { type: 'element' as const, tagName: 'a', properties: { xLinkHref: 'javascript:x' }, children: [] },
      ],
    };
    expect(htmlOf([svg])).toBe('<svg><animate values="javascript:x"></animate><a></a></svg>');
  });
});

/** A page as a browser shows it: the first one of a site stands at its root. */
async function page(site: Site, path: string): Promise<Seen> {
  const seen = await listener.see(`${site.base}/${path}`, { accept: 'text/html' });
  return seen.location === undefined ? seen : listener.see(seen.location, { accept: 'text/html' });
}

describe('3b-29 what was stored before addresses were judged', () => {
  const unsafe = UNSAFE.filter((url) => !url.startsWith('http'));

  it('is shown as words in published pages, in Markdown and in everything that programs read', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    const at = (index: number): string => `https://unsafe.example/${index}/`;
    const body = {
      object: 'document',
      data: {},
      nodes: unsafe.flatMap((_, index) => [
        inLine({ ...link, data: { ref: reference(at(index)) } }),
        inLine({
          object: 'inline',
          type: 'button',
          isVoid: true,
          data: { label: 'Go', kind: 'primary', ref: reference(at(index)) },
        }),
        {
          object: 'block',
          type: 'images',
          isVoid: false,
          data: {},
          nodes: [voidBlock('image', { ref: reference(at(index)), alt: 'A picture' })],
        },
        voidBlock('embed', { url: at(index) }),
        voidBlock('content-ref', { ref: reference(at(index)) }),
        voidBlock('integration', { integration: 'a', block: 'b', props: { url: at(index) }, url: at(index) }),
      ]),
    };
    await space.write(
      ...unsafe.flatMap((_, index) => [
        {
          operation: 'insert_page',
          title: `Page ${index}`,
          cover: { ref: reference(at(index)), refDark: reference(at(index)) },
          metaLinks: { canonical: reference(at(index)), alternates: [reference(at(index))] },
          document: { document: body },
        },
        { operation: 'insert_page', title: `Link ${index}`, type: 'link', target: reference(at(index)) },
      ]),
    );
    for (const [index, url] of unsafe.entries()) {
      const values = [space.id, at(index), JSON.stringify(url).slice(1, -1)];
      await app.current.database.query(
        'UPDATE content_item SET props = replace(props::text, $2, $3)::jsonb WHERE space_id = $1',
        values,
      );
      await app.current.database.query(
        'UPDATE document SET body = replace(body::text, $2, $3)::json WHERE space_id = $1',
        values,
      );
    }
    const site = await publish(workspace, [space]);
    for (const index of unsafe.keys()) {
      const seen = await page(site, `page-${index}`);
      expect(seen.status).toBe(200);
      const addresses = [...seen.body.matchAll(/\s(href|src|srcset|action|content|xlink:href)="([^"]*)"/g)].flatMap(
        ([, name = '', value = '']) =>
          name === 'content' && !/^\s*\w+:/.test(value)
            ? []
            : [
                value.replace(/&#x([0-9A-F]+);/gi, (_, code: string) =>
                  String.fromCodePoint(Number.parseInt(code, 16)),
                ),
              ],
      );
      expect(addresses.length).toBeGreaterThan(10);
      expect(
        addresses.filter((address) => !/^(https?:\/\/|\/|#|[\w-]*\/|width=|data:image\/svg\+xml,%3Csvg)/.test(address)),
      ).toEqual([]);
      expect(seen.body).toContain(
        `<link rel="canonical" href="${listener.origin}${site.base}/${index === 0 ? '' : `page-${index}`}">`.replace(
          /\/">$/,
          '">',
        ),
      );
      expect(seen.body).toContain(`Link ${index}`);
      const markdown = (await listener.see(`${site.base}/page-${index}.md`)).body;
      expect(markdown.replace(/\{%.*?%\}/g, '').match(/\]\(<?\s*(java|vb|data|blob)|href="(?!http|#)/gi)).toBeNull();
    }
    for (const path of ['llms.txt', 'llms-full.txt', 'sitemap.xml'])
      expect([path, (await listener.see(`${site.base}/${path}`)).status]).toEqual([path, 200]);
    // A page with such an address can be changed; its document is refused until it is put right.
    const { pages } = (await workspace.admin.api.get<{ pages: { id: string }[] }>(`/spaces/${space.id}/content/pages`))
      .body;
    await space.write({ operation: 'update_page', page: pages[0]?.id ?? '', title: 'Renamed' });
  });

  it('stays in documents that are made of it', () => {
    for (const [path, make] of DOCUMENT) {
      const document = make('javascript:alert(1)');
      expect([path, validateDocument(document), validateStored(document)]).toEqual([
        path,
        [{ path, message: 'must not be an address of the scheme javascript' }],
        [],
      ]);
    }
  });

  it('is not made by Markdown: words stay, pictures that are written out stay, and who imports is told', async () => {
    expect(parseMarkdown('One\n\n[words](javascript:alert(1))').problems).toEqual([
      {
        line: 3,
        column: 1,
        rule: 'unsafe-link',
        message: 'javascript:alert(1) is not an allowed address of a link: only its text is kept',
      },
    ]);
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    const picture = 'data:image/png;base64,AAAA';
    const markdown = [
      '---\ncover: javascript:alert(1)\nmetaLinks:\n  canonical: "java\\tscript:alert(1)"\n---\n# Page\n',
      '[the words](javascript:alert(1)) [mail](mailto:a@example.com) [editor](vscode:extension/a)',
      '[escaped](<java&#x09;script:alert(1)>) <a href="vbscript:x">in HTML</a> <a href="javascript:x" class="button primary">Press</a>',
      `![drawn](${picture}) ![bad](data:text/html,x)`,
      '{% embed url="javascript:alert(1)" %}',
      '{% content-ref url="javascript:alert(1)" %}\n[x](javascript:alert(1))\n{% endcontent-ref %}',
    ].join('\n\n');
    const [id = ''] = await space.write({ operation: 'insert_page', title: 'Page', document: { markdown } });
    const read = await workspace.admin.api.get<{ document: object; cover?: object }>(
      `/spaces/${space.id}/content/page/${id}`,
      { query: { format: 'document' } },
    );
    const urls = [...JSON.stringify(read.body).matchAll(/"url":"([^"]*)"/g)].map(([, url]) => url);
    expect(urls.filter((url) => url !== '' && addressFault(url ?? '') !== undefined)).toEqual([picture]);
    expect(urls).toEqual(expect.arrayContaining(['mailto:a@example.com', 'vscode:extension/a', picture]));
    // What is read can be written back.
    await space.write({ operation: 'update_page', page: id, document: { document: read.body.document } });
    const written = (
      await workspace.admin.api.get<{ markdown: string }>(`/spaces/${space.id}/content/page/${id}`, {
        query: { format: 'markdown' },
      })
    ).body.markdown;
    for (const kept of [
      'the words',
      'escaped',
      'in HTML',
      'Press',
      `![drawn](${picture})`,
      'bad',
      '[editor](vscode:extension/a)',
      '{% embed url="javascript:alert(1)" %}',
    ])
      expect(written).toContain(kept);
    expect(written.replace(/\{%.*?%\}/g, '')).not.toMatch(/\]\(<?(java|vb)|href="(java|vb)/i);
    const site = await publish(workspace, [space]);
    const { body } = await page(site, 'page');
    expect(body).toContain('the words');
    expect(body).not.toMatch(/(href|src)="[^"]*(javascript|vbscript|vscode):/i);
  });
});
