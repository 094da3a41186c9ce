import type { List, ListItem, PhrasingContent, RootContent } from 'mdast';
import { codeText, fragmentNamed, lineText } from '../document/text.js';
import {
  type Block,
  type BlockData,
  type BlockType,
  type JsonValue,
  type Length,
  type Node,
  RAW_SYNTAX,
} from '../document/types.js';
import { escapeHtml, openTag } from './html.js';
import { headingHtml, htmlAlign, htmlNode, lineHtml } from './serialize-html.js';
import { html, toPhrasing } from './serialize-inlines.js';
import { tableNodes } from './serialize-table.js';
import { formatTag, quote } from './tags.js';
import type { TaggedNode, SerializeContext } from './serialize-context.js';

type BlockWriter<T extends BlockType> = (node: Block<T>, writing: SerializeContext) => RootContent[];

/** Converts blocks to mdast; one block may become several nodes, such as `<details>` and its content. */
export function toFlow(blocks: readonly Block[], writing: SerializeContext): RootContent[] {
  return blocks.flatMap((block) => blockNodes(block, writing));
}

function blockNodes<T extends BlockType>(node: Block<T>, writing: SerializeContext): RootContent[] {
  return (WRITERS[node.type] as BlockWriter<T>)(node, writing);
}

function inner(node: { nodes?: readonly Node[] }): Block[] {
  return (node.nodes ?? []).filter((child): child is Block => child.object === 'block');
}

const WRITERS: { readonly [T in BlockType]: BlockWriter<T> } = {
  paragraph: (node, writing) => [paragraphNode(node, writing)],
  'heading-1': headingNodes,
  'heading-2': headingNodes,
  'heading-3': headingNodes,
  'list-ordered': listNodes,
  'list-unordered': listNodes,
  'list-tasks': listNodes,
  'list-item': (node, writing) => toFlow(inner(node), writing),
  divider: () => [{ type: 'thematicBreak' }],
  blockquote: (node, writing) => [{ type: 'blockquote', children: toFlow(inner(node), writing) as never[] }],
  hint: (node, writing) => [
    tagged('hint', { style: node.data.style, icon: node.data.icon }, toFlow(inner(node), writing)),
  ],
  if: (node, writing) => [
    {
      type: 'tagged',
      open: `{% if ${node.data.expression} %}`,
      close: '{% endif %}',
      children: toFlow(inner(node), writing),
    },
  ],
  images: (node, writing) =>
    [htmlNode(imagesHtml(node, writing))].flatMap((figure) => simpleImage(node, writing) ?? [figure]),
  image: (node, writing) => [htmlNode(figureHtml(node, writing))],
  file: (node, writing) => captioned('file', { src: writing.render(node.data.ref) }, node, writing),
  drawing: (node, writing) => [
    htmlNode(
      openTag('img', {
        src: node.data.ref === undefined ? undefined : writing.render(node.data.ref),
        alt: '',
        class: 'gitbook-drawing',
      }),
    ),
  ],
  embed: (node, writing) =>
    captioned('embed', { url: node.data.url, fullWidth: text(node.data.fullWidth) }, node, writing),
  code: codeNodes,
  'code-line': (node) => [{ type: 'code', value: lineText(node.nodes ?? []) }],
  math: (node) => [mathNode(node.data.formula)],
  expandable: expandableNodes,
  tabs: (node, writing) => [
    tagged(
      'tabs',
      { fullWidth: text(node.data.fullWidth) },
      parts(node, 'tab', writing, (item: BlockData['tabs-item']) => ({
        title: item.title,
        icon: item.icon,
        slug: item.slug,
      })),
    ),
  ],
  'tabs-item': (node, writing) => [tagged('tab', { title: node.data.title }, toFlow(inner(node), writing))],
  table: tableNodes,
  swagger: (node, writing) => {
    const { ref, path, method, expanded, fullWidth, link } = node.data;
    const src = writing.render(ref);
    return [
      linked(
        'openapi',
        { src, path, method, expanded: text(expanded), fullWidth: text(fullWidth) },
        link ?? { title: src.split('/').pop() ?? src, url: src },
      ),
    ];
  },
  'openapi-operation': (node) => {
    const { ref, path, method, fullWidth, link } = node.data;
    return [linked('openapi-operation', { spec: ref.spec, path, method, fullWidth: text(fullWidth) }, link)];
  },
  'openapi-schemas': (node) => {
    const { ref, schemas, grouped, fullWidth, link } = node.data;
    const names =
      schemas.some((name) => name.includes(',') || name !== name.trim()) || schemas.length === 0
        ? schemas
        : schemas.join(',');
    return [
      linked(
        'openapi-schemas',
        { spec: ref.spec, schemas: names, grouped: text(grouped), fullWidth: text(fullWidth) },
        link,
      ),
    ];
  },
  'openapi-webhook': (node) => {
    const { ref, name, method, fullWidth, link } = node.data;
    return [linked('openapi-webhook', { spec: ref.spec, name, method, fullWidth: text(fullWidth) }, link)];
  },
  'content-ref': (node, writing) => {
    const url = writing.render(node.data.ref);
    return [linked('content-ref', { url }, { title: url.split('/').pop() ?? url, url })];
  },
  integration: (node) => {
    const { integration, block, props, action, url, fullWidth } = node.data;
    return [ready(formatTag(`@${integration}/${block}`, { ...props, action, url, fullWidth: text(fullWidth) }))];
  },
  'reusable-content': (node, writing) => [ready(`{% include ${quote(writing.render(node.data.ref))} %}`)],
  stepper: (node, writing) => [
    tagged(
      'stepper',
      {},
      parts(node, 'step', writing, (step: BlockData['stepper-step']) => ({ icon: step.icon })),
    ),
  ],
  'stepper-step': (node, writing) => [tagged('step', { icon: node.data.icon }, toFlow(inner(node), writing))],
  columns: (node, writing) => [
    tagged(
      'columns',
      { fullWidth: text(node.data.fullWidth) },
      parts(node, 'column', writing, (column: BlockData['column']) => ({
        width: lengthText(column.width),
        valign: column.verticalAlignment,
      })),
    ),
  ],
  column: (node, writing) => [tagged('column', { width: lengthText(node.data.width) }, toFlow(inner(node), writing))],
  updates: (node, writing) => [
    tagged(
      'updates',
      { format: node.data.format },
      parts(node, 'update', writing, (update: BlockData['update']) => ({
        date: update.date,
        tags: update.tags?.map(({ tag }) => tag).join(','),
      })),
    ),
  ],
  update: (node, writing) => [tagged('update', { date: node.data.date }, toFlow(inner(node), writing))],
  prompt: (node, writing) => {
    const { description, icon, openInAIProviders, defaultExpanded } = node.data;
    return [
      tagged(
        'prompt',
        { description, icon, openInAIProviders: text(openInAIProviders), defaultExpanded },
        toFlow(inner(node), writing),
      ),
    ];
  },
};

