import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import { editDistance } from './domain/edit-distance.js';
import { allowedEdits, correctableWord, type SearchTerm } from './domain/search-terms.js';

/** Maximum number of words that are compared letter by letter, and of replacements of one word. */
const COMPARED = 2_000;
const TAKEN = 20;

/**
 * Words of the spaces $1 with nearly the same letters as each of $2, by $3 their allowed numbers of wrong letters; none
 * for a word that occurs in the spaces.
 */
const SIMILAR = `WITH here AS MATERIALIZED (SELECT string_agg('''~' || id || '''', ' | ')::tsquery AS query FROM unnest($1::text[]) AS id),
  typed AS MATERIALIZED (
    SELECT t.word, t.edits, search_letters(t.word) AS letters FROM unnest($2::text[], $3::int[]) AS t (word, edits) CROSS JOIN here h
     WHERE NOT EXISTS (SELECT FROM section_vector s WHERE s.vector @@ (('''' || t.word || '''')::tsquery && h.query))
       AND NOT EXISTS (SELECT FROM page_current c WHERE c.title_vector @@ (('''' || t.word || '''')::tsquery && h.query)))
  SELECT DISTINCT t.word, k.word AS other FROM typed t
    JOIN search_word k ON k.space_id = ANY ($1) AND length(k.word) BETWEEN length(t.word) - t.edits AND length(t.word) + t.edits
     AND bit_count((k.letters # t.letters)::bit(32)) <= 2 * t.edits
   LIMIT ${COMPARED}`;

/** Corrects misspelled words of queries. */
@Injectable()
export class Corrections {
  constructor(private readonly database: Database) {}

  /**
   * Replaces words that do not occur in these spaces by similar ones that do: one wrong letter in words of four to
   * seven letters, two in longer ones. First with the nearest words only, then with all: the nearest may have been
   * deleted since. Empty if there are none.
   */
  async of(spaces: readonly string[], terms: readonly SearchTerm[]): Promise<SearchTerm[][]> {
    const words = [...new Set(terms.flatMap((term) => correctableWord(term) ?? []))];
    if (words.length === 0 || spaces.length === 0) return [];
    const meant = candidates(
      await this.database.query<{ word: string; other: string }>(SIMILAR, [spaces, words, words.map(allowedEdits)]),
    );
    const nearest = new Map(
      [...meant].map(([word, others]) => [word, others.filter(({ distance }) => distance === others[0]?.distance)]),
    );
    const isMore = [...meant].some(([word, others]) => others.length > (nearest.get(word)?.length ?? 0));
    return [...(meant.size > 0 ? [nearest] : []), ...(isMore ? [meant] : [])].map((taken) =>
      terms.map((term) => ({
        ...term,
        texts: [
          ...term.texts,
          ...(taken.get(correctableWord(term) ?? '') ?? []).slice(0, TAKEN).map(({ word }) => word),
        ],
      })),
    );
  }
}

interface Candidate {
  readonly word: string;
  readonly distance: number;
}

/** For each word the possible corrections, the nearest first. */
function candidates(pairs: readonly { readonly word: string; readonly other: string }[]): Map<string, Candidate[]> {
  const found = new Map<string, Candidate[]>();
  for (const { word, other } of pairs) {
    const distance = editDistance(word, other, allowedEdits(word));
    if (distance <= allowedEdits(word)) found.set(word, [...(found.get(word) ?? []), { word: other, distance }]);
  }
  for (const others of found.values()) others.sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1));
  return found;
}
