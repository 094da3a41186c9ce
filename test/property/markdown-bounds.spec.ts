import { afterAll, describe, expect, it } from '@jest/globals';
import { findTargets, makeDocument, type GivenDocument } from '../../src/authoring/content/document-tasks.js';
import type { Document } from '../../src/formats/document/types.js';
import { validateDocument } from '../../src/formats/document/validate.js';
import { parseMarkdown } from '../../src/formats/markdown/parse.js';
import { rounds } from './content-generators.js';

/*
 * Pages that nobody writes: marks, containers and elements by the thousand, within each other and one after the other.
 * Each is read into a valid document or refused, in bounded time, and an import keeps every word of it.
 */

/** Seconds of processor time, on a machine that does other things as well; the figures are printed. */
const AT_MOST = 5;
const N = 10 * rounds(60);

/** What was told of each source when it was read. */
const told = new Map<string, string | undefined>();
const times: { name: string; seconds: number }[] = [];

afterAll(() => {
  const slowest = times.toSorted((a, b) => b.seconds - a.seconds).slice(0, 5);
  process.stdout.write(
    `markdown bounds: ${times.length} sources; slowest ${slowest.map(({ name, seconds }) => `${name} ${seconds.toFixed(2)} s`).join(', ')}\n`,
  );
});

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

const SOURCES: Readonly<Record<string, () => string>> = {
  quotes: () => '> '.repeat(N) + 'a',
  'quotes without spaces': () => '>'.repeat(N) + 'a',
  lists: () => '* '.repeat(N) + 'a',
  'lists by indentation': () => lines(1_000, (index) => `${'  '.repeat(index)}* a`),
  'quotes and lists': () => `${'> * '.repeat(49)}a\n${`${'>   '.repeat(49)}b\n`.repeat(300)}`,
  'open brackets': () => '['.repeat(N) + 'a',
  brackets: () => '['.repeat(N) + 'a' + ']'.repeat(N),
  'links in links': () => '['.repeat(N) + 'a' + '](b)'.repeat(N),
  'images in images': () => '!['.repeat(N) + 'a' + '](b)'.repeat(N),
  'few images in images': () => '!['.repeat(300) + 'a' + '](b)'.repeat(300),
  'footnotes in footnotes': () => '[^'.repeat(N) + 'a' + ']'.repeat(N),
  'footnotes that call two others': () =>
    `${lines(40, (index) => `[^a${index}]: y[^a${index + 1}][^a${index + 1}]\n`)}\n\nx[^a0]`,
  'open emphasis': () => '*a **b '.repeat(N),
  'emphasis in emphasis': () => '*'.repeat(N) + 'a' + '*'.repeat(N),
  'emphasis that closes': () => '*a **b '.repeat(450) + 'x' + '** *'.repeat(450),
  'crossed emphasis': () => '_a*b'.repeat(N),
  'paragraphs of emphasis': () => `${'*a **b '.repeat(800)}\n\n`.repeat(30),
  'runs of backticks': () => Array.from({ length: 1_000 }, (_, index) => '`'.repeat(index + 1)).join(' '),
  'runs of dollars': () => Array.from({ length: 1_000 }, (_, index) => '$'.repeat(index + 2)).join(' '),
  'open tabs': () => '{% tabs %}\n{% tab title="a" %}\n'.repeat(N / 2),
  tabs: () => '{% tabs %}\n{% tab title="a" %}\n'.repeat(N / 2) + '{% endtab %}\n{% endtabs %}\n'.repeat(N / 2),
  'tags on one line': () => '{% hint %}'.repeat(N),
  'beginnings of tags': () => '{% '.repeat(N),
  'closing tags': () => '{% endhint %}\n'.repeat(N),
  elements: () => '<div>'.repeat(N) + 'a' + '</div>'.repeat(N),
  'open elements': () => '<div>'.repeat(N),
  'elements on lines': () => '<div>\n\n'.repeat(N / 2) + 'a\n\n' + '</div>\n\n'.repeat(N / 2),
  'elements in a line': () => `x ${'<b>'.repeat(N)}a${'</b>'.repeat(N)}`,
  'tables in tables': () => '<table><tr><td>'.repeat(3_000) + 'a',
  'elements around tags': () => '<div>\n{% hint style="info" %}\n'.repeat(500),
  comments: () => `x ${'<!--'.repeat(N)}`,
  'a table with many columns': () => `|${'a|'.repeat(N)}\n|${'-|'.repeat(N)}`,
  'a table with many rows': () => `| a | b |\n| - | - |\n${'| a | b |\n'.repeat(15_000)}`,
  'a table of short rows': () => `|${'a|'.repeat(2_000)}\n|${'-|'.repeat(2_000)}\n${'|a\n'.repeat(1_000)}`,
  'quotes one after the other': () => '> a\n\n'.repeat(9_000),
  'lists one after the other': () => '* a\n\nb\n\n'.repeat(4_900),
  'list items': () => '* a\n'.repeat(19_000),
  'list items far inside': () =>
    `${lines(20, (index) => `${'  '.repeat(index)}* a`)}\n${`${' '.repeat(40)}* a\n`.repeat(15_000)}`,
  'code far inside of lists': () =>
    `${lines(20, (index) => `${'  '.repeat(index)}* a`)}\n${' '.repeat(42)}\`\`\`\n${`${' '.repeat(42)}a\n`.repeat(18_000)}`,
  'headings of the same name': () => '# a\n'.repeat(8_000),
  'elements of HTML in lines': () => '<div>a</div>\n'.repeat(19_000),
  'tags of HTML': () => `<div>${'<b>a</b>'.repeat(100_000)}`,
  definitions: () => lines(19_000, (index) => `[a${index}]: b${index}`),
  footnotes: () => lines(9_500, (index) => `[^a${index}]: b\n`),
  'escaped marks': () => '\\*'.repeat(500_000),
  entities: () => '&amp;'.repeat(200_000),
  'addresses of people': () => 'a@b.c '.repeat(160_000),
  'a long line': () => 'word '.repeat(20 * N),
  'a long word': () => 'a'.repeat(1_000_000),
  'a line of blanks': () => `a${' '.repeat(1_000_000)}b`,
  'too much of it': () => 'word '.repeat(300_000),
  'many paragraphs': () => 'a\n\n'.repeat(90_000),
  'many lines': () => 'a\n'.repeat(200_000),
  addresses: () => 'http://'.repeat(N) + 'www.a'.repeat(N) + 'a@b.'.repeat(N),
  'aliases in frontmatter': () =>
    `---\n${lines(30, (index) => `a${index}: &a${index} [${index === 0 ? 'x' : `*a${index - 1}, *a${index - 1}`}]`)}\n---\n`,
  'deep frontmatter': () => `---\na: ${'['.repeat(N)}\n---\n`,
};

