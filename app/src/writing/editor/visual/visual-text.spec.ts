import { describe, expect, it } from '@jest/globals';
import { history, undo } from 'prosemirror-history';
import type { Node } from 'prosemirror-model';
import { EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { findPlugin } from './find-plugin.js';
import { blockKeys } from './model/block-keys.js';
import { markNamed, schema, typeNamed } from './model/schema.js';
import { VisualText } from './visual-text.js';

const bold = markNamed('bold').create();
const link = markNamed('link').create({ data: { ref: { kind: 'url', url: 'https://example.com/' } } });
const mention = typeNamed('inline_atom').create({
  inline: { object: 'inline', type: 'mention', isVoid: true, data: { ref: { kind: 'page', page: 'p' } } },
});
const whole = (type: string): Node =>
  typeNamed('block_atom').create({ key: type, block: { object: 'block', type, isVoid: true, data: {} } });
const paragraph = (key: string, ...content: readonly (string | Node)[]): Node =>
  typeNamed('paragraph').create(
    { key },
    content.map((each) => (typeof each === 'string' ? schema.text(each) : each)),
  );

/** An editor without a screen, and what it has been told. */
function open(...nodes: readonly Node[]) {
  const view = {
    state: EditorState.create({
      doc: typeNamed('doc').create(null, nodes),
      plugins: [findPlugin, blockKeys, history()],
    }),
    changes: 0,
    isDestroyed: false,
    dom: { querySelector: () => null },
    focus: () => undefined,
    dispatch(transaction: Transaction): void {
      view.state = view.state.apply(transaction);
      if (transaction.docChanged) view.changes += 1;
    },
  };
  return { view, text: new VisualText(view as unknown as EditorView) };
}

const query = (text: string, replacement = '', more: object = {}) => ({
  ...{ text, replacement, isCaseSensitive: false, isWholeWord: false },
  ...more,
});
const lines = ({ view }: ReturnType<typeof open>): string[] => view.state.doc.children.map((each) => each.textContent);
const keys = ({ view }: ReturnType<typeof open>): unknown[] =>
  view.state.doc.children.map(({ attrs }): unknown => attrs['key']);

/** Neighbours without a footnote are one text. */
const joinPlain = (parts: readonly string[], part: string): string[] =>
  /^[^+].*:$/.test(part) && /^[^+].*:$/.test(parts.at(-1) ?? '')
    ? [...parts.slice(0, -1), (parts.at(-1) ?? '').slice(0, -1) + part]
    : [...parts, part];

describe('finding in a document', () => {
  it('chooses one place after the other, around the end, from the cursor on', () => {
    const { text, view } = open(paragraph('a', 'One apple, one Pear'), paragraph('b', 'No one'));
    expect(text.find(query('one'))).toEqual({ count: 3, index: 1 });
    expect(text.move(1)).toEqual({ count: 3, index: 2 });
    expect(text.move(1)).toEqual({ count: 3, index: 3 });
    expect(text.move(1)).toEqual({ count: 3, index: 1 });
    expect(text.move(-1)).toEqual({ count: 3, index: 3 });
    expect(view.state.doc.textBetween(view.state.selection.from, view.state.selection.to)).toBe('one');
    view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, 4)));
    expect(text.find(query('one'))).toEqual({ count: 3, index: 2 });
    expect(text.find(query('nothing'))).toEqual({ count: 0, index: 0 });
    expect(text.move(-1)).toEqual({ count: 0, index: 0 });
    text.endFind();
    expect(text.found()).toEqual({ count: 0, index: 0 });
  });

  it.each([
    ['one', { isCaseSensitive: true }, 'One one ONE', 1],
    ['one', { isWholeWord: true }, 'one ones bone one_ on-one éone', 2],
    ['straße', { isWholeWord: true }, 'Straße, STRASSE, straßen', 1],
    ['(a.*)+$', {}, 'aaaa (a.*)+$', 1],
    ['a-b[c]{2}\\', {}, 'a-b[c]{2}\\', 1],
    ['i', {}, 'İ i I ı', 2],
    ['𝒜', {}, 'x𝒜y', 1],
    ['\uFFFC', {}, 'x', 0],
    ['', {}, 'x', 0],
  ])('%j with %j in %j: %i', (words, more, line, count) => {
    expect(open(paragraph('a', line)).text.find(query(words, '', more)).count).toBe(count);
  });

  it('finds across marks, and not across mentions, blocks and what is shown as a whole', () => {
    const { text } = open(
      paragraph('a', 'in', schema.text('stall', [bold]), mention, 'er'),
      paragraph('b', 'inst'),
      whole('embed'),
      whole('divider'),
      paragraph('c', 'aller'),
    );
    expect(text.find(query('install')).count).toBe(1);
    expect(text.find(query('staller')).count).toBe(0);
    expect(text.find(query('installer')).count).toBe(0);
    expect(text.unsearched).toBe(1);
  });
});

