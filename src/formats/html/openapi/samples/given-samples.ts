import { isObject } from '../../../document/checks.js';
import { textAt, type ReadonlyJsonObject } from '../description.js';

const MAX_SAMPLES = 12;
const MAX_SOURCE = 10_000;
const NAMES = ['x-codeSamples', 'x-code-samples'] as const;

/** The code samples that a specification gives for an operation, and its word on those that are made. */
export interface GivenSamples {
  readonly own: readonly { readonly title: string; readonly syntax: string; readonly code: string }[];
  /** False if the specification says `x-codeSamples: false`. */
  readonly areMade: boolean;
  /** Ids of the languages of samples that are made, in order; undefined for all of them. */
  readonly languages?: readonly string[];
}

/** Reads the extensions of an operation; those of its path and of the specification count where it has none. */
export function givenSamples(...levels: readonly ReadonlyJsonObject[]): GivenSamples {
  const given = levels.flatMap((level) => NAMES.map((name) => level[name])).find((value) => value !== undefined);
  const languages = levels.map((level) => level['x-sample-languages']).find(Array.isArray);
  return {
    own: (Array.isArray(given) ? given : []).slice(0, MAX_SAMPLES).flatMap(ownSample),
    areMade: given !== false,
    ...(languages && { languages: languages.map(String) }),
  };
}

function ownSample(value: unknown): GivenSamples['own'][number][] {
  const code = isObject(value) ? textAt(value, 'source', MAX_SOURCE) : undefined;
  if (!isObject(value) || code === undefined) return [];
  const language = textAt(value, 'lang', 40) ?? '';
  const title = textAt(value, 'label', 60) ?? language;
  return title === '' ? [] : [{ title, syntax: language.toLowerCase(), code }];
}
