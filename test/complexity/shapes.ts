/** Makes a hostile text of about `length` characters. Twice the length is the same shape twice as large. */
export type Make = (length: number) => string;
export type Shapes = Readonly<Record<string, Make>>;

/** `part` as often as it fits. */
const many =
  (part: string): Make =>
  (length) =>
    part.repeat(Math.max(1, Math.round(length / part.length)));
/** Numbered parts, all of them different. */
const numbered =
  (part: (index: number) => string): Make =>
  (length) => {
    const parts: string[] = [];
    for (let size = 0, index = 0; size < length; index++) {
      const made = part(index);
      size += made.length;
      parts.push(made);
    }
    return parts.join('');
  };
const within =
  (open: string, inside: string, close: string): Make =>
  (length) => {
    const depth = Math.max(1, Math.round(length / (open.length + close.length)));
    return `${open.repeat(depth)}${inside}${close.repeat(depth)}`;
  };
/** One half of each, behind one another. */
const halves =
  (first: Make, second: Make): Make =>
  (length) =>
    first(length / 2) + second(length / 2);
const behind =
  (head: string, make: Make, tail = ''): Make =>
  (length) =>
    head + make(length) + tail;

/** A word of letters that no other number has. */
export function letters(index: number): string {
  let word = '';
  for (let rest = index; ; rest = Math.floor(rest / 26) - 1) {
    word = String.fromCharCode(97 + (rest % 26)) + word;
    if (rest < 26) return word;
  }
}

/** What can be done with something that opens and closes. */
function ofPair(open: string, close: string): Shapes {
  const name = JSON.stringify(`${open} ${close}`.trim()).slice(1, -1);
  return {
    [`${name}: opened`]: many(open),
    ...(close !== '' &&
      close !== open && {
        [`${name}: closed`]: many(close),
        [`${name}: nested`]: within(open, 'a', close),
        [`${name}: closed before opened`]: halves(many(close), many(open)),
      }),
    [`${name}: opened before words`]: many(`${open}a `),
    [`${name}: one after the other`]: many(`${open}a${close} `),
    [`${name}: on lines`]: many(`${open}a${close}\n`),
    [`${name}: in paragraphs`]: many(`${open}a\n\n`),
    [`${name}: opened once before words`]: behind(open, many('a b ')),
  };
}

const ofPairs = (pairs: readonly (readonly [string, string])[]): Shapes =>
  Object.assign({}, ...pairs.map(([open, close]) => ofPair(open, close))) as Shapes;

const tag = (name: string, attributes = ''): [string, string] => [
  `{% ${name}${attributes} %}\n`,
  `\n{% end${name} %}\n`,
];

/** Constructs of lines: CommonMark's, GitHub's, and those of the dialect. */
const INLINE_PAIRS: readonly (readonly [string, string])[] = [
  ['*', '*'],
  ['**', '**'],
  ['_', '_'],
  ['*a _', '_ *'],
  ['*a **', '** *'],
  ['~~', '~~'],
  ['`', '`'],
  ['$$', '$$'],
  ['$', '$'],
  ['[', ']'],
  ['[', '](b)'],
  ['![', '](b)'],
  ['[a][', ']'],
  ['[^', ']'],
  ['^[', ']'],
  ['(', ')'],
  ['[a](', ')'],
  ['[a](<', '>)'],
  ['[a](b "', '")'],
  ['<', '>'],
  ['<b>', '</b>'],
  ['<a href="b">', '</a>'],
  ['<mark style="color:red;">', '</mark>'],
  ['<code class="expression">', '</code>'],
  ['<img alt="', '">'],
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<!A', '>'],
  ['<![CDATA[', ']]>'],
  ['<a b="', '">'],
  ["<a b='", "'>"],
  ['<a ', '>'],
  [':smile', ':'],
  ['{{', '}}'],
  ['&', ';'],
  ['&#', ';'],
  ['\\', ''],
  ['http://a', ''],
  ['www.', ''],
  ['a@', 'b.c'],
  ['a_', ''],
  ['"', '"'],
  ["'", "'"],
];

