import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../src/config.js';
import { Registry } from '../src/kernel/platform/manifest/registry.js';
import { Outbound } from '../src/kernel/platform/outbound/outbound.js';
import { segmentText, type Segment } from '../src/insight/translations/domain/segment.js';
import { ChatModel } from '../src/insight/translations/engines/chat-model.js';
import { checkedTranslation } from '../src/insight/translations/engines/checked-translation.js';
import { DeepL, deeplAddress } from '../src/insight/translations/engines/deepl.js';
import { customInstructions } from '../src/insight/translations/engines/domain/deepl-instructions.js';
import { EngineHttp } from '../src/insight/translations/engines/engine-http.js';
import { TranslationEngines } from '../src/insight/translations/engines/translation-engines.js';
import { LibreTranslate } from '../src/insight/translations/engines/libretranslate.js';
import type { Engine, EngineAnswer, TranslationJob } from '../src/insight/translations/engines/translation-engine.js';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}
type Reply = readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>] | 'never';
type Service = (asked: Asked) => Reply;

let asked: Asked[] = [];
const events = new EventEmitter();
let service: Service = () => [500, {}];
/** Answers that come before those of the service. */
let first: Reply[] = [];
const server = createServer((request, response) => {
  void text(request).then((body) => {
    const received = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>,
    };
    asked.push(received);
    if (request.method === 'POST') events.emit('posted');
    reply(response, (request.method === 'POST' ? first.shift() : undefined) ?? service(received));
  });
});
function reply(response: ServerResponse, given: Reply): void {
  if (given === 'never') return;
  const [status, body, headers = {}] = given;
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
}
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
  first = [];
});

/** Loopback is not for callers here: only because the address is the operator's own it is reached. */
const outbound = new Outbound({ outboundAllow: [] });
const base = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const http = (authorization?: string, timeout = 5_000): EngineHttp =>
  new EngineHttp(outbound, {
    title: 'The service',
    base: base(),
    timeout,
    firstPause: 1,
    key: 'key-of-bindery',
    ...(authorization !== undefined && { authorization }),
  });
const job = (rest: Partial<TranslationJob> = {}): TranslationJob => ({
  source: 'en',
  target: 'es',
  glossary: [],
  signal: new AbortController().signal,
  ...rest,
});
const posted = (path: string): Asked[] => asked.filter((each) => each.method === 'POST' && each.path === path);
const list = (value: unknown): readonly string[] => value as readonly string[];

async function translated(
  engine: Engine,
  segments: readonly Segment[],
  { source, target, ...rest }: Partial<TranslationJob> = {},
): Promise<EngineAnswer> {
  const translator = await engine.find(source ?? 'en', target ?? 'es');
  if (translator === undefined) throw new Error('no pair');
  return checkedTranslation(translator, segments, job({ source: source ?? 'en', target: target ?? 'es', ...rest }));
}
/** Aborts once the service has answered the next request, or has left it without an answer. */
function soonAfterRequest(): AbortSignal {
  const stop = new AbortController();
  void once(events, 'posted').then(() => setTimeout(() => stop.abort(), 50));
  return stop.signal;
}
async function fault(engine: Engine, code: string, rest: Partial<TranslationJob> = {}): Promise<string> {
  const error: unknown = await translated(engine, [['Some secret words.']], rest).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: 'EngineError', code });
  const { message } = error as Error;
  expect(message).not.toMatch(/secret|key-of/i);
  return message;
}
/** Words of a text in capitals, its tags and entities as they are. */
const raised = (tagged: string): string =>
  tagged.replace(/<[^>]*>|&\w+;|[^<&]+/g, (part) => (/^[<&]/.test(part) ? part : part.toUpperCase()));

