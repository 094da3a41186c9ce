import type { DefaultTreeAdapterTypes } from 'parse5';
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

/** An item of a list that Word writes as a paragraph. */
interface WordItem {
  readonly level: number;
  readonly list: string;
  readonly start: number | undefined;
  readonly html: string;
}

/** Converts elements of an editor to blocks of plain HTML, each without an empty line inside. */
export function pastedBlocks(nodes: readonly Node[]): string[] {
  return new Blocks().of(nodes, NO_MARKS, 0);
}

class Blocks {
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
      if (!item && !holdsBlocks(node)) {
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
    if (node.tagName === 'img') return imageTag(node);
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
    if (/^h[1-6]$/.test(name) || attributeOf(node, 'class') === 'MsoTitle') return this.heading(node, depth);
    switch (name) {
      case 'hr':
        return ['<hr>'];
      case 'pre':
        return [preformatted(node)];
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
        return this.callout(inside(), depth);
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
    return hasContent(inner) ? [`<${name}>${trimmed(inner)}</${name}>`] : [];
  }

  /** A hint where one is allowed; within other elements a quote. */
  private callout(inside: readonly string[], depth: number): string[] {
    if (inside.length === 0) return [];
    return depth > 3
      ? [`<blockquote>${inside.join('')}</blockquote>`]
      : ['{% hint style="info" %}', ...inside, '{% endhint %}'];
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
function holdsBlocks(node: Element): boolean {
  return BLOCKS.has(node.tagName) || node.childNodes.some((child) => isElementNode(child) && holdsBlocks(child));
}

function imageTag(node: Element): string {
  const src = attributeOf(node, 'src');
  const alt = attributeOf(node, 'alt');
  if (src === undefined || src === '') return escapeHtml(alt ?? '');
  return openTag('img', { src, alt: alt === '' ? undefined : alt });
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

/** Converts Word's items to nested lists, by their levels. */
function wordLists(items: readonly WordItem[]): string[] {
  const lists: string[] = [];
  let at = 0;
  const list = (level: number): string => {
    const first = items[at];
    const name = first?.start === undefined ? 'ul' : 'ol';
    const start = first?.start === undefined || first.start === 1 ? undefined : first.start;
    let inside = '';
    while (at < items.length) {
      const item = items[at];
      if (
        !item ||
        item.level < level ||
        (item.level === level &&
          (item.list !== first?.list || (item.start === undefined) !== (first.start === undefined)))
      )
        break;
      at++;
      let below = '';
      while ((items[at]?.level ?? 0) > level) below += list(items[at]?.level ?? 0);
      inside += `<li><p>${item.html}</p>${below}</li>`;
    }
    return `${openTag(name, { start })}${inside}</${name}>`;
  };
  while (at < items.length) lists.push(list(items[at]?.level ?? 1));
  return lists;
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
