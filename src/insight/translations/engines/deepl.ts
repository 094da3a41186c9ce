import { LRUCache } from 'lru-cache';
import { propertyOf } from '../../../kernel/common/property-of.js';
import { TermFinder } from '../domain/glossary.js';
import { stemmerOf } from '../domain/stemmer.js';
import { segmentText, type Segment } from '../domain/segment.js';
import { inBatches } from './batches.js';
import { customInstructions } from './domain/deepl-instructions.js';
import { fromTagged, toTagged } from './domain/tagged-text.js';
import { EngineError } from './engine-error.js';
import type { EngineHttp } from './engine-http.js';
import type { Engine, EngineAnswer, GlossaryTerm, TranslationJob, Translator } from './translation-engine.js';

/** At most 50 texts and 128 KiB in a request; characters may take several bytes, and more with their tags. */
const LIMITS = { segments: 50, characters: 20_000 };
const LANGUAGES_MS = 3_600_000;
/**
 * Codes of the public contract that DeepL writes differently: of sources, and of targets, which may require a variant.
 */
const SOURCES: Readonly<Record<string, string>> = { 'pt-br': 'PT', 'zh-tw': 'ZH', no: 'NB' };
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  en: ['EN-US', 'EN'],
  pt: ['PT-PT', 'PT'],
  zh: ['ZH-HANS', 'ZH'],
  'zh-tw': ['ZH-HANT'],
  no: ['NB'],
};

interface Pair {
  readonly source: string;
  readonly target: string;
  readonly hasGlossaries: boolean;
}

/** The languages of DeepL, and the pairs with glossaries. */
interface Languages {
  readonly sources: readonly string[];
  readonly targets: readonly string[];
  /** Such as `en-de`. */
  readonly glossaries: ReadonlySet<string>;
}

/** The address of the API for a key: keys of the free plan end in `:fx`. */
export function deeplAddress(key: string): string {
  return key.endsWith(':fx') ? 'https://api-free.deepl.com' : 'https://api.deepl.com';
}

/**
 * DeepL. Terms of the glossary become a temporary glossary of DeepL for one call, instructions its custom instructions.
 */
export class DeepL implements Engine {
  readonly title = 'DeepL';
  private readonly languages = new LRUCache<'all', Languages>({ max: 1, ttl: LANGUAGES_MS });

  constructor(private readonly http: EngineHttp) {}

  async find(source: string, target: string): Promise<Translator | undefined> {
    const { sources, targets, glossaries } = await this.available();
    const from = SOURCES[source] ?? source.toUpperCase();
    const to = (TARGETS[target] ?? [target.toUpperCase()]).find((code) => targets.includes(code));
    if (to === undefined || !sources.includes(from)) return undefined;
    const pair = { source: from, target: to, hasGlossaries: glossaries.has(`${base(from)}-${base(to)}`) };
    return {
      name: `deepl ${from} ${to}`,
      hides: pair.hasGlossaries ? 'nothing' : 'words',
      translate: (segments, job) => this.translate(pair, segments, job),
    };
  }

  async offer(): Promise<string> {
    const { sources, targets } = await this.available();
    return `${sources.join('/').toLowerCase()} to ${targets.join('/').toLowerCase()}`;
  }

  private async available(): Promise<Languages> {
    const known = this.languages.get('all');
    if (known) return known;
    // One after another, so that no request continues after another one failed.
    const sources = await this.list('/v2/languages?type=source', (body) => body);
    const targets = await this.list('/v2/languages?type=target', (body) => body);
    // Without the list no glossaries are created, and terms are inserted by our own code.
    const glossaries = await this.list('/v2/glossary-language-pairs', (body) =>
      propertyOf(body, 'supported_languages'),
    ).catch(orNone);
    const pairs = glossaries.map(
      (pair) => `${String(propertyOf(pair, 'source_lang'))}-${String(propertyOf(pair, 'target_lang'))}`,
    );
    const languages = { sources: codesOf(sources), targets: codesOf(targets), glossaries: new Set(pairs) };
    this.languages.set('all', languages);
    return languages;
  }