const MARKED: Segment = [
  'Open ',
  { open: 1 },
  'the ',
  { open: 2 },
  'page',
  { close: 2 },
  { close: 1 },
  ' with ',
  { opaque: 3 },
  ' & more < less.',
];
const RAISED: Segment = [
  'OPEN ',
  { open: 1 },
  'THE ',
  { open: 2 },
  'PAGE',
  { close: 2 },
  { close: 1 },
  ' WITH ',
  { opaque: 3 },
  ' & MORE < LESS.',
];
const paragraph = (sentences: number): string =>
  Array.from({ length: sentences }, (_, index) => `Sentence number ${index} of it.`).join(' ');

/** What goes wrong with every service in the same way. */
function commonFaults(make: (timeout?: number) => Engine, path: string, good: () => Service): void {
  it.each([429, 503, 500, 529])('is patient with %d, as long as the service asks for', async (status) => {
    service = good();
    first = [
      [status, { error: 'Slowdown' }, { 'retry-after': '0' }],
      [status, 'no JSON'],
      [status, {}],
    ];
    expect((await translated(make(), [MARKED])).segments).toEqual([RAISED]);
    expect(posted(path)).toHaveLength(4);
  });

  it('gives up after five attempts, or at once where it would have to wait for long', async () => {
    service = good();
    first = Array.from({ length: 5 }, (): Reply => [429, {}]);
    expect(await fault(make(), 'busy')).toContain('429');
    first = [[529, {}, { 'retry-after': '86400' }]];
    await fault(make(), 'busy');
    first = Array.from({ length: 5 }, (): Reply => [503, {}]);
    await fault(make(), 'unavailable');
    expect(posted(path)).toHaveLength(11);
  });

  it('says what is wrong: rights, requests, answers, time', async () => {
    service = good();
    first = [
      [403, { error: 'Invalid key key-of-bindery' }],
      [400, { error: 'xx is not supported', message: 'xx is not supported' }],
    ];
    expect(await fault(make(), 'refused')).toContain('(403)');
    expect(await fault(make(), 'invalid')).toContain('xx is not supported');
    first = [[400, { error: `Bad request: ${'.'.repeat(160)} {"api_key": "key-of-bindery"}: no such language` }]];
    expect(await fault(make(), 'invalid')).toContain('***');
    first = [[302, {}, { location: `${base()}/elsewhere` }]];
    await fault(make(), 'invalid');
    first = ['never', 'never'];
    const engine = make(150);
    expect(await fault(engine, 'timeout')).toContain('did not answer in time');
    expect(asked.filter((each) => each.path === '/elsewhere')).toEqual([]);
    expect(posted(path)).toHaveLength(6);
  });

  it('stops when it is told to, also while it waits', async () => {
    service = good();
    first = ['never'];
    await fault(make(), 'cancelled', { signal: soonAfterRequest() });
    first = [[429, {}, { 'retry-after': '60' }]];
    await fault(make(), 'cancelled', { signal: soonAfterRequest() });
    await fault(make(), 'cancelled', { signal: AbortSignal.abort() });
    expect(posted(path)).toHaveLength(2);
  });
}