/** What a request with this Markdown is told; a document must be one that can be stored. */
function refusal(markdown: string): string | undefined {
  const given: GivenDocument = { markdown, of: 'page' };
  const targets = findTargets(given);
  const made =
    'fault' in targets
      ? targets
      : makeDocument({ given, resolved: targets.map((target) => ({ ...target, ref: undefined })) });
  if ('fault' in made) {
    expect(made.fault.path).toBe('markdown');
    return made.fault.message;
  }
  if (made.document) expect(validateDocument(JSON.parse(made.document.json))).toEqual([]);
  return undefined;
}

function timed(name: string, begin: NodeJS.CpuUsage): void {
  const seconds = process.cpuUsage(begin).user / 1e6;
  times.push({ name, seconds });
  expect(seconds).toBeLessThan(AT_MOST);
}

/** All of them where ROUNDS is given, else every third. */
const TRIED = Object.entries(SOURCES).flatMap(([name, make], index) =>
  process.env['ROUNDS'] !== undefined || index % 5 === 0 ? [{ name, make }] : [],
);

describe('3b-26 Markdown without bounds', () => {
  it.each(TRIED)('$name', ({ name, make }) => {
    const source = make();
    const begin = process.cpuUsage();
    told.set(name, refusal(source));
    timed(name, begin);
  });

  it('is refused with what is wrong with it', () => {
    const refused = (name: string): string | undefined => told.get(name) ?? refusal(SOURCES[name]?.() ?? '');
    expect(refused('quotes')).toMatch(/200 columns of quotes, lists and footnotes/);
    expect(refused('lists by indentation')).toMatch(/columns of quotes/);
    expect(refused('a table with many rows')).toMatch(/10000 cells/);
    expect(refused('a table of short rows')).toMatch(/10000 cells/);
    expect(refused('too much of it')).toMatch(/1048576 characters/);
    expect(refused('many lines')).toMatch(/20000 lines/);
    for (const name of ['list items', 'quotes one after the other', 'definitions', 'escaped marks', 'entities'])
      expect([name, refused(name)]).toEqual([name, expect.stringMatching(/more blocks and marks/)]);
    expect(refused('code far inside of lists')).toMatch(/200000 columns of indentation/);
    expect(refused('tags of HTML')).toMatch(/30000 tags/);
    expect(refusal('<div>a</div>\n'.repeat(14_000))).toMatch(/100000 nodes/);
    expect(refusal(`${'*a '.repeat(300)}${'b*'.repeat(300)}`)).toMatch(/250 deep/);
  });

  it.each([
    ['items of a list', '* a point\n'.repeat(4_000)],
    ['rows of a table', `| a | b |\n| - | - |\n${'| a | b |\n'.repeat(4_900)}`],
    ['one line', 'word '.repeat(209_000)],
    [
      'sections with text, links and lists',
      lines(
        600,
        (index) =>
          `## Heading ${index}\n\nSome **bold** text with [a link](page.md). ${'And words. '.repeat(60)}\n\n* one\n* two\n`,
      ),
    ],
    ['code', `\`\`\`\n${'{"a_b": ["c*d", "<e>"]}\n'.repeat(18_000)}\`\`\``],
  ])('is legal where it is only long: %s', (_, source) => {
    expect(refusal(source)).toBeUndefined();
  });

  it('is kept word for word by an import', () => {
    const { document, problems } = parseMarkdown(SOURCES['quotes']?.() ?? '');
    expect(problems).toMatchObject([{ line: 1, message: expect.stringMatching(/kept verbatim/) as unknown }]);
    expect(document.nodes).toMatchObject([{ type: 'code', data: { syntax: 'gitbook-raw' } }]);
    expect(JSON.stringify(document)).toContain(SOURCES['quotes']?.());
  });

  it('does not touch what people write', () => {
    const paragraph = Array.from({ length: 400 }, (_, index) => `**b${index}** and \`c${index}\``).join(', ');
    const read = JSON.stringify(parseMarkdown(paragraph, { page: false }).document);
    expect(read.match(/"type":"bold"/g)).toHaveLength(400);
    expect(read.match(/"type":"code"/g)).toHaveLength(400);
    const table = `| a | b |\n| - | - |\n${'| **a** | `b` |\n'.repeat(2_000)}`;
    expect(JSON.stringify(parseMarkdown(table, { page: false }).document).match(/"type":"bold"/g)).toHaveLength(2_000);
  });
});