/** Booleans are written as GitBook does, in quotes. */
function text(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function lengthText(value: Length | undefined): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'number' ? String(value) : `${value.value}${value.unit}`;
}

function ready(value: string): RootContent {
  return { type: 'ready', value };
}

function tagged(name: string, attributes: Record<string, JsonValue | undefined>, children: RootContent[]): TaggedNode {
  return { type: 'tagged', open: formatTag(name, attributes), close: `{% end${name} %}`, children };
}

function parts<D>(
  node: { nodes?: readonly Node[] },
  name: string,
  writing: SerializeContext,
  attributes: (data: D) => Record<string, JsonValue | undefined>,
): RootContent[] {
  return inner(node).map((part) => tagged(name, attributes(part.data as D), toFlow(inner(part), writing)));
}

/** A tag with a link below it, which readers of the plain file can follow. */
function linked(
  name: string,
  attributes: Record<string, JsonValue | undefined>,
  link: { title: string; url: string } | undefined,
): RootContent {
  if (link === undefined) return ready(formatTag(name, attributes));
  return tagged(name, attributes, [
    { type: 'paragraph', children: [{ type: 'link', url: link.url, children: [{ type: 'text', value: link.title }] }] },
  ]);
}

function captioned(
  name: string,
  attributes: Record<string, JsonValue | undefined>,
  node: Block<'file' | 'embed'>,
  writing: SerializeContext,
): RootContent[] {
  const caption = fragmentNamed(node, 'caption')?.nodes ?? [];
  if (caption.length === 0) return [ready(formatTag(name, attributes))];
  return [tagged(name, attributes, toFlow(caption, writing))];
}

/** HTML that would be parsed as a block instead of as part of the line if it starts one. */
const STARTS_BLOCK =
  /^<(?!\/?(?:a|abbr|b|bdi|bdo|br|cite|code|data|del|dfn|em|font|i|img|ins|kbd|label|mark|picture|q|s|samp|small|span|strong|sub|sup|time|u|var|wbr)[\s/>])/i;

/** A paragraph; as `<p>` if Markdown cannot express it. */
function paragraphNode(node: Block<'paragraph'>, writing: SerializeContext): RootContent {
  const mark = writing.footnotes.length;
  const children = toPhrasing(node.nodes ?? [], writing);
  if (children.length > 0 && node.data.align === undefined && !needsElement(children))
    return { type: 'paragraph', children: withoutEdgeBreaks(children) };
  writing.footnotes.length = mark;
  // Images alone in an aligned paragraph would become a block of images; an empty comment keeps them a line.
  const separator = node.data.align !== undefined && onlyImages(node.nodes ?? []) ? '<!---->' : '';
  return htmlNode(
    `${openTag('p', { align: htmlAlign(node.data.align) })}${separator}${lineHtml(node.nodes ?? [], writing)}</p>`,
  );
}