describe('LibreTranslate', () => {
  const LANGUAGES = [
    { code: 'en', name: 'English', targets: ['en', 'es', 'zt', 'pb'] },
    { code: 'es', name: 'Spanish', targets: ['en', 'es'] },
  ];
  /** As the server does it: limits, codes, and entities that it takes out of the HTML that it gives. */
  const libre =
    ({ characters = -1, texts = -1 } = {}): Service =>
    ({ path, body }) => {
      if (path === '/languages') return [200, LANGUAGES];
      const [q, key] = [list(body['q']), body['api_key']];
      const size = q.reduce((sum, each) => sum + each.length, 0);
      if (key !== 'key-of-bindery') return [403, { error: 'Please contact the server operator to get an API key' }];
      if (texts !== -1 && q.length > texts)
        return [400, { error: `Invalid request: request (${q.length}) exceeds text limit (${texts})` }];
      if (characters !== -1 && size > characters)
        return [400, { error: `Invalid request: request (${size}) exceeds text limit (${characters})` }];
      return [
        200,
        {
          translatedText: q.map((each) =>
            raised(each).replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
          ),
        },
      ];
    };
  const make = (timeout?: number): Engine => new LibreTranslate(http(undefined, timeout), 'key-of-bindery');
  commonFaults(make, '/translate', () => libre());

  it('sends HTML, and reads it back with its markers', async () => {
    service = libre();
    const answer = await translated(make(), [MARKED, ['The dashboard &amp; <b> of https://example.com/a'], ['7']], {
      glossary: [{ source: 'dashboard', target: 'panel' }],
    });
    expect(answer.segments).toEqual([RAISED, ['THE panel &amp; <b> OF https://example.com/a'], ['7']]);
    expect(posted('/translate').map(({ body }) => body)).toEqual([
      {
        q: [
          'Open <span id="m1">the <span id="m2">page</span></span> with <code id="m3" translate="no">3</code> &amp; more &lt; less.',
          'The <code id="m1" translate="no">1</code> <code id="m2" translate="no">2</code> <code id="m3" translate="no">3</code> of <code id="m4" translate="no">4</code>',
        ],
        source: 'en',
        target: 'es',
        format: 'html',
        api_key: 'key-of-bindery',
      },
    ]);
  });

  it('knows the languages of the server by their several codes', async () => {
    service = libre();
    const engine = make();
    expect(
      await Promise.all(
        [
          ['en', 'zh-tw'],
          ['en', 'pt-br'],
          ['en', 'ja'],
          ['fr', 'en'],
        ].map(async ([from, to]) => (await engine.find(from ?? '', to ?? ''))?.name),
      ),
    ).toEqual(['libretranslate en zt', 'libretranslate en pb', undefined, undefined]);
    expect(await engine.offer()).toBe('en to es/zt/pb, es to en');
  });

  it.each([{ texts: 3 }, { characters: 200 }])('sends less where the server takes no more than %o', async (limits) => {
    service = libre(limits);
    const segments: Segment[] = Array.from({ length: 10 }, (_, index) => [`words of segment ${index}`]);
    const long: Segment = [{ open: 1 }, 'Marked. Words. ', { close: 1 }, paragraph(12), { opaque: 2 }, ' end.'];
    const unbroken: Segment = ['word '.repeat(60)];
    const { segments: answers } = await translated(make(), [...segments, long, unbroken]);
    expect(answers.slice(0, 10)).toEqual(segments.map((each) => [segmentText(each).toUpperCase()]));
    expect(answers[10]).toEqual([
      { open: 1 },
      'MARKED. WORDS. ',
      { close: 1 },
      paragraph(12).toUpperCase(),
      { opaque: 2 },
      ' END.',
    ]);
    expect(answers[11] === undefined).toBe('characters' in limits);
  });

  it('does not take answers that do not belong to the texts', async () => {
    service = ({ path }) => (path === '/languages' ? [200, LANGUAGES] : [200, { translatedText: ['uno', 'dos'] }]);
    expect(await fault(make(), 'malformed')).toContain('2 answers to 1 texts');
    service = ({ path }) => (path === '/languages' ? [200, LANGUAGES] : [200, '<html>']);
    await fault(make(), 'malformed');
    const broken = [
      '<span id="m1">uno</span> <code id="m2">',
      'uno <span id="m1">dos',
      'dos</span>',
      '<span id="m1"></span>uno <code id="m2">2</code>',
      '<span id="m1">uno</span> <code id="m2"/> <code id="m2"/>',
    ];
    service = ({ path }) => (path === '/languages' ? [200, LANGUAGES] : [200, { translatedText: broken }]);
    const source: Segment = [{ open: 1 }, 'one', { close: 1 }, ' two ', { opaque: 2 }];
    expect(
      (
        await translated(
          make(),
          broken.map(() => source),
        )
      ).segments,
    ).toEqual(broken.map(() => undefined));
  });
});

