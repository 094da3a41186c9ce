import { block, fragment, paragraph, rawBlock, text } from '../document/build.js';
import type { Block, BlockData, HeadingData, ImageData, Leaf, Node, TextAlignment } from '../document/types.js';
import { ownEntry } from '../document/own-entry.js';
import { fileOrUrl, report } from './parse-context.js';
import { releaseSpaces } from './html.js';
import { extraAttributes, nodeText } from './node-text.js';
import { htmlSource, type Element, type MarkupNode } from './nest-markup.js';
import type { BlockReading } from './block-reading.js';
import { headingBlock, HEADING_ID, holdsFlow, lineBlocks } from './flow-content.js';
import { pictureParts } from './parse-images.js';
import { lengthOf } from './parse-tags.js';
import { htmlTable } from './parse-table.js';

type ElementReader = (reader: BlockReading, node: Element) => Block[] | undefined;

const ELEMENTS: Readonly<Record<string, ElementReader | undefined>> = {
  p(reader, node) {
    const align = alignment(node);
    if (align === null) return undefined;
    const images = onlyImages(node.children);
    if (images !== undefined && align !== undefined) return [imagesBlock(reader, images, { ...imageAlign(align) })];
    if (
      holdsFlow(node.children) ||
      (node.close === '' && node.children.every((child) => nodeText(child).trim() === ''))
    )
      return undefined;
    const line = reader.lines.ofMixed(node.children);
    return align === undefined ? lineBlocks(line) : [block('paragraph', { align }, line)];
  },
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
  hr: (_reader, node) => (node.attributes.size === 0 ? [block('divider', {})] : undefined),
  blockquote: (reader, node) =>
    node.attributes.size === 0 ? [block('blockquote', {}, reader.inside(node.children))] : undefined,
  ul: list,
  ol: list,
  pre: preformatted,
  details(reader, node) {
    const summary = node.children.find(
      (child): child is Element => child.kind === 'element' && child.name === 'summary',
    );
    if (summary === undefined || holdsFlow(summary.children) || summary.attributes.size > 0) return undefined;
    if ([...node.attributes.keys()].some((name) => name !== 'open')) return undefined;
    const body = reader.insideAtLeastOne(node.children.filter((child) => child !== summary));
    return [
      block('expandable', node.attributes.has('open') ? { defaultExpanded: true } : {}, undefined, [
        fragment('expandable-title', [paragraph(...reader.lines.ofMixed(summary.children))], 'expandable-title'),
        fragment('expandable-body', body, 'expandable-body'),
      ]),
    ];
  },
  figure(reader, node) {
    return node.attributes.size > 0 || !isFigure(node) ? undefined : [imagesBlock(reader, [node], {})];
  },
  img(reader, node) {
    return node.attributes.get('class') === 'gitbook-drawing' ? drawing(reader, node) : imageOrNothing(reader, node);
  },
  picture(reader, node) {
    return pictureParts(node) === undefined ? undefined : [imagesBlock(reader, [node], {})];
  },
  div(reader, node) {
    const options = imagesOptions(node);
    const images = onlyImages(node.children);
    if (options === undefined) return undefined;
    if (images !== undefined) return [imagesBlock(reader, images, options)];
    return fullWidthOnly(reader, node);
  },
  table: htmlTable,
};

/** The blocks of an HTML element. Unsupported elements keep their tags verbatim, around their content. */
export function elementBlocks(reader: BlockReading, node: Element): Block[] {
  const made = reader.isFull() ? undefined : ownEntry(ELEMENTS, node.name)?.(reader, node);
  if (made !== undefined) return made;
  report(reader.reading, node, 'unsupported-markup', `<${node.name}> is not supported and is kept verbatim`);
  const source = htmlSource(node);
  if (source !== undefined && VERBATIM.has(node.name)) return [rawBlock(source)];
  const content = reader.ofMixed(node.children);
  return [rawBlock(node.open), ...content, ...(node.close === '' ? [] : [rawBlock(node.close)])];
}

/** Elements whose content is not parsed. */
const VERBATIM = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'iframe',
  'svg',
  'math',
  'object',
  'video',
  'audio',
  'canvas',
  'select',
  'noscript',
  'template',
]);

