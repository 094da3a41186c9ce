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

/** Colours by variables of `editor.css`, which knows light and dark. */
const style = HighlightStyle.define([
  { tag: tags.heading, class: 'md-heading' },
  { tag: tags.strong, class: 'md-strong' },
  { tag: tags.emphasis, class: 'md-emphasis' },
  { tag: tags.strikethrough, class: 'md-struck' },
  { tag: [tags.link, tags.url], class: 'md-link' },
  { tag: tags.monospace, class: 'md-code' },
  { tag: tags.quote, class: 'md-quote' },
  { tag: [tags.processingInstruction, tags.labelName, tags.contentSeparator], class: 'md-mark' },
  { tag: tags.special(tags.variableName), class: 'md-variable' },
  { tag: tags.special(tags.string), class: 'md-formula' },
  { tag: [tags.tagName, tags.attributeName, tags.attributeValue, tags.angleBracket], class: 'md-tag' },
  { tag: tags.comment, class: 'md-comment' },
]);

/** Markdown with the tags, formulas and expressions of the dialect, in colours. */
export const dialectSupport: Extension = [
  markdown({ base: markdownLanguage, extensions: [dialect], addKeymap: true, completeHTMLTags: false }),
  syntaxHighlighting(style),
];
