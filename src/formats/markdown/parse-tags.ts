import { block, fragment, paragraph, rawBlock } from '../document/build.js';
import type { Block, BlockData, ContentRef, HintStyle, JsonValue, Length } from '../document/types.js';
import { ownEntry } from '../document/own-entry.js';
import { isStorable } from '../document/link-target.js';
import { fileOrUrl, referenceOf, report } from './parse-context.js';
import { type MarkupNode, type TagNode } from './nest-markup.js';
import { nodeText } from './node-text.js';
import type { BlockReading } from './block-reading.js';
import { flagAttribute, textAttribute, type Tag } from './tags.js';

type TagReader = (reader: BlockReading, node: TagNode) => Block | readonly Block[] | undefined;

const HINT_STYLES: readonly string[] = ['info', 'warning', 'danger', 'success'] satisfies HintStyle[];

/** The reader of each tag; it returns `undefined` if the tag is not fully supported. */
const TAGS: Readonly<Record<string, TagReader | undefined>> = {
  hint(reader, node) {
    const style = textAttribute(node.tag, 'style') ?? 'info';
    if (!HINT_STYLES.includes(style) || !onlyAttributes(node.tag, 'style', 'icon')) return undefined;
    const icon = textAttribute(node.tag, 'icon');
    return block(
      'hint',
      { style: style as HintStyle, ...(icon === undefined ? {} : { icon }) },
      reader.inside(node.children),
    );
  },
  tabs(reader, node) {
    const parts = partsOf(node, 'tab');
    if (parts === undefined || !onlyAttributes(node.tag, 'fullWidth')) return undefined;
    const items = parts.map((part) =>
      block('tabs-item', textFields(part.tag, ['title', 'icon', 'slug']), reader.inside(part.children, 2)),
    );
    return block('tabs', fullWidth(node.tag), items);
  },
  stepper(reader, node) {
    const parts = partsOf(node, 'step');
    if (parts === undefined || node.tag.argument !== '') return undefined;
    return block(
      'stepper',
      {},
      parts.map((part) => block('stepper-step', textFields(part.tag, ['icon']), reader.inside(part.children, 2))),
    );
  },
  columns(reader, node) {
    const parts = partsOf(node, 'column');
    if (parts === undefined || !onlyAttributes(node.tag, 'fullWidth')) return undefined;
    return block(
      'columns',
      fullWidth(node.tag),
      parts.map((part) => block('column', columnData(part.tag), reader.inside(part.children, 2))),
    );
  },
  updates(reader, node) {
    const parts = partsOf(node, 'update');
    const format = textAttribute(node.tag, 'format');
    const known = format === undefined || format === 'numeric' || format === 'full' || format === 'short';
    if (parts === undefined || !known || parts.some((part) => textAttribute(part.tag, 'date') === undefined))
      return undefined;
    const items = parts.map((part) => block('update', updateData(part.tag), reader.inside(part.children, 2)));
    return block('updates', format === undefined ? {} : { format }, items);
  },
  if(reader, node) {
    return node.tag.argument === ''
      ? undefined
      : block('if', { expression: node.tag.argument }, reader.inside(node.children));
  },
  code: codeTag,
  prompt(reader, node) {
    const content = reader.inside(node.children);
    const expanded = textAttribute(node.tag, 'defaultExpanded');
    if (content.length !== 1 || content[0]?.type !== 'code') return undefined;
    const inAi = flagAttribute(node.tag, 'openInAIProviders');
    return block(
      'prompt',
      {
        description: textAttribute(node.tag, 'description') ?? '',
        ...textFields(node.tag, ['icon']),
        ...(inAi === undefined ? {} : { openInAIProviders: inAi }),
        ...(expanded === 'hidden' || expanded === 'partial' || expanded === 'full'
          ? { defaultExpanded: expanded }
          : {}),
      },
      content,
    );
  },
  embed(reader, node) {
    const url = textAttribute(node.tag, 'url') ?? node.tag.positional[0];
    if (url === undefined || !isStorable(url) || !onlyAttributes(node.tag, 'url', 'fullWidth')) return undefined;
    return withCaption(reader, node, (captions) =>
      block('embed', { url, ...fullWidth(node.tag) }, undefined, captions),
    );
  },
  file(reader, node) {
    const ref = target(reader, node, 'src', 'file');
    if (ref?.kind !== 'file' || !onlyAttributes(node.tag, 'src')) return undefined;
    return withCaption(reader, node, (captions) => block('file', { ref }, undefined, captions));
  },
  'content-ref'(reader, node) {
    const url = textAttribute(node.tag, 'url');
    if (url === undefined || linkOf(node.children)?.url !== url || !onlyAttributes(node.tag, 'url')) {
      if (url === undefined || hasContent(node.children)) return undefined;
    }
    return block('content-ref', { ref: referenceOf(reader.reading, url, 'link') });
  },
  include(reader, node) {
    const ref = target(reader, node, 'src', 'include');
    if (ref?.kind !== 'reusable-content' || hasContent(node.children)) return undefined;
    return block('reusable-content', { ref });
  },
  openapi: swaggerTag,
  swagger: swaggerTag,
  'openapi-operation'(reader, node) {
    const spec = textAttribute(node.tag, 'spec');
    const path = textAttribute(node.tag, 'path');
    const method = textAttribute(node.tag, 'method');
    if (spec === undefined || path === undefined || method === undefined) return undefined;
    return aboveBody(reader, node, undefined, (link) =>
      block('openapi-operation', { ref: { kind: 'openapi', spec }, path, method, ...fullWidth(node.tag), ...link }),
    );
  },
  'openapi-schemas'(reader, node) {
    const spec = textAttribute(node.tag, 'spec');
    const schemas = node.tag.attributes.get('schemas') ?? node.tag.attributes.get('schema');
    const names = Array.isArray(schemas)
      ? schemas.map(String)
      : typeof schemas === 'string'
        ? schemas.split(',')
        : undefined;
    const grouped = flagAttribute(node.tag, 'grouped');
    if (spec === undefined || names === undefined) return undefined;
    const data = { ref: { kind: 'openapi' as const, spec }, schemas: names.map((name) => name.trim()) };
    return aboveBody(reader, node, undefined, (link) =>
      block('openapi-schemas', {
        ...data,
        ...(grouped === undefined ? {} : { grouped }),
        ...fullWidth(node.tag),
        ...link,
      }),
    );
  },
  'openapi-webhook'(reader, node) {
    const spec = textAttribute(node.tag, 'spec');
    const name = textAttribute(node.tag, 'name');
    const method = textAttribute(node.tag, 'method');
    if (spec === undefined || name === undefined || method === undefined) return undefined;
    return aboveBody(reader, node, undefined, (link) =>
      block('openapi-webhook', { ref: { kind: 'openapi', spec }, name, method, ...fullWidth(node.tag), ...link }),
    );
  },
};

