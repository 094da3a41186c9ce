/** A block that can be inserted; `${…}` are the places to be filled in, one after the other. */
export interface Block {
  readonly label: string;
  /** Other words by which it is found. */
  readonly words: string;
  readonly template: string;
}

const hint = (style: string): string => `{% hint style="${style}" %}\n\${Text}\n{% endhint %}\n`;
const inner = (tag: string, ...parts: readonly string[]): string =>
  parts.map((part) => `{% ${tag}${part}\n{% end${tag.replace(/ .*/, '')} %}\n`).join('\n');

const ALL: readonly (readonly [label: string, words: string, template: string])[] = [
  ['Heading', 'h2 title section', '## ${Heading}\n'],
  ['Smaller heading', 'h3 title section', '### ${Heading}\n'],
  ['List', 'bullet unordered', '* ${First}\n* ${Second}\n'],
  ['Numbered list', 'ordered numbered', '1. ${First}\n2. ${Second}\n'],
  ['Tasks', 'todo checkbox', '* [ ] ${Task}\n'],
  ['Quote', 'blockquote', '> ${Quote}\n'],
  ['Divider', 'line rule hr', '***\n'],
  ['Code', 'fence program', '```${language}\n${code}\n```\n'],
  [
    'Code with a title',
    'fence file name lines',
    '{% code title="${file.js}" lineNumbers="true" %}\n```${js}\n${code}\n```\n{% endcode %}\n',
  ],
  ['Hint: information', 'callout note box', hint('info')],
  ['Hint: success', 'callout tip box', hint('success')],
  ['Hint: warning', 'callout caution box', hint('warning')],
  ['Hint: danger', 'callout error box', hint('danger')],
  [
    'Tabs',
    'tab',
    `{% tabs %}\n${inner('tab', ' title="${First}" %}\n${Text}', ' title="${Second}" %}\n${Text}')}{% endtabs %}\n`,
  ],
  [
    'Stepper',
    'steps guide',
    `{% stepper %}\n${inner('step', ' %}\n### ${First step}\n${Text}', ' %}\n### ${Second step}\n${Text}')}{% endstepper %}\n`,
  ],
  ['Expandable', 'details accordion toggle', '<details>\n\n<summary>${Title}</summary>\n\n${Text}\n\n</details>\n'],
  ['Columns', 'column side', `{% columns %}\n${inner('column', ' %}\n${Left}', ' %}\n${Right}')}{% endcolumns %}\n`],
  ['Table', 'grid', '| ${First} | ${Second} |\n| --- | --- |\n| ${a} | ${b} |\n'],
  [
    'Cards',
    'grid table',
    '<table data-view="cards"><thead><tr><th></th><th></th></tr></thead><tbody><tr><td><strong>${Title}</strong></td><td>${Text}</td></tr></tbody></table>\n',
  ],
  ['Formula', 'math latex katex', '$$\n${x^2}\n$$\n'],
  ['Picture', 'image photo', '![${Description}](${})\n'],
  [
    'Picture with a caption',
    'image figure',
    '<figure><img src="${}" alt="${Description}"><figcaption>${Caption}</figcaption></figure>\n',
  ],
  ['File', 'download attachment', '{% file src="${}" %}\n'],
  ['Embedded content', 'video youtube iframe', '{% embed url="${https://}" %}\n'],
  [
    'Card of a page',
    'link page card',
    '{% content-ref url="${1:page.md}" %}\n[${1:page.md}](${1:page.md})\n{% endcontent-ref %}\n',
  ],
  ['Reusable content', 'include snippet', '{% include "${}" %}\n'],
  ['Condition', 'if visitor claims', '{% if ${visitor.claims.beta} %}\n${Text}\n{% endif %}\n'],
  [
    'Updates',
    'changelog release',
    '{% updates format="full" %}\n{% update date="${2026-01-01}" %}\n## ${Title}\n\n${Text}\n{% endupdate %}\n{% endupdates %}\n',
  ],
  ['Prompt', 'ai agent', '{% prompt description="${Description}" %}\n```\n${Prompt}\n```\n{% endprompt %}\n'],
  [
    'Operation of an API',
    'api swagger rest openapi',
    '{% openapi-operation spec="${petstore}" path="${/pets}" method="${get}" %}\n{% endopenapi-operation %}\n',
  ],
  ['Diagram (Mermaid)', 'flow chart graph', '```mermaid\ngraph LR\n  ${A} --> ${B}\n```\n'],
  ['Button', 'call to action', '<a href="${page.md}" class="button primary">${Go on}</a>\n'],
  ['Value of a variable', 'expression value', '<code class="expression">space.vars.${name}</code>'],
  ['Footnote', 'note annotation', 'text[^${1:1}]\n\n[^${1:1}]: ${Note}\n'],
];

/** Every block of the dialect that people write, with the words in it. */
export const BLOCKS: readonly Block[] = ALL.map(([label, words, template]) => ({ label, words, template }));
