import { describe, expect, it } from '@jest/globals';
import { Fragment, type Node } from 'prosemirror-model';
import { history, undo } from 'prosemirror-history';
import { EditorState, TextSelection } from 'prosemirror-state';
import { CellSelection } from 'prosemirror-tables';
import type { EditorView } from 'prosemirror-view';
import { deleteRowBelowTitles, moveBlock, putBlocks, putPasted } from './commands.js';
import { FollowedRanges } from './followed-ranges.js';
import { markdownRules } from './input-rules.js';
import { blockKeys } from './model/block-keys.js';
import type { ContentBlock, ContentDocument } from './model/content.js';
import { takeMerged } from './model/differences.js';
import { editorBlocks } from './model/from-content.js';
import { fileBlock } from './model/new-blocks.js';
import { Originals } from './model/originals.js';
import { schema, typeNamed } from './model/schema.js';
import { tableShape } from './model/table-shape.js';
import { contentDocument } from './model/to-content.js';

const paragraph = (...content: readonly (string | Node)[]): Node =>
  typeNamed('paragraph').create(
    null,
    content.map((each) => (typeof each === 'string' ? schema.text(each) : each)),
  );
const table = (...rows: readonly (readonly Node[])[]): Node =>
  typeNamed('table').create(
    { data: { view: {} } },
    rows.map((cells) => typeNamed('table-row').create(null, cells)),
  );
const title = (text: string): Node => typeNamed('table-header').create(null, schema.text(text));
const cell = (...lines: readonly string[]): Node =>
  typeNamed('table-cell').create(
    null,
    lines.map((line) => paragraph(line)),
  );
const mention = typeNamed('inline_atom').create({
  inline: { object: 'inline', type: 'mention', isVoid: true, data: { ref: { kind: 'page', page: 'p' } } },
});

function open(...nodes: readonly Node[]): EditorState {
  const doc = typeNamed('doc').create(null, nodes);
  return EditorState.create({ doc, plugins: [markdownRules, tableShape, blockKeys] });
}

const withCursor = (state: EditorState, at: number): EditorState =>
  state.apply(state.tr.setSelection(TextSelection.create(state.doc, at)));

/** Types a sign at the end of the first line, as the browser would. */
function type(state: EditorState, sign: string): EditorState {
  const at = (state.doc.firstChild?.nodeSize ?? 2) - 1;
  let now = state.apply(state.tr.setSelection(TextSelection.create(state.doc, at)));
  const view = { state: now, composing: false, dispatch: (tr: typeof now.tr) => (now = now.apply(tr)) };
  const isTaken = markdownRules.props.handleTextInput?.call(
    markdownRules,
    view as unknown as EditorView,
    at,
    at,
    sign,
    () => now.tr,
  );
  return isTaken === true ? now : now.apply(now.tr.insertText(sign, at));
}

const EMPTY = { object: 'document', data: {}, nodes: [] } as unknown as ContentDocument;

/** The block of a table that was pasted, as it is saved. */
function savedTable(node: Node): ContentBlock {
  const state = open(paragraph('end'));
  const { doc } = state.apply(state.tr.insert(0, node));
  doc.check();
  const [block] = contentDocument(doc, EMPTY, new Originals()).nodes;
  if (!block) throw new Error('the table is gone');
  return block;
}