/** The blocks of a tag. An unsupported tag is kept verbatim, around the blocks of its content. */
export function tagBlocks(reader: BlockReading, node: TagNode): Block[] {
  const mark = reader.reading.problems.length;
  const made = reader.isFull()
    ? undefined
    : node.tag.name.startsWith('@')
      ? integrationTag(node)
      : ownEntry(TAGS, node.tag.name)?.(reader, node);
  if (made !== undefined) return [made].flat();
  reader.reading.problems.length = mark;
  report(reader.reading, node, 'unsupported-markup', `${node.tag.raw} is not supported and is kept verbatim`);
  const content = reader.ofMixed(node.children);
  return [rawBlock(node.tag.raw), ...content, ...(node.close === '' ? [] : [rawBlock(node.close)])];
}

/** `{% @integration/block name="value" %}`. */
function integrationTag(node: TagNode): Block | undefined {
  const [, integration, name] = /^@([^/]+)\/(.+)$/.exec(node.tag.name) ?? [];
  if (integration === undefined || name === undefined || hasContent(node.children) || node.close !== '')
    return undefined;
  const props: Record<string, JsonValue> = Object.fromEntries(node.tag.attributes);
  const { fullWidth: full, url, action, ...rest } = props;
  if (typeof url === 'string' && !isStorable(url)) return undefined;
  return block('integration', {
    integration,
    block: name,
    props: rest,
    ...(action === undefined ? {} : { action }),
    ...(typeof url === 'string' ? { url } : {}),
    ...(full === undefined ? {} : { fullWidth: full === true || full === 'true' }),
  });
}

function codeTag(reader: BlockReading, node: TagNode): Block | undefined {
  const content = reader.inside(node.children);
  const [code] = content;
  if (content.length !== 1 || code?.type !== 'code') return undefined;
  const { tag } = node;
  if (!onlyAttributes(tag, 'title', 'overflow', 'lineNumbers', 'fullWidth', 'expandable', 'collapsedLineCount'))
    return undefined;
  const overflow = textAttribute(tag, 'overflow');
  const count = Number(textAttribute(tag, 'collapsedLineCount'));
  const data: BlockData['code'] = { ...code.data, ...textFields(tag, ['title']), ...fullWidth(tag) };
  if (overflow === 'wrap' || overflow === 'scroll') data.overflow = overflow;
  for (const name of ['lineNumbers', 'expandable'] as const) {
    const value = flagAttribute(tag, name);
    if (value !== undefined) data[name] = value;
  }
  if (Number.isInteger(count) && count > 0) data.collapsedLineCount = count;
  return { ...code, data };
}

