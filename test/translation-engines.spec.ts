import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { loadConfig } from '../src/config.js';
import { Registry } from '../src/kernel/platform/manifest/registry.js';
import { Outbound } from '../src/kernel/platform/outbound/outbound.js';
import {
  mergeAdjacentTexts,
  keepsMarkers,
  segmentText,
  type SegmentPiece,
  type Segment,
} from '../src/insight/translations/domain/segment.js';
import { Apertium } from '../src/insight/translations/engines/apertium.js';
import { ApertiumPipeline } from '../src/insight/translations/engines/apertium-pipeline.js';
import { Bergamot } from '../src/insight/translations/engines/bergamot.js';
import { checkedTranslation } from '../src/insight/translations/engines/checked-translation.js';
import { modeFor, pairsOf, pipelineOf } from '../src/insight/translations/engines/domain/apertium-modes.js';
import { beginningLike, fromStream, toStream } from '../src/insight/translations/engines/domain/apertium-stream.js';
import { TranslationEngines } from '../src/insight/translations/engines/translation-engines.js';
import { ModelThread } from '../src/insight/translations/engines/model-thread.js';
import type { TranslationJob, Translator } from '../src/insight/translations/engines/translation-engine.js';
import { rounds } from './property/content-generators.js';

const MODES = '/usr/share/apertium/modes';
const installed = existsSync(join(MODES, 'eng-spa.mode')) && existsSync(join(MODES, 'eng-cat.mode'));
if (!installed)
  console.warn(
    'Apertium is not installed (apt-get install apertium apertium-eng-spa apertium-eng-cat): what it does itself is not tested',
  );

const job = (rest: Partial<TranslationJob> = {}): TranslationJob => ({
  source: 'en',
  target: 'es',
  glossary: [],
  signal: new AbortController().signal,
  ...rest,
});
const linked = (before: string, text: string, after: string): Segment => [
  before,
  { open: 1 },
  text,
  { close: 1 },
  after,
];

/** Runs of text and markers that pair up. */
const words = fc.string({ unit: fc.constantFrom(...'abcdeéZ  .,*#@+~^$/\\<>{}[]&_-0%\n😀日'), maxLength: 14 });
const segments: fc.Arbitrary<Segment> = fc
  .array(fc.tuple(words, fc.constantFrom('text', 'opaque', 'open', 'close')), { maxLength: 12 })
  .map((parts) => {
    const open: number[] = [];
    let next = 1;
    const run = parts.flatMap(([text, kind]): SegmentPiece[] => {
      if (kind === 'opaque') return [text, { opaque: next++ }];
      if (kind === 'open') return [text, { open: open[open.push(next++) - 1] ?? 0 }];
      const close = kind === 'close' ? open.pop() : undefined;
      return close === undefined ? [text] : [text, { close }];
    });
    return [...run, ...open.reverse().map((close) => ({ close }))];
  });
/** The text of a run with what is opaque in its place. */
const shape = (segment: Segment): string =>
  segment.map((piece) => (typeof piece === 'string' ? piece : JSON.stringify(piece))).join('');