function onlyImages(nodes: readonly Node[]): boolean {
  return nodes.every(
    (node) =>
      (node.object === 'inline' && node.type === 'inline-image') ||
      (node.object === 'text' && lineText([node]).trim() === ''),
  );
}

function needsElement(children: readonly PhrasingContent[]): boolean {
  const [first] = children;
  if (children.length === 1 && first?.type === 'image') return true;
  if (first?.type !== 'html') return false;
  return STARTS_BLOCK.test(first.value) || (children.length === 1 && /^<[^>]*>$/.test(first.value));
}

/** At the edge of a line, a break cannot be written as a backslash. */
function withoutEdgeBreaks(children: PhrasingContent[]): PhrasingContent[] {
  const isEdge = (index: number): boolean =>
    children.slice(0, index).every((child) => child.type === 'break') ||
    children.slice(index + 1).every((child) => child.type === 'break');
  return children.map((child, index) => (child.type === 'break' && isEdge(index) ? html('<br>') : child));
}

function allBreaks(children: PhrasingContent[]): PhrasingContent[] {
  return children.map((child) => {
    if (child.type === 'break') return html('<br>');
    return 'children' in child ? { ...child, children: allBreaks(child.children) } : child;
  });
}

function headingNodes(node: Block<'heading-1' | 'heading-2' | 'heading-3'>, writing: SerializeContext): RootContent[] {
  if (node.data.align !== undefined) return [htmlNode(headingHtml(node, writing))];
  const depth = (node.data.level ?? Number(node.type.slice(-1))) as 1 | 2 | 3 | 4 | 5 | 6;
  const children = allBreaks(toPhrasing(node.nodes ?? [], writing));
  const { id } = node.data;
  if (id !== undefined)
    children.push({ type: 'text', value: ' ' }, html(`${openTag('a', { href: `#${id}`, id })}</a>`));
  return [{ type: 'heading', depth, children }];
}

function listNodes(
  node: Block<'list-ordered' | 'list-unordered' | 'list-tasks'>,
  writing: SerializeContext,
): RootContent[] {
  const items = inner(node).map((item) => listItem(item, writing));
  const ordered = node.type === 'list-ordered';
  const list: List = { type: 'list', ordered, spread: items.some((item) => item.spread === true), children: items };
  if (ordered) list.start = node.data.start ?? 1;
  return [list];
}

function isEmptyParagraph(node: Block | undefined): boolean {
  if (node?.type !== 'paragraph' || node.data.align !== undefined) return false;
  return (node.nodes ?? []).every((child) => child.object === 'text' && lineText([child]) === '');
}

function listItem(item: Block, writing: SerializeContext): ListItem {
  const blocks = inner(item);
  const checked = item.type === 'list-item' ? item.data.checked : undefined;
  const [first, ...rest] = blocks;
  const isBlank = isEmptyParagraph(first);
  const children: RootContent[] = [];
  if (checked !== undefined && first?.type === 'paragraph' && first.data.align === undefined) {
    const line = toPhrasing(first.nodes ?? [], writing);
    children.push(
      { type: 'paragraph', children: isBlank ? [html('<!---->')] : withoutEdgeBreaks(line) },
      ...toFlow(rest, writing),
    );
  } else if (!(isBlank && rest.length === 0)) {
    children.push(...toFlow(blocks, writing));
  }
  const isTight = blocks.every((block, index) =>
    index === 0 ? block.type === 'paragraph' : block.type.startsWith('list-'),
  );
  const node: ListItem = { type: 'listItem', spread: !isTight, children: children as ListItem['children'] };
  if (checked !== undefined) node.checked = checked;
  return node;
}

function codeNodes(node: Block<'code'>, writing: SerializeContext): RootContent[] {
  const { syntax, meta, title, overflow, lineNumbers, fullWidth, expandable, collapsedLineCount } = node.data;
  if (syntax === RAW_SYNTAX) return [ready(codeText(node))];
  const lines = inner(node);
  const isRich = lines.some(
    (line) =>
      (line.type === 'code-line' && line.data.highlighted === true) ||
      (line.nodes ?? []).some((child) => child.object === 'inline'),
  );
  if (isRich) return [htmlNode(preHtml(node, writing))];
  const fence: RootContent = {
    type: 'code',
    value: codeText(node),
    ...(syntax === undefined ? {} : { lang: syntax }),
    ...(meta === undefined ? {} : { meta }),
  };
  const noLanguage = meta !== undefined && (syntax === undefined || syntax === '');
  if (noLanguage || /[\n\r]|^\s|\s$/.test(meta ?? '') || /\s/.test(syntax ?? ''))
    return [htmlNode(preHtml(node, writing))];
  const attributes = {
    title,
    overflow,
    lineNumbers: text(lineNumbers),
    fullWidth: text(fullWidth),
    expandable: text(expandable),
    collapsedLineCount: collapsedLineCount?.toString(),
  };
  if (Object.values(attributes).every((value) => value === undefined)) return [fence];
  return [tagged('code', attributes, [fence])];
}

/** Code with highlighted lines or annotations, as GitBook writes it. */
function preHtml(node: Block<'code'>, writing: SerializeContext): string {
  const { syntax, meta, title, overflow, lineNumbers, fullWidth, expandable, collapsedLineCount } = node.data;
  const flag = (value: boolean | undefined): string | true | undefined =>
    value === undefined ? undefined : value ? true : 'false';
  const open = openTag('pre', {
    class: syntax === undefined ? undefined : `language-${syntax}`,
    'data-title': title,
    'data-overflow': overflow,
    'data-line-numbers': flag(lineNumbers),
    'data-full-width': flag(fullWidth),
    'data-expandable': flag(expandable),
    'data-collapsed-line-count': collapsedLineCount,
    'data-meta': meta,
  });
  const lines = inner(node).map((line) => {
    const content = (line.nodes ?? [])
      .map((child) => (child.object === 'text' ? preText(lineText([child])) : lineHtml([child], writing)))
      .join('');
    return line.type === 'code-line' && line.data.highlighted === true
      ? `<strong>${content}\n</strong>`
      : `${content}\n`;
  });
  return `${open}${openTag('code', { class: syntax === undefined ? undefined : `lang-${syntax}` })}${lines.join('')}</code></pre>`;
}

function preText(value: string): string {
  return value.replace(/[&<>]/g, (character) => escapeHtml(character));
}

function mathNode(formula: string): RootContent {
  return { type: 'math', value: formula };
}

function expandableNodes(node: Block<'expandable'>, writing: SerializeContext): RootContent[] {
  const title = fragmentNamed(node, 'expandable-title')?.nodes[0];
  const body = fragmentNamed(node, 'expandable-body')?.nodes ?? [];
  const [only] = body;
  const isBlank = body.length === 1 && isEmptyParagraph(only);
  return [
    htmlNode(openTag('details', { open: node.data.defaultExpanded === true ? true : undefined })),
    htmlNode(`<summary>${lineHtml(title?.nodes ?? [], writing)}</summary>`),
    ...(isBlank ? [] : toFlow(body, writing)),
    htmlNode('</details>'),
  ];
}

/** Writes one image without caption or dimensions as a Markdown image on a line of its own. */
function simpleImage(node: Block<'images'>, writing: SerializeContext): RootContent[] | undefined {
  const images = inner(node);
  const [only] = images;
  if (images.length !== 1 || only?.type !== 'image' || Object.keys(node.data).length > 0) return undefined;
  const { ref, alt, ...rest } = only.data;
  const url = writing.render(ref);
  if (Object.keys(rest).length > 0 || (only.fragments ?? []).length > 0 || url === '') return undefined;
  return [{ type: 'paragraph', children: [{ type: 'image', url, alt: alt ?? '' }] }];
}

function imagesHtml(node: Block<'images'>, writing: SerializeContext): string {
  const { align, fullWidth, withFrame } = node.data;
  const figures = inner(node).map((image) => (image.type === 'image' ? figureHtml(image, writing) : ''));
  if (Object.keys(node.data).length === 0 && figures.length === 1) return figures.join('');
  const open = openTag('div', { align, 'data-full-width': text(fullWidth), 'data-with-frame': text(withFrame) });
  return `${open}${figures.join(' ')}</div>`;
}

function figureHtml(node: Block<'image'>, writing: SerializeContext): string {
  const { ref, refDark, width, height, alt, attributes } = node.data;
  const image = openTag('img', {
    src: writing.render(ref),
    alt: alt ?? '',
    width: lengthText(width),
    height: lengthText(height),
    ...attributes,
  });
  const shown =
    refDark === undefined
      ? image
      : `<picture>${openTag('source', { srcset: writing.render(refDark), media: '(prefers-color-scheme: dark)' })}${image}</picture>`;
  const caption = fragmentNamed(node, 'caption')?.nodes ?? [];
  const inside = caption
    .map((part) => (part.type === 'paragraph' ? `<p>${lineHtml(part.nodes ?? [], writing)}</p>` : ''))
    .join('');
  return `<figure>${shown}<figcaption>${inside}</figcaption></figure>`;
}
