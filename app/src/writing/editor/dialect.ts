import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';
import type { BlockContext, InlineContext, Line, MarkdownConfig } from '@lezer/markdown';

const TAG_LINE = /^\{%.*%\}\s*$/;
const TAG = /^\{%[^\n]*?%\}/;
const EXPRESSION = /^<code class="expression">[^\n]*?<\/code>/;
const FORMULA = /^\$\$[^\n]+?\$\$/;
const [PERCENT, DOLLAR, LESS, BRACE] = [37, 36, 60, 123];

/** Tags on lines of their own: the text after them is read as if it began anew. */
function parseTagLine(context: BlockContext, line: Line): boolean {
  if (!TAG_LINE.test(line.text.slice(line.pos))) return false;
  const from = context.lineStart + line.pos;
  context.addElement(context.elt('DialectTag', from, context.lineStart + line.text.trimEnd().length));
  context.nextLine();
  return true;
}

/** Formulas between two lines `$$`. */
function parseFormula(context: BlockContext, line: Line): boolean {
  if (line.text.slice(line.pos).trim() !== '$$') return false;
  const from = context.lineStart + line.pos;
  while (context.nextLine() && line.text.trim() !== '$$');
  context.addElement(context.elt('Formula', from, context.lineStart + line.text.length));
  context.nextLine();
  return true;
}

function inline(name: string, pattern: RegExp) {
  return (context: InlineContext, from: number): number => {
    const found = pattern.exec(context.slice(from, context.end));
    return found ? context.addElement(context.elt(name, from, from + found[0].length)) : -1;
  };
}

const tag = inline('DialectTag', TAG);
const expression = inline('Expression', EXPRESSION);
const formula = inline('Formula', FORMULA);

const dialect: MarkdownConfig = {
  defineNodes: [
    { name: 'DialectTag', style: tags.processingInstruction },
    { name: 'Expression', style: tags.special(tags.variableName) },
    { name: 'Formula', style: tags.special(tags.string) },
  ],
  parseBlock: [
    {
      name: 'DialectTag',
      before: 'FencedCode',
      parse: parseTagLine,
      endLeaf: (_context, line) => TAG_LINE.test(line.text.slice(line.pos)),
    },
    {
      name: 'Formula',
      before: 'FencedCode',
      parse: parseFormula,
      endLeaf: (_context, line) => line.text.slice(line.pos).trim() === '$$',
    },
  ],
  parseInline: [
    {
      name: 'Dialect',
      before: 'Escape',
      parse: (context, next, from) => {
        if (next === BRACE && context.char(from + 1) === PERCENT) return tag(context, from);
        if (next === DOLLAR && context.char(from + 1) === DOLLAR) return formula(context, from);
        return next === LESS ? expression(context, from) : -1;
      },
    },
  ],
};

/** Colours with enough contrast in light and in dark. */
const style = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '700', color: 'light-dark(#0b3d70, #a5d8ff)' },
  { tag: tags.strong, fontWeight: '700' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'light-dark(#1864ab, #74c0fc)' },
  { tag: [tags.monospace, tags.special(tags.string)], color: 'light-dark(#8a3b12, #ffc078)' },
  { tag: [tags.quote, tags.comment], color: 'light-dark(#495057, #ced4da)' },
  {
    tag: [tags.processingInstruction, tags.labelName, tags.contentSeparator],
    color: 'light-dark(#862e9c, #e599f7)',
  },
  { tag: tags.special(tags.variableName), color: 'light-dark(#2b6e36, #8ce99a)' },
  {
    tag: [tags.tagName, tags.attributeName, tags.attributeValue, tags.angleBracket],
    color: 'light-dark(#5f3dc4, #b197fc)',
  },
]);

/** Markdown with the tags, formulas and expressions of the dialect, in colours. */
export const dialectSupport: Extension = [
  markdown({ base: markdownLanguage, extensions: [dialect], addKeymap: true, completeHTMLTags: false }),
  syntaxHighlighting(style),
];
