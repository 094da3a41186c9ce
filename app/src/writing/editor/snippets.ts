import { snippet } from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { texts } from '../../texts/en.js';

/** A block that can be inserted; `${…}` are the places to be filled in, one after the other. */
export interface Block {
  readonly label: string;
  /** Other words by which it is found. */
  readonly words: string;
  readonly template: string;
}

const names = texts.writing.blocks;
const hint = (style: string): string => `{% hint style="${style}" %}\n\${Text}\n{% endhint %}\n`;

/** Every block of the dialect that people write. */
export const BLOCKS: readonly Block[] = [
  { label: names.heading2, words: 'h2 title section', template: '## ${Heading}\n' },
  { label: names.heading3, words: 'h3 title section', template: '### ${Heading}\n' },
  { label: names.bullets, words: 'bullet unordered', template: '* ${First}\n* ${Second}\n' },
  { label: names.numbers, words: 'ordered numbered', template: '1. ${First}\n2. ${Second}\n' },
  { label: names.tasks, words: 'todo checkbox', template: '* [ ] ${Task}\n' },
  { label: names.quote, words: 'blockquote', template: '> ${Quote}\n' },
  { label: names.divider, words: 'line rule hr', template: '***\n' },
  { label: names.code, words: 'fence program', template: '```${language}\n${code}\n```\n' },
  {
    label: names.codeTitle,
    words: 'fence file name lines',
    template: '{% code title="${file.js}" lineNumbers="true" %}\n```${js}\n${code}\n```\n{% endcode %}\n',
  },
  { label: names.hintInfo, words: 'callout note box', template: hint('info') },
  { label: names.hintSuccess, words: 'callout tip box', template: hint('success') },
  { label: names.hintWarning, words: 'callout caution box', template: hint('warning') },
  { label: names.hintDanger, words: 'callout error box', template: hint('danger') },
  {
    label: names.tabs,
    words: 'tab',
    template:
      '{% tabs %}\n{% tab title="${First}" %}\n${Text}\n{% endtab %}\n\n{% tab title="${Second}" %}\n${Text}\n{% endtab %}\n{% endtabs %}\n',
  },
  {
    label: names.stepper,
    words: 'steps guide',
    template:
      '{% stepper %}\n{% step %}\n### ${First step}\n${Text}\n{% endstep %}\n\n{% step %}\n### ${Second step}\n${Text}\n{% endstep %}\n{% endstepper %}\n',
  },
  {
    label: names.expandable,
    words: 'details accordion toggle',
    template: '<details>\n\n<summary>${Title}</summary>\n\n${Text}\n\n</details>\n',
  },
  {
    label: names.columns,
    words: 'column side',
    template:
      '{% columns %}\n{% column %}\n${Left}\n{% endcolumn %}\n\n{% column %}\n${Right}\n{% endcolumn %}\n{% endcolumns %}\n',
  },
  { label: names.table, words: 'grid', template: '| ${First} | ${Second} |\n| --- | --- |\n| ${a} | ${b} |\n' },
  {
    label: names.cards,
    words: 'grid table',
    template:
      '<table data-view="cards"><thead><tr><th></th><th></th></tr></thead><tbody><tr><td><strong>${Title}</strong></td><td>${Text}</td></tr></tbody></table>\n',
  },
  { label: names.math, words: 'formula latex katex', template: '$$\n${x^2}\n$$\n' },
  { label: names.image, words: 'image photo', template: '![${Description}](${})\n' },
  {
    label: names.figure,
    words: 'image caption figure',
    template: '<figure><img src="${}" alt="${Description}"><figcaption>${Caption}</figcaption></figure>\n',
  },
  { label: names.file, words: 'download attachment', template: '{% file src="${}" %}\n' },
  { label: names.embed, words: 'video youtube iframe', template: '{% embed url="${https://}" %}\n' },
  {
    label: names.contentRef,
    words: 'link page card',
    template: '{% content-ref url="${1:page.md}" %}\n[${1:page.md}](${1:page.md})\n{% endcontent-ref %}\n',
  },
  { label: names.include, words: 'reusable include snippet', template: '{% include "${}" %}\n' },
  {
    label: names.condition,
    words: 'if visitor claims',
    template: '{% if ${visitor.claims.beta} %}\n${Text}\n{% endif %}\n',
  },
  {
    label: names.updates,
    words: 'changelog release',
    template:
      '{% updates format="full" %}\n{% update date="${2026-01-01}" %}\n## ${Title}\n\n${Text}\n{% endupdate %}\n{% endupdates %}\n',
  },
  {
    label: names.prompt,
    words: 'ai agent',
    template: '{% prompt description="${Description}" %}\n```\n${Prompt}\n```\n{% endprompt %}\n',
  },
  {
    label: names.openapi,
    words: 'api operation swagger rest',
    template:
      '{% openapi-operation spec="${petstore}" path="${/pets}" method="${get}" %}\n{% endopenapi-operation %}\n',
  },
  { label: names.mermaid, words: 'flow chart graph', template: '```mermaid\ngraph LR\n  ${A} --> ${B}\n```\n' },
  {
    label: names.button,
    words: 'call to action',
    template: '<a href="${page.md}" class="button primary">${Go on}</a>\n',
  },
  { label: names.expression, words: 'variable value', template: '<code class="expression">space.vars.${name}</code>' },
  { label: names.footnote, words: 'note annotation', template: 'text[^${1:1}]\n\n[^${1:1}]: ${Note}\n' },
];

/** Places without a number are filled in one by one, also where they have the same words. */
function numbered(template: string): string {
  let next = 10;
  return template.replace(/\$\{(?!\d)([^}]*)\}/g, (_whole, words: string) => `\${${(next += 1)}:${words}}`);
}

/** Inserts a block on a line of its own. */
export function insertBlock(view: EditorView, { template }: Block, from?: number, to?: number): void {
  const { head } = view.state.selection.main;
  const start = from ?? head;
  const line = view.state.doc.lineAt(start);
  const isAlone = !template.endsWith('\n') || view.state.sliceDoc(line.from, start).trim() === '';
  const text = numbered(isAlone ? template : `\n\n${template}`);
  snippet(text)(view, null, start, to ?? start);
  view.focus();
}

/** Puts marks around what is selected, or takes them away. */
export function toggleMark(view: EditorView, mark: string): boolean {
  const { state } = view;
  const { from, to } = state.selection.main;
  const length = mark.length;
  const isMarked = state.sliceDoc(from - length, from) === mark && state.sliceDoc(to, to + length) === mark;
  view.dispatch({
    changes: isMarked
      ? [
          { from: from - length, to: from },
          { from: to, to: to + length },
        ]
      : [
          { from, insert: mark },
          { from: to, insert: mark },
        ],
    selection: isMarked ? { anchor: from - length, head: to - length } : { anchor: from + length, head: to + length },
    userEvent: 'input',
  });
  view.focus();
  return true;
}

/** Makes what is selected a link, and waits for its target. */
export function insertLink(view: EditorView): boolean {
  const { from, to } = view.state.selection.main;
  const text = view.state.sliceDoc(from, to);
  const anchor = from + text.length + 3;
  view.dispatch({
    changes: { from, to, insert: `[${text}]()` },
    selection: { anchor: text === '' ? from + 1 : anchor },
  });
  view.focus();
  return true;
}
