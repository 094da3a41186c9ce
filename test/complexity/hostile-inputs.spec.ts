import { describe, expect, it } from '@jest/globals';
import { EVALUATED_JSON, FIND_TARGETS } from '../../src/authoring/content/document-tasks.js';
import { COMMENT_PARSE_LIMITS } from '../../src/formats/markdown/parse-limits.js';
import { TooMuchHtml } from '../../src/formats/markdown/html-tree.js';
import { tokenizeHtml } from '../../src/formats/markdown/html.js';
import { interpretMarkdown, parseMarkdown, readMarkdown } from '../../src/formats/markdown/parse.js';
import { shapeFaults } from '../../src/formats/openapi/reading/validate.js';
import { splitTags } from '../../src/formats/markdown/tags.js';
import { readYaml } from '../../src/formats/markdown/yaml.js';
import { cleanBody } from '../../src/insight/conversations/domain/clean-message.js';
import { ReadWebPage } from '../../src/authoring/interchange/domain/web-page.js';
import { rawMarkupContent } from '../../src/formats/html/raw-markup.js';
import { redirectsOfYaml } from '../../src/publishing/sites/domain/redirects.js';
import { SMALL_TEXT } from '../../src/kernel/platform/workers/worker-pool.js';
import { processorTime } from './measure.js';
import { letters } from './shapes.js';

/* Texts that took seconds, or all of the memory, with the sizes at which they did. */

const KB = 1000;

/** The result of work, which may take so many milliseconds of processor time: the texts took many times that, and machines differ. */
function soon<Result>(work: () => Result, most = 2500): Result {
  const begin = processorTime();
  const result = work();
  expect(processorTime() - begin).toBeLessThan(most);
  return result;
}

/** Elements that are not closed, each with another attribute, and paragraphs, each of which has to open all of them again. */
function unclosed(length: number, before = ''): string {
  const elements = Array.from({ length: Math.floor(length / 20) }, (_, index) => `<b ${letters(index)}>`).join('');
  const paragraphs = '<p>x'.repeat(Math.max(1, Math.floor((length - before.length - elements.length - 3) / 4)));
  return `${before}<p>${elements}${paragraphs}`;
}