describe('DeepL', () => {
  const languages = (...codes: string[]): unknown =>
    codes.map((language) => ({ language, name: language, supports_formality: false }));
  const glossaries = new Set<string>();
  const deepl =
    (): Service =>
    ({ method, path, headers, body }) => {
      if (headers.authorization !== 'DeepL-Auth-Key key-of-bindery') return [403, { message: 'Forbidden' }];
      if (path === '/v2/languages?type=source') return [200, languages('EN', 'ES', 'PT', 'ZH')];
      if (path === '/v2/languages?type=target')
        return [200, languages('EN-GB', 'EN-US', 'ES', 'PT-BR', 'PT-PT', 'ZH-HANS', 'ZH-HANT', 'HI')];
      if (path === '/v2/glossary-language-pairs')
        return [
          200,
          {
            supported_languages: [
              { source_lang: 'en', target_lang: 'es' },
              { source_lang: 'en', target_lang: 'pt' },
            ],
          },
        ];
      if (path === '/v3/glossaries') {
        glossaries.add('def3a26b-3e84');
        return [
          201,
          {
            glossary_id: 'def3a26b-3e84',
            name: body['name'],
            dictionaries: [{ source_lang: 'en', target_lang: 'es', entry_count: 1 }],
            creation_time: '2026-01-01T00:00:00Z',
          },
        ];
      }
      if (method === 'DELETE')
        return glossaries.delete(path.replace('/v3/glossaries/', ''))
          ? [204, '']
          : [404, { message: 'Glossary not found' }];
      const texts = list(body['text']);
      if (texts.length > 50) return [400, { message: 'Too many texts' }];
      if (texts.join('').length > 3_000) return [413, { message: 'Request Entity Too Large' }];
      if (body['glossary_id'] !== undefined && !glossaries.has(body['glossary_id'] as string))
        return [404, { message: 'Glossary not found' }];
      return [200, { translations: texts.map((each) => ({ detected_source_language: 'EN', text: raised(each) })) }];
    };
  const make = (timeout?: number): Engine => new DeepL(http('DeepL-Auth-Key key-of-bindery', timeout));
  commonFaults(make, '/v2/translate', deepl);

  it('sends XML whose opaque parts are ignored', async () => {
    service = deepl();
    expect((await translated(make(), [MARKED])).segments).toEqual([RAISED]);
    expect(posted('/v2/translate').map(({ body }) => body)).toEqual([
      {
        text: ['Open <g id="1">the <g id="2">page</g></g> with <x id="3"/> &amp; more &lt; less.'],
        source_lang: 'EN',
        target_lang: 'ES',
        tag_handling: 'xml',
        tag_handling_version: 'v2',
        outline_detection: false,
        non_splitting_tags: ['g', 'x'],
        ignore_tags: ['x'],
        preserve_formatting: true,
      },
    ]);
  });

  it('takes the variants of languages that it wants, and the address that a key is for', async () => {
    service = deepl();
    const names = await Promise.all(
      [
        ['es', 'en'],
        ['en', 'pt'],
        ['pt-br', 'zh-tw'],
        ['en', 'zh'],
        ['en', 'ja'],
        ['ko', 'en'],
      ].map(async ([from, to]) => (await make().find(from ?? '', to ?? ''))?.name),
    );
    expect(names).toEqual([
      'deepl ES EN-US',
      'deepl EN PT-PT',
      'deepl PT ZH-HANT',
      'deepl EN ZH-HANS',
      undefined,
      undefined,
    ]);
    expect([deeplAddress('aa:fx'), deeplAddress('aa')]).toEqual([
      'https://api-free.deepl.com',
      'https://api.deepl.com',
    ]);
  });

  it('makes a glossary of the terms that occur, and leaves none behind', async () => {
    service = deepl();
    const glossary = [
      { source: 'Page', target: 'hoja' },
      { source: 'space', target: 'espacio' },
    ];
    await translated(make(), [MARKED], { glossary });
    expect(posted('/v3/glossaries')[0]?.body).toEqual({
      name: 'Bindery (temporary)',
      dictionaries: [{ source_lang: 'en', target_lang: 'es', entries: 'Page\thoja', entries_format: 'tsv' }],
    });
    expect(posted('/v2/translate')[0]?.body).toMatchObject({ glossary_id: 'def3a26b-3e84' });
    expect(glossaries.size).toBe(0);
    first = [
      [201, { glossary_id: 'def3a26b-3e84' }],
      [456, { message: 'Quota exceeded' }],
    ];
    glossaries.add('def3a26b-3e84');
    await expect(translated(make(), [MARKED], { glossary })).rejects.toMatchObject({ code: 'quota' });
    expect(glossaries.size).toBe(0);
    // No glossaries for this pair: the terms are hidden and put in.
    expect((await translated(make(), [['The page.']], { target: 'hi', glossary })).segments).toEqual(
      [['THE Hoja.']].map(([each]) => [each?.replace('Hoja', 'hoja')]),
    );
    expect(posted('/v3/glossaries')).toHaveLength(2);
  });

  it('gives instructions where the language takes them', async () => {
    service = deepl();
    const instructions = `Be friendly.\n\n${'Use short words. '.repeat(30)}`;
    await translated(make(), [MARKED], { instructions });
    await translated(make(), [MARKED], { instructions, target: 'hi' });
    const [spanish, hindi] = posted('/v2/translate').map(({ body }) => body['custom_instructions']);
    expect(spanish).toEqual([
      'Be friendly.',
      'Use short words. '.repeat(17).trim(),
      'Use short words. '.repeat(13).trim(),
    ]);
    expect(hindi).toBeUndefined();
    expect(customInstructions('x'.repeat(4_000), 'DE').map(({ length }) => length)).toEqual(
      Array.from({ length: 10 }, () => 300),
    );
  });

  it('splits what is too large, and tells of a quota that is used up', async () => {
    service = deepl();
    const segments: Segment[] = Array.from({ length: 120 }, (_, index) => [paragraph(1 + (index % 7))]);
    expect((await translated(make(), segments)).segments).toEqual(
      segments.map((each) => [segmentText(each).toUpperCase()]),
    );
    first = [[456, { message: 'Quota exceeded' }]];
    expect(await fault(make(), 'quota')).toContain('456');
    first = [[200, { translations: [] }]];
    expect(await fault(make(), 'malformed')).toContain('0 answers to 1 texts');
  });
});