/** `align` of an element: `undefined` if it has none, `null` if it has other attributes or an unknown value. */
function alignment(node: Element): TextAlignment | undefined | null {
  const others = [...node.attributes.keys()].filter((name) => name !== 'align');
  if (others.length > 0) return null;
  const value = node.attributes.get('align');
  if (value === undefined) return undefined;
  return value === 'left' || value === 'start'
    ? 'start'
    : value === 'right' || value === 'end'
      ? 'end'
      : value === 'center'
        ? 'center'
        : null;
}

function imageAlign(align: TextAlignment): BlockData['images'] {
  return { align: align === 'start' ? 'left' : align === 'end' ? 'right' : 'center' };
}

function heading(reader: BlockReading, node: Element): Block[] | undefined {
  const id = node.attributes.get('id');
  const rest = new Map(node.attributes);
  rest.delete('id');
  const align = alignment({ ...node, attributes: rest });
  if (align === null || holdsFlow(node.children) || (id !== undefined && !HEADING_ID.test(id))) return undefined;
  const data: HeadingData = { ...(id === undefined ? {} : { id }), ...(align === undefined ? {} : { align }) };
  return [headingBlock(Number(node.name.slice(1)), reader.lines.ofMixed(node.children), data)];
}

function list(reader: BlockReading, node: Element): Block[] | undefined {
  const start = node.attributes.get('start');
  const number = start === undefined ? undefined : Number(start);
  const plain = [...node.attributes.keys()].every((name) => name === 'start' && node.name === 'ol');
  if (!plain || (number !== undefined && !Number.isInteger(number))) return undefined;
  const items: Block[] = [];
  for (const child of node.children) {
    if (child.kind === 'text' && child.value.trim() === '') continue;
    if (child.kind !== 'element' || child.name !== 'li' || child.attributes.size > 0) return undefined;
    items.push(listItem(reader, child));
  }
  if (node.name === 'ol')
    return [block('list-ordered', number === undefined || number === 1 ? {} : { start: number }, items)];
  const tasks = items.some((item) => item.type === 'list-item' && item.data.checked !== undefined);
  return [tasks ? block('list-tasks', {}, items) : block('list-unordered', {}, items)];
}

function listItem(reader: BlockReading, node: Element): Block {
  const box = node.children.find((child) => child.kind !== 'text' || child.value.trim() !== '');
  const isTask = box?.kind === 'element' && box.name === 'input' && box.attributes.get('type') === 'checkbox';
  const content = reader.insideAtLeastOne(isTask ? node.children.filter((child) => child !== box) : node.children, 2);
  return block('list-item', isTask ? { checked: box.attributes.has('checked') } : {}, content);
}

/** `<pre class="language-x"><code class="lang-x">` with highlighted lines in `<strong>` and annotations in `<a>`. */
function preformatted(reader: BlockReading, node: Element): Block[] | undefined {
  const content = node.children.filter((child) => child.kind !== 'text' || child.value.trim() !== '');
  const [code] = content;
  const inner = content.length === 1 && code?.kind === 'element' && code.name === 'code' ? code : undefined;
  const outer = [...node.attributes.keys()].filter((name) => !PRE_ATTRIBUTES.includes(name));
  if (outer.length > 0 || (inner !== undefined && [...inner.attributes.keys()].some((name) => name !== 'class')))
    return undefined;
  const syntax = /^lang(?:uage)?-(\S+)$/.exec(
    inner?.attributes.get('class') ?? node.attributes.get('class') ?? '',
  )?.[1];
  const lines = codeLines(reader, inner?.children ?? node.children);
  if (lines === undefined) return undefined;
  return [block('code', { ...(syntax === undefined ? {} : { syntax }), ...preData(node.attributes) }, lines)];
}

const PRE_ATTRIBUTES = [
  'class',
  'data-title',
  'data-overflow',
  'data-line-numbers',
  'data-full-width',
  'data-expandable',
  'data-collapsed-line-count',
  'data-meta',
];

