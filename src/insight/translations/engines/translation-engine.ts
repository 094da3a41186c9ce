import type { Config } from '../../../kernel/platform/config/config.js';
import { ContributionPoint } from '../../../kernel/platform/manifest/contribution.js';
import type { Outbound } from '../../../kernel/platform/outbound/outbound.js';
import type { Segment } from '../domain/segment.js';

/** A term and its translation; if both are equal it stays untranslated. */
export interface GlossaryTerm {
  readonly source: string;
  readonly target: string;
}

/** Common settings of all segments of a call. Languages are codes of the public contract, such as `pt-br`. */
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
  /** Words that the engine does not know and has left unchanged, if it reports them. */
  readonly unknownWords?: number;
}

/** An engine for one pair of languages. Its caller checks its answers: it may lose or break markers. */
export interface Translator {
  /** Names engine, languages and model: with another name everything is translated again. */
  readonly name: string;
  /**
   * The text to hide from it: `terms` of the glossary, if it does not support them, or also `words` that are not
   * natural language, such as `max_size` and `GitHub`.
   */
  readonly hides: 'nothing' | 'terms' | 'words';
  /** Throws `EngineError`. */
  translate(segments: readonly Segment[], job: TranslationJob): Promise<EngineAnswer>;
}

/** Creates the engine of an external module; undefined if its settings do not request it. */
export type EngineFactory = (config: Config, outbound: Outbound) => Engine | undefined;

/** Engines of external modules, which take precedence over those of TRANSLATION_ENGINES. */
export const TRANSLATION_ENGINES = new ContributionPoint<EngineFactory>('translation engines');

/** A kind of engine that the operator has configured. */
export interface Engine {
  /** Its display name. */
  readonly title: string;
  /** The translator for a pair; undefined if there is none. Throws `EngineError` if that cannot be determined. */
  find(source: string, target: string): Promise<Translator | undefined>;
  /** The supported language pairs, as a clause for people: `en to es, es to en`. */
  offer(): Promise<string>;
  /** Ends all running processes. */
  close?(): void;
}
