import { serializeOuter, type DefaultTreeAdapterTypes } from 'parse5';
import { escapeHtml, openTag } from './html.js';
import {
  append,
  attributeOf,
  isElementNode,
  isHidden,
  pastedMarks,
  NO_MARKS,
  type PastedMarks,
  stylesOf,
  textIn,
  wrapped,
} from './pasted-marks.js';
import { placeCells, spanOf, type SpanningCell } from './place-cells.js';
import { formatTag } from './tags.js';
import { wordLists, type WordItem } from './word-lists.js';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

const BLOCKS = new Set([
  'address',
  'article',
  'aside',
  'blockquote',
  'body',
  'center',
  'details',
  'dd',
  'div',
  'dl',
  'dt',
  'fieldset',
  'figure',
  'footer',
  'form',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'header',
  'hr',
  'html',
  'li',
  'main',
  'nav',
  'ol',
  'p',
  'pre',
  'section',
  'table',
  'ul',
]);

/** Elements whose content no document has. */
const UNREAD = new Set(['applet', 'audio', 'canvas', 'embed', 'iframe', 'math', 'object', 'select', 'svg', 'video']);

/** Tells whether an element has no counterpart, not even for what is in it. */
export function isUnread(node: Element): boolean {
  return UNREAD.has(node.tagName);
}

/**
 * Converts elements of an editor to blocks of plain HTML, each without an empty line inside. A page that is `whole`
 * keeps more than what is pasted: anchors, widths, titles of code, and elements without a counterpart.
 */
export function pastedBlocks(nodes: readonly Node[], isWhole = false): string[] {
  return new Blocks(isWhole).of(nodes, NO_MARKS, 0);
}

class Blocks {
  constructor(private readonly isWhole: boolean) {}

  of(nodes: readonly Node[], marks: PastedMarks, depth: number): string[] {
    const blocks: string[] = [];
    let line = '';
    let items: WordItem[] = [];
    const endLine = (): void => {
      if (hasContent(line)) blocks.push(`<p>${trimmed(line)}</p>`);
      line = '';
    };
    const endItems = (): void => {
      if (items.length > 0) append(blocks, wordLists(items));
      items = [];
    };
    for (const node of nodes) {
      if (!isElementNode(node)) {
        if (hasContent(this.line([node], marks, depth))) endItems();
        line += this.line([node], marks, depth);
        continue;
      }
      if (isHidden(node)) continue;
      const item = this.wordItem(node, depth);
      if (!item && !holdsBlocks(node, this.isWhole)) {
        line += this.line([node], marks, depth);
        continue;
      }
      endLine();
      if (item) {
        items.push(item);
        continue;
      }
      const made = this.block(node, marks, depth);
      if (made.length > 0) endItems();
      append(blocks, made);
    }
    endItems();
    endLine();
    return blocks;
  }

  /** The content of a line, with its marks as elements. */
  private line(nodes: readonly Node[], marks: PastedMarks, depth: number): string {
    let html = '';
    for (const node of nodes) {
      if (node.nodeName === '#text') html += wrapped(textIn(node), marks);
      else if (isElementNode(node) && !isHidden(node)) html += this.inline(node, marks, depth + 1);
    }
    return html;
  }

  private inline(node: Element, marks: PastedMarks, depth: number): string {
    if (node.tagName === 'br') return attributeOf(node, 'class') === 'Apple-interchange-newline' ? '' : '<br>';
    if (node.tagName === 'img') return imageTag(node, this.isWhole);
    if (stylesOf(node).get('mso-list') === 'ignore') return '';
    const inner = this.line(node.childNodes, pastedMarks(node, marks), depth);
    const href = node.tagName === 'a' ? attributeOf(node, 'href') : undefined;
    if (href === undefined || !hasContent(inner)) return inner + (BLOCKS.has(node.tagName) ? ' ' : '');
    return `${openTag('a', { href })}${inner}</a>`;
  }

  private block(node: Element, marks: PastedMarks, depth: number): string[] {
    const name = node.tagName;
    const { childNodes } = node;
    const inside = (): string[] => this.of(childNodes, pastedMarks(node, marks), depth + 1);
    if (this.isWhole && isUnread(node)) return [asOneLine(node)];
    if (/^h[1-6]$/.test(name) || attributeOf(node, 'class') === 'MsoTitle') return this.heading(node, depth);
    switch (name) {
      case 'hr':
        return ['<hr>'];
      case 'pre':
        return [...titleOfCode(node), preformatted(node)];
      case 'ul':
      case 'ol':
        return this.list(node, marks, depth);
      case 'table':
        return this.table(node, depth);
      case 'details':
        return [this.details(node, depth)];
      case 'blockquote':
        return [`<blockquote>${inside().join('')}</blockquote>`];
      case 'aside':
        return this.callout(inside(), depth, attributeOf(node, 'data-hint'));
      case 'figure':
        if (classesOf(node).includes('callout')) return this.callout(inside(), depth);
        return inside();
      default:
        return /Quote/.test(attributeOf(node, 'class') ?? '')
          ? [`<blockquote>${inside().join('')}</blockquote>`]
          : inside();
    }
  }

