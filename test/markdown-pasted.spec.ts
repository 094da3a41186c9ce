import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { withoutKeys } from '../src/formats/document/hash.js';
import type { Block, Document, Node } from '../src/formats/document/types.js';
import { validateDocument } from '../src/formats/document/validate.js';
import { parseMarkdown } from '../src/formats/markdown/parse.js';
import { serializeMarkdown } from '../src/formats/markdown/serialize.js';

/** HTML as these editors put it on the clipboard. */
const sample = (name: string): string => readFileSync(`test/fixtures/pasted/${name}.html`, 'utf8');
const read = (source: string): Document => parseMarkdown(source, { page: false }).document;

/** Blocks in short: type, text with the first letters of its marks, what is inside. */
function sketch({ type, data, nodes = [], fragments = [] }: Block): unknown {
  const line = nodes.map(lineOf).join('');
  const inside = [...nodes, ...fragments.flatMap((part) => part.nodes)].filter(
    (node): node is Block => node.object === 'block',
  );
  const facts = 'checked' in data ? ` ${String(data.checked)}` : 'start' in data ? ` ${String(data.start)}` : '';
  return inside.length === 0 ? `${type}${facts}: ${line}` : { [`${type}${facts}`]: inside.map(sketch) };
}

function lineOf(node: Node): string {
  if (node.object === 'text')
    return node.leaves
      .map(({ text, marks }) =>
        marks.length === 0 ? text : `${marks.map((mark) => mark.type.slice(0, 2)).join('+')}(${text})`,
      )
      .join('');
  if (node.object !== 'inline') return '';
  return node.type === 'link' && node.data.ref.kind === 'url'
    ? `[${(node.nodes ?? []).map(lineOf).join('')}](${node.data.ref.url})`
    : `{${node.type}}`;
}

const sketches = (document: Document): unknown[] => document.nodes.map(sketch);

/** The words that a browser shows of HTML; what Word writes before the items of its lists becomes the list itself. */
function shownWords(html: string): string[] {
  const texts: string[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if (node.nodeName === '#text') texts.push((node as DefaultTreeAdapterTypes.TextNode).value);
    const hidden =
      ['style', 'script', 'head'].includes(node.nodeName) ||
      ('attrs' in node && node.attrs.some(({ name, value }) => name === 'style' && /mso-list:\s*Ignore/.test(value)));
    if ('childNodes' in node && !hidden) node.childNodes.forEach(visit);
  };
  visit(parse(html));
  return texts.join(' ').match(/[\p{L}\p{N}\p{Emoji_Presentation}]+/gu) ?? [];
}

