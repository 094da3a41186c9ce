import fc from 'fast-check';

/*
 * What nobody means well by. `«canary»` becomes the canary of the organization that sends it, `«name»` one of its ids, and a
 * text `«raw:…»` what it holds, as JSON that no serializer would write.
 */

const bomb = (text: string, times: number): string => text.repeat(times);

/** Texts for every field, path and parameter. */
export const TEXTS: readonly string[] = [
  '', ' ', '\t\r\n', '\0', 'a\0b', '\ud800', 'x\udfffy', '\u202egnp.exe', '\u2028\u2029', '\ufeff', '\u0007\u001b[2J', '\u007f', 'ﷺ', 'ǅ', 'İ', 'ß', `e${bomb('\u0301', 300)}`, bomb('👩‍👩‍👧‍👦', 50),
  '.', '..', '../../../../etc/passwd', '..\\..\\windows', '/', '//evil.example/', '%00', '%2e%2e%2f', '%', 'a/b', '?a=b#c', '~gitbook', '.well-known',
  "' OR 1=1 --", "'); DROP TABLE space; --", '$1', '$$', '%_%', '\\', '"', "'", '""', 'a & | ! ( <-> :*', "'a' <-> 'b", '"not closed', '-', '-a', '!!!', 'a:*', ':*', '(((((((', '<->', 'a <2> b', '\\x00', 'E\'\\\'', '{a,b}', '{"a"', 'ROW(1,2)',
  `${bomb('a', 40)}!`, '(a+)+$', '[', '(?<=x)', '{{7*7}}', '${7*7}', '#{7*7}', '<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '</script><svg/onload=alert(1)>', '<!--', ']]>', '<![CDATA[', '&#x0;', '&lt;',
  'javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,<script>alert(1)</script>', 'vbscript:x', 'http://169.254.169.254/latest/meta-data/', 'http://[::1]:22/', 'http://127.0.0.1:9/', 'http://0x7f.1/', 'file:///etc/passwd', 'http://user:secret@example.com/', 'https://', 'http://', 'https://exa mple.com', 'https://%zz/', `https://${bomb('a', 3000)}.example/`, 'https://xn--/', 'ftp://example.com/', 'mailto:a@b', 'https://example.com:99999/', 'git@example.com:a/b.git', '-oProxyCommand=x', '--upload-pack=x',
  'null', 'undefined', 'NaN', 'Infinity', 'true', '[object Object]', '__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString', 'length', '0', '-1', '-0', '1.5', '1e3', '1e400', '9007199254740993', '99999999999999999999', '2147483648', '0x10', '٣',
  '2026-13-45T99:99:99Z', '0000-00-00', '+275760-09-13T00:00:00.001Z', '-271821-04-20T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z', '0001-01-01T00:00:00Z', '2026-02-30', '20260101', '2026-01-01T00:00:00+99:99',
  bomb('a', 128), bomb('a', 129), bomb('a', 255), bomb('a', 256), bomb('a', 257), bomb('é', 1000), bomb('a ', 5000), bomb('x', 100_000), bomb('😀', 20_000), 'a@b', 'a@example.com\r\nBcc: b@example.com', `${bomb('a', 300)}@example.com`, '"a b"@example.com', 'crlf\r\nSet-Cookie: a=b',
  'en', 'xx', 'zh-Hant-TW-x-private', 'i-klingon', 'Europe/Nowhere', '«canary»', '<b>«canary»</b>', '«canary» & "«canary»"', 'AbCdEfGh0123456789Xy', '#fff', '#GGGGGG', '1f4d8', '1f4d8-', 'https://example.com/«canary»',
];

/** Markdown, HTML and expressions that cost readers dear. */
const MARKUP: readonly string[] = [
  bomb('[', 5000), bomb('*', 5000), bomb('*a', 3000), `${bomb('> ', 2000)}a`, `${bomb('- ', 1000)}a`, bomb('`', 3001), bomb('<div>', 3000), bomb('<a href="', 3000), bomb('![', 3000), bomb('[a](', 3000), `${bomb('|a', 2000)}|\n${bomb('|-', 2000)}|`, bomb('{% tabs %}', 500), bomb('{% hint style="info" %}\n', 200), bomb('{% if visitor.claims.x %}', 300),
  `$$${bomb('\\frac{', 500)}$$`, '$$\\def\\a{\\a\\a}\\a$$', '$$\\href{javascript:alert(1)}{x}$$', '[x](javascript:alert(1))', '![x](data:text/html;base64,PHNjcmlwdD4=)', '<img src=x onerror=alert(1)>', '<iframe src="https://evil.example"></iframe>', '<svg><script>alert(1)</script></svg>', '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '{{ visitor.claims.constructor.constructor("return process")() }}', '<code class="expression">[].constructor</code>', '---\ntitle: &a [*a]\n---\n', '---\n__proto__:\n  x: 1\n---\n', `---\na: ${bomb('[', 500)}\n---\n`, '{% embed url="http://169.254.169.254/" %}', '{% include "../../etc/passwd" %}', '{% openapi src="file:///etc/passwd" path="/" method="get" %}', '{% openapi-operation spec="«specSlug»" path="/" method="get" %}', '{% content-ref url="broken-reference" %}', '[a](/spaces/«spaceId»/pages/«pageId»)', '```mermaid\ngraph TD\n```', '```js title="</script>"\n«canary»\n```', bomb('a\n\n', 3000), bomb('# h\n', 2000), '«canary» **b** _i_', '<table data-view="cards"><thead><tr><th data-card-cover data-type="files"></th></tr></thead></table>', `[^1]${bomb('\n[^1]: [^1]', 200)}`, bomb('&', 5000), bomb('http://a.', 2000), bomb('a@', 3000), bomb('\\', 5000), bomb('~~a', 2000), bomb('<!--', 2000), bomb('<![CDATA[', 1000), bomb('<?', 2000), bomb('\u0001', 1000),
];

/** Descriptions of APIs. */
const SPECIFICATIONS: readonly string[] = [
  'openapi: 3.1.0\ninfo: {title: «canary», version: "1"}\npaths: {}\n',
  JSON.stringify({ openapi: '3.0.3', info: { title: '«canary»', version: '1' }, paths: { '/a': { get: { responses: { 200: { description: 'x', content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } } } } } }, components: { schemas: { A: { type: 'object', properties: { a: { $ref: '#/components/schemas/A' } } } } } }),
  JSON.stringify({ openapi: '3.1.0', info: {}, paths: { '/{': { get: { parameters: [null, 1, { in: 'path' }], responses: null } }, '/x': null } }),
  JSON.stringify({ openapi: '3.1.0', info: { title: 'x', version: 1 }, paths: { '/a': { $ref: '#/paths/~1a' } } }),
  JSON.stringify({ openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: {}, components: { schemas: { A: { allOf: [{ $ref: '#/components/schemas/A' }] }, B: { $ref: 'file:///etc/passwd' }, C: { $ref: 'http://127.0.0.1:9/c.json' } } } }),
  `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'.split('').map((name, index) => `${name}: &${name} [${bomb(`*${'abcdefgh'[index] ?? 'a'},`, 9)}]`).join('\n')}\n`,
  'swagger: "2.0"\ninfo: {title: x, version: "1"}\npaths: {/a: {get: {}}}\n', '{"openapi":"9.9"}', 'openapi: 3.1.0', '%YAML 9\n---\n', '- 1\n- 2', '!!js/function "x"', `openapi: 3.0.0\npaths:\n${bomb('  /a: {get: {}}\n', 500)}`, `{"openapi":"3.1.0","x":${bomb('[', 5000)}`, '\0', '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
];

const text = (content: string): object => ({ object: 'text', leaves: [{ object: 'leaf', text: content, marks: [] }] });
const block = (type: string, more: object): object => ({ object: 'block', type, ...more });
const paragraph = (...nodes: unknown[]): object => block('paragraph', { nodes });
const whole = (...nodes: unknown[]): object => ({ object: 'document', data: { schemaVersion: 8 }, nodes });

function deep(levels: number, type: string): object {
  let inner: object = paragraph(text('deep'));
  for (let level = 0; level < levels; level++) inner = block(type, { data: {}, nodes: [inner] });
  return inner;
}

/** Documents, right, nearly right, and of other editors. */
const DOCUMENTS: readonly unknown[] = [
  whole(paragraph(text('«canary»'))), whole(), whole(null), whole(1, 'a', []), whole(paragraph()), whole(paragraph(null)), { object: 'document' }, { object: 'document', nodes: {} }, { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: '«canary»', marks: [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }] }] }] },
  whole(block('paragraph', { nodes: [{ object: 'text', text: 'old' }] })), whole(block('no-such-block', { nodes: [] })), whole(block('__proto__', { nodes: [] })), whole(block('constructor', { data: {}, nodes: [] })), whole(deep(20, 'blockquote')), whole(deep(90, 'blockquote')), whole(deep(30, 'list-unordered')),
  whole(block('heading-1', { key: 'same', nodes: [text('a')] }), block('heading-1', { key: 'same', nodes: [text('a')] })), whole(paragraph({ object: 'inline', type: 'link', data: { ref: { kind: 'page', page: '«pageId»', space: '«spaceId@»' } }, nodes: [text('foreign')] })), whole(paragraph({ object: 'inline', type: 'link', data: { ref: { kind: 'url', url: 'javascript:alert(1)' } }, nodes: [text('x')] })),
  whole(block('table', { data: { view: { type: 'grid', columns: ['a'] }, records: { __raw: 1 }, definition: {} } })), whole(block('table', { data: {} })), whole(block('images', { data: {}, nodes: [] })), whole(block('image', { data: { ref: { kind: 'file', file: '«fileId@»' } } })), whole(block('file', { data: { ref: { kind: 'file', file: '«fileId»' } } })), whole(block('reusable-content', { data: { ref: { kind: 'reusable-content', reusableContent: '«reusableContentId@»' } } })), whole(block('openapi-operation', { data: { ref: { kind: 'openapi', spec: '«specSlug@»' }, path: '/a', method: 'get' } })), whole(block('math', { data: { formula: '\\def\\a{\\a\\a}\\a' } })), whole(block('embed', { data: { url: 'http://169.254.169.254/' } })), whole(block('code', { data: { syntax: '../../x' }, nodes: [block('code-line', { nodes: [text('x')] })] })), whole(block('if', { data: { expression: bomb('(', 500) }, nodes: [paragraph(text('x'))] })), whole(...Array.from({ length: 3000 }, () => paragraph(text('many')))), whole(paragraph({ object: 'text', leaves: [{ object: 'leaf', text: 'x', marks: [{ object: 'mark', type: 'no-such-mark' }, null] }] })), whole(paragraph({ object: 'text', leaves: [{ object: 'leaf', text: bomb('x', 50_000), marks: [] }] })), whole(paragraph({ object: 'text', leaves: 'x' })), whole(paragraph({ object: 'inline', type: 'mention', data: { ref: { kind: 'user', user: '«userId@»' } } })),
];

