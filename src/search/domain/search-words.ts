/** A query split for PostgreSQL: what is complete, and the last word as far as it has been typed. */
export interface SearchWords {
  readonly complete: string;
  /** Letters and digits only; undefined where the last word cannot be a prefix. */
  readonly prefix: string | undefined;
}

const MIN_PREFIX_LENGTH = 2;

/**
 * The last word of a query counts as a prefix too, unless it stands in quotes, behind a minus or behind `or`, which
 * have a meaning of their own in web searches.
 */
export function searchWords(query: string): SearchWords {
  const text = query.normalize('NFC').trim();
  const word = /[\p{L}\p{N}\p{M}]+$/u.exec(text)?.[0];
  const before = word === undefined ? text : text.slice(0, -word.length);
  const quotes = text.split('"').length - 1;
  if (word === undefined || word.length < MIN_PREFIX_LENGTH || quotes % 2 === 1 || /(^|\s)-$/.test(before) || /(^|\s)or\s*$/i.test(before)) {
    return { complete: text, prefix: undefined };
  }
  return { complete: before, prefix: word };
}

/** The plain words of a query, for finding them in a text. */
export function plainWords(query: string): string[] {
  const wanted = query.normalize('NFC').toLowerCase().replace(/(^|\s)-\S+/g, ' ');
  return [...new Set(wanted.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])].filter((word) => word !== 'or');
}
