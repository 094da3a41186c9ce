import type { WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import type { TermTranslation } from './domain/glossary.js';
import { keepsNesting, trimmed, untrimmed } from './domain/line-edges.js';
import { memoryKey, segmentDigest, type TranslationStyle } from './domain/memory-key.js';
import { hasWords, segmentText, type Segment } from './domain/segment.js';
import { UNSTORABLE } from './domain/target-faults.js';
import type { ChosenEngine } from './engines/translation-engines.js';
import { EngineError } from './engines/engine-error.js';
import type { Corrections } from './segments/corrections.js';
import type { MemoryPlace, Remembered, TranslationMemory } from './translation-memory.js';
import { TERMS_IN_TEXTS } from './translation-tasks.js';

/** Segments that are sent to an engine at once; each such batch is remembered before the next one is sent. */
const BATCH_SEGMENTS = 200;
const BATCH_CHARACTERS = 20_000;
/** Characters in which terms are looked up at once. */
const LOOKUP_CHARACTERS = 256 * 1024;
/** From this number of segments on, an engine without any usable answer for a whole batch has failed. */
const TELLING = 5;

/** The settings of a run. */
export interface Translating {
  readonly translationId: string;
  readonly place: MemoryPlace;
  readonly manner: TranslationStyle;
  /** All terms between the two languages. */
  readonly glossary: readonly TermTranslation[];
  /** The organization that the work counts for. */
  readonly party: string;
  readonly engine: ChosenEngine;
  readonly signal: AbortSignal;
}

interface Asked {
  readonly key: string;
  readonly asked: Segment;
  readonly terms: readonly TermTranslation[];
}

/** Segments with their translations. */
export interface Spoken {
  readonly say: (segment: Segment) => Segment;
  /** Tells whether a person has said how this is translated. */
  readonly isCorrected: (segment: Segment) => boolean;
  /** Tells whether the engine could translate all of these; untranslated ones stay unchanged. */
  readonly isWhole: (segments: readonly Segment[]) => boolean;
}

/** Translates segments: as people have said, then as the memory knows, the others with the engine. */
export class SegmentTranslator {
  constructor(
    private readonly memory: TranslationMemory,
    private readonly corrections: Corrections,
    private readonly by: Translating,
    private readonly workers: WorkerPool,
  ) {}

  async speak(segments: readonly Segment[]): Promise<Spoken> {
    const asked = new Map<string, Asked>();
    const keys = new Map<string, string>();
    const all = [...new Map(segments.map((segment) => [JSON.stringify(segment), segment]))];
    const corrected = await this.corrected(all);
    const once = all.filter(([text]) => !corrected.has(text));
    const found = await this.termsIn(once.map(([, segment]) => segmentText(segment)));
    for (const [index, [text, segment]] of once.entries()) {
      const terms = found[index] ?? [];
      const key = memoryKey(this.by.manner, terms, segment);
      keys.set(text, key);
      asked.set(key, { key, asked: segment, terms });
    }
    const known = await this.memory.recall(this.by.place, [...asked.keys()]);
    const unknown = [...asked.values()].filter(({ key }) => !known.has(key));
    for (const batch of batches(unknown)) {
      const said = await this.ask(batch);
      await this.memory.remember(this.by.place, this.by.translationId, said);
      for (const { key, answer } of said) known.set(key, answer);
    }
    const answerOf = (segment: Segment): Segment | undefined => {
      const text = JSON.stringify(segment);
      return corrected.get(text) ?? known.get(keys.get(text) ?? '');
    };
    return {
      say: (segment) => answerOf(segment) ?? segment,
      isCorrected: (segment) => corrected.has(JSON.stringify(segment)),
      isWhole: (some) => some.every((segment) => answerOf(segment) !== undefined),
    };
  }

  /** The translations that people have given, by the JSON of segments. */
  private async corrected(all: readonly (readonly [string, Segment])[]): Promise<Map<string, Segment>> {
    const digests = all.map(([, segment]) => segmentDigest(segment));
    const found = await this.corrections.recall(this.by.party, this.by.translationId, digests);
    return new Map(
      all.flatMap(([text], index): [string, Segment][] => {
        const target = found.get(digests[index] ?? '');
        return target ? [[text, target]] : [];
      }),
    );
  }

  /** The terms of the glossary in each text. */
  private async termsIn(texts: readonly string[]): Promise<readonly (readonly TermTranslation[])[]> {
    const { glossary, party, manner } = this.by;
    const language = manner.source;
    if (glossary.length === 0) return [];
    const found: TermTranslation[][] = [];
    for (let from = 0, to = 0; from < texts.length; from = to) {
      for (
        let length = 0;
        to < texts.length && (to === from || length + (texts[to]?.length ?? 0) <= LOOKUP_CHARACTERS);
        to++
      )
        length += texts[to]?.length ?? 0;
      found.push(
        ...(await this.workers.run(TERMS_IN_TEXTS, { language, glossary, texts: texts.slice(from, to) }, { party })),
      );
    }
    return found;
  }

  /** Returns answers that keep their markers; for the others translates their texts one by one. */
  private async ask(batch: readonly Asked[]): Promise<Remembered[]> {
    const answers = await this.send(
      batch.map(({ asked }) => asked),
      batch,
    );
    const broken = batch.filter(({ asked }, index) => !isUsable(asked, answers[index]));
    const texts = [...new Set(broken.flatMap(({ asked }) => asked.flatMap((piece) => wordsIn(piece))))];
    const inWords =
      texts.length === 0
        ? []
        : await this.send(
            texts.map((text) => [text]),
            broken,
          );
    const said = new Map(texts.map((text, index) => [text, inWords[index]]));
    const result = batch.flatMap(({ key, asked }, index): Remembered[] => {
      const whole = answers[index];
      const answer = whole && isUsable(asked, whole) ? whole : inParts(asked, said);
      return answer ? [{ key, asked, answer }] : [];
    });
    if (result.length === 0 && batch.length >= TELLING)
      throw new EngineError('malformed', 'The translation engine could not translate anything that it was sent');
    return result;
  }

  private async send(segments: readonly Segment[], asked: readonly Asked[]): Promise<readonly (Segment | undefined)[]> {
    const { engine, manner, signal } = this.by;
    const glossary = [
      ...new Map(asked.flatMap(({ terms }) => terms.map((term) => [term.source, term] as const))).values(),
    ];
    const job = {
      source: manner.source,
      target: manner.target,
      ...(manner.instructions !== '' && { instructions: manner.instructions }),
      glossary,
      signal,
    };
    const answers = (await engine.translate(segments, job)).segments;
    return answers.map((answer) => (answer && UNSTORABLE.test(segmentText(answer)) ? undefined : answer));
  }
}

function isUsable(asked: Segment, answer: Segment | undefined): boolean {
  return answer !== undefined && keepsNesting(asked, answer);
}

function wordsIn(piece: Segment[number]): string[] {
  return typeof piece === 'string' && hasWords([piece]) ? [piece.trim()] : [];
}

/** The segment with each of its texts translated separately; undefined if one of them could not be translated. */
function inParts(asked: Segment, said: ReadonlyMap<string, Segment | undefined>): Segment | undefined {
  const parts = asked.map((piece) => {
    const [words] = wordsIn(piece);
    if (typeof piece !== 'string' || words === undefined) return piece;
    const answer = said.get(words);
    if (answer === undefined) return undefined;
    return segmentText(untrimmed({ ...trimmed([piece]), core: [segmentText(answer)] }));
  });
  return parts.includes(undefined) ? undefined : parts.filter((part) => part !== undefined);
}

function* batches(asked: readonly Asked[]): Generator<readonly Asked[]> {
  let batch: Asked[] = [];
  let characters = 0;
  for (const each of asked) {
    const length = segmentText(each.asked).length;
    if (batch.length > 0 && (batch.length >= BATCH_SEGMENTS || characters + length > BATCH_CHARACTERS)) {
      yield batch;
      [batch, characters] = [[], 0];
    }
    batch.push(each);
    characters += length;
  }
  if (batch.length > 0) yield batch;
}