const NUMBERS: readonly unknown[] = [0, -0, -1, 1, 1.5, 1e-320, 1e21, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, Number.MAX_SAFE_INTEGER, '«raw:9007199254740993»', '«raw:1e400»', '«raw:-1e400»', '«raw:1E+2»', '«raw:123456789012345678901234567890»', Number.MAX_VALUE, Number.MIN_VALUE, 253402300800000];

const OBJECTS: readonly unknown[] = [null, true, false, {}, [], [[]], [null], [{}], { length: 1e9 }, { toString: 1 }, { constructor: { prototype: {} } }, { then: 1 }, { toJSON: 1 }, '«raw:{"__proto__":{"admin":true}}»', '«raw:{"a":1,"a":2}»', '«raw:{"\\u0000":1}»', Array.from({ length: 1001 }, () => 'x'), Array.from({ length: 1001 }, () => ({})), Array.from({ length: 20_000 }, (_, index) => index), { object: 'space', id: '«spaceId@»' }, ['«userId@»'], ['«teamId@»', '«teamId»', '«teamId»'], Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`k${index}`, index]))];

/** Any value that a field may be sent, whatever it takes. */
export const HOSTILE_VALUES: readonly unknown[] = [...OBJECTS, ...NUMBERS, ...TEXTS.slice(0, 60), ...MARKUP.slice(0, 10)];