describe('a language model', () => {
  const KEY = 'Bearer key-of-bindery';
  type Text = { readonly id: number; readonly text: string };
  const textsOf = ({ body }: Asked): readonly Text[] =>
    (JSON.parse((body['messages'] as { content: string }[])[1]?.content ?? '') as { texts: Text[] }).texts;
  const said = (content: string, finish = 'stop'): Reply => [
    200,
    {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }],
      usage: { total_tokens: 9 },
    },
  ];
  const translations = (texts: readonly Text[]): string =>
    JSON.stringify({ translations: texts.map(({ id, text: each }) => ({ id, text: raised(each) })) });
  const chat =
    (answer: (texts: readonly Text[], asked: Asked) => Reply = (texts) => said(translations(texts))): Service =>
    (received) =>
      received.headers.authorization === KEY
        ? answer(textsOf(received), received)
        : [
            401,
            {
              error: { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' },
            },
          ];
  const make = (timeout?: number): Engine => new ChatModel(http(KEY, timeout), 'model-1');
  const PATH = '/chat/completions';
  commonFaults(make, PATH, () => chat());

  it('gets numbered texts, terms that occur and instructions', async () => {
    service = chat();
    const answer = await translated(make(), [MARKED, ['Two']], {
      target: 'pt-br',
      instructions: 'Be formal.',
      glossary: [
        { source: 'page', target: 'página' },
        { source: 'absent', target: 'ausente' },
      ],
    });
    expect(answer.segments).toEqual([RAISED, ['TWO']]);
    const { messages, ...body } = posted(PATH)[0]?.body ?? {};
    expect(body).toEqual({ model: 'model-1', temperature: 0 });
    const [system, user] = messages as { role: string; content: string }[];
    expect(system).toMatchObject({
      role: 'system',
      content: expect.stringMatching(/from English to Brazilian Portuguese[^]*"page" → "página"[^]*Be formal\./),
    });
    expect(system?.content).not.toContain('ausente');
    expect(JSON.parse(user?.content ?? '')).toEqual({
      texts: [
        { id: 1, text: 'Open <g id="1">the <g id="2">page</g></g> with <x id="3"/> &amp; more &lt; less.' },
        { id: 2, text: 'Two' },
      ],
    });
  });

  it.each<[string, (texts: readonly Text[]) => string]>([
    ['in a fence with words around', (texts) => `Here you are:\n\`\`\`json\n${translations(texts)}\n\`\`\`\nEnjoy.`],
    ['after its thoughts', (texts) => `<think>{"translations": []} [maybe]</think>${translations(texts)}`],
    [
      'as an array with ids in quotes',
      (texts) => JSON.stringify(texts.map(({ id, text: each }) => ({ id: String(id), text: raised(each) }))),
    ],
  ])('may answer %s', async (_, answer) => {
    service = chat((texts) => said(answer(texts)));
    expect((await translated(make(), [MARKED, ['Two']])).segments).toEqual([RAISED, ['TWO']]);
    expect(posted(PATH)).toHaveLength(1);
  });

  it.each<[string, (texts: readonly Text[]) => string]>([
    ['leaves one out', (texts) => translations(texts.slice(0, -1))],
    ['gives one twice', (texts) => translations([...texts.slice(0, -1), ...texts.slice(0, 1)])],
    ['makes one up', (texts) => translations([...texts, { id: texts.length + 1, text: 'more' }])],
    [
      'breaks a marker',
      (texts) =>
        translations(
          texts.map((each, index) => (index === 0 ? { ...each, text: each.text.replace('</g>', '') } : each)),
        ),
    ],
    [
      'drops a placeholder',
      (texts) =>
        translations(
          texts.map((each, index) => (index === 0 ? { ...each, text: each.text.replace(/<x[^>]*>/, '') } : each)),
        ),
    ],
    ['gives no JSON', () => 'I am sorry, I cannot do that.'],
  ])('is asked once more where it %s, then for each text alone', async (_, answer) => {
    const source: Segment[] = [MARKED, ['Two'], ['Three ', { opaque: 1 }]];
    service = chat((texts) => said(asked.length === 1 ? answer(texts) : translations(texts)));
    expect((await translated(make(), source)).segments).toEqual([RAISED, ['TWO'], ['THREE ', { opaque: 1 }]]);
    expect(posted(PATH)).toHaveLength(2);
    asked = [];
    service = chat((texts) => said(texts.length > 1 || asked.length === 1 ? answer(texts) : translations(texts)));
    expect((await translated(make(), source)).segments).toEqual([RAISED, ['TWO'], ['THREE ', { opaque: 1 }]]);
    expect(asked.length).toBeLessThanOrEqual(5);
  });

  it('leaves out what it never gets right, and fails where that is everything', async () => {
    service = chat((texts) => said(translations(texts).replaceAll('</g>', '')));
    expect((await translated(make(), [MARKED, ['Two']])).segments).toEqual([undefined, ['TWO']]);
    service = chat(() => said('Hello!'));
    await expect(translated(make(), [MARKED, ['Two']])).rejects.toMatchObject({
      code: 'malformed',
      message: expect.stringContaining('model-1'),
    });
  });

  it.each<[string, Reply]>([
    ['an answer that was cut off', said('{"translations": [{"id": 1, "te', 'length')],
    [
      'a context that is too long',
      [
        400,
        {
          error: {
            message: "This model's maximum context length is 4096 tokens.",
            type: 'invalid_request_error',
            code: 'context_length_exceeded',
          },
        },
      ],
    ],
    ['a body that is too large', [413, 'Payload Too Large']],
  ])('is asked for halves after %s', async (_, tooMuch) => {
    service = chat((texts) =>
      texts.map((each) => each.text).join('').length > 400 ? tooMuch : said(translations(texts)),
    );
    const segments: Segment[] = [[paragraph(4)], [paragraph(30)], ['Three']];
    expect((await translated(make(), segments)).segments).toEqual(
      segments.map((each) => [segmentText(each).toUpperCase()]),
    );
  });

  it('does without a temperature where the model wants its own, and does not wait for money', async () => {
    service = chat((texts, { body }) =>
      'temperature' in body
        ? [
            400,
            {
              error: {
                message: "Unsupported value: 'temperature' does not support 0 with this model.",
                code: 'unsupported_value',
              },
            },
          ]
        : said(translations(texts)),
    );
    const engine = make();
    expect((await translated(engine, [MARKED])).segments).toEqual([RAISED]);
    await translated(engine, [MARKED]);
    expect(posted(PATH).map(({ body }) => 'temperature' in body)).toEqual([true, false, false]);
    service = chat(() => [
      429,
      { error: { message: 'You exceeded your current quota', type: 'insufficient_quota', code: 'insufficient_quota' } },
    ]);
    await fault(make(), 'quota');
    expect(posted(PATH)).toHaveLength(4);
    service = chat();
    await fault(new ChatModel(http('Bearer other'), 'model-1'), 'refused');
  });
});

