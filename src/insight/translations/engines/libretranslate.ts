import { LRUCache } from 'lru-cache';
import { propertyOf } from '../../../kernel/common/property-of.js';
import { type Segment } from '../domain/segment.js';
import { inBatches } from './batches.js';
import { fromTagged, toTagged } from './domain/tagged-text.js';
import { EngineError } from './engine-error.js';
import { serviceErrorMessage, type EngineHttp, type HttpAnswer } from './engine-http.js';
import type { Engine, EngineAnswer, TranslationJob, Translator } from './translation-engine.js';

/** Below the limits of public servers; servers with lower limits receive halves. */
const LIMITS = { segments: 40, characters: 4_000 };
const LANGUAGES_MS = 3_600_000;
/** Codes of the public contract that servers write differently, depending on their version. */
const CODES: Readonly<Record<string, readonly string[]>> = {
  zh: ['zh', 'zh-Hans'],
  'zh-tw': ['zh-Hant', 'zt'],
  'pt-br': ['pt-BR', 'pb'],
  no: ['nb', 'no'],
};

interface Language {
  readonly code: string;
  readonly targets: readonly string[];
}

/** A LibreTranslate server. It keeps markup, and supports neither glossaries nor instructions. */
export class LibreTranslate implements Engine {
  readonly title = 'LibreTranslate';
  private readonly languages = new LRUCache<'all', readonly Language[]>({ max: 1, ttl: LANGUAGES_MS });

  constructor(
    private readonly http: EngineHttp,
    private readonly key: string | undefined,
  ) {}

  async find(source: string, target: string): Promise<Translator | undefined> {
    const languages = await this.available();
    for (const from of languages.filter(({ code }) => codesOf(source).includes(code))) {
      const to = codesOf(target).find((code) => from.targets.includes(code));
      if (to !== undefined)
        return {
          name: `libretranslate ${from.code} ${to}`,
          hides: 'words',
          translate: (segments, job) => this.translate(from.code, to, segments, job),
        };
    }
    return undefined;
  }

  async offer(): Promise<string> {
    return (await this.available())
      .map(({ code, targets }) => `${code} to ${targets.filter((target) => target !== code).join('/')}`)
      .join(', ');
  }

  private async available(): Promise<readonly Language[]> {
    const known = this.languages.get('all');
    if (known) return known;
    const answer = await this.http.ask('/languages', { method: 'GET' });
    const list = answer.status === 200 && Array.isArray(answer.body) ? answer.body.map(languageOf) : [];
    const languages = list.filter((language) => language !== undefined);
    if (languages.length === 0) throw this.http.fault(answer);
    this.languages.set('all', languages);
    return languages;
  }

  private async translate(
    source: string,
    target: string,
    segments: readonly Segment[],
    { signal }: TranslationJob,
  ): Promise<EngineAnswer> {
    const answers = await inBatches(segments, LIMITS, async (batch) => {
      const q = batch.map((segment) => toTagged(segment, 'html'));
      const answer = await this.http.ask('/translate', {
        body: { q, source, target, format: 'html', ...(this.key !== undefined && { api_key: this.key }) },
        signal,
      });
      if (isTooLarge(answer)) return 'tooLarge';
      if (answer.status !== 200) throw this.http.fault(answer);
      const texts = propertyOf(answer.body, 'translatedText');
      if (!Array.isArray(texts) || texts.length !== batch.length)
        throw new EngineError(
          'malformed',
          `LibreTranslate gave ${Array.isArray(texts) ? texts.length : 'no'} answers to ${batch.length} texts`,
        );
      return texts.map((text) => (typeof text === 'string' ? fromTagged(text) : undefined));
    });
    return { segments: answers };
  }
}

const codesOf = (language: string): readonly string[] => CODES[language] ?? [language];

function languageOf(value: unknown): Language | undefined {
  const code = propertyOf(value, 'code');
  const targets = propertyOf(value, 'targets');
  return typeof code === 'string' && Array.isArray(targets)
    ? { code, targets: targets.filter((each) => typeof each === 'string') }
    : undefined;
}

/** Servers limit the texts and the characters of a request, with the same message. */
function isTooLarge(answer: HttpAnswer): boolean {
  return answer.status === 413 || (answer.status === 400 && /\blimit\b/i.test(serviceErrorMessage(answer.body)));
}