const BLOCK_PAIRS: readonly (readonly [string, string])[] = [
  ['> ', ''],
  ['>', ''],
  ['* ', ''],
  ['1. ', ''],
  ['- [ ] ', ''],
  ['> * ', ''],
  ['# ', ''],
  ['| a | b |\n| - | - |\n', ''],
  ['|', ''],
  ['|a', '|\n|-|\n'],
  ['    ', ''],
  ['\t', ''],
  [' ', ''],
  ['\u00a0', ''],
  ['\n', ''],
  ['```\n', '\n```\n'],
  ['~~~\n', '\n~~~\n'],
  ['$$\n', '\n$$\n'],
  ['[a]: b\n', ''],
  ['[a]: <', '>'],
  ['[^a]: b\n', ''],
  ['---\n', ''],
  ['===\n', ''],
  ['a\n===\n', ''],
  tag('hint', ' style="info"'),
  tag('tabs'),
  tag('tab', ' title="a"'),
  tag('stepper'),
  tag('step'),
  tag('columns'),
  tag('column'),
  tag('content-ref', ' url="a.md"'),
  tag('embed', ' url="https://a.b/"'),
  tag('code', ' title="a"'),
  tag('file', ' src="a"'),
  tag('openapi', ' src="a" path="/b" method="get"'),
  tag('if', ' visitor.a'),
  tag('include', ' "a"'),
  tag('unknown'),
  tag('updates'),
  tag('update', ' date="2026-01-01"'),
  ['{% ', ' %}'],
  ['{% a b="', '" %}'],
  ["{% a '", "' %}"],
  ['{% a b=[', '] %}'],
  ['{%', '%}'],
];

const HTML_PAIRS: readonly (readonly [string, string])[] = [
  ['<p>', '</p>'],
  ['<div>', '</div>'],
  ['<div>\n\n', '\n\n</div>\n\n'],
  ['<b>', '</b>'],
  ['<a href="https://a.b">', '</a>'],
  ['<b><p>', '</p></b>'],
  ['<a><div>', '</div></a>'],
  ['<b><i>', '</b></i>'],
  ['<b><div>', '</b></div>'],
  ['<font color="a">', '</font>'],
  ['<nobr>', '</nobr>'],
  ['<table>', '</table>'],
  ['<table><tr><td>', '</td></tr></table>'],
  ['<table><b>', '</b></table>'],
  ['<tr>', '</tr>'],
  ['<td>', '</td>'],
  ['<td colspan="100" rowspan="100">', '</td>'],
  ['<caption>', '</caption>'],
  ['<colgroup><col>', '</colgroup>'],
  ['<ul><li>', '</li></ul>'],
  ['<ol start="3">', '</ol>'],
  ['<li>', '</li>'],
  ['<dl><dt>', '</dt></dl>'],
  ['<blockquote>', '</blockquote>'],
  ['<pre>', '</pre>'],
  ['<pre><code>', '</code></pre>'],
  ['<details><summary>', '</summary></details>'],
  ['<figure><figcaption>', '</figcaption></figure>'],
  ['<svg>', '</svg>'],
  ['<svg><foreignObject>', '</foreignObject></svg>'],
  ['<math><mi>', '</mi></math>'],
  ['<template>', '</template>'],
  ['<select><option>', '</option></select>'],
  ['<form>', '</form>'],
  ['<button>', '</button>'],
  ['<h1>', '</h1>'],
  ['<h1><span>', '</span></h1>'],
  ['<span style="a:b;', '">'],
  ['<script>', '</script>'],
  ['<style>', '</style>'],
  ['<textarea>', '</textarea>'],
  ['<title>', '</title>'],
  ['<br>', ''],
  ['<link> ', ''],
  ['<b></b> ', ''],
  ['<source> ', ''],
  ['<img src="a" alt="b">', ''],
  ['<input>', ''],
  ['<html a>', ''],
  ['<body b>', '</body>'],
  ['<!doctype a>', ''],
  ['<x-y>', '</x-y>'],
  ['</', '>'],
  ['<a/', ''],
];

