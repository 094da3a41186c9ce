import { inline } from '../document/build.js';
import type { Color, Mark } from '../document/types.js';
import { ownEntry } from '../document/own-entry.js';
import { referenceOf, type ParseContext } from './parse-context.js';
import { withMark, type InlineBuilder } from './inline-builder.js';
import { extraAttributes, nodeText } from './node-text.js';
import type { Element, MarkupNode } from './nest-markup.js';
import { imageFromElement, pictureParts } from './parse-images.js';

/** The state of the line reader that elements need. */
export interface LineReading {
  readonly reading: ParseContext;
  readonly builder: InlineBuilder;
  all(nodes: readonly MarkupNode[], marks: readonly Mark[]): void;
  link(
    target: string,
    title: string | undefined,
    children: readonly MarkupNode[],
    marks: readonly Mark[],
    attributes?: Record<string, string>,
  ): void;
  /** False if there is no such footnote. */
  footnote(identifier: string, children: readonly MarkupNode[]): boolean;
}

const COLORS: readonly string[] = [
  'default',
  'green',
  'blue',
  'red',
  'orange',
  'yellow',
  'purple',
  'pink',
  'violet',
  'cyan',
  '$tint',
  '$primary',
  '$info',
  '$success',
  '$warning',
  '$danger',
] satisfies Color[];

function isColor(value: string): value is Color {
  return COLORS.includes(value);
}

/** Reads an element with a meaning of its own in a line; false for all others. */
export function readInlineElement(line: LineReading, node: Element, marks: readonly Mark[]): boolean {
  return ownEntry(ELEMENTS, node.name)?.(line, node, marks) ?? false;
}

type Special = (line: LineReading, node: Element, marks: readonly Mark[]) => boolean;

const ELEMENTS: Readonly<Record<string, Special | undefined>> = {
  br(line, _node, marks) {
    line.builder.lineBreak(marks);
    return true;
  },
  img(line, node) {
    if (!node.attributes.has('src')) return false;
    line.builder.inline(imageFromElement(line.reading, node, undefined));
    return true;
  },
  picture(line, node) {
    const parts = pictureParts(node);
    if (parts === undefined) return false;
    line.builder.inline(imageFromElement(line.reading, parts.image, parts.dark));
    return true;
  },
  a: anchorElement,
  i(line, node) {
    const name = /^fa-(.+)$/.exec(node.attributes.get('class') ?? '')?.[1];
    if (name === undefined) return false;
    const color = /^color:\s*([\w$]+);?$/.exec(node.attributes.get('style') ?? '')?.[1];
    line.builder.inline(inline('icon', { icon: name, ...(color !== undefined && isColor(color) ? { color } : {}) }));
    const words = node.children.map(nodeText).join('');
    if (words !== `:${name}:`)
      line.all(
        node.children.filter((child) => !isEmojiNamed(child)),
        [],
      );
    return true;
  },
  code(line, node) {
    if (node.attributes.get('class') !== 'expression') return false;
    line.builder.inline(inline('expression', { expression: node.children.map(nodeText).join('') }));
    return true;
  },
  mark(line, node, marks) {
    const color = colorOf(node.attributes);
    if (color === undefined) return false;
    line.all(node.children, withMark(marks, { object: 'mark', type: 'color', data: color }));
    return true;
  },
  span(line, node) {
    const { attributes } = node;
    const words = node.children.map(nodeText).join('');
    if (attributes.get('class') === 'math') {
      line.builder.inline(inline('inline-math', { formula: words }));
      return true;
    }
    const code = attributes.get('data-code');
    if (attributes.get('data-tag') !== 'emoji' || code === undefined) return false;
    line.builder.inline(inline('emoji', { code }));
    return true;
  },
};

/** `<a>`: a button, an annotation, a mention or a link; one without a target stays as written. */
function anchorElement(line: LineReading, node: Element, marks: readonly Mark[]): boolean {
  const { attributes } = node;
  const href = attributes.get('href');
  const classes = (attributes.get('class') ?? '').split(/\s+/);
  if (classes.includes('button')) return buttonElement(line, node, classes);
  if (href === undefined) return false;
  if (attributes.has('data-footnote-ref')) return line.footnote(href.replace(/^#user-content-fn-/, ''), node.children);
  if (node.children.every((child) => child.kind === 'text' && child.value === '')) return false;
  const title = attributes.has('data-mention') ? 'mention' : attributes.get('title');
  line.link(href, title, node.children, marks, extraAttributes(attributes, ['href', 'title', 'data-mention']));
  return true;
}

function buttonElement(line: LineReading, node: Element, classes: readonly string[]): boolean {
  const { attributes } = node;
  const href = attributes.get('href');
  const action = attributes.get('data-action');
  const icon = attributes.get('data-icon');
  const size = attributes.get('data-size');
  const query = attributes.get('data-query');
  const acts = action === 'search' || action === 'ask';
  if (href === undefined && !acts) return false;
  line.builder.inline(
    inline('button', {
      label: node.children.map(nodeText).join(''),
      kind: classes.includes('secondary') ? 'secondary' : 'primary',
      ...(icon === undefined ? {} : { icon }),
      ...(size === 'small' || size === 'medium' || size === 'large' ? { size } : {}),
      ...(acts ? { action: { action, ...(query === undefined ? {} : { query }) } } : {}),
      ...(href === undefined ? {} : { ref: referenceOf(line.reading, href, 'link') }),
    }),
  );
  return true;
}

function isEmojiNamed(node: MarkupNode): boolean {
  return node.kind === 'markdown' && node.node.type === 'emoji';
}

/** The colours of `<mark style="color:…;background-color:…">`; a bare `<mark>` is a yellow background. */
function colorOf(attributes: ReadonlyMap<string, string>): { text: Color; background: Color } | undefined {
  const style = attributes.get('style');
  if (style === undefined) return attributes.size === 0 ? { text: 'default', background: 'yellow' } : undefined;
  if (attributes.size > 1) return undefined;
  let color: Color = 'default';
  let background: Color = 'default';
  for (const rule of style.split(';')) {
    const [property, value] = rule.split(':').map((part) => part.trim());
    if (property === '' || property === undefined) continue;
    if (value === undefined || !isColor(value)) return undefined;
    if (property === 'color') color = value;
    else if (property === 'background-color' || property === 'background') background = value;
    else return undefined;
  }
  return { text: color, background };
}
