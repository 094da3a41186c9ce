import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Random, Zipf } from './random.js';

/** Returns the text of page number `index`; the same number always has the same text. */
export interface PageSource {
  readonly name: string;
  sections(index: number): string;
}

export interface PageText {
  readonly title: string;
  readonly markdown: string;
}

/** Each of these words is on three pages of every space that has at least 60 pages. */
export const RARE_WORDS: readonly string[] = Array.from(
  { length: 20 },
  (_, index) => `zephyrwright${String.fromCharCode(97 + index)}q`,
);
/** On nine of ten pages. */
export const FREQUENT_WORD = 'configuration';

/** The usual length of a page, in bytes. */
const CORPORA = fileURLToPath(new URL('../../shared/corpora', import.meta.url));
const PAGE_BYTES = 4000;
const VOCABULARY = 6000;
const COMMON =
  `the of to and a in is for that on with as are by be this or from it an can which at your when not will all use
  you if set each value more one only has may must other than before after while between under over into where how what
  server request response client service file field value name page token user account index query column table default
  option parameter command setting version release module package script buffer stream record message event worker process
  thread memory storage network address port protocol header cookie session cache queue retry timeout limit error warning
  log metric trace alert backup restore upgrade install deploy cluster node region bucket object schema type string number
  boolean array list map key secret password certificate signature policy role permission group member team project`
    .split(/\s+/)
    .filter((word) => word !== '');
const STARTS = [
  'b',
  'br',
  'c',
  'cl',
  'd',
  'dr',
  'f',
  'g',
  'gr',
  'h',
  'k',
  'l',
  'm',
  'n',
  'p',
  'pl',
  'qu',
  'r',
  's',
  'st',
  't',
  'tr',
  'v',
  'w',
  'z',
];
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'io', 'ou'];
const ENDS = ['', 'n', 'r', 's', 't', 'l', 'm', 'nd', 'rk', 'st', 'x'];
const LANGUAGES = ['bash', 'yaml', 'json', 'typescript', 'sql', 'ruby'];

function buildVocabulary(random: Random): string[] {
  const words = new Set(COMMON);
  while (words.size < VOCABULARY) {
    let word = '';
    for (let syllable = 2 + random.below(3); syllable > 0; syllable--)
      word += random.pick(STARTS) + random.pick(VOWELS) + (syllable === 1 ? random.pick(ENDS) : '');
    words.add(word);
  }
  return [...words];
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Pages of headings, paragraphs, lists, tables, code, hints and links, with the word distribution of natural language.
 */
export function generatedPages(seed: number, bytes = PAGE_BYTES): PageSource {
  const words = buildVocabulary(new Random(seed));
  const zipf = new Zipf(words.length);
  const text = (random: Random, count: number): string =>
    Array.from({ length: count }, () => words[zipf.rank(random)] ?? '').join(' ');
  const sentence = (random: Random): string => `${capital(text(random, 7 + random.below(12)))}.`;
  const paragraph = (random: Random): string =>
    Array.from({ length: 4 + random.below(4) }, () => sentence(random)).join(' ');
  const extras: readonly ((random: Random) => string)[] = [
    (random) =>
      Array.from(
        { length: 4 + random.below(4) },
        () =>
          `* **${text(random, 2)}**: ${sentence(random)} See [${text(random, 2)}](https://example.com/${text(random, 1)}).`,
      ).join('\n'),
    (random) =>
      `\`\`\`${random.pick(LANGUAGES)}\n${Array.from({ length: 6 }, () => `${text(random, 1)}_${text(random, 1)} = "${text(random, 3)}"`).join('\n')}\n\`\`\``,
    (random) =>
      `| ${text(random, 1)} | ${text(random, 1)} |\n| --- | --- |\n${Array.from({ length: 4 }, () => `| \`${text(random, 1)}\` | ${text(random, 6)} |`).join('\n')}`,
    (random) => `{% hint style="info" %}\n${sentence(random)}\n{% endhint %}`,
    (random) => Array.from({ length: 4 }, (_, index) => `${index + 1}. ${sentence(random)}`).join('\n'),
  ];
  return {
    name: 'generated pages',
    sections: (index) => {
      const random = new Random(seed * 1_000_003 + index);
      let markdown = paragraph(random);
      while (markdown.length < bytes - 400)
        markdown += `\n\n## ${capital(text(random, 3))}\n\n${paragraph(random)}\n\n${random.pick(extras)(random)}`;
      return markdown;
    },
  };
}

const OPENERS = /\{% (?:hint|tabs|tab|code|stepper|step|columns|column|content-ref|if|updates|update)\b/g;
const CLOSERS = /\{% end/g;
const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Tells whether a section is self-contained: no tag, fence or element begins in another one. */
function isWhole(section: string): boolean {
  return (
    section.length >= 80 &&
    section.length <= PAGE_BYTES * 1.5 &&
    count(section, OPENERS) === count(section, CLOSERS) &&
    count(section, /^ *```/gm) % 2 === 0 &&
    count(section, /<[a-z]/g) === count(section, /<\/[a-z]/g)
  );
}

/** Pages composed of the sections of all Markdown files of the corpora; undefined if there are none. */
function corpusPages(seed: number, bytes: number): PageSource | undefined {
  let files: string[];
  try {
    files = readdirSync(CORPORA, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .sort();
  } catch {
    return undefined;
  }
  const sections = files.flatMap((name) =>
    readFileSync(join(CORPORA, name), 'utf8')
      .replace(/^---\n[\s\S]*?\n---\n/, '')
      .split(/^(?=#{1,3} )/m)
      .map((section) => section.replace(/^# /, '## ').trim())
      .filter(isWhole),
  );
  if (sections.length < 100) return undefined;
  return {
    name: `${sections.length} sections of ${files.length} real pages`,
    sections: (index) => {
      const random = new Random(seed * 1_000_003 + index);
      let markdown = random.pick(sections);
      while (markdown.length < bytes - 700) markdown += `\n\n${random.pick(sections)}`;
      return markdown;
    },
  };
}

/** Pages of real documentation where it lies beside the checkout, otherwise generated ones; of about `bytes` each. */
export function pagesFor(seed: number, bytes = PAGE_BYTES): PageSource {
  return corpusPages(seed, bytes) ?? generatedPages(seed, bytes);
}

/**
 * Page number `index` as written at first (`edit` 0) or after an edit: one of its paragraphs, the first or the last,
 * has other text. No two pages and no two edits are equal, so that each is really stored.
 */
export function pageText(
  source: PageSource,
  index: number,
  edit: number | string = 0,
  place: 'first' | 'last' = 'last',
): PageText {
  const title = `Page ${index} of the handbook`;
  const words = [
    ...(index % 10 === 0 ? [] : [FREQUENT_WORD]),
    ...(index < RARE_WORDS.length * 3 ? [RARE_WORDS[Math.floor(index / 3)]] : []),
  ];
  const note = (at: 'first' | 'last'): string =>
    `The ${at} note of page ${index} about ${['itself', ...words].join(' and ')}, written as edit ${at === place ? edit : 0}.`;
  return {
    title,
    markdown: `# ${title}\n\n${note('first')}\n\n${source.sections(index)}\n\n## Notes\n\n${note('last')}\n`,
  };
}

/** The text of a page without its heading, for products that take the title beside the text. */
export function bodyOf({ markdown }: PageText): string {
  return markdown.replace(/^# .*\n+/, '');
}

/** The sentence that ends a page: plain text that only this page and this edit have. */
export function lastNote({ markdown }: PageText): string {
  return markdown.trimEnd().split('\n').at(-1) ?? '';
}