describe('the choice of an engine', () => {
  const engines = (env: Readonly<Record<string, string>>): TranslationEngines =>
    new TranslationEngines(loadConfig({ APERTIUM_MODES: '/nonexistent', ...env }), outbound, new Registry([]));
  const name = async (env: Readonly<Record<string, string>>, target: string): Promise<string> => {
    const chosen = await engines(env).choose('en', target);
    return 'name' in chosen ? chosen.name : chosen.reason;
  };

  it('follows the order of the setting, and goes on where a pair is missing', async () => {
    service = ({ path }) => (path === '/languages' ? [200, [{ code: 'en', targets: ['es'] }]] : [404, {}]);
    const env = { LIBRETRANSLATE_URL: base(), LLM_URL: `${base()}/v1/`, LLM_MODEL: 'm' };
    expect(await name(env, 'es')).toBe('chat m en es');
    expect(await name({ ...env, TRANSLATION_ENGINES: 'libretranslate,llm' }, 'es')).toBe('libretranslate en es');
    expect(await name({ ...env, TRANSLATION_ENGINES: 'libretranslate,llm' }, 'ja')).toBe('chat m en ja');
    expect(await name({ ...env, TRANSLATION_ENGINES: 'libretranslate,apertium' }, 'ja')).toMatch(
      /^This server has no translation engine from en to ja\. It has LibreTranslate \(en to es\)\./,
    );
    expect(await name({}, 'es')).toContain('It has none at all.');
  });

  it('has the keys of the settings', async () => {
    service = ({ path }) =>
      path === '/languages' ? [200, [{ code: 'en', targets: ['es'] }]] : [200, { translatedText: ['Casa'] }];
    const chosen = await engines({ LIBRETRANSLATE_URL: base(), LIBRETRANSLATE_API_KEY: 'a key' }).choose('en', 'es');
    if (!('translate' in chosen)) throw new Error(chosen.reason);
    await chosen.translate([['House']], job());
    expect(posted('/translate').map(({ body }) => body['api_key'])).toEqual(['a key']);
    service = () => [200, []];
    await engines({ DEEPL_API_KEY: 'another', DEEPL_URL: base() })
      .choose('en', 'es')
      .catch(() => undefined);
    expect(asked.at(-1)?.headers.authorization).toBe('DeepL-Auth-Key another');
  });

  it('takes no other engine while one that comes first cannot be asked', async () => {
    service = () => [403, { message: 'Forbidden' }];
    await expect(
      engines({ DEEPL_API_KEY: 'k', DEEPL_URL: base(), LLM_URL: base(), LLM_MODEL: 'm' }).choose('en', 'es'),
    ).rejects.toMatchObject({ name: 'EngineError', code: 'refused' });
  });
});
