import { matrix, normalizeRows, projected, rowOf, type Matrix } from './dense.js';
import { latentSpaceOf, placed, type LatentSpace } from './latent.js';
import { centred, principalAxesOf, removeAxes, type PrincipalAxes } from './principal.js';
import { featuresOf, characterNgrams, type Terms } from './terms.js';
import { summed, type WordVectors } from './word-vectors.js';

/** The features for comparing texts: their terms, and vectors of their words and sentences if available. */
export interface Described {
  readonly terms: readonly Terms[];
  /** A row for each text, of zeros if nothing is known of it. */
  readonly sentences?: Matrix;
}

/** The mapping of texts to rows, frozen at the last rebuild, so that new texts are placed among the known ones. */
export interface Representation {
  readonly terms: LatentSpace;
  readonly pieces: LatentSpace;
  readonly words?: PrincipalAxes;
  readonly sentences?: PrincipalAxes;
  readonly whole: PrincipalAxes;
}

/** Weights of the parts in a comparison; the weights of missing parts are distributed to the others. */
const SHARES = { terms: 0.15, pieces: 0.15, words: 0.2, sentences: 0.5 } as const;
const LATENT_DIMENSIONS = 150;
const SENTENCE_DIMENSIONS = 128;
const DIMENSIONS = 100;
/**
 * Number of imaginary issues about other topics in addition to the actual ones: the first few may well be about one
 * topic.
 */
const DOUBT = 10;
const PART_DOUBT = 2;
/** An axis along which fewer texts differ is a topic. */
const MANY = 50;
const MAX_TERMS = 12_000;
const MAX_PIECES = 8_000;

/** Learns the representation from all texts, and places them. */
export function learned(
  texts: Described,
  vectors: WordVectors | undefined,
): { readonly representation: Representation; readonly rows: Matrix } {
  const terms = latentSpaceOf(
    texts.terms.map(({ stems }) => featuresOf(stems)),
    LATENT_DIMENSIONS,
    MAX_TERMS,
  );
  const pieces = latentSpaceOf(
    texts.terms.map(({ words }) => characterNgrams(words)),
    LATENT_DIMENSIONS,
    MAX_PIECES,
  );
  const words =
    vectors && principalAxesOf(summed(wordsOf(texts), vectors), texts.terms.length < MANY ? 0 : 1, PART_DOUBT);
  const sentences = texts.sentences && principalAxesOf(texts.sentences, SENTENCE_DIMENSIONS, PART_DOUBT);
  const parts = { terms, pieces, ...(words && { words }), ...(sentences && { sentences }) };
  const joined = joinedParts(texts, parts, vectors);
  const representation = { ...parts, whole: principalAxesOf(joined, Math.min(DIMENSIONS, joined.columns), DOUBT) };
  const rows = reduced(joined, representation.whole);
  normalizeRows(rows);
  return { representation, rows };
}

/**
 * The positions of other texts. Rows of texts that differ from the learned ones are shorter than one, because they are
 * partly outside of the axes.
 */
export function placedBy(representation: Representation, texts: Described, vectors: WordVectors | undefined): Matrix {
  return reduced(joinedParts(texts, representation, vectors), representation.whole);
}

/** Word vectors exist for English. */
function wordsOf({ terms }: Described): (readonly string[])[] {
  return terms.map(({ words, language }) => (language === 'en' ? words : []));
}

function joinedParts(
  texts: Described,
  { terms, pieces, words, sentences }: Omit<Representation, 'whole'>,
  vectors: WordVectors | undefined,
): Matrix {
  const parts: (readonly [share: number, rows: Matrix])[] = [
    [
      SHARES.terms,
      placed(
        texts.terms.map(({ stems }) => featuresOf(stems)),
        terms,
      ),
    ],
    [
      SHARES.pieces,
      placed(
        texts.terms.map((each) => characterNgrams(each.words)),
        pieces,
      ),
    ],
  ];
  if (words)
    parts.push([
      SHARES.words,
      withoutCommon(vectors ? summed(wordsOf(texts), vectors) : matrix(texts.terms.length, words.mean.length), words),
    ]);
  if (sentences)
    parts.push([
      SHARES.sentences,
      projected(
        centred(texts.sentences ?? matrix(texts.terms.length, sentences.mean.length), sentences.mean),
        sentences.axes,
      ),
    ]);
  const joined = matrix(
    texts.terms.length,
    parts.reduce((sum, [, { columns }]) => sum + columns, 0),
  );
  let start = 0;
  for (const [share, rows] of parts) {
    normalizeRows(rows);
    for (let row = 0; row < rows.rows; row++)
      rowOf(joined, row).set(
        rowOf(rows, row).map((value) => value * Math.sqrt(share)),
        start,
      );
    start += rows.columns;
  }
  normalizeRows(joined);
  return joined;
}

function withoutCommon(rows: Matrix, { mean, axes }: PrincipalAxes): Matrix {
  const bare = centred(rows, mean);
  removeAxes(bare, axes);
  return bare;
}

function reduced(joined: Matrix, { mean, axes }: PrincipalAxes): Matrix {
  const whole = centred(joined, mean);
  normalizeRows(whole);
  return projected(whole, axes);
}