describe('what every engine is asked through', () => {
  const echo = (change: (segment: Segment) => Segment | undefined): Translator => ({
    name: 'echo',
    hides: 'words',
    translate: async (sent) => ({ segments: sent.map(change) }),
  });

  it('gives each segment back with its markers, or none', async () => {
    const random = fc.tuple(
      segments,
      fc.constantFrom('kept', 'reordered', 'dropped', 'doubled', 'emptied', 'none'),
      fc.nat(),
    );
    await fc.assert(
      fc.asyncProperty(random, async ([source, what, seed]) => {
        const changed = (segment: Segment): Segment | undefined => {
          const at = seed % Math.max(1, segment.length);
          switch (what) {
            case 'kept':
              return segment;
            case 'reordered':
              return [...segment.slice(at), ...segment.slice(0, at)];
            case 'dropped':
              return segment.filter((_, index) => index !== at);
            case 'doubled':
              return segment.flatMap((piece, index) => (index === at ? [piece, piece] : [piece]));
            case 'emptied':
              return segment.filter((piece) => typeof piece !== 'string');
            default:
              return undefined;
          }
        };
        const {
          segments: [answer],
        } = await checkedTranslation(echo(changed), [source], job());
        if (what === 'kept') expect(shape(answer ?? [])).toBe(shape(source));
        expect(answer === undefined || keepsMarkers(source, answer)).toBe(true);
        if (what === 'none' && /\p{L}/u.test(segmentText(source).replace(/\S*[^\p{L}\s]\S*/gu, '')))
          expect(answer).toBeUndefined();
      }),
      { numRuns: rounds(200) },
    );
  });

  it('sends neither addresses, names of files and options, terms nor space, and nothing without words', async () => {
    const sent: Segment[] = [];
    const translator: Translator = {
      name: 'upper',
      hides: 'words',
      translate: async (all) => (
        sent.push(...all),
        { segments: all.map((each) => each.map((piece) => (typeof piece === 'string' ? piece.toUpperCase() : piece))) }
      ),
    };
    const texts = [
      '  See https://example.com/a?b=c. ',
      'run install.sh --dry-run now',
      'Dashboard of a dashboard',
      'mail a@b.example or {{name}}',
      'one\ntwo',
      'set max_size to <b> &amp; on',
      '42 %',
      ' ',
    ];
    const answer = await checkedTranslation(
      translator,
      texts.map((text) => [text]),
      job({ glossary: [{ source: 'dashboard', target: 'panel' }] }),
    );
    expect(answer.segments).toEqual([
      ['  SEE https://example.com/a?b=c. '],
      ['RUN install.sh --dry-run NOW'],
      ['Panel OF A panel'],
      ['MAIL a@b.example OR {{name}}'],
      ['ONE\nTWO'],
      ['SET max_size TO <b> &amp; ON'],
      ['42 %'],
      [' '],
    ]);
    expect(sent.map(segmentText)).toEqual(['See .', 'run   now', ' of a ', 'mail  or ', 'onetwo', 'set  to   on']);
  });

  it('does not take a mark whose words are lost, though something hidden stands in it', async () => {
    const source: Segment = ['a', { open: 1 }, 'b', { open: 2 }, '\n', { close: 2 }, { close: 1 }];
    const { segments } = await checkedTranslation(
      echo((segment) => segment.filter((piece) => piece !== 'b')),
      [source],
      job(),
    );
    expect(segments).toEqual([undefined]);
  });

  it('does not take too few answers', async () => {
    const translator: Translator = { name: 'few', hides: 'nothing', translate: async () => ({ segments: [['uno']] }) };
    await expect(checkedTranslation(translator, [['one'], ['two']], job())).rejects.toMatchObject({
      name: 'EngineError',
      code: 'malformed',
    });
  });
});