  private async list(path: string, read: (body: unknown) => unknown): Promise<unknown[]> {
    const answer = await this.http.ask(path, { method: 'GET' });
    const list = read(answer.body);
    if (answer.status !== 200 || !Array.isArray(list)) throw this.http.fault(answer);
    return list as unknown[];
  }

  private async translate(pair: Pair, segments: readonly Segment[], job: TranslationJob): Promise<EngineAnswer> {
    const finder = new TermFinder(job.glossary, await stemmerOf(job.source));
    const terms = pair.hasGlossaries ? finder.in(segments.map(segmentText).join('\n')) : [];
    if (terms.length === 0) return { segments: await this.send(pair, segments, job, undefined) };
    const glossary = await this.makeGlossary(pair, terms, job.signal);
    try {
      return { segments: await this.send(pair, segments, job, glossary) };
    } finally {
      // Also after an abort. A remaining glossary is harmless.
      await this.http.ask(`/v3/glossaries/${glossary}`, { method: 'DELETE' }).catch(() => undefined);
    }
  }

  private async makeGlossary(
    { source, target }: Pair,
    terms: readonly GlossaryTerm[],
    signal: AbortSignal,
  ): Promise<string> {
    const clean = (text: string): string => text.replace(/\s+/g, ' ').trim();
    const entries = terms.map((term) => `${clean(term.source)}\t${clean(term.target)}`).join('\n');
    const dictionary = { source_lang: base(source), target_lang: base(target), entries, entries_format: 'tsv' };
    const answer = await this.http.ask('/v3/glossaries', {
      body: { name: 'Bindery (temporary)', dictionaries: [dictionary] },
      signal,
    });
    const id = propertyOf(answer.body, 'glossary_id');
    if (typeof id !== 'string' || !/^[\w-]+$/.test(id)) throw this.http.fault(answer);
    return id;
  }

  private async send(
    { source, target }: Pair,
    segments: readonly Segment[],
    job: TranslationJob,
    glossary: string | undefined,
  ): Promise<(Segment | undefined)[]> {
    const instructions = customInstructions(job.instructions, target);
    return inBatches(segments, LIMITS, async (batch) => {
      const answer = await this.http.ask('/v2/translate', {
        body: {
          text: batch.map((segment) => toTagged(segment, 'xml')),
          source_lang: source,
          target_lang: target,
          tag_handling: 'xml',
          tag_handling_version: 'v2',
          outline_detection: false,
          non_splitting_tags: ['g', 'x'],
          ignore_tags: ['x'],
          preserve_formatting: true,
          ...(glossary !== undefined && { glossary_id: glossary }),
          ...(instructions.length > 0 && { custom_instructions: instructions }),
        },
        signal: job.signal,
      });
      if (answer.status === 413) return 'tooLarge';
      if (answer.status !== 200) throw this.http.fault(answer);
      const translations = propertyOf(answer.body, 'translations');
      if (!Array.isArray(translations) || translations.length !== batch.length) {
        throw new EngineError(
          'malformed',
          `DeepL gave ${Array.isArray(translations) ? translations.length : 'no'} answers to ${batch.length} texts`,
        );
      }
      return translations.map((translation) => {
        const text = propertyOf(translation, 'text');
        return typeof text === 'string' ? fromTagged(text) : undefined;
      });
    });
  }
}

function orNone(error: unknown): [] {
  if (error instanceof EngineError && error.code === 'invalid') return [];
  throw error;
}

/** Without a variant, as in glossaries. */
const base = (code: string): string => code.toLowerCase().replace(/-.*/, '');

function codesOf(list: readonly unknown[]): string[] {
  return list
    .map((language) => propertyOf(language, 'language'))
    .filter((code) => typeof code === 'string')
    .map((code) => code.toUpperCase());
}
