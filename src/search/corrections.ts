import { Injectable } from '@nestjs/common';
import { Database } from '../common/database.js';
import { editDistance } from './domain/edit-distance.js';
import { allowedEdits, correctableWord, type Term } from './domain/search-terms.js';

/** Words that are compared letter by letter at most, and words that take the place of one. */
const COMPARED = 2_000;
const NEAREST = 20;
const TAKEN = 5;

/**
 * Words of the spaces $1 that have nearly the same letters as each of $2, by $3 their allowed numbers of wrong letters; none
 * for a word that the spaces hold.
 */
const SIMILAR = `WITH here AS MATERIALIZED (SELECT string_agg('''~' || id || '''', ' | ')::tsquery AS query FROM unnest($1::text[]) AS id),
  typed AS MATERIALIZED (
    SELECT t.word, t.edits, search_letters(t.word) AS letters FROM unnest($2::text[], $3::int[]) AS t (word, edits) CROSS JOIN here h
     WHERE NOT EXISTS (SELECT FROM document_section s WHERE s.vector @@ (('''' || t.word || '''')::tsquery && h.query))
       AND NOT EXISTS (SELECT FROM page_current c WHERE c.title_vector @@ (('''' || t.word || '''')::tsquery && h.query)))
  SELECT DISTINCT t.word, k.word AS other FROM typed t
    JOIN search_word k ON k.space_id = ANY ($1) AND length(k.word) BETWEEN length(t.word) - t.edits AND length(t.word) + t.edits
     AND bit_count((k.letters # t.letters)::bit(32)) <= 2 * t.edits
   LIMIT ${COMPARED}`;

/** Those of the words $2 that the spaces $1 hold now. */
const PRESENT = `WITH here AS MATERIALIZED (SELECT string_agg('''~' || id || '''', ' | ')::tsquery AS query FROM unnest($1::text[]) AS id)
  SELECT t.word FROM unnest($2::text[]) AS t (word) CROSS JOIN here h
   WHERE EXISTS (SELECT FROM document_section s JOIN page_current c ON c.hash = s.hash AND c.space_id = s.space_id
                  WHERE s.vector @@ (('''' || t.word || '''')::tsquery && h.query))
      OR EXISTS (SELECT FROM page_current c WHERE c.title_vector @@ (('''' || t.word || '''')::tsquery && h.query))`;

/** Finds what somebody meant who mistyped a word. */
@Injectable()
export class Corrections {
  constructor(private readonly database: Database) {}

  /**
   * The same terms, in which words that do not occur in these spaces may also be the nearest ones that do: one wrong letter in
   * words of four to seven letters, two in longer ones. Undefined when there are none.
   */
  async of(spaces: readonly string[], terms: readonly Term[]): Promise<Term[] | undefined> {
    const words = [...new Set(terms.flatMap((term) => correctableWord(term) ?? []))];
    if (words.length === 0 || spaces.length === 0) return undefined;
    const similar = await this.database.query<{ word: string; other: string }>(SIMILAR, [spaces, words, words.map(allowedEdits)]);
    const near = nearest(similar);
    const candidates = [...near.values()].flat().map(({ word }) => word);
    if (candidates.length === 0) return undefined;
    const present = new Set((await this.database.query<{ word: string }>(PRESENT, [spaces, candidates])).map(({ word }) => word));
    const meant = new Map([...near].map(([word, others]) => [word, closest(others.filter((other) => present.has(other.word)))]));
    if ([...meant.values()].every((others) => others.length === 0)) return undefined;
    return terms.map((term) => ({ ...term, texts: [...term.texts, ...(meant.get(correctableWord(term) ?? '') ?? [])] }));
  }
}

interface Candidate {
  readonly word: string;
  readonly distance: number;
}

/** For each word the others that may be meant, the nearest first. */
function nearest(pairs: readonly { readonly word: string; readonly other: string }[]): Map<string, Candidate[]> {
  const found = new Map<string, Candidate[]>();
  for (const { word, other } of pairs) {
    const distance = editDistance(word, other, allowedEdits(word));
    if (distance <= allowedEdits(word)) found.set(word, [...(found.get(word) ?? []), { word: other, distance }]);
  }
  for (const [word, others] of found) found.set(word, others.sort((a, b) => a.distance - b.distance || (a.word < b.word ? -1 : 1)).slice(0, NEAREST));
  return found;
}

function closest(others: readonly Candidate[]): string[] {
  const least = others[0]?.distance;
  return others.filter(({ distance }) => distance === least).slice(0, TAKEN).map(({ word }) => word);
}