  private heading(node: Element, depth: number): string[] {
    const name = /^h[1-6]$/.test(node.tagName) ? node.tagName : 'h1';
    const inner = this.line(node.childNodes, { ...NO_MARKS, heading: true }, depth);
    const id = this.isWhole ? attributeOf(node, 'id') : undefined;
    return hasContent(inner) ? [`${openTag(name, { id })}${trimmed(inner)}</${name}>`] : [];
  }

  /** A hint where one is allowed; within other elements a quote. */
  private callout(inside: readonly string[], depth: number, style = 'info'): string[] {
    if (inside.length === 0) return [];
    // No line of its own begins within a list or a table.
    return depth > 3 || this.isWhole
      ? [`<blockquote>${inside.join('')}</blockquote>`]
      : [formatTag('hint', { style }), ...inside, '{% endhint %}'];
  }

  private details(node: Element, depth: number): string {
    const summary = node.childNodes.find(
      (child): child is Element => isElementNode(child) && child.tagName === 'summary',
    );
    const rest = this.of(
      node.childNodes.filter((child) => child !== summary),
      NO_MARKS,
      depth + 1,
    );
    return `<details><summary>${summary ? trimmed(this.line(summary.childNodes, NO_MARKS, depth)) : ''}</summary>${rest.join('')}</details>`;
  }

  /** Google Docs puts a nested list beside its item instead of inside. */
  private list(node: Element, marks: PastedMarks, depth: number): string[] {
    const items: { box: string; inside: string[] }[] = [];
    for (const child of node.childNodes) {
      if (!isElementNode(child) || isHidden(child)) {
        if (hasContent(textIn(child)) && !isElementNode(child))
          items.push({ box: '', inside: [`<p>${escapeHtml(textIn(child).trim())}</p>`] });
        continue;
      }
      if (child.tagName === 'li') {
        const box = checkBox(child);
        const content = box === undefined ? child.childNodes : withoutBox(child.childNodes);
        items.push({ box: box ?? '', inside: this.of(content, pastedMarks(child, marks), depth + 2) });
      } else {
        const inside = this.block(child, marks, depth + 2);
        const last = items.at(-1);
        if (last) append(last.inside, inside);
        else items.push({ box: '', inside });
      }
    }
    if (classesOf(node).includes('toggle')) return items.flatMap(({ inside }) => inside);
    const start = node.tagName === 'ol' ? attributeOf(node, 'start') : undefined;
    const tag = openTag(node.tagName, { start: start !== undefined && /^\d{1,9}$/.test(start) ? start : undefined });
    return items.length === 0
      ? []
      : [`${tag}${items.map(({ box, inside }) => `<li>${box}${inside.join('')}</li>`).join('')}</${node.tagName}>`];
  }

  private wordItem(node: Element, depth: number): WordItem | undefined {
    const place = /^(l\d+)\s+level(\d+)/.exec(stylesOf(node).get('mso-list') ?? '');
    if (!place || /^h\d$/.test(node.tagName)) return undefined;
    const marker = markerOf(node);
    const number = /^\(?([0-9]{1,9}|[a-z]{1,4})[.)]/i.exec(marker)?.[1];
    const start = number === undefined ? undefined : /^\d/.test(number) ? Number(number) : 1;
    return {
      level: Number(place[2]),
      list: place[1] ?? '',
      start,
      html: trimmed(this.line(node.childNodes, NO_MARKS, depth)),
    };
  }

  private table(node: Element, depth: number): string[] {
    const rows = rowsOf(node);
    if (rows.length === 0) return [];
    const [first = []] = rows;
    const hasHead = first.every((cell) => cell === undefined || cell.tagName === 'th' || isBold(cell));
    const written = rows.map((row, index) => {
      const cells = row.map((cell) => {
        if (!cell) return '<td></td>';
        if (hasHead && index === 0)
          return `<th>${trimmed(this.line(cell.childNodes, { ...NO_MARKS, heading: true }, depth))}</th>`;
        const inside = this.of(cell.childNodes, NO_MARKS, depth + 1);
        return `<td>${inside.length === 1 ? (inside[0] ?? '').replace(/^<p>(.*)<\/p>$/, '$1') : inside.join('')}</td>`;
      });
      return `<tr>${cells.join('')}</tr>`;
    });
    const [head = '', ...body] = written;
    return [
      hasHead
        ? `<table><thead>${head}</thead><tbody>${body.join('')}</tbody></table>`
        : `<table><tbody>${written.join('')}</tbody></table>`,
    ];
  }
}

function classesOf(node: Element): string[] {
  return (attributeOf(node, 'class') ?? '').split(/\s+/);
}