/** The constructs of other tools. */
export const TOOLS: Shapes = {
  'open containers': many(':::note a\n'),
  'containers and their ends': many(':::note\na\n:::\n'),
  'unknown containers': many(':::a\n'),
  'admonitions that go in': within('!!! note\n    ', 'a', ''),
  'open tags': many('<Card a\n'),
  'open tags in a line': many('<A '),
  'unknown components': many('<A>\n'),
  'components in components': within('<Note>', 'a', '</Note>'),
  'attributes without an end': behind('<Card ', many('a={')),
  'open directives': many('```{note}\n'),
  roles: many('{ref}`a` '),
  'runs of code': numbered((index) => `${'`'.repeat((index % 50) + 1)}a`),
  'links between brackets': many('[['),
  'attributes behind links': many('[a](b){'),
  'marked words': many('=='),
  keys: many('++a'),
  'braces behind headings': behind('# a ', many('{#a')),
  imports: many('import A\n'),
  remarks: many('{/*'),
  alerts: many('> [!NOTE]\n> a\n'),
  'objects in objects': within('{a:', '1', '}'),
  'open lists': behind('sidebar: ', many('[')),
  'members without a value': behind('sidebar: {', many('a b,')),
  'many sidebars': many('sidebar: { '),
};

export const MARKDOWN: Shapes = {
  ...ofPairs([...INLINE_PAIRS, ...BLOCK_PAIRS]),
  // https://github.com/commonmark/cmark/blob/master/test/pathological_tests.py
  'nested brackets with link text': within('[', 'a', ']'),
  'emphasis that is no emphasis': many('a**b' + 'c* '),
  'mismatched emphasis': many('*a_ '),
  'mismatched strong emphasis': halves(many('a**b'), many('c* ')),
  'links and emphasis': many('[ (]('),
  'inline code that never closes': numbered((index) => `e${'`'.repeat((index % 300) + 1)}`),
  'formulas that never close': numbered((index) => `e${'$'.repeat((index % 300) + 2)}`),
  'empty links': many('[](<b'),
  'nested images': within('![', '', '](a)'),
  'references to nothing': numbered((index) => `[${letters(index)}]`),
  'references to one definition': behind('[a]: /b\n\n', many('[a] ')),
  'long reference': behind(`[${'a'.repeat(900)}]: b\n\n`, many(`[${'a'.repeat(900)}]`)),
  definitions: numbered((index) => `[${letters(index)}]: b\n`),
  footnotes: numbered((index) => `a[^${letters(index)}]\n\n[^${letters(index)}]: b\n\n`),
  'footnotes that call others': numbered((index) => `[^a${index}]: b[^a${index + 1}][^a${index + 1}]\n\n`),
  'lists by indentation': (length) =>
    Array.from({ length: Math.round(Math.sqrt(length)) }, (_, index) => `${'  '.repeat(index % 90)}* a`).join('\n'),
  'items that are lazy': behind('> > > * * a\n', many('b\n')),
  'footnotes in items': many('* [^a]: '),
  'footnotes in footnotes': many('[^a]: '),
  'headings of one name': many('# a\n'),
  'headings that differ': numbered((index) => `# ${letters(index)}\n\n`),
  'a wide table': (length) => `|${'a|'.repeat(length / 4)}\n|${'-|'.repeat(length / 4)}\n`,
  'a long table': behind('| a | b |\n| - | - |\n', many('| a | b |\n')),
  'a table of one long row': (length) => `| a |\n| - |\n|${'a|'.repeat(length / 4)}\n${'|a|\n'.repeat(length / 8)}`,
  'a table of marks': behind('| a | b |\n| - | - |\n', many('| *a **b | `c |\n')),
  'rows without a head': many('|a|b|\n'),
  'nul and controls': many('\0\u0001\ufffd'),
  'crossed tags': many('{% tabs %}\n{% hint %}\n{% endtabs %}\n{% endhint %}\n'),
  'tags in HTML': many('<div>\n{% hint style="info" %}\n'),
  'tags in HTML that close': many('<div>\n{% hint style="info" %}\na\n{% endhint %}\n</div>\n'),
  'tags in quotes': many('> {% hint style="info" %}\n> a\n> {% endhint %}\n'),
  'attributes of a tag': behind(
    '{% hint ',
    numbered((index) => `${letters(index)}="b" `),
    '%}\na\n{% endhint %}\n',
  ),
  'a quoted tag': behind('{% a "', many('\\"'), '" %}\n'),
  'beginnings and ends of tags': halves(many('{% a '), many('%} ')),
  'quotes that open in tags': many('{% a "'),
};

const adoption =
  (open: (index: number) => string): Make =>
  (length) =>
    `<p>${numbered(open)(length / 2)}${many('<p>x')(length / 2)}`;

export const HTML: Shapes = {
  ...ofPairs(HTML_PAIRS),
  // https://html.spec.whatwg.org/multipage/parsing.html#adoption-agency-algorithm and the list of active formatting elements
  'distinct formatting elements before paragraphs': adoption((index) => `<b ${letters(index)}>`),
  'distinct formatting elements with values before paragraphs': adoption((index) => `<font color="${letters(index)}">`),
  'formatting elements of all names before paragraphs': adoption(
    (index) =>
      `<${['a', 'b', 'big', 'code', 'em', 'font', 'i', 'nobr', 's', 'small', 'strike', 'strong', 'tt', 'u'][index % 14] ?? 'b'} ${letters(index)}>`,
  ),
  'formatting elements that are closed in blocks': halves(many('<b><div>'), many('</b>')),
  'anchors in blocks': many('<a><p>'),
  'formatting elements in a table': behind('<table>', many('<b>a<tr>')),
  'foster parents': behind('<table>', many('a<tr>')),
  'foster parents of elements': behind('<table>', many('<p>a</p><td>b')),
  attributes: behind(
    '<p ',
    numbered((index) => ` ${letters(index)}="b"`),
    '>a',
  ),
  'elements with many attributes': many(`<b ${Array.from({ length: 50 }, (_, index) => letters(index)).join(' ')}><p>`),
  'attributes that body adopts': numbered((index) => `<body ${letters(index)}>`),
  'one long attribute': behind('<p title="', many('&amp; '), '">a'),
  'one long style': behind('<p style="', many('a:b;'), '">a'),
  'one long class': behind(
    '<p class="',
    numbered((index) => `${letters(index)} `),
    '">a',
  ),
  'words in elements': many('<p>Some words <b>in</b> it.</p>\n'),
  'line breaks': many('a<br>'),
  blanks: behind('<p>a', many(' '), 'b</p>'),
  'blanks and line breaks': behind('<p>a', many(' <br>\n'), 'b</p>'),
  'no-break spaces': behind('<p>a', many('&nbsp;'), 'b</p>'),
  'long words': behind('<p>', many('word')),
  'headings in table cells': many('<table><tr><td><h1>a</h1></td></tr></table>'),
  'a wide table': behind('<table><tr>', many('<td>a')),
  'a long table': behind('<table>', many('<tr><td>a<td>b')),
  'a table of one long row': (length) => `<table><tr>${'<td>a'.repeat(length / 10)}${'<tr><td>a'.repeat(length / 20)}`,
  'spans over empty rows': (length) =>
    `<table><tr>${'<td rowspan=100 colspan=100>a'.repeat(length / 60)}${'<tr><td>a'.repeat(length / 20)}`,
  'spans in a table': behind('<table>', many('<tr><td rowspan=1000 colspan=1000>a')),
  'list items beside lists': behind('<ul>', many('<li>a<ul></ul>')),
  'nested lists that close': within('<ul><li>a', 'b', '</li></ul>'),
  'marks beside each other': many('<b>a</b><i>b</i>'),
  'marks in words': many('a<b>b</b>'),
  'links beside each other': many('<a href="https://a.b/c">d</a>'),
  pictures: many('<img src="a.png" alt="b">'),
  'characters of Markdown': behind('<p>', many('*_[]`<>~$|!')),
  'entities without an end': many('&notit'),
  ideographs: behind('<p>', many('<b>字。</b>字')),
};

/** HTML with the macros of Confluence, which the tools that export it leave in pages. */
export const EXPORTED: Shapes = {
  'hints in hints': within('<div class="confluence-information-macro"><p>a', '', '</div>'),
  'panels in panels': within('<div class="panel"><div class="panelContent">', 'a', '</div></div>'),
  'panels that do not close': many('<div class="panel">'),
  'expanded parts': many('<div class="expand-container"><div class="expand-content">a</div></div>'),
  columns: behind('<div class="columnLayout">', many('<div class="cell">a</div>')),
  'tasks in tasks': within('<ul class="inline-task-list"><li>a', '', '</li></ul>'),
  statuses: behind('<p>', many('<span class="status-macro aui-lozenge-error">a</span>')),
  emoticons: behind('<p>', many('<img class="emoticon emoticon-tick">')),
  'lists of pages': within('<div class="pageSection"><ul><li><a href="a_1.html">a</a>', '', '</li></ul></div>'),
  attachments: behind(
    '<div class="pageSection"><h2 id="attachments" class="pageSectionTitle">',
    many('<a href="attachments/1/2">a</a>'),
  ),
  'parts of pages': many('<div class="pageSection"><h2 class="pageSectionTitle">a</h2></div>'),
  code: many('<div class="code panel"><pre data-syntaxhighlighter-params="brush: js">a\n</pre></div>'),
  'paragraphs with frames': many('<p><iframe></iframe></p>'),
};

const pasted = (shapes: Shapes): Shapes =>
  Object.fromEntries(Object.entries(shapes).map(([name, make]) => [name, behind('<!--StartFragment-->', make)]));
/** HTML as the clipboards of editors leave it. */
export const PASTED: Shapes = {
  ...pasted(HTML),
  'items of Word': behind(
    '<p class=MsoNormal>',
    numbered(
      (index) => `<p style="mso-list:l0 level${(index % 9) + 1} lfo1"><span style="mso-list:Ignore">1.</span>a</p>`,
    ),
  ),
  'items of Word, deeper and deeper': numbered(
    (index) => `<!--StartFragment--><p style="mso-list:l0 level${index + 1} lfo1">a</p>`,
  ),
  'parts of pre': many('<!--StartFragment--><pre>\n\n'),
  'pre on one line': behind('<!--StartFragment-->', many('<pre>')),
  fences: many('<!--StartFragment-->\n\n```\n'),
};

export const YAML: Shapes = {
  ...ofPairs([
    ['!a ', ''],
    ['!!a ', ''],
    ['&a ', ''],
    ['*a ', ''],
    ['[', ']'],
    ['{', '}'],
    ['{a: ', '}'],
    ['[a: ', ']'],
    ['- ', ''],
    ['? ', ''],
    [': ', ''],
    ['a: ', ''],
    ['"', '"'],
    ["'", "'"],
    ['# ', ''],
    ['| ', ''],
    ['>\n', ''],
    ['%a\n', ''],
    ['---\n', '...\n'],
    ['@', ''],
    ['`', ''],
    [',', ''],
    ['\\', ''],
    ['<<: ', ''],
    ['!<a> ', ''],
    ['!<', '>'],
    ['\t', ''],
    ['\r', ''],
    ['-\n', ''],
    ['?\n', ''],
    ['-\t', ''],
  ]),
  keys: numbered((index) => `k${index}: 1\n`),
  'keys in a flow map': behind(
    '{',
    numbered((index) => `k${index}: 1, `),
    '}',
  ),
  'keys without values in a flow map': behind(
    '{',
    numbered((index) => `k${index}, `),
    '}',
  ),
  'items of a flow sequence': behind('[', many('a, '), ']'),
  'flow maps in a sequence': behind('[', many('{a: 1}, '), ']'),
  'flow maps on lines': many('- {a: {b: [c, {d: e}]}}\n'),
  'keys that are maps': many('? {a: 1}\n: 1\n'),
  'tags of one value': behind('a: ', many('!a ')),
  'anchors of one value': behind('a: ', many('&a ')),
  'tags on lines': behind('a:\n', many('  !a\n')),
  'anchors and tags': behind('a: ', many('!a &b ')),
  anchors: numbered((index) => `a${index}: &a${index} x\n`),
  'anchors and aliases': numbered(
    (index) => `a${index}: &a${index} [${index === 0 ? 'x' : `*a${index - 1}, *a${index - 1}`}]\n`,
  ),
  'merge keys': numbered((index) => `a${index}: &a${index}\n  <<: ${index === 0 ? '{}' : `*a${index - 1}`}\n`),
  'maps within each other': (length) =>
    Array.from({ length: Math.round(Math.sqrt(length)) }, (_, index) => `${' '.repeat(index)}a:\n`).join(''),
  'sequences within each other': (length) =>
    Array.from({ length: Math.round(Math.sqrt(length)) }, (_, index) => `${' '.repeat(index)}-\n`).join(''),
  'a long plain text': behind('a: ', many('word ')),
  'a plain text on many lines': behind('a: b\n', many('  c\n')),
  'a quoted text on many lines': behind('a: "b\n', many('  c\n'), '"'),
  'a quoted text of empty lines': behind('a: "b', many('\n'), '"'),
  'a quoted text of escapes': behind('a: "', many('\\u0061'), '"'),
  'a folded text': behind('a: >\n', many('  b\n\n')),
  'a literal text': behind('a: |\n', many('  b\n')),
  'a literal text of blanks': behind('a: |\n', many('   \n')),
  'a literal text of different indentation': behind(
    'a: |\n',
    numbered((index) => `${' '.repeat((index % 50) + 1)}b\n`),
  ),
  'comments between keys': numbered((index) => `k${index}: 1 # a\n# b\n`),
  'comments in a flow sequence': behind('[', many('a, # b\n'), ']'),
  'blanks behind values': behind('a: b', many(' '), '\n'),
  'empty lines': behind('a: 1\n', many('\n'), 'b: 2\n'),
  'lines of blanks': behind('a: 1\n', many('  \n'), 'b: 2\n'),
  'documents of one file': many('---\na: 1\n'),
  'keys that occur again': many('k: 1\n'),
  'numbers of many digits': behind('a: ', many('1')),
  'a number with a point': behind('a: 1.', many('0')),
  times: many('- 2026-01-01T00:00:00Z\n'),
  redirects: behind(
    'redirects:\n',
    numbered((index) => `  old/${index}: new/${index}.md\n`),
  ),
  'redirects to nothing': behind(
    'redirects:\n',
    numbered((index) => `  old/${index}:\n`),
  ),
  'redirects in one map': behind(
    'redirects: {',
    numbered((index) => `a${index}: b, `),
    '}',
  ),
};

/** Texts of people, and of those who try what breaks one: long words, blanks, marks on letters, addresses, numbers. */
export const TEXT: Shapes = {
  ...ofPairs([
    ['(', ')'],
    ['<', '>'],
    ['[', ']'],
    ['{{', '}}'],
    ['`', '`'],
    ['```', '```'],
    ['"', '"'],
    ['> ', ''],
    ['&', ';'],
    ['%', ''],
    ['{%', '%}'],
    ['${', '}'],
    ['/', ''],
    ['*', '*'],
    ['_', '_'],
  ]),
  'one word': many('a'),
  words: many('some words of a text '),
  'words that differ': numbered((index) => `${letters(index)} `),
  blanks: behind('a', many(' '), 'b'),
  tabs: behind('a', many('\t'), 'b'),
  'line ends': behind('a', many('\n'), 'b'),
  'carriage returns': behind('a', many('\r'), 'b'),
  'blank lines': behind('a', many(' \n'), 'b'),
  'combining marks': behind('a', many('\u0301')),
  'letters with combining marks': many('a\u0301\u0323'),
  'combining marks out of order': behind('a', many('\u0301\u0323')),
  'joined emoji': many('👩‍'),
  'regional indicators': many('🇩'),
  'halves of characters': many('\ud800'),
  ideographs: many('漢字かな、'),
  hangul: many('\u1100\u1161'),
  'ligatures that grow': many('\ufdfa'),
  'zero width': many('\u200b\u200d'),
  'right to left': many('\u202eאב '),
  digits: many('1'),
  'digits and blanks': many('1 '),
  'digits and hyphens': many('12-'),
  'numbers of telephones': many('+49 30 1234567 '),
  'plus signs': many('+1'),
  'numbers of cards': many('4111 1111 1111 1111 '),
  'addresses of people': many('a@b.cd '),
  'at signs': many('a@'),
  'at signs and dots': many('a.b@c.'),
  dots: many('a.'),
  hyphens: many('a-'),
  underscores: many('a_'),
  slashes: many('/a'),
  'dots and slashes': many('../'),
  addresses: many('https://a.b/c?d=e '),
  'one long address': behind('https://a.b/', many('c/')),
  'parentheses of addresses': behind('https://a.b/', many('(')),
  greetings: many('Hi Jane, '),
  'greetings on lines': many('Hi Jane Doe\n'),
  signatures: many('Thanks\nJane\n'),
  names: many('Jane '),
  'names with initials': many('J. '),
  sentences: many('It fails. '),
  questions: many('Why? '),
  exclamations: many('!'),
  'sentences without blanks': many('It.Fails'),
  apostrophes: many("a'"),
  percents: many('%41'),
  'broken percents': many('%c3'),
  commas: many('a, '),
  equals: many('a=b&'),
  semicolons: many('a=b; '),
  colons: many(':a'),
  quotations: many('> > a\n'),
  'quoted replies': many('On Monday, Jane wrote:\n> a\n'),
  'capital letters': many('A'),
  'letters that lower case makes longer': many('İ'),
  'code in lines': many('`a` b '),
  fences: many('```\na\n```\n'),
  'long and short fences': numbered((index) => `${'`'.repeat((index % 40) + 3)}\n`),
};

export const EXPRESSIONS: Shapes = {
  ...ofPairs([
    ['(', ')'],
    ['[', ']'],
    ['{', '}'],
    ['{a:', '}'],
    ['!', ''],
    ['-', ''],
    ['+', ''],
    ['a.', ''],
    ['a?', ':b'],
    ['a?.', ''],
    ['`${', '}`'],
    ['"', '"'],
    ["'", "'"],
    ['/', '/'],
    ['a(', ')'],
    ['a[', ']'],
    ['(a)=>', ''],
    ['a&&', ''],
    ['a||', ''],
    ['a??', ''],
    ['typeof ', ''],
    ['...', ''],
    ['<!--', '-->'],
    ['/*', '*/'],
    ['//', '\n'],
    ['\\u{', '}'],
  ]),
  sum: behind('1', many('+1')),
  conjunction: behind('a', many(' && a')),
  members: behind('a', many('.b')),
  list: behind('[1', many(',1'), ']'),
  'list of lists': behind('[', many('[1],'), ']'),
  'calls in calls': within('a.includes(', 'b', ')'),
  mapped: behind('[1,2,3,4,5,6,7,8]', many('.map(a=>a+a)')),
  'text that grows': behind('"a"', many('.concat("b")')),
  'maps in maps': within('[1,2,3].map(a=>', '1', ')'),
  template: behind('`', many('${1}'), '`'),
};

export const QUERIES: Shapes = {
  ...TEXT,
  phrases: many('"a b" '),
  negations: many('-a '),
  choices: many('a or '),
  'open phrases': many('"a '),
  operators: many('& | ! ( ) <-> :* '),
};

const quoted = JSON.stringify;
const schemas = (part: (index: number) => string): Make =>
  behind(
    '{"openapi":"3.0.3","info":{"title":"a","version":"1"},"paths":{},"components":{"schemas":{',
    (length) => numbered((index) => `${index === 0 ? '' : ','}${part(index)}`)(length),
    '}}}',
  );

/** Specifications of interfaces, in JSON. */
export const SPECIFICATIONS: Shapes = {
  ...ofPairs([
    ['[', ']'],
    ['{"a":', '}'],
    ['"', '"'],
    ['{', '}'],
    ['<', '>'],
  ]),
  schemas: schemas((index) => `"s${index}":{"type":"object","properties":{"a":{"type":"string"}}}`),
  'schemas that refer to one another': schemas((index) => `"s${index}":{"$ref":"#/components/schemas/s${index + 1}"}`),
  'schemas that refer to two others': schemas(
    (index) =>
      `"s${index}":{"allOf":[{"$ref":"#/components/schemas/s${index + 1}"},{"$ref":"#/components/schemas/s${index + 1}"}]}`,
  ),
  'schemas that refer to themselves': schemas(
    (index) => `"s${index}":{"type":"object","properties":{"a":{"$ref":"#/components/schemas/s${index}"}}}`,
  ),
  'faults in schemas': schemas((index) => `"s${index}":{"type":"none"}`),
  'references to nothing': schemas((index) => `"s${index}":{"$ref":"#/components/schemas/none${index}"}`),
  'schemas within each other': (length) =>
    `{"openapi":"3.0.3","info":{"title":"a","version":"1"},"paths":{},"components":{"schemas":{"a":${within('{"type":"object","properties":{"a":', '{}', '}}')(length)}}}}`,
  paths: behind(
    '{"openapi":"3.0.3","info":{"title":"a","version":"1"},"paths":{',
    (length) =>
      numbered((index) => `${index === 0 ? '' : ','}"/a${index}":{"get":{"responses":{"200":{"description":"b"}}}}`)(
        length,
      ),
    '}}',
  ),
  'paths with parameters': behind(
    '{"openapi":"3.0.3","info":{"title":"a","version":"1"},"paths":{',
    (length) =>
      numbered(
        (index) =>
          `${index === 0 ? '' : ','}"/{a}/b${index}":{"get":{"operationId":"c","parameters":[{"name":"a","in":"path","required":true,"schema":{}}],"responses":{"200":{"description":"b"}}}}`,
      )(length),
    '}}',
  ),
  'segments of one path': (length) =>
    `{"openapi":"3.0.3","info":{"title":"a","version":"1"},"paths":{${quoted(many('/{a}')(length))}:{"get":{"responses":{"200":{"description":"b"}}}}}}`,
  tags: behind(
    '{"openapi":"3.0.3","info":{"title":"a","version":"1"},"paths":{},"tags":[',
    (length) => numbered((index) => `${index === 0 ? '' : ','}{"name":"t${index}","x-parent":"t${index + 1}"}`)(length),
    ']}',
  ),
  'a long description': (length) =>
    `{"openapi":"3.0.3","info":{"title":"a","version":"1","description":${quoted(many('*a **b ')(length))}},"paths":{}}`,
  'Swagger definitions': behind(
    '{"swagger":"2.0","info":{"title":"a","version":"1"},"paths":{},"definitions":{',
    (length) =>
      numbered(
        (index) =>
          `${index === 0 ? '' : ','}"s${index}":{"type":"object","discriminator":"a","properties":{"a":{"$ref":"#/definitions/s${index + 1}"}}}`,
      )(length),
    '}}',
  ),
  'YAML aliases': behind(
    'openapi: 3.0.3\ninfo: {title: a, version: 1}\npaths: {}\ncomponents:\n  schemas:\n',
    numbered(
      (index) => `    a${index}: &a${index} {allOf: [${index === 0 ? '{}' : `*a${index - 1}, *a${index - 1}`}]}\n`,
    ),
  ),
};

export const FORMULAS: Shapes = {
  ...ofPairs([
    ['{', '}'],
    ['\\frac{', '}{b}'],
    ['\\sqrt{', '}'],
    ['^{', '}'],
    ['_{', '}'],
    ['\\left(', '\\right)'],
    ['\\begin{matrix}', '\\end{matrix}'],
    ['\\text{', '}'],
    ['\\color{red}{', '}'],
    ['\\', ''],
    ['$', '$'],
    ['&', ''],
    ['%', ''],
    ['\\overline{', '}'],
    ['\\mathbf{', '}'],
    ['\\kern{1em}', ''],
  ]),
  sum: behind('a', many('+a')),
  'indices of one sign': behind('a', many("'")),
  'a matrix': behind('\\begin{matrix}', many('a&b\\\\'), '\\end{matrix}'),
  'macros that call others': (length) =>
    `${numbered((index) => `\\def\\${letters(index)}zz{\\${letters(index + 1)}zz\\${letters(index + 1)}zz}`)(length)}\\azz`,
  'one macro again and again': behind('\\def\\a{bbbbbbbbbb}', many('\\a ')),
  operators: many('\\sum_a^b '),
  unknown: many('\\unknown '),
};

export const XML: Shapes = {
  ...ofPairs([
    ['<a>', '</a>'],
    ['<a b="c">', '</a>'],
    ['&amp;', ''],
    ['<a ', '/>'],
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
    ['<?a', '?>'],
    ['<!DOCTYPE a [', ']>'],
    ['<!ENTITY a "b">', ''],
    ['"', '"'],
    ['<', '>'],
    ['<a:b xmlns:a="c">', '</a:b>'],
  ]),
  elements: behind('<a>', many('<b/>'), '</a>'),
  attributes: behind(
    '<a ',
    numbered((index) => `${letters(index)}x="b" `),
    '/>',
  ),
  'attributes that occur again': behind('<a ', many('b="c" '), '/>'),
  namespaces: behind(
    '<a ',
    numbered((index) => `xmlns:${letters(index)}="b" `),
    '/>',
  ),
  text: behind('<a>', many('some text '), '</a>'),
  entities: behind('<a>', many('&lt;&#65;'), '</a>'),
  'long value': behind('<a b="', many('c'), '"/>'),
  blanks: behind('<a', many(' '), '/>'),
  'a drawing': behind(
    '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10">',
    many('<path d="M0 0"/>'),
    '</svg>',
  ),
  'a drawing of many sizes': behind('<svg ', many('width="10" '), '></svg>'),
  'blanks before a drawing': behind('', many(' '), '<svg width="1" height="1"/>'),
  'comments before a drawing': behind('', many('<!-- a -->'), '<svg width="1" height="1"/>'),
};

/** Texts of lines that were changed, moved and repeated: what comparing and merging see. */
/** Marks that a style may leave without a backslash, among other nodes of one paragraph. */
export const SPARED: Shapes = {
  'one escaped tilde beside code': behind('a\\~1 ', many('\\&a `c` ')),
  'escaped tildes beside code': many('a\\~1 `c` '),
  'escaped underscores in words': many('a\\_b\\_c `c` '),
  'escaped stars between spaces': many('a \\* b `c` '),
  'escaped brackets after words': many('a\\[b] `c` '),
};

export const LINES: Shapes = {
  'equal lines': many('a\n\n'),
  'lines that differ': numbered((index) => `${letters(index)} word\n\n`),
  'two lines in turns': many('a\n\nb\n\n'),
  'long lines': many(`${'word '.repeat(100)}\n\n`),
  'one line': many('word '),
  items: many('* a\n'),
  'nested items': many('* a\n  * b\n    * c\n'),
  'items that differ': numbered((index) => `* ${letters(index)}\n`),
  'rows of a table': behind(
    '| a | b |\n| - | - |\n',
    numbered((index) => `| ${letters(index)} | b |\n`),
  ),
  headings: numbered((index) => `# ${letters(index)}\n\na\n\n`),
  code: behind(
    '```\n',
    numbered((index) => `${letters(index)}\n`),
    '```\n',
  ),
  tabs: many('{% tabs %}\n{% tab title="a" %}\nb\n{% endtab %}\n{% endtabs %}\n\n'),
  marks: many('**a** *b* `c` [d](e)\n\n'),
};

export const ROBOTS: Shapes = {
  ...ofPairs([
    ['User-agent: *\n', ''],
    ['Disallow: /a\n', ''],
    ['Disallow: /*a\n', ''],
    ['Allow: /$\n', ''],
    [': ', ''],
    ['#', ''],
    ['*', ''],
  ]),
  rules: behind(
    'User-agent: *\n',
    numbered((index) => `Disallow: /${letters(index)}\n`),
  ),
  'stars in one rule': behind('User-agent: *\nDisallow: /', many('*a')),
};
