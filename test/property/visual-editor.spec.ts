import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Node, Slice } from 'prosemirror-model';
import { EditorState, type Transaction } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { findPlugin } from '../../app/src/writing/editor/visual/find-plugin.js';
import { blockKeys } from '../../app/src/writing/editor/visual/model/block-keys.js';
import type { ContentBlock, ContentDocument } from '../../app/src/writing/editor/visual/model/content.js';
import { differencesOf, takeMerged } from '../../app/src/writing/editor/visual/model/differences.js';
import { editorDocument } from '../../app/src/writing/editor/visual/model/from-content.js';
import { Originals } from '../../app/src/writing/editor/visual/model/originals.js';
import { contentDocument } from '../../app/src/writing/editor/visual/model/to-content.js';
import { replacedContent } from '../../app/src/writing/editor/visual/replaced-content.js';
import { VisualText } from '../../app/src/writing/editor/visual/visual-text.js';
import { withBlockIds } from '../../src/formats/document/block-ids.js';
import { canonicalJson } from '../../src/formats/document/hash.js';
import { assignKeys } from '../../src/formats/document/keys.js';
import { normalizeDocument } from '../../src/formats/document/normalize-document.js';
import type { Document } from '../../src/formats/document/types.js';
import { validateDocument } from '../../src/formats/document/validate.js';
import { parseMarkdown } from '../../src/formats/markdown/parse.js';
import { documents } from '../document-arbitrary.js';
import { rounds, seed } from './content-generators.js';

/*
 * The visual editor loses nothing: what is opened and saved is the same, and an edit changes the block that it is in.
 */

const ROUNDS = rounds(150);
const OPTIONS = { numRuns: ROUNDS, seed };
const FOLDERS = ['docs', 'templates', '../shared/corpora/fluentd', '../shared/corpora/elsa'];
const PRESENT = FOLDERS.filter((folder) => existsSync(join(import.meta.dirname, '../..', folder)));
for (const folder of FOLDERS)
  if (!PRESENT.includes(folder)) process.stdout.write(`skipped: the pages of ${folder}, which is not there\n`);

/** A document as the interface gives it: its blocks with keys, and ids where they can be linked to. */
function given(document: Document): ContentDocument {
  let count = 0;
  const keyed = assignKeys(normalizeDocument(document), undefined, () => `k${(count += 1)}`);
  return withBlockIds(keyed) as unknown as ContentDocument;
}

const contents = documents.map(given);

interface Opened {
  readonly content: ContentDocument;
  readonly originals: Originals;
  readonly state: EditorState;
}

function open(content: ContentDocument): Opened {
  const originals = new Originals();
  const state = EditorState.create({ doc: editorDocument(content, originals), plugins: [blockKeys] });
  state.doc.check();
  return { content, originals, state };
}

function saved({ content, originals }: Opened, { doc }: EditorState): ContentDocument {
  doc.check();
  return contentDocument(doc, content, originals);
}

/** The positions of nodes that fulfil a condition. */
function positions(doc: Node, fits: (node: Node) => boolean): number[] {
  const found: number[] = [];
  doc.descendants((node, position) => void (fits(node) && found.push(position)));
  return found;
}

/** The index of the block of the document that a position lies in. */
const topIndex = (doc: Node, position: number): number => doc.resolve(position).index(0);

/** An edit of one block, and the place where it is. */
type Edit = (
  state: EditorState,
  chosen: number,
) => { readonly transaction: Transaction; readonly top: number } | undefined;

const inTextblock =
  (edit: (transaction: Transaction, position: number, node: Node) => Transaction): Edit =>
  ({ doc, tr }, chosen) => {
    const all = positions(doc, ({ isTextblock, type }) => isTextblock && type.name !== 'caption');
    const position = all[chosen % all.length];
    const node = position === undefined ? null : doc.nodeAt(position);
    if (position === undefined || !node) return undefined;
    return { top: topIndex(doc, position), transaction: edit(tr, position, node) };
  };

