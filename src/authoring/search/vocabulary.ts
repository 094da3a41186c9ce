import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import { editDistance, resemblingPatterns } from './domain/edit-distance.js';
import { compoundSplits } from './domain/compound-words.js';
import { comparedWords, type ComparedWord, type Resemblance, type QueryWord } from './domain/search-terms.js';
import { VISIBLE_SPACES, type SpaceSelection } from './space-selection.js';

/** Maximum number of spaces whose words are compared. */
const SPACES = 200;
/** Maximum number of words that are compared letter by letter. */
const COMPARED = 2_000;
/** Maximum number of words that replace one, of each kind. */
const TAKEN = 20;
/** Texts that are looked up to know whether a word occurs: more than the planner expects, so that it uses the index. */
const EXAMINED = 1_000;

/** Sets have their words in order: those that begin with the word of `t` stand side by side. None has more than 24 letters. */
const BEGINNING = `string_to_table(substr(k.words, nullif(strpos(chr(10) || k.words, chr(10) || t.word), 0), ${25 * COMPARED}), chr(10))`;
/** The words that match an expression of `t`, found in a set as a whole: taking it apart costs several times as much. */
const MATCHING = `(SELECT m.found[1] FROM unnest(t.resembling) AS p (pattern) CROSS JOIN LATERAL regexp_matches(k.words, p.pattern, 'gn') AS m (found))`;
/** The words that end with that of `t`. */
const ENDING = `(SELECT m.found[1] FROM regexp_matches(k.words, '^.+' || t.word || '$', 'gn') AS m (found))`;
/** The parts of `t` that are words of a set. */
const PARTS = `(SELECT p.word FROM unnest(t.parts) AS p (word) WHERE strpos(chr(10) || k.words || chr(10), chr(10) || p.word || chr(10)) > 0)`;

/** Those of some words of each set `k` of the searched spaces for which a condition holds. A word may stand in several sets. */
const among = (words: string, condition: string, limit: number): string =>
  `ARRAY(SELECT DISTINCT w.word FROM space_vocabulary k CROSS JOIN LATERAL ${words} AS w (word) WHERE k.space_id = ANY (v.ids) AND ${condition} LIMIT ${limit})`;

/**
 * Tells if a vector contains the word of `t`. `EXISTS` would read the table of all organizations up to the first one that
 * does.
 */
const occurs = (table: string, vector: string, scope: string): string =>
  `(SELECT count(*) > 0 FROM (SELECT FROM ${table} s WHERE s.${vector} @@ (('''' || t.word || '''')::tsquery && h.${scope}) LIMIT ${EXAMINED}) x)`;

/** Dictionaries of languages that join words without a sign. */
const COMPOUNDING = ['german', 'dutch', 'danish', 'swedish', 'norwegian', 'finnish', 'hungarian', 'estonian'];

/** For each word of the first parameter after those of the visibility: whether a text contains it, and similar words. */
export const resemblingWords = ({ from, values }: SpaceSelection): string => `WITH ${VISIBLE_SPACES(from)},
  known AS MATERIALIZED (
    SELECT ARRAY(SELECT id FROM visible LIMIT ${SPACES}) AS ids,
           EXISTS (SELECT FROM visible WHERE config::text = ANY ('{${COMPOUNDING.join(',')}}')) AS has_compounds),
  here AS MATERIALIZED (
    SELECT search_within(p.scopes, 0) AS query, search_within(p.scopes, 6) AS sample FROM (SELECT array_agg(DISTINCT p.scope) AS scopes FROM place p) p)
  SELECT t.word, n.is_known AS "isKnown",
         ${among(MATCHING, 'NOT n.is_known AND length(w.word) BETWEEN length(t.word) - t.edits AND length(t.word) + t.edits', COMPARED)} AS similar,
         ${among(BEGINNING, 't."isUnfinished" AND w.word <> t.word AND starts_with(w.word, t.word)', COMPARED)} AS completions,
         ${among(ENDING, 'v.has_compounds AND length(t.word) > 4', TAKEN)} AS compounds,
         ${among(PARTS, 'v.has_compounds AND cardinality(t.parts) > 0', COMPARED)} AS parts
    FROM jsonb_to_recordset($${values.length + 1}::jsonb) AS t (word text, edits int, resembling text[], "isUnfinished" boolean, parts text[])
   CROSS JOIN known v CROSS JOIN here h
   CROSS JOIN LATERAL (
     SELECT ${occurs('section_vector', 'vector', 'sample')} OR ${occurs('section_vector', 'vector', 'query')} OR ${occurs('page_current', 'title_vector', 'query')} AS is_known OFFSET 0) n`;

interface ResemblanceRow {
  readonly word: string;
  readonly isKnown: boolean;
  readonly similar: readonly string[];
  readonly completions: readonly string[];
  readonly compounds: readonly string[];
  readonly parts: readonly string[];
}

/** Finds words of spaces that resemble those of a query: one statement for all of them. */
@Injectable()
export class Vocabulary {
  constructor(private readonly database: Database) {}

  /**
   * Corrections of words that no text contains: one wrong letter in words of four to seven letters, two in longer ones;
   * the endings of the unfinished word; and the parts and compounds of words in languages that join them. By words.
   */
  async resembling(searched: SpaceSelection, words: readonly QueryWord[]): Promise<Map<string, Resemblance>> {
    const compared = new Map(comparedWords(words).map((word) => [word.word, word]));
    if (compared.size === 0) return new Map();
    const splits = new Map([...compared.keys()].map((word) => [word, compoundSplits(word)]));
    const given = [...compared.values()].map((word) => ({
      ...word,
      resembling: resemblingPatterns(word.word, word.edits),
      parts: splits.get(word.word)?.flat() ?? [],
    }));
    const rows = await this.database.query<ResemblanceRow & Record<string, unknown>>(resemblingWords(searched), [
      ...searched.values,
      JSON.stringify(given),
    ]);
    return new Map(
      rows.flatMap((row) => {
        const word = compared.get(row.word);
        return word ? [[row.word, resemblanceOf(word, row, splits.get(row.word) ?? [])] as const] : [];
      }),
    );
  }
}

function resemblanceOf(
  { word, edits }: ComparedWord,
  { isKnown, similar, completions, compounds, parts }: ResemblanceRow,
  splits: readonly (readonly [string, string])[],
): Resemblance {
  const known = new Set(parts);
  return {
    isKnown,
    similar: similar
      .map((other) => ({ word: other, distance: editDistance(word, other, edits) }))
      .filter(({ distance }) => distance <= edits)
      .sort((one, other) => one.distance - other.distance || (one.word < other.word ? -1 : 1))
      .slice(0, TAKEN),
    completions: shortest(completions),
    compounds: shortest(compounds),
    parts: splits.find(([head, tail]) => known.has(head) && known.has(tail)) ?? [],
  };
}

const shortest = (words: readonly string[]): string[] =>
  [...words].sort((one, other) => one.length - other.length || (one < other ? -1 : 1)).slice(0, TAKEN);
