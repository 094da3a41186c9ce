import type { Span } from './spans.js';
import { inAscii, OF_WORD } from './writing.js';

const NAME = "\\p{Lu}[\\p{L}'’.-]{0,30}";
const SMALL =
  "(?:(?:de|du|des|del|della|delle|dei|di|da|do|dos|das|la|le|les|los|las|el|l|d|der|den|van|von|y|e|and|of)[ '’]){0,3}";
/** One to four words of the name of a street, with small ones between. */
const NAMES = `${SMALL}${NAME}(?:[ -]${SMALL}${NAME}){0,3}`;
const HOUSE = '\\d{1,5}[ ]?[a-zA-Z]?(?:[/-]\\d{1,4})?(?!\\d)';
const TOWN = "\\p{Lu}[\\p{L}'’-]{1,30}";
const CITY = `(?:St\\. )?${TOWN}(?:[ -]${TOWN}){0,2}`;
const FLAT = '(?:,? (?:apt|apartment|unit|suite|ste|flat|#)\\.? ?[\\w-]{1,6})?';

const STREETS: readonly { readonly shape: string; readonly behind: string; readonly ignoresCase?: true }[] = [
  {
    // United States, Canada, United Kingdom, Ireland, Australia.
    shape: `${HOUSE},? (?:[NSEW]\\.? |(?:North|South|East|West) )?(?:(?:${NAME}|\\d{1,3}(?:st|nd|rd|th)) ){1,4}(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Square|Sq|Terrace|Way|Parkway|Pkwy|Highway|Hwy|Close|Crescent|Gardens|Grove|Mews|Row|Circle|Cir)(?!\\p{L})\\.?${FLAT}`,
    behind: `(?:, ?${CITY})?(?:,? [A-Z]{2} \\d{5}(?:-\\d{4})?|,? [A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2}|,? [A-Z]\\d[A-Z] ?\\d[A-Z]\\d)?`,
  },
  {
    shape: `\\d{1,5} (?:(?!minutes?|min|miles?|km|hours?|days?|the|a|an|of|in|on|to|from|more|different)\\p{L}{2,20} ){1,2}(?:street|avenue|boulevard|road|lane)(?!\\p{L})${FLAT}`,
    behind: '',
    ignoresCase: true,
  },
  {
    // Germany, Austria, Switzerland.
    shape: `(?:${NAME}(?:[ -]${NAME}){0,2}[ -])?\\p{Lu}[\\p{L}-]{0,30}(?:straße|strasse|str\\.|weg|platz|allee|gasse|ring|damm|ufer|chaussee) ${HOUSE}`,
    behind: `(?:,? (?:[AD]-|CH-)?\\d{4,5} ${CITY})?`,
  },
  {
    shape: `(?:${NAME}[ -]){1,3}(?:Straße|Strasse|Str\\.|Weg|Platz|Allee|Gasse|Ring|Damm) ${HOUSE}`,
    behind: `(?:,? (?:[AD]-|CH-)?\\d{4,5} ${CITY})?`,
  },
  {
    // France, Belgium.
    shape: `\\d{1,4}(?: ?(?:bis|ter))?,? (?:[Rr]ue|[Aa]venue|[Aa]v\\.|[Bb]oulevard|[Bb]d|[Pp]lace|[Ii]mpasse|[Cc]hemin|[Aa]llée|[Qq]uai|[Rr]oute|[Cc]ours) ${NAMES}`,
    behind: `(?:,? ?\\d{4,5} ${CITY})?`,
  },
  {
    // Spain and Latin America, Italy, Portugal and Brazil.
    shape: `(?:[Cc]alle|C/|[Aa]venida|[Aa]vda\\.?|[Pp]aseo|[Pp]laza|[Cc]amino|[Cc]arrer|[Vv]ia|[Vv]iale|[Cc]orso|[Pp]iazza|[Ll]argo|[Vv]icolo|[Rr]ua|[Aa]v\\.|[Tt]ravessa|[Pp]raça|[Aa]lameda|[Ee]strada) ${NAMES},? (?:n[º°.]? ?|número )?${HOUSE}`,
    behind: `(?:,? ?\\d{4,5}(?:-\\d{3})? ${CITY})?`,
  },
  {
    // Netherlands, Belgium.
    shape: `(?:${NAME} )?\\p{Lu}[\\p{L}-]{0,30}(?:straat|laan|plein|gracht|kade|singel|dijk|steeg|hof) ${HOUSE}`,
    behind: `(?:,? \\d{4} ?[A-Z]{2}(?!\\p{L}))?(?:,? ${CITY})?`,
  },
  {
    // Sweden, Denmark, Norway, Poland, Russia.
    shape: `\\p{Lu}[\\p{L}-]{0,30}(?:gatan|vägen|gata|gränd|torget|gade|vej|veien|gaten|stræde) ${HOUSE}`,
    behind: `(?:,? \\d{3} ?\\d{1,2} ${CITY})?`,
  },
  {
    shape: `(?:ul\\.|ulic[ay]|al\\.|alej[ai]|os\\.|pl\\.) ${NAMES} ${HOUSE}`,
    behind: `(?:,? \\d\\d-\\d{3} ${CITY})?`,
  },
  {
    shape: `(?:ул\\.|улиц[аеы]|пр\\.|проспект|пер\\.|переулок|бульвар) ?${NAMES},? (?:д(?:ом)?\\.? ?)?${HOUSE}(?:,? (?:кв\\.?|квартира) ?\\d{1,4})?`,
    behind: '',
  },
  {
    // Japan, China.
    shape:
      '[\\p{Script=Han}]{1,10}(?:都|道|府|県|省|市|区|町|村)[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー]{0,20}\\d{1,4}(?:丁目|番地|番|号|弄|[-]\\d{1,4}|の\\d{1,3}){1,3}(?:\\d{1,4}(?:番地|番|号|室|[-]\\d{1,4})){0,2}',
    behind: '',
  },
];

const PATTERNS = STREETS.map(
  ({ shape, behind, ignoresCase }) =>
    new RegExp(`(?<!\\d|${OF_WORD})(?:${shape})${behind}(?!\\d)`, ignoresCase ? 'giu' : 'gu'),
);

/** Streets with the numbers of houses, and the postal code and town behind them, in the forms of some twenty countries. */
export function streetSpans(text: string): Span[] {
  const ascii = inAscii(text);
  return /\d/.test(ascii)
    ? PATTERNS.flatMap((pattern) =>
        [...ascii.matchAll(pattern)].map(({ index, 0: found }) => ({
          start: index,
          end: index + found.trimEnd().length,
        })),
      )
    : [];
}