function preData(attributes: ReadonlyMap<string, string>): BlockData['code'] {
  const title = attributes.get('data-title');
  const overflow = attributes.get('data-overflow');
  const meta = attributes.get('data-meta');
  const count = Number(attributes.get('data-collapsed-line-count'));
  const flag = (name: string): boolean | undefined =>
    attributes.has(name) ? attributes.get(name) !== 'false' : undefined;
  const flags = {
    lineNumbers: flag('data-line-numbers'),
    fullWidth: flag('data-full-width'),
    expandable: flag('data-expandable'),
  };
  return {
    ...(title === undefined ? {} : { title }),
    ...(overflow === 'wrap' || overflow === 'scroll' ? { overflow } : {}),
    ...(meta === undefined ? {} : { meta }),
    ...Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)),
    ...(Number.isInteger(count) && count > 0 ? { collapsedLineCount: count } : {}),
  };
}

/** The lines of a `<pre>`; `undefined` if it contains more than the model can represent. */
function codeLines(reader: BlockReading, children: readonly MarkupNode[]): Block<'code-line'>[] | undefined {
  const lines: { nodes: Node[]; highlighted: boolean }[] = [{ nodes: [], highlighted: false }];
  const current = (): { nodes: Node[]; highlighted: boolean } =>
    lines[lines.length - 1] ?? { nodes: [], highlighted: false };
  const write = (value: string, highlighted: boolean): void => {
    const parts = value.split(/\r?\n/);
    parts.forEach((part, index) => {
      if (index > 0) lines.push({ nodes: [], highlighted: false });
      if (part !== '') pushText(current().nodes, part);
      if (highlighted && (part !== '' || index < parts.length - 1)) current().highlighted = true;
    });
  };
  const walk = (nodes: readonly MarkupNode[], highlighted: boolean): boolean =>
    nodes.every((node) => {
      if (node.kind === 'text') {
        write(releaseSpaces(node.value), highlighted);
        return true;
      }
      if (node.kind !== 'element') return false;
      if (node.name === 'strong' || node.name === 'mark') return walk(node.children, true);
      if (node.name === 'span' && node.attributes.size === 0) return walk(node.children, highlighted);
      if (node.name !== 'a' && node.name !== 'code') return false;
      if (highlighted) current().highlighted = true;
      const inlines = reader.lines
        .ofMixed([node])
        .filter(
          (made) =>
            made.object === 'inline' &&
            (made.type === 'annotation' || (made.type === 'expression' && made.data.raw === undefined)),
        );
      current().nodes.push(...inlines);
      return inlines.length === 1;
    });
  if (!walk(children, false)) return undefined;
  const last = lines[lines.length - 1];
  if (lines.length > 1 && last !== undefined && last.nodes.length === 0) lines.pop();
  return lines.map(({ nodes, highlighted }) =>
    block(
      'code-line',
      highlighted ? { highlighted } : {},
      nodes.length === 0 ? [text({ object: 'leaf', text: '', marks: [] })] : nodes,
    ),
  );
}

function pushText(nodes: Node[], value: string): void {
  const last = nodes[nodes.length - 1];
  const leaf: Leaf | undefined = last?.object === 'text' ? last.leaves[0] : undefined;
  if (leaf !== undefined) leaf.text += value;
  else nodes.push(text({ object: 'leaf', text: value, marks: [] }));
}

function isFigure(node: Element): boolean {
  const elements = node.children.filter((child) => child.kind !== 'text' || child.value.trim() !== '');
  const isPicture = (child: MarkupNode): boolean =>
    child.kind === 'element' &&
    ((child.name === 'img' && child.attributes.has('src')) ||
      (child.name === 'picture' && pictureParts(child) !== undefined));
  const [image, caption, more] = elements;
  if (image === undefined || !isPicture(image) || more !== undefined) return false;
  return (
    caption === undefined ||
    (caption.kind === 'element' && caption.name === 'figcaption' && caption.attributes.size === 0)
  );
}