/** For fields that hold whole texts or documents. */
export const HOSTILE_CONTENT: readonly unknown[] = [...MARKUP, ...SPECIFICATIONS, ...DOCUMENTS];

export const randomText: fc.Arbitrary<string> = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.string({ unit: 'grapheme', maxLength: 40 }), fc.string({ maxLength: 200 }), fc.constantFrom(...TEXTS));

/** Bodies that are not what a serializer makes, and what they are said to be. */
export const RAW_BODIES: readonly { readonly bytes: string | Buffer; readonly type?: string; readonly encoding?: string }[] = [
  ...['{', '[]', '[1]', '[[]]', '"text"', 'null', '1', 'true', '{"a":1,}', '{"a":NaN}', "{'a':1}", '{"a":1}{"b":2}', '{"a" 1}', '\ufeff{}', '', ' ', '{}\0', '{"a":1,"a":2}', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}', '{"\ud800":1}', bomb('[', 10_000), bomb('{"a":', 10_000), `${bomb('[', 99)}${bomb(']', 99)}`, `{"title":${bomb('[', 60)}${bomb(']', 60)}}`, `[${bomb('0,', 50_000)}0]`, `{"a":"${bomb('x', 1_000_000)}"}`, `{"a":1e400}`, `{"a":${bomb('9', 10_000)}}`, bomb(' ', 1_000_000)].map((bytes) => ({ bytes, type: 'application/json' })),
  { bytes: Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]), type: 'application/json' }, { bytes: Buffer.from('{"a":1}', 'utf16le'), type: 'application/json; charset=utf-16' }, { bytes: '{}', type: 'application/json; charset=iso-8859-1' }, { bytes: '{}', type: 'application/json;;;=' }, { bytes: '{}' }, { bytes: '{}', type: 'text/plain' }, { bytes: 'a=b', type: 'application/x-www-form-urlencoded' }, { bytes: '--x\r\n\r\n--x--', type: 'multipart/form-data; boundary=x' }, { bytes: '<a/>', type: 'application/xml' }, { bytes: '{}', type: 'application/vnd.x+json' }, { bytes: '{}', type: 'application/json, text/html' },
  { bytes: '{}', type: 'application/json', encoding: 'gzip' }, { bytes: '{}', type: 'application/json', encoding: 'br' }, { bytes: '{}', type: 'application/json', encoding: 'gzip, gzip' }, { bytes: '{}', type: 'application/json', encoding: 'zstd' }, { bytes: Buffer.from('H4sIAAAAAAAAA+3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA', 'base64'), type: 'application/gzip' }, { bytes: Buffer.alloc(70_000, 'PK\x03\x04'), type: 'application/zip' }, { bytes: Buffer.alloc(2048), type: 'application/x-tar' }, { bytes: Buffer.alloc(600, 'a'), type: 'application/octet-stream' },
];