const EDITS: Readonly<Record<string, Edit>> = {
  'a letter typed': inTextblock((transaction, position) => transaction.insertText('x', position + 1)),
  'a word typed at the end': inTextblock((transaction, position, node) =>
    transaction.insertText(' word', position + 1 + node.content.size),
  ),
  'all text of a line deleted': inTextblock((transaction, position, node) =>
    transaction.delete(position + 1, position + 1 + node.content.size),
  ),
  'bold text': inTextblock((transaction, position, node) => {
    const { bold } = node.type.schema.marks;
    node.forEach((child, offset) => {
      const start = position + 1 + offset;
      if (bold && child.isText && node.type.allowsMarkType(bold))
        transaction.addMark(start, start + child.nodeSize, bold.create());
    });
    return transaction;
  }),
  'another heading': ({ doc, tr }, chosen) => {
    const all = positions(doc, ({ type }) => type.name === 'heading');
    const position = all[chosen % all.length];
    if (position === undefined) return undefined;
    return { top: topIndex(doc, position), transaction: tr.setNodeAttribute(position, 'level', 5) };
  },
};

/** The types of blocks that the generator makes and that have no text to be edited in place. */
const WITHOUT_TEXT = [
  ...['divider', 'math', 'embed', 'file', 'drawing', 'content-ref', 'reusable-content', 'swagger', 'integration'],
  ...['openapi-operation', 'openapi-schemas', 'openapi-webhook'],
];

/** A document as it is stored: without the ids that reads add. */
function withoutIds(document: ContentDocument): object {
  return normalizeDocument(document as unknown as Document);
}

/** A document as JSON, in which the order of the fragments of a block, which are known by their names, is always the same. */
function sorted(document: ContentDocument): string {
  return canonicalJson(
    JSON.parse(JSON.stringify(withoutIds(document)), (name, value: unknown) =>
      name === 'fragments' ? (value as object[]).map((each) => canonicalJson(each)).sort() : value,
    ),
  );
}

/** The blocks of a document as JSON. */
const jsonOf = ({ nodes }: ContentDocument): string[] => nodes.map((node) => canonicalJson(node));

/** All keys of blocks, in the order of the document. */
function keysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(keysOf);
  const { object, key } = value as Partial<ContentBlock>;
  return [...(object === 'block' && key !== undefined ? [key] : []), ...Object.values(value).flatMap(keysOf)];
}

function requireValid(document: ContentDocument): void {
  expect(validateDocument(JSON.parse(JSON.stringify(document)))).toEqual([]);
  // Both parts of a divided footnote have its text, whose blocks get keys of their own from the service.
  const keys = keysOf(
    JSON.parse(JSON.stringify(document), (_name, value: { type?: string } | null) =>
      value?.type === 'annotation-body' ? null : value,
    ),
  );
  expect(keys.length).toBe(new Set(keys).size);
}

/** Documents of all pages below a folder, with the share of their blocks that the editor can edit. */
function pagesIn(folder: string): { readonly name: string; readonly content: ContentDocument }[] {
  const root = join(import.meta.dirname, '../..', folder);
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ name, content: given(parseMarkdown(readFileSync(join(root, name), 'utf8')).document) }));
}