describe('what is typed in the visual editor', () => {
  it('stays when blocks take the place of a range that was asked for before', () => {
    const [start, end] = [8, 13];
    const state = open(paragraph('before /hint'));
    const ranges = new FollowedRanges();
    const [range, place] = [ranges.follow(start, end), ranges.follow(end, end)];
    const typing = state.tr.insertText(' typed', end);
    ranges.map(typing.mapping);
    const now = state.apply(typing);
    expect(place.end()).toEqual([end, end]);
    const put = putBlocks(now.tr, ...range.end(), Fragment.from([paragraph('one'), paragraph('two')]));
    expect(now.apply(put).doc.children.map((each) => each.textContent)).toEqual(['before  typed', 'one', 'two']);
  });

  it.each([
    ['in their order', [0, 1]],
    ['the later one first', [1, 0]],
  ])('has two pastes at one empty place in the order of the pastes, when the server answers %s', (_order, answers) => {
    let state = open(paragraph('before'));
    const ranges = new FollowedRanges();
    const pasted = ['one', 'two'].map((words) => ({ words, range: ranges.follow(7, 7) }));
    for (const index of answers) {
      const { words, range } = pasted[index] ?? { words: '', range: ranges.follow(7, 7) };
      const put = putPasted(state.tr, range.end(), Fragment.from([paragraph(words)]), false);
      ranges.map(put.mapping);
      state = state.apply(put);
    }
    expect(state.doc.textContent).toBe('beforeonetwo');
  });

  it('stays before what is pasted later where nothing came of an earlier paste', async () => {
    const ranges = new FollowedRanges();
    const state = open(paragraph('before'));
    const [first, later] = [ranges.follow(7, 7), ranges.follow(7, 7)];
    first.end();
    await Promise.resolve();
    ranges.map(state.tr.insertText(' typed', 7).mapping);
    expect(later.end()).toEqual([7, 7]);
  });

  it('goes into the line where what is put there is one paragraph', () => {
    const state = open(paragraph('before after'));
    const { doc } = state.apply(putBlocks(state.tr, 8, 8, Fragment.from(paragraph('middle '))));
    expect(doc.children.map((each) => each.textContent)).toEqual(['before middle after']);
  });

  it.each([
    ['before after', 8, 8, ['one', 'two'], ['before one', 'two|after']],
    ['before [] after', 8, 10, ['one', 'two'], ['before one', 'two| after']],
    ['before', 7, 7, ['one', 'two'], ['before', 'one', 'two|']],
    ['after', 1, 1, ['one', 'two'], ['one', 'two|', 'after']],
    ['before after', 8, 8, ['one'], ['before one|after']],
    ['', 1, 1, ['one', 'two'], ['one', 'two|']],
  ])('goes on behind what is pasted in %j from %i to %i', (words, from, to, pasted, expected) => {
    const state = withCursor(open(paragraph(...(words === '' ? [] : [words]))), to);
    const goesOn = to <= words.length;
    const now = state.apply(
      putPasted(state.tr, [from, to], Fragment.from(pasted.map((each) => paragraph(each))), goesOn),
    );
    now.doc.check();
    const { doc } = now.apply(now.tr.insertText('|', now.selection.from));
    expect(doc.children.map((each) => each.textContent)).toEqual(expected);
    const keys = doc.children.map(({ attrs }): unknown => attrs['key']).filter((key) => key !== null);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each([paragraph('one'), paragraph()])('takes the place of no picture that was put right there: %s', (line) => {
    const picture = fileBlock({ id: 'f', name: 'a.png', contentType: 'image/png' });
    const at = line.nodeSize - 1;
    const state = withCursor(open(line, paragraph()), at);
    const put = putPasted(state.tr, [at, at], editorBlocks([picture], new Originals()), false);
    const now = state.apply(put);
    expect(now.selection).toBeInstanceOf(TextSelection);
    const { doc } = now.apply(now.tr.insertText('!'));
    expect(JSON.stringify(doc)).toContain('"file":"f"');
    expect(doc.textContent).toContain('!');
  });

  it('is all that undo leaves of a paste right behind it', () => {
    const { doc } = open(paragraph('one'));
    const typed = withCursor(EditorState.create({ doc, plugins: [history(), blockKeys] }), 4);
    const state = typed.apply(typed.tr.insertText('!', 4));
    let now = state.apply(putPasted(state.tr, [5, 5], Fragment.from([paragraph('a'), paragraph('b')]), false));
    expect(now.doc.childCount).toBe(3);
    undo(now, (back) => (now = now.apply(back)));
    expect(now.doc.children.map((each) => each.textContent)).toEqual(['one!']);
  });

  it('leaves the cursor where it went while the pasted blocks were on their way', () => {
    const state = withCursor(open(paragraph('one'), paragraph('two')), 9);
    const pasted = Fragment.from([paragraph('a'), paragraph('b')]);
    const now = state.apply(putPasted(state.tr, [4, 4], pasted, false));
    expect(now.selection.$from.parent.textContent).toBe('two');
    expect(now.doc.children.map((each) => each.textContent)).toEqual(['one', 'a', 'b', 'two']);
  });

  it.each(['*', '**', '_', '~~', '`'])('keeps what stands between the signs %s', (signs) => {
    const link = schema.marks['link']?.create({ data: { ref: { kind: 'url', url: 'https://example.com' } } });
    const state = open(
      paragraph(`so ${signs}one `, mention, schema.text('two', link && [link]), ` three${signs.slice(1)}`),
    );
    const line = type(state, signs.slice(-1)).doc.firstChild;
    expect(line?.textContent).toBe(`so one mentiontwo three`);
    const marks = line?.children.map((node) => node.marks.map((mark) => mark.type.name));
    const made = { '*': 'italic', _: 'italic', '**': 'bold', '~~': 'strikethrough', '`': 'code' }[signs];
    expect(marks?.at(-1)).toEqual([made]);
    expect(marks?.at(-2)).toEqual(['link', made]);
    expect(line?.children.some((node) => node.type === mention.type)).toBe(true);
  });

  it('makes no formula of something that is no text, and no mark of signs in code', () => {
    const formula = type(open(paragraph('$$x ', mention, '$')), '$').doc.firstChild;
    expect(formula?.children.map((node) => node.type.name)).toEqual(['text', 'inline_atom', 'text']);
    const code = schema.marks['code']?.create();
    const line = type(open(paragraph(schema.text('**one*', code && [code]))), '*').doc.firstChild;
    expect(line?.textContent).toBe('**one**');
  });

  it('begins no tasks where no list can be', () => {
    const lineOf = typeNamed('expandable_title').create(null, schema.text('[ ]'));
    const body = typeNamed('expandable_body').create(null, paragraph('body'));
    const state = open(typeNamed('expandable').create(null, [lineOf, body]));
    const at = 5;
    const now = state.apply(state.tr.setSelection(TextSelection.create(state.doc, at)));
    const view = { state: now, composing: false, dispatch: () => undefined } as unknown as EditorView;
    expect(markdownRules.props.handleTextInput?.call(markdownRules, view, at, at, ' ', () => now.tr)).toBe(false);
  });

  it('is saved in tables from elsewhere: titles in any row, and lines in the first one', () => {
    const titled = savedTable(table([title('A'), title('B')], [title('row'), cell('1')]));
    expect(JSON.stringify(titled)).toContain('"text":"row"');
    expect(titled.fragments?.flatMap(({ nodes }) => nodes.map((node) => node.object))).toEqual(['block', 'block']);
    const several = savedTable(table([cell('one', 'two'), cell('three')], [cell('four'), cell('five')]));
    for (const words of ['one', 'two', 'three', 'four', 'five'])
      expect(JSON.stringify(several)).toContain(`"text":"${words}"`);
    const single = savedTable(table([cell('A'), cell('B')], [cell('1'), cell('2')]));
    expect(JSON.stringify(single)).toContain('"title":"A"');
  });

  it('is known by keys of its own when a block is copied to another place, and only the copy gets new ones', () => {
    const keyed = (key: string, ...inside: readonly Node[]): Node => typeNamed('blockquote').create({ key }, inside);
    const line = (key: string, text: string): Node => typeNamed('paragraph').create({ key }, schema.text(text));
    const state = open(keyed('q', line('a', 'one'), line('b', 'two')), line('c', 'three'), line('d', 'four'));
    const quote = state.doc.child(0);
    const keysOf = ({ doc }: EditorState): string[] => {
      const keys: string[] = [];
      doc.descendants((node) => void ('key' in node.attrs && keys.push(String(node.attrs['key']))));
      return keys;
    };
    for (const place of [0, quote.nodeSize, state.doc.content.size]) {
      const keys = keysOf(state.apply(state.tr.insert(place, quote)));
      expect(new Set(keys).size).toBe(8);
      expect(keys.filter((key) => ['q', 'a', 'b', 'c', 'd'].includes(key))).toEqual(['q', 'a', 'b', 'c', 'd']);
    }
    const inner = keysOf(state.apply(state.tr.insert(1, quote.child(1))));
    expect(new Set(inner).size).toBe(6);
    const replaced = keysOf(
      state.apply(state.tr.replaceWith(state.doc.content.size - 6, state.doc.content.size, quote)),
    );
    expect(new Set(replaced).size).toBe(7);
  });

  /** The lines that are shown when the service has made lines of others from those that were sent, and of `now`. */
  const shownLines = (
    sent: readonly string[],
    merged: readonly string[],
    now: readonly string[],
  ): string[] | undefined => {
    const docOf = (lines: readonly string[]): Node =>
      open(
        ...lines.map((line, index) =>
          typeNamed('paragraph').create({ key: `k${index}` }, line ? schema.text(line) : []),
        ),
      ).doc;
    const { tr } = EditorState.create({ doc: docOf(now) });
    return takeMerged(tr, docOf(sent), docOf(merged))?.doc.children.map((each) => each.textContent);
  };

  it('goes on behind a blank that the service has taken away meanwhile', () => {
    expect(shownLines(['one ', 'two'], ['one', 'two'], ['one more', 'two'])).toEqual(['one more', 'two']);
    expect(shownLines(['one ', 'two'], ['one', 'two'], ['one ', 'two'])).toEqual(['one ', 'two']);
    expect(shownLines(['one '], ['One'], ['one more'])).toEqual(['One more']);
  });

  it.each([
    [
      'words around it',
      'one two three four',
      'one 1 two three 3 four',
      'one two mine three four',
      'one 1 two mine three 3 four',
    ],
    ['words before one that is half typed', 'P wor', 'P word4x wor', 'P word5x', 'P word4x word5x'],
    ['words behind one that is half typed', 'P wor', 'P wor word4x', 'P word5x', 'P word5x word4x'],
    ['words in other letters', 'Я при', 'Я приветы при', 'Я приятно', 'Я приветы приятно'],
    ['a word behind the same blank', 'one ', 'one theirs', 'one typed', 'one typed theirs'],
    ['a word in the same empty line', '', 'theirs', 'typed', 'typed theirs'],
    ['a word at the same end', 'one', 'one theirs', 'one typed', 'one typed theirs'],
    ['a word at the same beginning', 'one', 'theirs one', 'typed one', 'typed theirs one'],
  ])('stays whole beside what others have written in the same line: %s', (_name, sent, merged, now, result) => {
    expect(shownLines([sent], [merged], [now])).toEqual([result]);
  });

  it('is not put in place of words of others, nor these in its place: the server asks', () => {
    expect(shownLines(['one two'], ['one zwei'], ['one deux'])).toBeUndefined();
    expect(shownLines(['one two three'], ['one two 2 three'], ['one'])).toBeUndefined();
    expect(shownLines(['one', 'two'], ['one', 'two theirs'], ['one'])).toBeUndefined();
    expect(shownLines(['one', 'two'], ['one'], ['one', 'two mine'])).toBeUndefined();
  });

  it('stays in a block whose attributes others have changed', () => {
    const heading = (level: number, text: string): Node =>
      open(typeNamed('heading').create({ key: 'h', level }, schema.text(text))).doc;
    const { tr } = EditorState.create({ doc: heading(1, 'one mine') });
    expect(takeMerged(tr, heading(1, 'one'), heading(2, 'one theirs'))?.doc.eq(heading(2, 'one mine theirs'))).toBe(
      true,
    );
    const both = EditorState.create({ doc: heading(3, 'one') });
    expect(takeMerged(both.tr, heading(1, 'one'), heading(2, 'one'))).toBeUndefined();
  });

  it('stays in the titles of a table when rows of any selection are deleted', () => {
    const state = open(table([title('A'), title('B')], [cell('1'), cell('2')], [cell('3'), cell('4')]));
    const cells: number[] = [];
    state.doc.descendants((node, at) => void (/^table_(?:cell|header)$/.test(node.type.name) && cells.push(at)));
    const select = (from: number, to: number): EditorState =>
      state.apply(state.tr.setSelection(CellSelection.create(state.doc, cells[from] ?? 0, cells[to] ?? 0)));
    expect(deleteRowBelowTitles(select(2, 0))).toBe(false);
    expect(deleteRowBelowTitles(select(0, 2))).toBe(false);
    expect(deleteRowBelowTitles(select(2, 5))).toBe(true);
  });

  it('moves with its block, also where the selection ends in another one', () => {
    const state = open(paragraph('one'), paragraph('two'), paragraph('three'));
    let now = state.apply(state.tr.setSelection(TextSelection.create(state.doc, 2, state.doc.content.size - 1)));
    expect(moveBlock(1)(now, (tr) => (now = now.apply(tr)))).toBe(true);
    expect(now.doc.children.map((each) => each.textContent)).toEqual(['two', 'one', 'three']);
  });
});
