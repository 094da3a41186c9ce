import { execFileSync } from 'node:child_process';
import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { block, document } from '../src/formats/document/build.js';
import { operationOf, type ApiOperation } from '../src/formats/html/openapi/operation.js';
import { codeSamples } from '../src/formats/html/openapi/samples.js';
import { heredoc, javaBlock, rustQuoted, rustRaw } from '../src/formats/html/openapi/samples/literals.js';
import { EMPTY_RESOLVER } from '../src/formats/html/reference-facts.js';
import { renderContent } from '../src/formats/html/render.js';
import { splitSpecification, SpecificationParts } from '../src/formats/openapi/specification-parts.js';

const HOSTILE = `a'b"c\`d\\e$(exit 3)f\${g}#{h}\nJSON\nEOF'''"""%`;
const LANGUAGES = ['curl', 'JavaScript', 'Node.js', 'Python', 'Go', 'Java', 'C#', 'Rust', 'PHP', 'Ruby'];

type Fields = Readonly<Record<string, unknown>>;

const partsOf = (operation: Fields, root: Fields, path: string): SpecificationParts =>
  SpecificationParts.of(
    splitSpecification({
      openapi: '3.1.0',
      servers: [{ url: 'https://api.example.com/v1/' }],
      ...root,
      paths: { [path]: { post: operation } },
    }) ?? {},
  );

function operationIn(operation: Fields, root: Fields = {}, path = '/pets/{id}'): ApiOperation {
  const found = operationOf(partsOf(operation, root, path), 'paths', path, 'post');
  if (!found) throw new Error('No operation');
  return found;
}

const sampleIn = (title: string, operation: ApiOperation): string =>
  codeSamples(operation, 100_000).find((sample) => sample.title === title)?.code ?? '';
const bodyOf = (type: string, example: unknown, schema?: Fields): Fields => ({
  requestBody: { content: { [type]: { ...(schema && { schema }), example } } },
});
const parameter = (place: string, name: string, example: unknown, more: Fields = {}): Fields => ({
  in: place,
  name,
  required: true,
  schema: {},
  example,
  ...more,
});

/** The arguments that curl would get, from a shell that reads a sample. */
const argumentsOf = (sample: string): string[] =>
  execFileSync('sh', ['-c', `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }\n${sample}`])
    .toString()
    .split('\0')
    .slice(0, -1);