describe('the stream of Apertium', () => {
  it('gives back what it was given', () => {
    fc.assert(
      fc.property(segments, (segment) => {
        const single = mergeAdjacentTexts(segment).map((piece) =>
          typeof piece === 'string' ? piece.replace(/ {2,}/g, ' ') : piece,
        );
        expect(fromStream(toStream(single))?.segment).toEqual(single);
      }),
      { numRuns: rounds(300) },
    );
  });

  it('counts what was not known, and tells foreign blanks', () => {
    expect(fromStream('un *webhook \\* @blorb [x1] #ir [s42][]')).toEqual({
      segment: ['un webhook * blorb ', { opaque: 1 }, ' ir *'],
      unknownWords: 2,
    });
    expect(fromStream('un [y1]')).toBeUndefined();
    expect(fromStream('un \\')).toBeUndefined();
  });

  it('begins small what begins small, but for names in capitals', () => {
    expect(beginningLike(['house'], ['Casa'])).toEqual(['casa']);
    expect(beginningLike([{ opaque: 1 }, ' installs it'], [{ opaque: 1 }, ' Lo instala'])).toEqual([
      { opaque: 1 },
      ' lo instala',
    ]);
    expect(beginningLike(['vat'], ['IVA'])).toEqual(['IVA']);
    expect([
      beginningLike(['House'], ['Casa']),
      beginningLike(['42'], ['42']),
      beginningLike(['a'], [{ opaque: 1 }]),
    ]).toEqual([['Casa'], ['42'], [{ opaque: 1 }]]);
  });

  it('finds modes by the codes of the public contract', () => {
    const files = [
      'README',
      'eng-spa.mode',
      'eng-cat_valencia.mode',
      'es-pt.mode',
      'es-pt_BR.mode',
      'spa-eng_US.mode',
      'nno-nob.mode',
    ];
    expect([
      modeFor(files, 'en', 'es'),
      modeFor(files, 'es', 'pt'),
      modeFor(files, 'es', 'pt-br'),
      modeFor(files, 'nno', 'no'),
      modeFor(files, 'en', 'ca'),
    ]).toEqual(['eng-spa', 'es-pt', 'es-pt_BR', 'nno-nob', undefined]);
    expect(pairsOf(files)).toEqual(['en to es', 'es to pt', 'es to pt-br', 'nno to no']);
  });

  it('makes pipelines of programs that it knows', () => {
    expect(pipelineOf("# by hand\nlt-proc 'a.bin' | apertium-tagger -g $2 'b.prob' | lt-proc $1 'c.bin'\n")).toBe(
      "lt-proc -z 'a.bin' | apertium-tagger -z -g  'b.prob' | lt-proc -z -g 'c.bin'",
    );
    expect(['rm -rf / | lt-proc a', 'lt-proc a; true', 'lt-proc $(true)', 'lt-proc-x a', ''].map(pipelineOf)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

/** Processes of a folder's modes that run, as `ps` tells them. */
const running = (what: string): number =>
  execFileSync('ps', ['-eo', 'args'])
    .toString()
    .split('\n')
    .filter((line) => line.includes(what)).length;

(installed || process.env['REQUIRE_APERTIUM'] ? describe : describe.skip)('Apertium', () => {
  const engines = new TranslationEngines(loadConfig({}), new Outbound({ outboundAllow: [] }), new Registry([]));
  const apertium = new Apertium(MODES, { answer: 3_000, idle: 100 });
  afterAll(() => {
    engines.onApplicationShutdown();
    apertium.close();
  });

  it('translates, with marks around the words that they were around', async () => {
    const chosen = await engines.choose('en', 'es');
    if (!('translate' in chosen)) throw new Error(chosen.reason);
    expect(chosen.name).toMatch(/^apertium eng-spa \d+$/);
    const source = [
      linked('See the ', 'installation guide', '.'),
      ['Use the ', { opaque: 4 }, ' option of C# * @ # ~ [x] \\ ^ {y}.'],
      ['A webhooq.'],
      ['42'],
      [{ opaque: 1 }],
      ['house'],
    ] satisfies Segment[];
    const answer = await chosen.translate(source, job());
    expect(answer.segments[0]).toEqual([
      expect.stringMatching(/^V\S+ l?a $/),
      { open: 1 },
      'guía de instalación',
      { close: 1 },
      '.',
    ]);
    expect(shape(answer.segments[1] ?? [])).toMatch(
      /^Uso la \{"opaque":4\} opción de C# \* @ # ~ \[x\] \\ \^ \{y\}\.$/,
    );
    expect(answer.segments.slice(2)).toEqual([['Un webhooq.'], ['42'], [{ opaque: 1 }], ['casa']]);
    expect(answer.unknownWords).toBeGreaterThanOrEqual(1);
  });

  it('keeps terms of the glossary, and translates into Catalan', async () => {
    const chosen = await engines.choose('en', 'ca');
    if (!('translate' in chosen)) throw new Error(chosen.reason);
    const answer = await chosen.translate(
      [['The page shows the dashboard.'], ['The editor shows both versions of the page.']],
      job({ target: 'ca', glossary: [{ source: 'Dashboard', target: 'tauler de control' }] }),
    );
    expect(answer.segments.map((each) => segmentText(each ?? []))).toEqual([
      expect.stringMatching(/^La pàgina .*tauler de control\.$/),
      "L'editor mostra ambdues versions de la pàgina.",
    ]);
  });

  it('says what there is where it has no pair', async () => {
    expect(await engines.choose('en', 'ja')).toEqual({
      reason: expect.stringMatching(
        /^This server has no translation engine from en to ja\. It has Apertium \(.*en to ca.*en to es.*\)\. /,
      ),
    });
  });

  it('answers in order however many ask at once, and any text with its markers or not at all', async () => {
    const translator = await apertium.find('en', 'es');
    if (translator === undefined) throw new Error('no pair');
    const numbers = await Promise.all(
      Array.from({ length: 8 }, (_, call) =>
        checkedTranslation(
          translator,
          Array.from({ length: 40 }, (__, index) => [`page ${call * 40 + index}`]),
          job(),
        ),
      ),
    );
    expect(
      numbers.flatMap(({ segments: all }) => all.map((each) => Number(/\d+/.exec(segmentText(each ?? []))?.[0]))),
    ).toEqual(Array.from({ length: 320 }, (_, index) => index));
    const sources = fc.sample(segments, { numRuns: rounds(60), seed: 7 });
    const answers = (await checkedTranslation(translator, sources, job())).segments;
    expect(answers.every((answer, index) => answer === undefined || keepsMarkers(sources[index] ?? [], answer))).toBe(
      true,
    );
    expect(answers.filter((answer) => answer !== undefined).length).toBeGreaterThan(sources.length * 0.9);
  });

  it('ends its processes when there is nothing to do, and when it is told to stop', async () => {
    const translator = await apertium.find('es', 'en');
    await translator?.translate([['página']], job());
    expect(running('spa-eng.automorf.bin')).toBeGreaterThan(0);
    // A process that is told to end is still seen for a moment.
    const expectEnd = async (): Promise<void> => {
      for (let waited = 0; running('spa-eng.automorf.bin') > 0 && waited < 3_000; waited += 50)
        await new Promise((resolve) => setTimeout(resolve, 50));
      expect(running('spa-eng.automorf.bin')).toBe(0);
    };
    await expectEnd();
    const stop = new AbortController();
    const translating = translator?.translate(
      Array.from({ length: 2_000 }, () => ['una página con muchas palabras']),
      job({ signal: stop.signal }),
    );
    setTimeout(() => stop.abort(), 20);
    await expect(translating).rejects.toMatchObject({ code: 'cancelled' });
    await expectEnd();
  });
});

describe('processes that hang or end', () => {
  const ECHO = `let rest = ''; let joined = ''; process.stdin.setEncoding('utf8').on('data', (chunk) => {
    const texts = (rest + chunk).split('\\0');
    rest = texts.pop();
    for (const text of texts) {
      if (text.startsWith('end')) process.exit(1);
      if (text.startsWith('hang')) return;
      if (text.startsWith('join')) { joined = text; continue; }
      process.stdout.write(joined + text + '\\0');
      joined = '';
    }
  });`;
  const pipelines = [
    new ApertiumPipeline(`'${process.execPath}' -e "${ECHO.replaceAll('\n', ' ')}"`, { answer: 400 }),
    new ApertiumPipeline('exit 1', { answer: 400 }),
  ];
  afterAll(() => pipelines.forEach((pipeline) => pipeline.stop()));
  const { signal } = new AbortController();

  it('are started anew, and whatever they hung at has no answer', async () => {
    const answers = await pipelines[0]?.answers(['a', 'hang', 'b', 'end', 'c', 'join', 'd', 'e', 'end'], signal);
    expect(answers).toEqual(['a', undefined, 'b', undefined, 'c', undefined, 'd', 'e', undefined]);
    expect(await pipelines[0]?.answers(['e'], signal)).toEqual(['e']);
  });

  it('are given up where none answers', async () => {
    await expect(pipelines[1]?.answers(['a', 'b', 'c', 'd'], signal)).rejects.toMatchObject({
      name: 'EngineError',
      code: 'unavailable',
    });
  });
});

describe('models of Firefox', () => {
  /** In place of the library, whose models are not part of this repository: capitals, and what may go wrong. */
  const LIBRARY = `exports.Translator = class {
    constructor(model, source, target) { this.name = [model, source, target].map(String).join(); }
    free() {}
    translate_long(text) {
      if (text === 'hang') for (;;);
      if (text === 'fail') throw new Error('no');
      return this.name + ' ' + text.toUpperCase();
    }
  };`;
  let folder: string;
  let bergamot: Bergamot;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'models-'));
    const models = {
      'library.cjs': LIBRARY,
      'enes/model.enes.bin': 'm',
      'enes/vocab.enes.spm': 'v',
      'en-zh/model.bin': 'n',
      'en-zh/srcvocab.spm': 's',
      'en-zh/trgvocab.spm': 't',
      'en-de/model.bin': 'alone',
      'es-en/model.bin': 'nonsense',
      'es-en/vocab.spm': 'v',
    };
    for (const [name, text] of Object.entries(models)) {
      await mkdir(join(folder, dirname(name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    bergamot = new Bergamot(folder, new ModelThread({ text: 500 }, join(folder, 'library.cjs')));
  });
  afterAll(async () => {
    bergamot.close();
    await rm(folder, { recursive: true });
  });

  it('are found in the folders of the settings', async () => {
    const names = await Promise.all(
      ['es', 'zh', 'de', 'fr'].map(async (target) => (await bergamot.find('en', target))?.name),
    );
    expect(names).toEqual(['bergamot enes model.enes.bin 1', 'bergamot en-zh model.bin 1', undefined, undefined]);
    expect((await bergamot.offer()).split(', ').sort()).toEqual(['en to es', 'en to zh', 'es to en']);
    expect(await new Bergamot('/nonexistent').offer()).toBe('');
    const modes = join(folder, 'modes');
    await mkdir(modes);
    await writeFile(join(modes, 'eng-cat.mode'), '');
    const settings = loadConfig({ BERGAMOT_MODELS: folder, APERTIUM_MODES: modes });
    const engines = new TranslationEngines(settings, new Outbound({ outboundAllow: [] }), new Registry([]));
    expect(await engines.choose('en', 'ja')).toEqual({
      reason: expect.stringMatching(/It has Bergamot \(en to .*\); Apertium \(en to ca\)\./),
    });
    engines.onApplicationShutdown();
  });

  it('translate what stands between markers, and leave out what takes too long', async () => {
    const translator = await bergamot.find('en', 'es');
    if (translator === undefined) throw new Error('no pair');
    const answer = await checkedTranslation(
      translator,
      [linked('See ', 'the guide', '.'), ['hang'], ['fail'], ['a https://b.example/c d'], ['last']],
      job(),
    );
    expect(answer.segments).toEqual([
      ['m,v,v SEE ', { open: 1 }, 'm,v,v THE GUIDE', { close: 1 }, '.'],
      undefined,
      undefined,
      ['m,v,v A https://b.example/c m,v,v D'],
      ['m,v,v LAST'],
    ]);
    expect((await (await bergamot.find('en', 'zh'))?.translate([['x']], job()))?.segments).toEqual([['n,s,t X']]);
    await expect(translator.translate([['hang']], job({ signal: AbortSignal.timeout(50) }))).rejects.toMatchObject({
      code: 'cancelled',
    });
  });

  it('are told apart from files of other kinds by the library itself', async () => {
    const real = new Bergamot(folder);
    const translator = await real.find('es', 'en');
    await expect(translator?.translate([['hola']], job())).rejects.toMatchObject({
      name: 'EngineError',
      code: 'unavailable',
      message: expect.stringContaining('cannot be read'),
    });
    real.close();
  });
});