describe('frontmatter without bounds', () => {
  const headed = (yaml: string): string => `---\n${yaml}\n---\n\nText.\n`;

  it.each([
    ['keys', headed(lines(60_000, (index) => `k${index}: 1`))],
    ['aliases', headed(lines(30_000, (index) => `k${index}: &a${index} x\nl${index}: *a${index}`))],
    ['brackets', headed('['.repeat(100_000))],
    ['repeated keys', headed('k: 1\n'.repeat(100_000))],
  ])('is read in bounded time: %s', (name, source) => {
    const begin = process.cpuUsage();
    expect(JSON.stringify(parseMarkdown(source).document)).toContain('Text.');
    timed(name, begin);
  });

  it('is refused where it is too long, and kept where a key occurs twice', () => {
    expect(refusal(headed('# long\n'.repeat(200_000)))).toMatch(/frontmatter of more than 1048576 characters/);
    expect(parseMarkdown(headed('a: 1\nb: {c: 1, c: 2}'))).toMatchObject({
      frontmatter: { extra: { '': 'a: 1\nb: {c: 1, c: 2}' } },
      problems: [{ line: 3, message: 'frontmatter is kept verbatim: duplicated mapping key' }],
    });
  });
});

describe('3b-26 JSON without bounds', () => {
  it('is refused at once', () => {
    const block = (nodes: unknown[]): unknown => ({
      object: 'block',
      type: 'blockquote',
      isVoid: false,
      data: {},
      nodes,
    });
    let deep = block([]);
    for (let level = 0; level < N; level++) deep = block([deep]);
    for (const nodes of [Array.from({ length: 1_000_000 }, () => block([])), [deep]]) {
      const begin = process.cpuUsage();
      const document = { object: 'document', data: {}, nodes } as unknown as Document;
      expect(findTargets({ json: JSON.stringify(document) })).toMatchObject({
        fault: { path: expect.stringMatching(/^document/) as unknown },
      });
      timed('JSON', begin);
    }
  });
});