describe('replacing in a document', () => {
  it('replaces all as one change that undo takes back, and touches no other block', () => {
    const at = open(paragraph('a', 'one two one'), paragraph('b', 'other'), paragraph('c', 'ONE'), whole('math'));
    const before = at.view.state.doc;
    at.text.find(query('one', 'three'));
    expect(at.text.replaceAll()).toBe(3);
    expect(at.view.changes).toBe(1);
    expect(lines(at)).toEqual(['three two three', 'other', 'three', '']);
    expect(keys(at)).toEqual(['a', 'b', 'c', 'math']);
    expect(at.view.state.doc.child(1)).toBe(before.child(1));
    undo(at.view.state, at.view.dispatch.bind(at.view));
    expect(at.view.state.doc.eq(before)).toBe(true);
    expect(at.text.found().count).toBe(3);
  });

  it('replaces the chosen place alone, and goes on behind the new words', () => {
    const at = open(paragraph('a', 'a a a'));
    expect(at.text.find(query('a', 'aa')).index).toBe(1);
    at.text.replace();
    expect(lines(at)).toEqual(['aa a a']);
    at.text.replace();
    expect(lines(at)).toEqual(['aa aa a']);
    undo(at.view.state, at.view.dispatch.bind(at.view));
    expect(lines(at)).toEqual(['aa a a']);
  });

  it('takes the words literally', () => {
    const at = open(paragraph('a', 'cost'));
    at.text.find(query('cost', '$& $1 \\n $$'));
    at.text.replaceAll();
    expect(lines(at)).toEqual(['$& $1 \\n $$']);
  });

  it('keeps marks, links and mentions', () => {
    const at = open(
      paragraph('a', 'See ', schema.text('the docs', [link]), mention, schema.text(' colour', [bold]), ' end'),
    );
    at.text.find(query('docs', 'guide'));
    at.text.replaceAll();
    at.text.find(query('colour', 'color'));
    at.text.replaceAll();
    at.text.find(query('see the', 'See all the'));
    at.text.replaceAll();
    const children = at.view.state.doc.child(0).children;
    expect(children.map((each) => [each.text, each.marks.map(({ type }) => type.name).join()])).toEqual([
      ['See all ', ''],
      ['the guide', 'link'],
      [undefined, ''],
      [' color', 'bold'],
      [' end', ''],
    ]);
  });

  it('divides no character, and may leave an empty line', () => {
    const at = open(paragraph('a', '😀'), paragraph('b', 'gone'));
    at.text.find(query('😀', '😁'));
    at.text.replaceAll();
    at.text.find(query('gone', ''));
    at.text.replaceAll();
    expect(lines(at)).toEqual(['😁', '']);
    expect(keys(at)).toEqual(['a', 'b']);
    at.view.state.doc.check();
  });

  it('replaces many places of a long line in a time that follows from their number', () => {
    const work = (places: number): number => {
      const at = open(paragraph('a', 'x y '.repeat(places)));
      at.text.find(query('x', 'z'));
      const start = process.cpuUsage();
      expect(at.text.replaceAll()).toBe(places);
      expect(at.text.found().count).toBe(0);
      return process.cpuUsage(start).user;
    };
    work(2000);
    expect(work(40_000)).toBeLessThan(5_000_000);
  });

  it('keeps links and footnotes that are a part of the words that are replaced', () => {
    const note = markNamed('annotation').create({ data: {}, fragments: [], part: 0 });
    for (const mark of [link, note]) {
      const editor = open(paragraph('a', 'so ', schema.text('b', [mark]), 'c it is'));
      editor.text.find(query('o bc i', 'new'));
      expect(editor.text.replaceAll()).toBe(1);
      expect(lines(editor)).toEqual(['snewt is']);
      expect(editor.view.state.doc.rangeHasMark(0, editor.view.state.doc.content.size, mark.type)).toBe(true);
    }
    // One that goes on outside of the words stays there alone.
    const editor = open(paragraph('a', 'abc ', schema.text('def ghi', [link])));
    editor.text.find(query('abc def', 'new'));
    editor.text.replaceAll();
    const marked = editor.view.state.doc.firstChild?.children.filter(({ marks }) => marks.length > 0);
    expect(marked?.map((node) => node.text)).toEqual([' ghi']);
  });

  it.each([
    ['ab', 'new words', ['new:0', ' words:1']],
    ['ab', 'xyz', ['x:0', 'yz:1']],
    ['ab', 'x', ['x:0', '+1']],
    ['a ab c', 'a c', ['a:0', ' :1', 'c:']],
    ['a ab c', 'a', ['a:0', '+1']],
    ['ab', '', []],
    ['ab', '😀😁', ['😀:0', '😁:1']],
  ])('keeps both of two footnotes where %j becomes %j', (words, replacement, expected) => {
    const note = (part: number) => markNamed('annotation').create({ data: {}, fragments: [], part, rest: { part } });
    const [before = '', behind = ''] = words.split('ab');
    const texts = [before, behind].map((text) => (text === '' ? [] : [text]));
    const content = [schema.text('a', [note(0)]), schema.text('b', [note(1)])];
    const editor = open(paragraph('a', '<', ...(texts[0] ?? []), ...content, ...(texts[1] ?? []), '>'));
    editor.text.find(query(words, replacement));
    expect(editor.text.replaceAll()).toBe(1);
    const parts = editor.view.state.doc.firstChild?.children.map((node) => {
      const inline = node.attrs['inline'] as { part: number; type: string } | undefined;
      return inline ? `+${inline.part}` : `${node.text ?? ''}:${String(node.marks[0]?.attrs['part'] ?? '')}`;
    });
    expect(parts).toEqual(['<:', ...expected, '>:'].reduce(joinPlain, []));
  });
});