/** `{% openapi src path method %}` and its older name `swagger`. */
function swaggerTag(reader: BlockReading, node: TagNode): readonly Block[] | undefined {
  const src = textAttribute(node.tag, 'src');
  const path = textAttribute(node.tag, 'path');
  const method = textAttribute(node.tag, 'method');
  if (src === undefined || path === undefined || method === undefined) return undefined;
  const expanded = flagAttribute(node.tag, 'expanded');
  const ref = fileOrUrl(reader.reading, src, 'openapi');
  return aboveBody(reader, node, src, (link) =>
    block('swagger', {
      ref,
      path,
      method,
      ...(expanded === undefined ? {} : { expanded }),
      ...fullWidth(node.tag),
      ...link,
    }),
  );
}

/** The parts of a tag that has nothing but parts. */
function partsOf(node: TagNode, name: string): TagNode[] | undefined {
  const parts: TagNode[] = [];
  for (const child of node.children) {
    if (child.kind === 'tag' && child.tag.name === name && child.close !== '') parts.push(child);
    else if (child.kind !== 'text' || child.value.trim() !== '') return undefined;
  }
  return parts;
}

function onlyAttributes(tag: Tag, ...names: string[]): boolean {
  return [...tag.attributes.keys()].every((name) => names.includes(name));
}

function textFields<K extends string>(tag: Tag, names: readonly K[]): { [P in K]?: string } {
  const fields: { [P in K]?: string } = {};
  for (const name of names) {
    const value = textAttribute(tag, name);
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

function fullWidth(tag: Tag): { fullWidth?: boolean } {
  const value = flagAttribute(tag, 'fullWidth');
  return value === undefined ? {} : { fullWidth: value };
}

/** `50%`, `120px` or `120`. */
export function lengthOf(value: string): Length | undefined {
  const [, number, unit] = /^\s*(-?\d+(?:\.\d+)?)\s*([a-z%]*)\s*$/i.exec(value) ?? [];
  if (number === undefined || unit === undefined) return undefined;
  return unit === '' ? Number(number) : { unit, value: Number(number) };
}

function columnData(tag: Tag): BlockData['column'] {
  const width = textAttribute(tag, 'width');
  const align = textAttribute(tag, 'valign') ?? textAttribute(tag, 'verticalAlignment');
  const length = width === undefined ? undefined : lengthOf(width);
  return {
    ...(length === undefined ? {} : { width: length }),
    ...(align === 'top' || align === 'middle' || align === 'bottom' ? { verticalAlignment: align } : {}),
  };
}

function updateData(tag: Tag): BlockData['update'] {
  const tags = textAttribute(tag, 'tags');
  return {
    date: textAttribute(tag, 'date') ?? '',
    ...(tags === undefined
      ? {}
      : { tags: tags.split(',').map((name) => ({ kind: 'tag' as const, tag: name.trim() })) }),
  };
}

function target(reader: BlockReading, node: TagNode, name: string, kind: 'file' | 'include'): ContentRef | undefined {
  const value = textAttribute(node.tag, name) ?? node.tag.positional[0];
  return value === undefined ? undefined : (reader.reading.resolve(value, kind) ?? undefined);
}

function hasContent(nodes: readonly MarkupNode[]): boolean {
  return nodes.some((node) => node.kind !== 'text' || node.value.trim() !== '');
}

/** The one link that a tag contains, for readers of the plain file. */
function linkOf(nodes: readonly MarkupNode[]): { title: string; url: string } | undefined {
  const content = nodes.filter((node) => node.kind !== 'text' || node.value.trim() !== '');
  const [only] = content;
  if (content.length !== 1 || only?.kind !== 'markdown' || only.node.type !== 'paragraph') return undefined;
  const [link] = only.node.children;
  if (only.node.children.length !== 1 || link?.type !== 'link') return undefined;
  return { title: nodeText({ kind: 'markdown', node: link, line: only.line }), url: link.url };
}

/** A block of an API, whose tag contains a link at most; another content of the tag is kept below it. */
function aboveBody(
  reader: BlockReading,
  node: TagNode,
  src: string | undefined,
  make: (link: { link?: { title: string; url: string } }) => Block,
): readonly Block[] {
  const link = linkData(node, src);
  return link ? [make(link)] : [make({}), ...reader.inside(node.children)];
}

/** The contained link as data; nothing if it only repeats the source, `undefined` if the tag contains more. */
function linkData(node: TagNode, src?: string): { link?: { title: string; url: string } } | undefined {
  if (!hasContent(node.children)) return {};
  const link = linkOf(node.children);
  if (link === undefined || !isStorable(link.url)) return undefined;
  return link.url === src ? {} : { link };
}

/** A tag whose content is the caption: one paragraph at most. */
function withCaption(
  reader: BlockReading,
  node: TagNode,
  make: (captions: ReturnType<typeof fragment>[] | undefined) => Block,
): Block | undefined {
  const content = reader.inside(node.children);
  if (content.length === 0) return make(undefined);
  const [only] = content;
  if (content.length !== 1 || only?.type !== 'paragraph') return undefined;
  return make([fragment('caption', [paragraph(...(only.nodes ?? []))])]);
}