/** The figures and images of an element with no other content. */
function onlyImages(children: readonly MarkupNode[]): Element[] | undefined {
  const images: Element[] = [];
  for (const child of children) {
    if (child.kind === 'text' && child.value.trim() === '') continue;
    if (child.kind !== 'element') return undefined;
    const fits =
      child.name === 'figure'
        ? child.attributes.size === 0 && isFigure(child)
        : child.name === 'img'
          ? child.attributes.has('src') && !child.attributes.has('data-size')
          : child.name === 'picture' && pictureParts(child) !== undefined;
    if (!fits) return undefined;
    images.push(child);
  }
  return images.length === 0 ? undefined : images;
}

function imagesOptions(node: Element): BlockData['images'] | undefined {
  const options: BlockData['images'] = {};
  for (const [name, value] of node.attributes) {
    if (name === 'data-full-width') options.fullWidth = value !== 'false';
    else if (name === 'data-with-frame') options.withFrame = value !== 'false';
    else if (name === 'align' && (value === 'center' || value === 'left' || value === 'right')) options.align = value;
    else return undefined;
  }
  return options;
}

/** `<div data-full-width>` around one other block that supports full width. */
function fullWidthOnly(reader: BlockReading, node: Element): Block[] | undefined {
  const value = node.attributes.get('data-full-width');
  if (value === undefined || node.attributes.size > 1) return undefined;
  const content = reader.inside(node.children);
  const [only] = content;
  if (content.length !== 1 || only === undefined) return undefined;
  if (only.type !== 'table' && only.type !== 'code' && only.type !== 'embed') return undefined;
  return [{ ...only, data: { ...only.data, fullWidth: value !== 'false' } } as Block];
}

function imagesBlock(reader: BlockReading, elements: readonly Element[], data: BlockData['images']): Block {
  return block(
    'images',
    data,
    elements.map((element) => imageBlock(reader, element)),
  );
}

function imageOrNothing(reader: BlockReading, node: Element): Block[] | undefined {
  return node.attributes.has('src') ? [imagesBlock(reader, [node], {})] : undefined;
}

function imageBlock(reader: BlockReading, element: Element): Block<'image'> {
  const inner =
    element.name === 'figure'
      ? element.children.filter((child): child is Element => child.kind === 'element')
      : [element];
  const [shown] = inner;
  const caption = inner.find((child) => child.name === 'figcaption');
  const picture = shown?.name === 'picture' ? pictureParts(shown) : undefined;
  const image = picture?.image ?? shown ?? element;
  const captions = caption === undefined ? [] : reader.inside(caption.children, 2);
  const fits = captions.every((made) => made.type === 'paragraph');
  const nodes = fits
    ? captions
    : [
        paragraph(
          ...(caption === undefined
            ? []
            : [text({ object: 'leaf', text: caption.children.map(nodeText).join(' '), marks: [] })]),
        ),
      ];
  return block(
    'image',
    imageData(reader, image, picture?.dark),
    undefined,
    nodes.length === 0 ? [] : [fragment('caption', nodes)],
  );
}

function imageData(reader: BlockReading, image: Element, dark: string | undefined): ImageData {
  const { attributes } = image;
  const width = lengthOf(attributes.get('width') ?? '');
  const height = lengthOf(attributes.get('height') ?? '');
  const alt = attributes.get('alt');
  const known = ['src', 'alt', ...(width === undefined ? [] : ['width']), ...(height === undefined ? [] : ['height'])];
  const extra = extraAttributes(attributes, known);
  return {
    ref: fileOrUrl(reader.reading, attributes.get('src') ?? ''),
    ...(dark === undefined ? {} : { refDark: fileOrUrl(reader.reading, dark) }),
    ...(width === undefined ? {} : { width }),
    ...(height === undefined ? {} : { height }),
    ...(alt === undefined || alt === '' ? {} : { alt }),
    ...(extra === undefined ? {} : { attributes: extra }),
  };
}

function drawing(reader: BlockReading, node: Element): Block[] | undefined {
  const src = node.attributes.get('src');
  if (
    [...node.attributes].some(([name, value]) => !['src', 'class'].includes(name) && !(name === 'alt' && value === ''))
  )
    return undefined;
  if (src === undefined) return [block('drawing', {})];
  const ref = reader.reading.resolve(src, 'image');
  return ref?.kind === 'file' ? [block('drawing', { ref })] : undefined;
}
