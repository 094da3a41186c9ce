import type { JsonValue } from '../../document/types.js';
import { attributeOf, isElementNode } from '../pasted-marks.js';
import { anchorName, hasClass, madeElement, withAnchorName, changedElement, type HtmlNode } from './html-nodes.js';

/** An entry of a page's list of attachments. */
export interface BookStackAttachment {
  readonly name: string;
  /** The path of a file in the export, or an address. */
  readonly target: string;
  readonly isFile: boolean;
}

/** A page, chapter or book of an export of BookStack, as far as its content is concerned. */
export interface BookStackPage {
  readonly title: string;
  /** Its Markdown, for one that is written so. */
  readonly markdown: string | undefined;
  readonly html: string;
  readonly tags: readonly string[];
  /** The path of a picture in the export. */
  readonly cover: string | undefined;
  readonly attachments: readonly BookStackAttachment[];
}

/** The folder of the files of an export. */
export const BOOKSTACK_FILES = 'files';

/** Reads the JSON of a page, chapter or book. */
export function bookStackPage(json: string): BookStackPage {
  const given = record(parsedJson(json));
  const markdown = stringIn(given.markdown);
  const cover = stringIn(given.cover);
  return {
    title: stringIn(given.name),
    markdown: markdown.trim() === '' ? undefined : markdown,
    html: stringIn(given.html ?? given.description_html),
    tags: ordered(given.tags, 'order').flatMap((tag) => {
      const [name, value] = [stringIn(tag.name), stringIn(tag.value)];
      return name === '' ? [] : [value === '' ? name : `${name}: ${value}`];
    }),
    cover: cover === '' ? undefined : `${BOOKSTACK_FILES}/${cover}`,
    attachments: ordered(given.attachments, 'order').flatMap((each) => {
      const [file, link] = [stringIn(each.file), stringIn(each.link)];
      const isFile = file !== '';
      if (!isFile && link === '') return [];
      return [{ name: stringIn(each.name), target: isFile ? `${BOOKSTACK_FILES}/${file}` : link, isFile }];
    }),
  };
}

/** The content of a page in HTML, with plain elements for its callouts. */
export function rewrittenBookStack(nodes: readonly HtmlNode[]): HtmlNode[] {
  return nodes.flatMap((node): HtmlNode[] => {
    if (!isElementNode(node)) return node.nodeName === '#text' ? [node] : [];
    if (node.tagName === 'script' || node.tagName === 'style') return [];
    const childNodes = rewrittenBookStack(node.childNodes);
    if (hasClass(node, 'callout')) {
      const style = ['success', 'warning', 'danger'].find((name) => hasClass(node, name)) ?? 'info';
      return [madeElement('aside', { 'data-hint': style }, [madeElement('p', {}, childNodes, node)], node)];
    }
    const [id, href, source] = ['id', 'href', 'src'].map((name) => attributeOf(node, name));
    const made = changedElement(node, {
      id: id === undefined ? undefined : anchorName(id),
      href: href === undefined ? undefined : withAnchorName(fromRoot(href)),
      src: source === undefined ? undefined : fromRoot(source),
    });
    made.childNodes = childNodes;
    return [made];
  });
}

/** A reference of an export begins at its root, wherever it stands. */
function fromRoot(target: string): string {
  return target.startsWith('[[bsexport:') ? `/${target}` : target;
}

/** The Markdown of a page, whose references begin at the root of the export. */
export function rewrittenMarkdown(markdown: string): string {
  return markdown.replace(/(\]\(<?|\]:[ \t]*<?|(?:src|href)=["'])\[\[bsexport:/g, '$1/[[bsexport:');
}

export function parsedJson(json: string): JsonValue | undefined {
  try {
    return JSON.parse(json) as JsonValue;
  } catch {
    return undefined;
  }
}

export function record(value: unknown): Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, JsonValue>)
    : {};
}

export function stringIn(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The objects of a list, by the number that each has under a name. */
export function ordered(list: JsonValue | undefined, name: string): Record<string, JsonValue>[] {
  const all = (Array.isArray(list) ? list : []).map(record);
  const place = (each: Record<string, JsonValue>): number => (typeof each[name] === 'number' ? each[name] : 0);
  return all.toSorted((a, b) => place(a) - place(b));
}