describe('HTML that is pasted from', () => {
  it('Microsoft Word becomes headings, marks, lists by their levels, links and tables', () => {
    const document = read(sample('word'));
    expect(sketches(document)).toEqual([
      'heading-1: Release plan',
      'paragraph: The bo(first) release is it(soon); see [the plan](https://example.com/plan).',
      {
        'list-unordered': [
          {
            'list-item': [
              'paragraph: Prepare',
              { 'list-unordered': [{ 'list-item': ['paragraph: Write the bo(notes)'] }] },
            ],
          },
          { 'list-item': ['paragraph: Publish'] },
        ],
      },
      { 'list-ordered 3': [{ 'list-item': ['paragraph: Third step'] }] },
      { table: ['paragraph: Docs', 'paragraph: Ada & Bob'] },
      'paragraph: co(npm start) and st(old) under, Hsu(2)O',
    ]);
    const table = document.nodes.find((node): node is Block<'table'> => node.type === 'table');
    expect(Object.values(table?.data.definition ?? {}).map(({ title }) => title)).toEqual(['Name', 'Owner']);
  });

  it('Google Docs is set as its styles say, not as its elements', () => {
    expect(sketches(read(sample('google-docs')))).toEqual([
      'heading-1: Team handbook',
      'paragraph: Some bo(bold)it( and italic)st( struck) words, [a link](https://example.com/), xsu(2)',
      {
        'list-unordered': [
          { 'list-item': ['paragraph: One', { 'list-unordered': [{ 'list-item': ['paragraph: bo(Inner)'] }] }] },
          { 'list-item': ['paragraph: Two'] },
        ],
      },
      { 'list-ordered': [{ 'list-item': ['paragraph: First'] }] },
      { 'list-tasks': [{ 'list-item true': ['paragraph: st(Done)'] }] },
      { table: ['paragraph: bo(Key)', 'paragraph: Value', 'paragraph: a', 'paragraph: b'] },
      'paragraph: co(code here)',
      'heading-2: Next part',
    ]);
  });

  it('Notion keeps nested lists, toggles, tasks, callouts and code', () => {
    expect(sketches(read(sample('notion')))).toEqual([
      'heading-1: Project notes',
      'paragraph: Some bo(bold), it(italic), co(code), st(gone) and [a page](https://www.notion.so/abc?pvs=21).',
      {
        'list-unordered': [
          { 'list-item': ['paragraph: First', { 'list-unordered': [{ 'list-item': ['paragraph: Nested'] }] }] },
          { 'list-item': ['paragraph: Second'] },
        ],
      },
      { 'list-ordered': [{ 'list-item': ['paragraph: Step one'] }, { 'list-item': ['paragraph: Step two'] }] },
      {
        'list-tasks': [
          { 'list-item true': ['paragraph: Done thing'] },
          { 'list-item false': ['paragraph: Open thing'] },
        ],
      },
      { expandable: ['paragraph: More about it', 'paragraph: Hidden words'] },
      { hint: ['paragraph: 💡', 'paragraph: Mind this'] },
      { hint: ['paragraph: 💡 Another callout'] },
      { blockquote: ['paragraph: A quote'] },
      { code: ['code-line: const a = 1;', 'code-line: ', 'code-line: const b = 2;'] },
      { table: ['paragraph: Docs', 'paragraph: Ready'] },
      { 'list-tasks': [{ 'list-item true': ['paragraph: Ticked'] }] },
      'paragraph: co(Coloured) text',
    ]);
  });

  it.each(['word', 'google-docs', 'notion'])(
    '%s loses no word, leaves no mark of the editor, and is the same once it was written',
    (name) => {
      const document = read(sample(name));
      expect(validateDocument(document)).toEqual([]);
      const text = JSON.stringify(document);
      expect(shownWords(sample(name)).filter((word) => !text.includes(word))).toEqual([]);
      expect(text).not.toMatch(/gitbook-raw|mso-|MsoNormal|docs-internal|notionvc|<\/?[a-z]/i);
      expect(parseMarkdown(sample(name), { page: false }).problems).toEqual([]);
      expect(withoutKeys(read(serializeMarkdown(document)))).toEqual(withoutKeys(document));
    },
  );

  it('an editor stands beside Markdown, which stays what it is', () => {
    const pasted = '<p class=MsoNormal>A <b>pasted</b> line<o:p></o:p></p>';
    expect(sketches(read(`## Before\n\n*Words*\n\n${pasted}\n\n* a point\n`))).toEqual([
      'heading-2: Before',
      'paragraph: it(Words)',
      'paragraph: A bo(pasted) line',
      { 'list-unordered': [{ 'list-item': ['paragraph: a point'] }] },
    ]);
    expect(sketches(read(`\`\`\`html\n\n${pasted}\n\n\`\`\``))).toEqual([
      { code: ['code-line: ', `code-line: ${pasted}`, 'code-line: '] },
    ]);
    const merged =
      '<!--StartFragment--><table><tr><td colspan=2>wide</td></tr><tr><td rowspan=2>high</td><td>a</td></tr><tr><td>b</td></tr></table><!--EndFragment-->';
    expect(sketches(read(merged))).toEqual([
      { table: ['paragraph: wide', 'paragraph: high', 'paragraph: a', 'paragraph: b'] },
    ]);
  });

  it.each(['div', 'ul><li', 'b', 'table><tr><td', 'blockquote'])(
    '%s within each other a thousand times is read all the same',
    (tag) => {
      const source = `<!--StartFragment-->${`<${tag}>`.repeat(1000)}the innermost word`;
      const document = read(source);
      expect(validateDocument(document)).toEqual([]);
      expect(JSON.stringify(document)).toContain('the innermost word');
    },
  );

  it.each(['', '<div>', '<ul><li>', '<div><p class=MsoListParagraph>'])(
    '%s with more in it than anybody has written is kept as it is',
    (tag) => {
      const { document, problems } = parseMarkdown(`<!--StartFragment-->${tag}${'<p>a'.repeat(250_000)}`, {
        page: false,
      });
      expect([document.nodes.length, problems.length]).toEqual([1, 1]);
    },
  );
});