/** Headers that mean something to the service, or to what may stand before it. */
export const HEADERS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['If-Match', ['*', '"1"', 'W/"1"', '"1.x"', '""', 'x', '"99999999999999999999"', '"-1.a"', '"1", "2"', bomb('"1",', 500)]],
  ['If-None-Match', ['*', '"1"', 'x', bomb('"a",', 500)]],
  ['Idempotency-Key', ['a', '', ' ', bomb('k', 255), bomb('k', 256), bomb('k', 5000), '\u00e9', "' OR 1=1", 'same-key']],
  ['Accept', ['*/*', 'text/html', 'application/json', 'application/pdf;q=0.0', 'x', bomb('a/b,', 500), 'application/json; q=abc']],
  ['Accept-Encoding', ['gzip', 'br', 'identity;q=0', '*;q=0', 'zstd, deflate', 'x']],
  ['Accept-Language', ['de', '*', 'x-klingon', bomb('en,', 500), '\u00ff']],
  ['X-Forwarded-For', ['127.0.0.1', '::1', 'x', bomb('1.2.3.4, ', 200), "' OR 1=1"]],
  ['X-Forwarded-Host', ['evil.example', 'a b', '']],
  ['Forwarded', ['for=127.0.0.1;host=evil.example', 'x']],
  ['X-HTTP-Method-Override', ['DELETE', 'PATCH']],
  ['X-Request-Id', ['x', bomb('x', 5000), '\u00ff']],
  ['X-Original-URL', ['/v1/user']],
  ['Origin', ['null', 'https://evil.example', 'x']],
  ['Referer', ['javascript:alert(1)', 'https://evil.example/«canary»']],
  ['Cookie', ['a=b', '=', bomb('a=b; ', 800), '__proto__=x', 'shareKey=%', 'a="\\']],
  ['Range', ['bytes=0-0', 'bytes=-1', 'bytes=5-1', 'bytes=0-,0-,0-', 'x', 'bytes=99999999999999999999-']],
  ['Expect', ['100-continue']],
  ['User-Agent', ['', 'sqlmap', bomb('x', 5000), '() { :;}; x']],
  ['Host', ['evil.example', 'localhost', 'a_b', '127.0.0.1:99999', '[::1]', 'xn--', '..', '%']],
];

/** What a caller without a token says instead. */
export const AUTHORIZATIONS: readonly string[] = ['Bearer', 'Bearer ', 'Bearer x', 'bearer null', 'Basic YTpi', 'Bearer a b', `Bearer ${bomb('x', 5000)}`, 'Bearer \u00ff', 'Digest x', `Bearer ${"' OR 1=1"}`, 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.'];

export const METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'LOCK', 'SEARCH', 'PURGE'];

/** Parts of paths as they are sent, not encoded again. */
export const SEGMENTS: readonly string[] = ['%2F', '..%2f..%2f', '%00', '%', '%zz', '%20', '.', '..', '%2e%2e', '%2e', '%ff%fe', '%ed%a0%80', bomb('a', 5000), '%F0%9F%98%80', '%7BspaceId%7D', 'null', 'undefined', '-1', '0', '1', '1e3', '9007199254740993', '2147483648', '99999999999999999999999', '%27%3B--', '__proto__', 'constructor', '*', ':id', '(.*)', 'AbCdEfGh0123456789Xy', 'a,b', 'a;b=c', '@', '&', '=', '+', '~', '%5C', '%0d%0a', '', 'latest', 'current', 'me', '%25', '%252e%252e'];