function hasContent(html: string): boolean {
  return /<img/.test(html) || html.replace(/<[^>]*>/g, '').trim() !== '';
}

function trimmed(html: string): string {
  return html.replace(/^(?:\s|<br>)+|(?:\s|<br>)+$/g, '');
}

/** Tells whether an element has to be read as blocks: it is one, or contains one. */
export function holdsBlocks(node: Element, isWhole = false): boolean {
  return (
    BLOCKS.has(node.tagName) ||
    (isWhole && isUnread(node)) ||
    node.childNodes.some((child) => isElementNode(child) && holdsBlocks(child, isWhole))
  );
}

/** An element as it is written, without line feeds. */
function asOneLine(node: Element): string {
  return serializeOuter(node).replace(/\s*\n\s*/g, ' ');
}

/** The title of code, which only a block of its own can have. */
function titleOfCode(node: Element): string[] {
  const title = attributeOf(node, 'data-title');
  return title === undefined ? [] : [`<p><strong>${escapeHtml(title)}</strong></p>`];
}

function imageTag(node: Element, isWhole: boolean): string {
  const src = attributeOf(node, 'src');
  const alt = attributeOf(node, 'alt');
  if (src === undefined || src === '') return escapeHtml(alt ?? '');
  const width = isWhole ? /^\d{1,5}$/.exec(attributeOf(node, 'width') ?? '')?.[0] : undefined;
  return openTag('img', { src, alt: alt === '' ? undefined : alt, width });
}

/** Writes line feeds as references: an empty line would end the block. */
function preformatted(node: Element): string {
  const code = node.childNodes.find((child): child is Element => isElementNode(child) && child.tagName === 'code');
  const language = /\blang(?:uage)?-([\w+#-]+)/.exec(attributeOf(code ?? node, 'class') ?? '')?.[1];
  const text = textIn(node, true)
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => escapeHtml(line))
    .join('&#10;');
  return `<pre>${openTag('code', { class: language === undefined ? undefined : `language-${language}` })}${text}</code></pre>`;
}

/** The checkbox of a task, in the form that the HTML reader expects; undefined for an item that is not a task. */
function checkBox(item: Element): string | undefined {
  if (attributeOf(item, 'role') === 'checkbox') return box(attributeOf(item, 'aria-checked') === 'true');
  const first = item.childNodes.find((child): child is Element => isElementNode(child));
  if (!first || !isBox(first)) return undefined;
  return box(attributeOf(first, 'checked') !== undefined || classesOf(first).includes('checkbox-on'));
}

function box(checked: boolean): string {
  return `<input type="checkbox"${checked ? ' checked' : ''}>`;
}

/** The element of the checkbox in Notion, and its image in Google Docs. */
function isBox(node: Element): boolean {
  return (
    (node.tagName === 'input' && attributeOf(node, 'type') === 'checkbox') ||
    classesOf(node).includes('checkbox') ||
    attributeOf(node, 'aria-roledescription') === 'checkbox'
  );
}

function withoutBox(nodes: readonly Node[]): Node[] {
  return nodes.filter((node) => !(isElementNode(node) && isBox(node)));
}

/** The number or bullet that Word writes before an item. */
function markerOf(node: Element): string {
  for (const child of node.childNodes) {
    if (!isElementNode(child)) continue;
    if (stylesOf(child).get('mso-list') === 'ignore') return textIn(child).trim();
    const inner = markerOf(child);
    if (inner !== '') return inner;
  }
  return '';
}

/** The rows of a table without those that are empty. */
function rowsOf(table: Element): (Element | undefined)[][] {
  const rows: SpanningCell<Element>[][] = [];
  const visit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (!isElementNode(node)) continue;
      if (['thead', 'tbody', 'tfoot'].includes(node.tagName)) visit(node.childNodes);
      if (node.tagName === 'tr') rows.push(cellsOf(node));
    }
  };
  visit(table.childNodes);
  return placeCells(rows).filter((row) => row.length > 0);
}

function cellsOf(row: Element): SpanningCell<Element>[] {
  return row.childNodes.flatMap((cell) =>
    isElementNode(cell) && (cell.tagName === 'td' || cell.tagName === 'th')
      ? [{ cell, columns: spanOf(attributeOf(cell, 'colspan')), rows: spanOf(attributeOf(cell, 'rowspan')) }]
      : [],
  );
}

/** Tells whether all words of a cell are bold, and there is at least one. */
function isBold(cell: Element): boolean {
  const bold = (node: Node, marks: PastedMarks): boolean => {
    if (node.nodeName === '#text') return textIn(node).trim() === '' || marks.bold;
    return !isElementNode(node) || node.childNodes.every((child) => bold(child, pastedMarks(node, marks)));
  };
  return hasContent(textIn(cell)) && cell.childNodes.every((child) => bold(child, NO_MARKS));
}