describe('code samples of an operation', () => {
  it('are in ten languages, with its required parameters and its body', () => {
    const found = operationIn({
      ...bodyOf('application/json', { name: 'Rex' }),
      parameters: [
        parameter('path', 'id', 7),
        parameter('query', 'tags', ['a', 'b c']),
        parameter('query', 'page', 3, { required: false }),
        parameter('header', 'X-Mode', 'fast'),
      ],
    });
    const samples = codeSamples(found, 100_000);
    expect(samples.map(({ title }) => title)).toEqual(LANGUAGES);
    for (const { code } of samples) {
      expect(code).toContain('https://api.example.com/v1/pets/7?tags=a&tags=b%20c');
      expect([code.includes('X-Mode'), code.includes('Rex'), code.includes('page')]).toEqual([true, true, false]);
    }
    expect(argumentsOf(samples[0]?.code ?? '')).toEqual([
      '-X',
      'POST',
      'https://api.example.com/v1/pets/7?tags=a&tags=b%20c',
      '-H',
      'X-Mode: fast',
      '-H',
      'Content-Type: application/json',
      '-d',
      '{\n  "name": "Rex"\n}',
    ]);
  });

  it('write parts of a path in the style of their parameter', () => {
    const urlOf = (example: unknown, style: string, explode = false): string | undefined =>
      argumentsOf(
        sampleIn('curl', operationIn({ parameters: [parameter('path', 'id', example, { style, explode })] })),
      )[2]?.slice('https://api.example.com/v1/pets/'.length);
    const object = { r: 1, 'g b': 2 };
    expect([
      urlOf(['a/', 'b'], 'simple'),
      urlOf(object, 'simple', true),
      urlOf(['a', 'b'], 'label'),
      urlOf(['a', 'b'], 'label', true),
      urlOf(object, 'label', true),
      urlOf(['a', 'b'], 'matrix'),
      urlOf(['a', 'b'], 'matrix', true),
      urlOf(object, 'matrix', true),
      urlOf(undefined, 'matrix'),
    ]).toEqual([
      'a%2F,b',
      'r=1,g%20b=2',
      '.a,b',
      '.a.b',
      '.r=1.g%20b=2',
      ';id=a,b',
      ';id=a;id=b',
      ';r=1;g%20b=2',
      ';id={id}',
    ]);
  });

  it('cannot be made to say anything else by hostile values, in a shell and in JavaScript', async () => {
    const values = {
      servers: [{ url: "https://api.example.com/$(id)/'`x`" }],
      parameters: [
        parameter('path', 'id', HOSTILE),
        parameter('query', HOSTILE, HOSTILE),
        parameter('header', 'X-A', HOSTILE),
      ],
    };
    const url = `https://api.example.com/%24(id)/%27%60x%60/pets/`;
    for (const [type, example] of [
      ['application/json', { [HOSTILE]: HOSTILE }],
      ['application/json', '{"__proto__": 12345678901234567890}'],
      ['text/plain', `@${HOSTILE}`],
    ] as const) {
      const found = operationIn({ ...values, ...bodyOf(type, example) });
      const sent = typeof example === 'string' ? example : JSON.stringify(example);
      const [, method, address = '', , header, , , flag, body = ''] = argumentsOf(sampleIn('curl', found));
      expect([method, address.startsWith(url), header]).toEqual([
        'POST',
        true,
        `X-A: ${HOSTILE.replaceAll('\n', ' ')}`,
      ]);
      expect([flag, type === 'text/plain' ? body : JSON.stringify(JSON.parse(body))]).toEqual(
        type === 'text/plain' ? ['--data-raw', sent] : ['-d', JSON.stringify(JSON.parse(sent))],
      );
      const calls: [string, { method: string; headers: Record<string, string>; body: string }][] = [];
      const context = createContext({
        console: { log: () => undefined },
        fetch: (...call: (typeof calls)[number]) => {
          calls.push(call);
          return { text: () => '' };
        },
      });
      await runInContext(`(async () => {${sampleIn('JavaScript', found)}})()`, context);
      const [[called, options] = ['', undefined]] = calls;
      expect([called, options?.headers['X-A']]).toEqual([address, HOSTILE.replaceAll('\n', ' ')]);
      expect(options?.body.replace(/\s/g, '')).toBe(sent.replace(/\s/g, ''));
    }
  });

  it('keep hostile values in the literals of every other language', () => {
    const found = operationIn({
      ...bodyOf('application/json', { a: HOSTILE }),
      parameters: [parameter('header', 'X-A', '#{x}\'"\\')],
    });
    const json = JSON.stringify({ a: HOSTILE }, undefined, 2);
    expect(sampleIn('Ruby', found)).toContain(`request.body = <<~'JSON'\n${json}\nJSON\n`);
    expect(sampleIn('Ruby', found)).toContain(`request['X-A'] = '#{x}\\'"\\\\'`);
    expect(sampleIn('PHP', found)).toContain(`CURLOPT_POSTFIELDS => <<<'JSON'\n${json}\nJSON,`);
    expect(sampleIn('C#', found)).toContain(`new StringContent("""\n${json}\n""");`);
    expect(sampleIn('Go', found)).toContain(`strings.NewReader(${JSON.stringify(json)})`);
    expect(sampleIn('Python', found)).toContain(`"a": ${JSON.stringify(HOSTILE)}`);
    expect(sampleIn('Java', found)).toContain(javaBlock(json));
    expect(sampleIn('Rust', found)).toContain(rustRaw(json));
    expect([javaBlock('a\\u0022 """'), rustRaw('"## "#'), rustQuoted('\b\\b\u0001'), heredoc('<<<', 'x')]).toEqual([
      '"""\na\\\\u0022 \\"\\"\\""""',
      'r###""## "#"###',
      '"\\u{8}\\\\b\\u{0001}"',
      "<<<'JSON'\nx\nJSON",
    ]);
  });

  it('send forms with their files, except in languages that have none', () => {
    const schema = { properties: { photo: { type: 'string', format: 'binary' }, name: { type: 'string' } } };
    const found = operationIn(bodyOf('multipart/form-data', { name: '@/etc/passwd' }, schema));
    expect(codeSamples(found, 100_000).map(({ title }) => title)).toEqual(
      LANGUAGES.filter((title) => title !== 'Java'),
    );
    expect(argumentsOf(sampleIn('curl', found)).slice(3)).toEqual([
      '--form-string',
      'name=@/etc/passwd',
      '-F',
      'photo=@file',
    ]);
    const plain = operationIn(bodyOf('application/x-www-form-urlencoded', { a: 'b&c', d: 1 }));
    expect(argumentsOf(sampleIn('curl', plain)).at(-1)).toBe('a=b%26c&d=1');
  });

  it('begin with those of the specification, which can choose the others', () => {
    const own = { 'x-codeSamples': [{ lang: 'python', label: 'SDK', source: 'pets.create()' }, { lang: 'x' }, 7] };
    const titles = (operation: Fields, root: Fields = {}): string[] =>
      codeSamples(operationIn(operation, root), 100_000).map(({ title }) => title);
    expect(titles(own)).toEqual(['SDK', ...LANGUAGES]);
    expect(titles(own, { 'x-sample-languages': ['go', 'shell', 'go', 'cobol'] })).toEqual(['SDK', 'Go', 'curl']);
    expect(
      titles({ 'x-codeSamples': [{ lang: 'PHP', source: 'own()' }] }).filter((title) => title === 'PHP'),
    ).toHaveLength(1);
    expect(titles({}, { 'x-codeSamples': false })).toEqual([]);
    expect(titles(own, { 'x-codeSamples': false })[0]).toBe('SDK');
  });

  it('are tabs of which the first is shown without scripts, in bounded size', async () => {
    const shown = async (operation: Fields, count = 1): Promise<string> => {
      const api = partsOf(operation, {}, '/pets/{id}');
      const one = block('openapi-operation', {
        ref: { kind: 'openapi', spec: 'pets' },
        path: '/pets/{id}',
        method: 'post',
      });
      const blocks = Array.from({ length: count }, () => one);
      return (await renderContent(document(blocks), { ...EMPTY_RESOLVER, specification: () => api })).html;
    };
    const tabs = (html: string): number => html.split('type="radio"').length - 1;
    const html = await shown({});
    expect([tabs(html), html.split(' checked').length - 1]).toEqual([10, 1]);
    expect(html).toMatch(/class="tabs samples" role="group"/);
    expect(tabs(await shown({ 'x-codeSamples': false }))).toBe(0);
    const large = bodyOf('application/json', { text: 'x'.repeat(15_000) });
    expect([tabs(await shown(large)), (await shown(large)).includes('curl -X POST')]).toEqual([0, true]);
    expect(Buffer.byteLength(await shown(bodyOf('application/json', { text: '<'.repeat(2_000) }), 100))).toBeLessThan(
      300_000,
    );
  });
});