describe('3b-26 texts that took too long', () => {
  it('a page of 110 KB with pasted HTML is read at once, and kept as it is written', () => {
    const source = unclosed(110 * KB, '<!--StartFragment-->');
    const { document } = soon(() => parseMarkdown(source));
    expect(JSON.stringify(document)).toContain('x');
    expect(soon(() => readMarkdown(source).head.body)).toBe(source);
  });

  it('a comment of 18 KB', () => {
    const source = unclosed(18 * KB, '<!--StartFragment-->');
    soon(() => interpretMarkdown(readMarkdown(source, false, COMMENT_PARSE_LIMITS)));
  });

  it('3b-29 a raw block of 13 KB is shown as it is written', () => {
    expect(soon(() => rawMarkupContent(unclosed(13 * KB)))).toBeUndefined();
  });

  it('a raw block of 900 KB of beginnings of tags', () => {
    soon(() => rawMarkupContent('{% '.repeat(300_000)));
  });

  it('a message of 6 KB in a conversation loses its tags alone', () => {
    expect(soon(() => cleanBody(`<p>before</p>${unclosed(6 * KB)}`))).toMatch(/^before\s+x\s+x/);
    soon(() => cleanBody(unclosed(100 * KB)));
  });

  it('3b-24 a web page of 6 KB, or of five megabytes, is refused as such', () => {
    for (const length of [6 * KB, 5_000 * KB])
      expect(() => soon(() => new ReadWebPage(unclosed(length), ''))).toThrow(TooMuchHtml);
  });

  it('900 KB of beginnings of tags', () => {
    expect(soon(() => splitTags('{% '.repeat(300_000)))).toHaveLength(1);
    soon(() => parseMarkdown('{% '.repeat(300_000)));
    soon(() => splitTags('{% 1'.repeat(100_000) + ' '.repeat(400_000) + '%}'));
    soon(() => splitTags('{% a "'.repeat(150_000)));
  });

  it.each([
    '<div>\n{% hint style="info" %}\n',
    '> <div>\n> {% hint style="info" %}\n',
    '<div>\n{% hint style="info" %}\na\n{% endhint %}\n</div>\n',
  ])('16 KB of HTML and tags by turns: %j', (part) => {
    soon(() => parseMarkdown(part.repeat(16_000 / part.length)), 500);
  });

  it('two megabytes of HTML on one line', () => {
    expect(soon(() => tokenizeHtml('<option>a</option> '.repeat(100_000)))).toHaveLength(400_000);
  });

  it.each([40, 200, 1_000])('%i KB of tags in YAML', (size) => {
    const tags = '!a '.repeat((size * KB) / 3);
    expect(() => soon(() => readYaml(`a: ${tags}`))).toThrow();
    expect(soon(() => parseMarkdown(`---\na: ${tags}\n---\nText.\n`)).problems).toHaveLength(1);
  });

  it('830 KB of flow maps in YAML', () => {
    expect(soon(() => readYaml(`[${'{a: {b: 1}}, '.repeat(64_000)}]`))).toHaveLength(64_000);
    soon(() => readYaml(`{${Array.from({ length: 60_000 }, (_, index) => `k${index}: {a: 1}`).join(', ')}}`));
    soon(() => parseMarkdown(`---\na: ${'{a: '.repeat(200_000)}\n---\n`));
  });

  it('a list of redirects of a megabyte', () => {
    const entries = Array.from(
      { length: 24_000 },
      (_, index) => `  old/page/number-${index}: new/page-${index}.md\n`,
    ).join('');
    expect(soon(() => redirectsOfYaml(`redirects:\n${entries}`))).toHaveLength(24_000);
  });

  it('a specification of 500 KB in which every schema has faults', () => {
    const schemas = Object.fromEntries(Array.from({ length: 16_000 }, (_, index) => [`s${index}`, { type: 'none' }]));
    const root = { openapi: '3.0.3', info: { title: 'a', version: '1' }, paths: {}, components: { schemas } };
    expect(soon(() => shapeFaults(root, '3.0'), 5000)).toHaveLength(16_000);
  });

  it('aliases that stand for ever more of what they repeat', () => {
    const doubling = Array.from(
      { length: 40 },
      (_, index) => `a${index}: &a${index} [${index === 0 ? 'x' : `*a${index - 1}, *a${index - 1}`}]\n`,
    ).join('');
    expect(() => soon(() => readYaml(doubling))).toThrow(/repeat more than 10000 values at line \d+/);
    expect(() => readYaml('a: &a [*a]')).toThrow(/refers to a missing anchor, or to itself/);
    expect(() => readYaml('a: *b')).toThrow(/refers to a missing anchor/);
    expect(readYaml('a: &a {b: 1}\nc: *a\nd: *a')).toEqual({ a: { b: 1 }, c: { b: 1 }, d: { b: 1 } });
  });

  it('quotes, lists and footnotes within each other are refused beyond 200 columns', () => {
    expect(soon(() => readMarkdown('* [^a]: '.repeat(512)), 50).fault).toMatch(/more than 200 columns/);
    expect(readMarkdown(`${'* [^a]: '.repeat(20)}a`).fault).toBeUndefined();
    expect(readMarkdown(`[^${'a'.repeat(500)}]: b`).fault).toBeUndefined();
  });
});

describe('small texts that cost as much as large ones', () => {
  const isSmall = (markdown: string): boolean => FIND_TARGETS.size({ markdown, of: 'page' }) <= SMALL_TEXT;
  const evaluated = (expressions: number): number => {
    const { document } = parseMarkdown(
      Array.from({ length: expressions }, (_, index) => `<code class="expression">${index}</code>`).join(' '),
    );
    return EVALUATED_JSON.size({
      json: JSON.stringify(document),
      scope: { spaceVariables: {}, pageVariables: {}, deterministicOnly: false },
    });
  };

  it.each(['* _', '*_', '![', '{% a %}x', '> \n\n', 'a*b _c '])(
    'are read in a thread where they are nothing but marks: %j',
    (part) => {
      const marks = part.repeat(4096 / part.length);
      expect(marks.length).toBeLessThanOrEqual(SMALL_TEXT);
      expect(isSmall(marks)).toBe(false);
      expect(isSmall(marks.slice(0, 1000))).toBe(true);
    },
  );

  it('are read where they arrive otherwise', () => {
    expect(isSmall('Some **words** of [a page](b.md), with `code`.\n\n* a list\n'.repeat(50))).toBe(true);
    expect(isSmall('漢字、'.repeat(1300))).toBe(true);
  });

  it('are evaluated in a thread where they have many expressions', () => {
    expect(evaluated(3)).toBeLessThanOrEqual(SMALL_TEXT);
    expect(evaluated(12)).toBeGreaterThan(SMALL_TEXT);
  });
});
