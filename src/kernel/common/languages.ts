/**
 * Languages of content in the codes of the public API, and further ones that PostgreSQL supports; each with its text
 * search configuration, `simple` if it has none. (`estonian` is newer than PostgreSQL 15, which uses `simple` instead.)
 */
export const LANGUAGES = {
  en: 'english',
  fr: 'french',
  de: 'german',
  es: 'spanish',
  it: 'italian',
  pt: 'portuguese',
  'pt-br': 'portuguese',
  ru: 'russian',
  ja: 'simple',
  zh: 'simple',
  'zh-tw': 'simple',
  yue: 'simple',
  ko: 'simple',
  ar: 'arabic',
  hi: 'hindi',
  nl: 'dutch',
  pl: 'simple',
  tr: 'turkish',
  sv: 'swedish',
  no: 'norwegian',
  da: 'danish',
  fi: 'finnish',
  el: 'greek',
  cs: 'simple',
  hu: 'hungarian',
  ro: 'romanian',
  th: 'simple',
  vi: 'simple',
  id: 'indonesian',
  ms: 'simple',
  he: 'simple',
  uk: 'simple',
  sk: 'simple',
  bg: 'simple',
  hr: 'simple',
  lt: 'lithuanian',
  lv: 'simple',
  et: 'estonian',
  sl: 'simple',
  ca: 'catalan',
  eu: 'basque',
  ga: 'irish',
  hy: 'armenian',
  ne: 'nepali',
  sr: 'serbian',
  ta: 'tamil',
  yi: 'yiddish',
} as const satisfies Record<string, string>;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as readonly LanguageCode[];
export type LanguageCode = keyof typeof LANGUAGES;

/** The language that a reader prefers, from an `Accept-Language` header: its first tag. */
export function preferredLanguage(header: string | undefined): string | undefined {
  const tag = header?.split(/[,;]/, 1)[0]?.trim();
  return tag === '' || tag === '*' ? undefined : tag;
}
