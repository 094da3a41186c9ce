import { InputRule, inputRules, wrappingInputRule } from 'prosemirror-inputrules';
import type { MarkType, NodeType } from 'prosemirror-model';
import { TextSelection } from 'prosemirror-state';
import { putInline } from './commands.js';
import { DIVIDER } from './model/new-blocks.js';
import { markNamed, typeNamed } from './model/schema.js';

/** A line that begins with signs becomes another textblock; it goes on as the same block of the document. */
function lineRule(pattern: RegExp, type: NodeType, attributes: (match: RegExpMatchArray) => object): InputRule {
  return new InputRule(pattern, ({ doc, tr }, match, start, end) => {
    const $start = doc.resolve(start);
    if (!$start.node(-1).canReplaceWith($start.index(-1), $start.indexAfter(-1), type)) return null;
    const key: unknown = $start.parent.attrs['key'];
    return tr.delete(start, end).setBlockType(start, start, type, { key, ...attributes(match) });
  });
}

/** Text between signs gets a mark, with all that is in it; signs in code are code. */
function markRule(pattern: RegExp, type: MarkType): InputRule {
  return new InputRule(pattern, ({ doc, tr }, match, start, end) => {
    const [whole, before = '', text = ''] = match;
    const from = start + before.length;
    const isLine = doc.resolve(start).parent.type.allowsMarkType(type);
    if (text.trim() === '' || !isLine || doc.rangeHasMark(from, end, markNamed('code'))) return null;
    const size = (whole.length - before.length - text.length) / 2;
    // The last sign is not in the text yet.
    tr.delete(from + size + text.length, end).addMark(from + size, from + size + text.length, type.create());
    return tr.delete(from, from + size).removeStoredMark(type);
  });
}

/** `[ ]` makes tasks of the list around it, or begins a list of tasks. */
const tasks = new InputRule(/^\[([ x]?)\]\s$/, ({ doc, tr }, match, start, end) => {
  const $start = doc.resolve(start);
  const list = $start.node(-2) as typeof $start.parent | undefined;
  const data = { checked: match[1] === 'x' };
  tr.delete(start, end);
  if (list?.type.name === 'list_unordered' && $start.index(-1) === 0) {
    tr.setNodeMarkup($start.before(-2), typeNamed('list-tasks'), { ...list.attrs, data: {} });
    return tr.setNodeAttribute($start.before(-1), 'data', data);
  }
  const range = tr.doc.resolve(start).blockRange();
  if (!range || list?.type.name.startsWith('list_')) return null;
  if (!range.parent.canReplaceWith(range.startIndex, range.endIndex, typeNamed('list-tasks'))) return null;
  return tr.wrap(range, [{ type: typeNamed('list-tasks') }, { type: typeNamed('list-item'), attrs: { data } }]);
});

/** Three hyphens or asterisks are a line across the page. */
const divider = new InputRule(/^(?:---|\*\*\*|___)$/, ({ doc, tr }, _match, start) => {
  const $start = doc.resolve(start);
  if ($start.parent.type.name !== 'paragraph') return null;
  const [from, to] = [$start.before(), $start.after()];
  const paragraph = typeNamed('paragraph').create();
  tr.replaceWith(from, to, [typeNamed('block_atom').create({ block: DIVIDER }), paragraph]);
  return tr.setSelection(TextSelection.create(tr.doc, from + 2));
});

const formula = new InputRule(/\$\$([^$\uFFFC]+)\$\$$/, ({ tr }, [, text = ''], start, end) =>
  putInline(tr, start, end, { object: 'inline', type: 'inline-math', isVoid: true, data: { formula: text } }),
);

/** Signs of Markdown that take effect while they are typed. */
export const markdownRules = inputRules({
  rules: [
    lineRule(/^(#{1,6})\s$/, typeNamed('heading'), ([, signs = '']) => ({ level: signs.length })),
    wrappingInputRule(/^\s*([-+*])\s$/, typeNamed('list-unordered')),
    wrappingInputRule(
      /^\s*(\d{1,9})[.)]\s$/,
      typeNamed('list-ordered'),
      ([, number]) => ({ data: number === '1' ? {} : { start: Number(number) } }),
      () => false,
    ),
    wrappingInputRule(/^\s*>\s$/, typeNamed('blockquote')),
    tasks,
    divider,
    formula,
    markRule(/(^|[^*])\*\*([^*]+)\*\*$/, markNamed('bold')),
    markRule(/(^|[\s(])\*([^*]+)\*$/, markNamed('italic')),
    markRule(/(^|[\s(])_([^_]+)_$/, markNamed('italic')),
    markRule(/(^|[^~])~~([^~]+)~~$/, markNamed('strikethrough')),
    markRule(/(^|[^`])`([^`]+)`$/, markNamed('code')),
  ],
});
