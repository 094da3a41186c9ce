import { serializeOuter } from 'parse5';
import { FrameWriter } from '../dialects/frames.js';
import { openTag } from '../html.js';
import { holdsBlocks, isUnread, pastedBlocks } from '../pasted-blocks.js';
import { attributeOf, isElementNode, isHidden, textIn } from '../pasted-marks.js';
import { formatTag } from '../tags.js';
import { childOf, sourceLineOf, type HtmlElement, type HtmlNode } from './html-nodes.js';

/** Elements that are read as a whole. */
const WHOLE = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'ul', 'ol', 'table', 'blockquote', 'figure', 'p']);

/** A paragraph that is nothing but an image. */
const ONLY_IMAGE = /^<p>(<img [^<>]*>)<\/p>$/;

/**
 * Writes the elements of an exported page as blocks in our own dialect, with the lines that they come from. Attributes
 * say what no element of HTML is: an `aside` is a hint of the style `data-hint`, a `div` with `data-columns` or
 * `data-column` a column, one with `data-file` a file, and code has `data-title` and `data-numbers`.
 */
export function writeBlocks(writer: FrameWriter, nodes: readonly HtmlNode[]): void {
  let line: HtmlNode[] = [];
  const endLine = (): void => {
    const [first] = line;
    if (first) write(writer, first, pastedBlocks(line, true));
    line = [];
  };
  for (const node of nodes) {
    if (!isElementNode(node)) {
      line.push(node);
      continue;
    }
    if (isHidden(node)) continue;
    if (!holdsBlocks(node, true)) {
      line.push(node);
      continue;
    }
    endLine();
    writer.line = sourceLineOf(node);
    if (!special(writer, node)) writeElement(writer, node);
  }
  endLine();
}

function write(writer: FrameWriter, at: HtmlNode, blocks: readonly string[]): void {
  writer.line = sourceLineOf(at);
  for (const block of blocks) writer.emitBlock(block.replace(ONLY_IMAGE, '<figure>$1</figure>').split('\n'), 0);
}

function writeElement(writer: FrameWriter, node: HtmlElement): void {
  const isWhole = WHOLE.has(node.tagName) && !(node.tagName === 'p' && node.childNodes.some(isBlock));
  if (isWhole) write(writer, node, pastedBlocks([node], true));
  else writeBlocks(writer, node.childNodes);
}

function isBlock(node: HtmlNode): boolean {
  return isElementNode(node) && holdsBlocks(node, true);
}

/** Writes an element that has a form of its own in our dialect; false for all others. */
function special(writer: FrameWriter, node: HtmlElement): boolean {
  if (isUnread(node)) {
    const source = attributeOf(node, 'src');
    if (node.tagName === 'iframe' && source !== undefined && /^https:\/\//.test(source))
      writer.emitBlock([formatTag('embed', { url: source })], 0);
    else writer.raw(serializeOuter(node), 0);
    return true;
  }
  const file = attributeOf(node, 'data-file');
  if (file !== undefined) {
    writer.emitBlock([formatTag('file', { src: file })], 0);
    return true;
  }
  if (node.tagName === 'pre') writeCode(writer, node);
  else if (node.tagName === 'details') writeDetails(writer, node);
  else if (node.tagName === 'aside')
    around(writer, node, formatTag('hint', { style: attributeOf(node, 'data-hint') ?? 'info' }), '{% endhint %}');
  else if (attributeOf(node, 'data-columns') !== undefined) around(writer, node, '{% columns %}', '{% endcolumns %}');
  else if (attributeOf(node, 'data-column') !== undefined) around(writer, node, '{% column %}', '{% endcolumn %}');
  else return false;
  return true;
}

function around(writer: FrameWriter, node: HtmlElement, open: string, close: string): void {
  writer.emitBlock([open], 0);
  writeBlocks(writer, node.childNodes);
  writer.emitBlock([close, ''], 0);
}

function writeDetails(writer: FrameWriter, node: HtmlElement): void {
  const summary = childOf(node, ({ tagName }) => tagName === 'summary');
  const [words = ''] = summary ? pastedBlocks(summary.childNodes, true) : [];
  writer.emitBlock([openTag('details', { open: attributeOf(node, 'open') === undefined ? undefined : true }), ''], 0);
  writer.emitBlock([`<summary>${words.replace(/^<p>|<\/p>$/g, '')}</summary>`, ''], 0);
  writeBlocks(
    writer,
    node.childNodes.filter((child) => child !== summary),
  );
  writer.emitBlock(['</details>', ''], 0);
}

/** Names of languages that stand for none. */
const NO_LANGUAGE = new Set(['text', 'plain', 'none', 'plaintext']);

function writeCode(writer: FrameWriter, node: HtmlElement): void {
  const code = childOf(node, ({ tagName }) => tagName === 'code');
  const language = /\blang(?:uage)?-([\w+#-]+)/.exec(attributeOf(code ?? node, 'class') ?? '')?.[1] ?? '';
  const title = attributeOf(node, 'data-title');
  const numbers = attributeOf(node, 'data-numbers') === undefined ? undefined : 'true';
  const text = textIn(node, true).replace(/\n$/, '');
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  const isTagged = title !== undefined || numbers !== undefined;
  writer.emitBlock(
    [
      ...(isTagged ? [formatTag('code', { title, lineNumbers: numbers })] : []),
      fence + (NO_LANGUAGE.has(language) ? '' : language),
      ...text.split('\n'),
      fence,
      ...(isTagged ? ['{% endcode %}'] : []),
      '',
    ],
    0,
  );
}