describe(`the visual editor (ROUNDS=${ROUNDS} SEED=${seed})`, () => {
  it('saves what it opened, byte for byte', () => {
    fc.assert(
      fc.property(contents, (content) => {
        const opened = open(content);
        expect(saved(opened, opened.state)).toBe(content);
      }),
      OPTIONS,
    );
  });

  it('says all of the document in its own nodes, also without the memory of what these came from', () => {
    fc.assert(
      fc.property(contents, (content) => {
        const { state } = open(content);
        const anew = contentDocument(state.doc, { ...content, nodes: [] }, new Originals());
        expect(sorted(anew)).toBe(sorted(content));
        // Only blocks without text of their own, or with columns that are no text, are kept whole.
        state.doc.descendants(({ type, attrs }) => {
          const { type: kept = '' } = (attrs['block'] ?? {}) as Partial<ContentBlock>;
          if (type.name === 'block_atom') expect(WITHOUT_TEXT).toContain(kept);
        });
      }),
      OPTIONS,
    );
  });

  it.each(Object.entries(EDITS))('leaves every other block as it is: %s', (_name, edit) => {
    fc.assert(
      fc.property(contents, fc.nat(), (content, chosen) => {
        const opened = open(content);
        const made = edit(opened.state, chosen);
        if (!made) return;
        const { doc } = opened.state;
        const after = saved(opened, opened.state.apply(made.transaction));
        requireValid(after);
        if (content.nodes.length === 0) return;
        expect(doc.childCount).toBe(content.nodes.length);
        expect(after.nodes.length).toBe(content.nodes.length);
        const [then, now] = [jsonOf(content), jsonOf(after)];
        now.forEach((json, index) => index === made.top || expect(json).toBe(then[index]));
        // Keys within the block stay, too.
        expect(keysOf(after)).toEqual(expect.arrayContaining(keysOf(content).filter(isKept(after))));
        expect(after.nodes[made.top]?.key).toBe(content.nodes[made.top]?.key);
      }),
      OPTIONS,
    );
  });

  it('moves any block with all that is in it', () => {
    fc.assert(
      fc.property(contents, fc.nat(), fc.nat(), (content, chosen, place) => {
        const opened = open(content);
        const { doc, tr } = opened.state;
        const count = doc.childCount;
        const [from, to] = [chosen % count, place % count];
        const node = doc.child(from);
        const at = startOf(doc, from);
        tr.delete(at, at + node.nodeSize);
        if (count === 1) return;
        tr.insert(startOf(tr.doc, to), node);
        const after = saved(opened, opened.state.apply(tr));
        requireValid(after);
        const expected = jsonOf(content);
        expected.splice(to, 0, ...expected.splice(from, 1));
        expect(jsonOf(after)).toEqual(expected);
      }),
      OPTIONS,
    );
  });

  it.each(Object.entries(EDITS))('opens what it saved with the same nodes: %s', (_name, edit) => {
    fc.assert(
      fc.property(contents, fc.nat(), (content, chosen) => {
        const opened = open(content);
        const made = edit(opened.state, chosen);
        if (!made) return;
        const edited = opened.state.apply(made.transaction);
        const again = open(saved(opened, edited)).state.doc;
        expect(differencesOf(edited.doc, again)).toEqual([]);
      }),
      OPTIONS,
    );
  });

  it('gives back the document when an edit is undone, though its nodes are others', () => {
    fc.assert(
      fc.property(contents, fc.nat(), (content, chosen) => {
        const opened = open(content);
        const made = EDITS['a letter typed']?.(opened.state, chosen);
        if (!made) return;
        const inverse = made.transaction.steps.map((step, index) =>
          step.invert(made.transaction.docs[index] ?? opened.state.doc),
        );
        const edited = opened.state.apply(made.transaction);
        const undone = edited.apply(inverse.reverse().reduce((tr, step) => tr.step(step), edited.tr));
        if (!undone.doc.eq(opened.state.doc)) return;
        expect(saved(opened, undone)).toBe(content);
      }),
      OPTIONS,
    );
  });

  it('keeps one key where a block is divided, and gives the other a new one', () => {
    fc.assert(
      fc.property(contents, fc.nat(), fc.nat(), (content, chosen, place) => {
        const opened = open(content);
        const { doc, tr } = opened.state;
        const all = positions(doc, ({ type }) => type.name === 'paragraph' || type.name === 'code_line');
        const position = all[chosen % all.length];
        if (position === undefined) return;
        const text = doc.nodeAt(position)?.textBetween(0, doc.nodeAt(position)?.content.size ?? 0, '', ' ') ?? '';
        const offset = place % (text.length + 1);
        // Characters of two units are not divided.
        tr.split(position + 1 + offset - (/[\uDC00-\uDFFF]/.test(text[offset] ?? '') ? 1 : 0));
        const after = saved(opened, opened.state.apply(tr));
        requireValid(after);
        const keys = keysOf(after);
        expect(keys).toEqual(expect.arrayContaining(keysOf(content)));
      }),
      OPTIONS,
    );
  });

  it('shows what others wrote, and keeps what was typed in other blocks meanwhile', () => {
    fc.assert(
      fc.property(contents, fc.nat(), fc.nat(), (content, mine, theirs) => {
        const opened = open(content);
        const sent = opened.state.doc;
        const typed = EDITS['a letter typed']?.(opened.state, mine);
        const other = open(content);
        const written = EDITS['a word typed at the end']?.(other.state, theirs);
        if (!typed || !written || content.nodes.length === 0) return;
        const merged = other.state.apply(written.transaction).doc;
        expect(takeMerged(opened.state.tr, sent, merged)?.doc.eq(merged)).toBe(true);
        const now = opened.state.apply(typed.transaction);
        const shown = takeMerged(now.tr, sent, merged);
        // Both may have changed the same block.
        if (!shown && typed.top === written.top) return;
        if (!shown) throw new Error('changes of different blocks do not meet');
        const both = now.apply(shown).doc;
        both.check();
        requireValid(contentDocument(both, content, opened.originals));
        both.forEach((block, _offset, index) => {
          if (typed.top === written.top) return;
          const wanted = index === typed.top ? now.doc : merged;
          expect(block.eq(wanted.child(index))).toBe(true);
        });
      }),
      OPTIONS,
    );
  });

  it('loses nothing that was typed in a block that others changed meanwhile', () => {
    fc.assert(
      fc.property(contents, fc.nat(), fc.nat(), (content, mine, place) => {
        const { doc, tr } = open(content).state;
        const all = positions(doc, ({ type }) => type.name === 'paragraph' || type.name === 'heading');
        const position = all[mine % all.length];
        if (position === undefined || content.nodes.length === 0) return;
        const size = doc.nodeAt(position)?.content.size ?? 0;
        const typed = tr.insertText('TYPED', position + 1 + (place % (size + 1))).doc;
        const top = startOf(doc, topIndex(doc, position));
        const block = doc.nodeAt(top);
        const other = EditorState.create({ doc });
        const changes = [
          other.tr.insertText('theirs', position + 1, position + 1 + size),
          other.tr.delete(position + 1, position + 1 + size),
          other.tr.replaceWith(
            top,
            top + (block?.nodeSize ?? 0),
            doc.type.schema.node('heading', { key: 'new' }, doc.type.schema.text('theirs')),
          ),
        ];
        for (const [index, { doc: merged }] of changes.entries()) {
          const now = EditorState.create({ doc: typed });
          // The server asks where both changed the same.
          const shown = takeMerged(now.tr, doc, merged);
          if (!shown) continue;
          const both = now.apply(shown).doc;
          both.check();
          expect(both.textContent).toContain('TYPED');
          if (index !== 1) expect(both.textContent).toContain('theirs');
        }
      }),
      OPTIONS,
    );
  });

  it('has every word of two people who write in the same lines while answers are late', () => {
    const edit = fc.record({ isMine: fc.boolean(), line: fc.nat(2), place: fc.nat(), isSaved: fc.boolean() });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 30 }), (edits) => {
        const lines = ['one two three', '', 'four '];
        const { doc: sent } = linesOf(lines);
        let [mine, merged, state] = [linesOf(lines), linesOf(lines), linesOf(lines)];
        let isSent = sent;
        const words: string[] = [];
        const write = (now: EditorState, line: number, place: number, word: string): EditorState => {
          const { text, position } = lineIn(now.doc, line);
          // Words are put between others, at the beginning and at the end.
          const places = [...text.matchAll(/^|(?<=\s)|$/g)].map(({ index }) => index);
          const at = places[place % places.length] ?? 0;
          const blank = at === text.length && /\S$/.test(text) ? ' ' : '';
          return now.apply(now.tr.insertText(`${blank}${word}${at < text.length ? ' ' : ''}`, position + at));
        };
        for (const [index, { isMine, line, place, isSaved }] of edits.entries()) {
          const word = `word${index}x`;
          words.push(word);
          if (isMine) mine = write(mine, line, place, word);
          else merged = write(merged, line, place, word);
          if (!isSaved) continue;
          const shown = takeMerged(mine.tr, isSent, merged.doc);
          // Words that are only added never meet.
          if (!shown) throw new Error('words that were added are asked for');
          mine = mine.apply(shown);
          [merged, state, isSent] = [mine, mine, mine.doc];
        }
        const last = takeMerged(mine.tr, isSent, merged.doc);
        state = last ? mine.apply(last) : state;
        const found = state.doc.children.flatMap(({ textContent }) => textContent.split(/\s+/));
        expect(found.filter((word) => word !== '').sort()).toEqual(['one', 'two', 'three', 'four', ...words].sort());
      }),
      OPTIONS,
    );
  });

  it('replaces words everywhere in lines, and nothing else', () => {
    fc.assert(
      fc.property(
        contents,
        fc.nat(),
        fc.nat(),
        fc.constantFrom('', 'x', 'new words', '$&'),
        (content, chosen, at, to) => {
          const { doc } = open(content).state;
          const lines = positions(doc, ({ isTextblock, textContent }) => isTextblock && textContent.length > 1);
          const text = doc.nodeAt(lines[chosen % lines.length] ?? 0)?.textContent ?? '';
          const words = text.slice(at % text.length, (at % text.length) + 3);
          if (words === '' || /\p{Cs}/u.test(words)) return;
          const originals = new Originals();
          const view = {
            state: EditorState.create({ doc: editorDocument(content, originals), plugins: [findPlugin, blockKeys] }),
            dom: { querySelector: () => null },
            dispatch: (transaction: Transaction) => (view.state = view.state.apply(transaction)),
          };
          const before = view.state.doc;
          const finder = new VisualText(view as unknown as EditorView);
          const { count } = finder.find({ text: words, replacement: to, isCaseSensitive: true, isWholeWord: false });
          expect(finder.replaceAll()).toBe(count);
          const after = contentDocument(view.state.doc, content, originals);
          view.state.doc.check();
          requireValid(after);
          // A title, a link and a footnote go with the last of their words only, as if these were deleted by hand.
          const [keysThen, keysNow] = [keysOf(content), keysOf(after)];
          expect(keysNow).toEqual(to === '' ? keysThen.filter(isKept(after)) : keysThen);
          if (to !== '') expect(spansIn(after)).toEqual(spansIn(content));
          const textIn = (node: Node): string => node.textBetween(0, node.content.size, '\uFFFC', '\uFFFC');
          expect(textIn(view.state.doc)).toBe(textIn(before).replaceAll(words, () => to));
          const [then, now] = [jsonOf(content), jsonOf(after)];
          before.forEach((block, _offset, index) => {
            if (!textIn(block).includes(words)) expect(now[index]).toBe(then[index]);
          });
        },
      ),
      OPTIONS,
    );
  });

  it('replaces words with all links and footnotes that they have', () => {
    const piece = fc.record({
      text: fc.constantFrom('a', 'b', 'ab', ' ', '😀', 'word'),
      link: fc.option(fc.nat(2), { nil: undefined }),
      note: fc.option(fc.nat(2), { nil: undefined }),
      isBold: fc.boolean(),
    });
    const to = fc.constantFrom('x', 'a', 'ab', 'a b', '😀', 'new words', 'word ab 😁');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), fc.nat(), fc.nat(), to, (pieces, place, end, to) => {
        const { schema } = linesOf(['']);
        // An inline without words has the further fields of the mark.
        const at = (part: number): object => ({ part, rest: { part } });
        const link = (part: number) =>
          schema.marks['link']?.create({ ...at(part), data: { ref: { kind: 'url', url: 'x:' } } });
        const note = (part: number) => schema.marks['annotation']?.create({ ...at(part), data: {}, fragments: [] });
        // A link or a footnote goes over neighbours only, whose places are told apart by their parts.
        const runs = (name: 'link' | 'note'): (number | undefined)[] => {
          let run = 0;
          return pieces.map((each, index) => {
            if (each[name] !== pieces[index - 1]?.[name]) run += 1;
            return each[name] === undefined ? undefined : run;
          });
        };
        const [links, notes] = [runs('link'), runs('note')];
        const nodes = pieces.map(({ text, isBold }, index) => {
          const [linked, noted] = [links[index], notes[index]];
          const marks = [linked && link(linked), noted && note(noted), isBold && schema.marks['bold']?.create()];
          return schema.text(
            text,
            marks.filter((mark) => typeof mark === 'object'),
          );
        });
        const line = schema.node('paragraph', { key: 'k' }, nodes);
        const characters = Array.from(line.textContent);
        const from = place % characters.length;
        const start = characters.slice(0, from).join('').length;
        const length = characters.slice(from, from + 1 + (end % 6)).join('').length;
        const fragment = replacedContent(line, [{ from: start, to: start + length }], to);
        const replaced = line.replace(start, start + length, new Slice(fragment, 0, 0));
        replaced.check();
        expect(replaced.textBetween(0, replaced.content.size, '', () => '')).toBe(
          line.textContent.slice(0, start) + to + line.textContent.slice(start + length),
        );
        expect(partsIn(replaced).sort()).toEqual(partsIn(line).sort());
      }),
      OPTIONS,
    );
  });

  it.each(PRESENT)(
    'saves every page of %s as it is, and keeps no more than a few blocks from being edited',
    (folder) => {
      let [blocks, kept] = [0, 0];
      for (const { name, content } of pagesIn(folder)) {
        const opened = open(content);
        expect({ name, is: saved(opened, opened.state) === content }).toEqual({ name, is: true });
        blocks += content.nodes.length;
        opened.state.doc.forEach(({ type, attrs }) => {
          const { nodes } = (attrs['block'] ?? {}) as ContentBlock;
          if (type.name === 'block_atom' && nodes !== undefined) kept += 1;
        });
      }
      expect(blocks).toBeGreaterThan(0);
      expect(kept / blocks).toBeLessThan(0.02);
    },
    300_000,
  );
});

