import type { Config } from '../../../kernel/platform/config/config.js';
import { ContributionPoint } from '../../../kernel/platform/manifest/contribution.js';
import type { Outbound } from '../../../kernel/platform/outbound/outbound.js';
import type { Segment } from '../domain/segment.js';

/** A term and how it is written in the target language; where both are the same it stays untranslated. */
export interface GlossaryTerm {
  readonly source: string;
  readonly target: string;
}

/** What applies to all segments of a call. Languages are codes of the public contract, such as `pt-br`. */
export interface TranslationJob {
  readonly source: string;
  readonly target: string;
  readonly instructions?: string;
  readonly glossary: readonly GlossaryTerm[];
  readonly signal: AbortSignal;
}

export interface EngineAnswer {
  /** In order; undefined: the markers could not be kept, the caller falls back to text without inline marks or to the source. */
  readonly segments: readonly (Segment | undefined)[];
  /** Words that the engine does not know and has left as they were, where it tells. */
  readonly unknownWords?: number;
}

/** An engine for one pair of languages. Its answers are checked by whoever asks it: it may lose or break markers. */
export interface Translator {
  /** Names engine, languages and model: another name means that everything would be translated otherwise. */
  readonly name: string;
  /** What it needs hidden from it: `terms` of the glossary, as it takes none, or `words` that are no words, such as `max_size`, as well. */
  readonly hides: 'nothing' | 'terms' | 'words';
  /** Throws `EngineError`. */
  translate(segments: readonly Segment[], job: TranslationJob): Promise<EngineAnswer>;
}

/** Makes the engine that a module from elsewhere brings; undefined where its settings do not ask for it. */
export type EngineFactory = (config: Config, outbound: Outbound) => Engine | undefined;

/** Engines of modules from elsewhere, which are asked before those of TRANSLATION_ENGINES. */
export const TRANSLATION_ENGINES = new ContributionPoint<EngineFactory>('translation engines');

/** A kind of engine that the operator has configured. */
export interface Engine {
  /** As people call it. */
  readonly title: string;
  /** What it has for a pair; undefined where it has nothing. Throws `EngineError` where that cannot be found out. */
  find(source: string, target: string): Promise<Translator | undefined>;
  /** Which languages it translates, as a clause for people: `en to es, es to en`. */
  offer(): Promise<string>;
  /** Ends whatever it has running. */
  close?(): void;
}
