import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import { editDistance } from './domain/edit-distance.js';
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

const among = (condition: string, limit: number): string =>
  `ARRAY(SELECT DISTINCT word FROM (SELECT k.word FROM search_word k WHERE k.space_id = ANY (v.ids) AND ${condition} LIMIT ${limit}) found)`;

/**
 * Whether a vector contains the word of `t`. `EXISTS` would read the table of all organizations up to the first one that
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
         ${among('NOT n.is_known AND t.edits > 0 AND length(k.word) BETWEEN length(t.word) - t.edits AND length(t.word) + t.edits AND bit_count((k.letters # n.letters)::bit(32)) <= 2 * t.edits', COMPARED)} AS similar,
         ${among(`t."isUnfinished" AND k.word > t.word AND k.word < t.word || U&'\\FFFD'`, COMPARED)} AS completions,
         ${among(`v.has_compounds AND length(t.word) > 4 AND k.word LIKE '%_' || t.word`, TAKEN)} AS compounds,
         ${among('v.has_compounds AND k.word = ANY (t.parts)', COMPARED)} AS parts
    FROM jsonb_to_recordset($${values.length + 1}::jsonb) AS t (word text, edits int, "isUnfinished" boolean, parts text[])
   CROSS JOIN known v CROSS JOIN here h
   CROSS JOIN LATERAL (
     SELECT search_letters(t.word) AS letters,
            ${occurs('section_vector', 'vector', 'sample')} OR ${occurs('section_vector', 'vector', 'query')} OR ${occurs('page_current', 'title_vector', 'query')} AS is_known OFFSET 0) n`;

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
    const given = [...compared.values()].map((word) => ({ ...word, parts: splits.get(word.word)?.flat() ?? [] }));
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