function startOf(doc: Node, index: number): number {
  let at = 0;
  doc.forEach((child, _offset, each) => void (each < index && (at += child.nodeSize)));
  return at;
}

/** A document of paragraphs, each of which has a key. */
function linesOf(lines: readonly string[]): EditorState {
  const { state } = open(given(parseMarkdown('text').document));
  const { schema } = state.doc.type;
  const paragraph = (line: string, index: number): Node =>
    schema.node('paragraph', { key: `k${index}` }, line === '' ? [] : schema.text(line));
  return EditorState.create({ doc: schema.node('doc', null, lines.map(paragraph)) });
}

/** The text of a line, and the position of its beginning. */
function lineIn(doc: Node, line: number): { readonly text: string; readonly position: number } {
  return { text: doc.child(line).textContent, position: startOf(doc, line) + 1 };
}

/** The links and footnotes of a document, each by its type and data. */
function spansIn(document: ContentDocument): string[] {
  const spans: string[] = [];
  JSON.stringify(document, (_name, value: { type?: string; data?: object } | null) => {
    if (value?.type === 'link' || value?.type === 'annotation')
      spans.push(canonicalJson([value.type, value.data ?? {}]));
    return value;
  });
  return spans.sort();
}

/** The links and footnotes of a line, also those without words. */
function partsIn(line: Node): string[] {
  const parts = new Set<string>();
  for (const { marks, attrs } of line.children) {
    for (const {
      type,
      attrs: { part },
    } of marks)
      if (part !== undefined) parts.add(`${type.name} ${String(part)}`);
    JSON.stringify(attrs, (_name, value: { type?: string; part?: number } | null) => {
      if (value?.part !== undefined) parts.add(`${value.type ?? ''} ${value.part}`);
      return value;
    });
  }
  return [...parts];
}

/** Keys of blocks that an edit has not taken away. */
function isKept(after: ContentDocument): (key: string) => boolean {
  const keys = new Set(keysOf(after));
  return (key) => keys.has(key);
}
