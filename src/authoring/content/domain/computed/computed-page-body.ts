import { createHash } from 'node:crypto';
import { beginningOf } from '../../../../formats/document/characters.js';
import { descriptionBlocks } from '../../../../formats/markdown/description.js';
import {
  block,
  document,
  inline,
  leaf,
  mark,
  paragraph,
  plain,
  rawBlock,
  text,
} from '../../../../formats/document/build.js';
import { contentJson } from '../../../../formats/document/hash.js';
import { assignKeys } from '../../../../formats/document/keys.js';
import type { Block, Document, Node } from '../../../../formats/document/types.js';
import {
  ApiReference,
  CHANGELOG_PAGE,
  everyPage,
  isSingle,
  MAX_IN_OVERVIEW,
  type ApiContent,
  type ApiPage,
} from './api-pages.js';
import { changelogBlocks, subjectKey, type ChangelogPages, type ChangelogVersion } from './changelog-body.js';
import { base62, pageIdOf, sourceOfDerived } from './expansion.js';
import type { ApiOutline, OutlineOperation } from './outline.js';
import type { ComputedSource } from '../../../../formats/document/computed-source.js';

const KEY_LENGTH = 10;
const MAX_ENDPOINT = 300;

/** A page that an overview lists. */
interface ListedPage {
  readonly title: string;
  /** The id of the page; undefined if the overview stands where the page does not. */
  readonly id?: string;
  /** Such as `GET /pets`. */
  readonly endpoint?: string;
}

/** The pages below that of a group: smaller groups, then single operations or schemas. */
export interface Overview {
  readonly kind: 'overview';
  readonly groups: readonly ListedPage[];
  readonly pages: readonly ListedPage[];
}

/** The changes of the latest versions. */
interface Changelog {
  readonly kind: 'changes';
  readonly versions: readonly ChangelogVersion[];
  readonly pages: ChangelogPages;
}

type ShownContent = Exclude<ApiContent, { readonly kind: 'part' | 'changes' }> | Overview | Changelog;

/** The input for the body of a page. */
export interface BodyOrder {
  /** Undefined if the specification has no such page. */
  readonly content: ShownContent | undefined;
  /** Markdown that introduces the page. */
  readonly description: string;
  readonly ref: ComputedSource['dependencies']['spec']['ref'];
}

/** `id` is that of the page: the pages below it have the same source. */
export function bodyOrder(
  { props, dependencies }: ComputedSource,
  outline: ApiOutline,
  id = '',
  versions: readonly ChangelogVersion[] = [],
): BodyOrder {
  const page = pageOf(props, ApiReference.of(outline));
  const source = sourceOfDerived(id);
  const content =
    page && props.doc === 'tag'
      ? overviewOf(page, source)
      : page?.content.kind === 'changes'
        ? { kind: 'changes' as const, versions, pages: changedPages(versions, props, outline, source) }
        : shownAlone(page?.content);
  const description =
    page?.content.kind === 'info'
      ? outline.description
      : page?.content.kind === 'operations'
        ? page.content.description
        : '';
  return { content, description, ref: dependencies.spec.ref };
}

/** The ids of the pages of operations that links of responses on a page name, by those names. */
export function linkedPages(source: ComputedSource, outline: ApiOutline, id: string): Readonly<Record<string, string>> {
  const wanted = new Set(operationsShown(source, outline).flatMap(({ links = [] }) => links));
  const made = sourceOfDerived(id);
  if (wanted.size === 0 || made === undefined) return {};
  const grouping = source.props.doc === 'operations' ? 'by-tag' : 'by-operation';
  return Object.fromEntries(
    [...everyPage(ApiReference.of(outline).pages(grouping))].flatMap((page) =>
      operationsOn(page.content, grouping).flatMap((operation) =>
        [operation.id ?? '', `${operation.method} ${operation.path}`]
          .filter((name) => wanted.has(name))
          .map((name) => [name, pageIdOf(made, page)]),
      ),
    ),
  );
}

function operationsOn(content: ApiContent, grouping: 'by-tag' | 'by-operation'): readonly OutlineOperation[] {
  if (grouping === 'by-tag') return content.kind === 'operations' ? content.operations : [];
  return content.kind === 'operation' ? [content.operation] : [];
}

/** The operations that a page shows itself: one, or those of its group. */
export function operationsShown({ props }: ComputedSource, outline: ApiOutline): readonly OutlineOperation[] {
  const content = props.doc === 'tag' ? undefined : pageOf(props, ApiReference.of(outline))?.content;
  switch (content?.kind) {
    case 'operation':
      return [content.operation];
    case 'operations':
      return content.operations;
    default:
      return [];
  }
}

function pageOf({ doc, page }: ComputedSource['props'], reference: ApiReference): ApiPage | undefined {
  const name = String(page);
  switch (doc) {
    case 'operation':
      return reference.find(`operation ${name}`);
    case 'tag':
      return reference.find(name);
    case 'changes':
      return CHANGELOG_PAGE;
    case 'models':
      return page === undefined
        ? reference.pages('by-tag').find(({ content }) => content.kind === 'models')
        : reference.find(`schema ${name}`);
    default:
      return reference.group(name);
  }
}

/** A part of a group is nothing but an overview. */
function shownAlone(content: ApiContent | undefined): ShownContent | undefined {
  return content?.kind === 'part' || content?.kind === 'changes' ? undefined : content;
}

/** The pages of what changed, as far as the specification still has it. */
function changedPages(
  versions: readonly ChangelogVersion[],
  { grouping, models }: ComputedSource['props'],
  outline: ApiOutline,
  source: string | undefined,
): ChangelogPages {
  if (source === undefined) return {};
  const changed = new Set(versions.flatMap(({ changes }) => changes.map(subjectKey)));
  const pages = everyPage(ApiReference.of(outline).pages(grouping === 'by-tag' ? 'by-tag' : 'by-operation'));
  return Object.fromEntries(
    [...pages].flatMap((page) =>
      subjectsOf(page.content, models === true).flatMap((key) =>
        changed.has(key) ? [[key, pageIdOf(source, page)]] : [],
      ),
    ),
  );
}

/** The operations, webhooks and schemas that a page shows itself, by the keys of changes. */
function subjectsOf(content: ApiContent, hasModels: boolean): string[] {
  const keys = (hooks: boolean, all: readonly OutlineOperation[]): string[] =>
    all.flatMap(({ method, path }) =>
      [subjectKey(hooks ? { webhook: { method, name: path } } : { operation: { method, path } })].flatMap(
        (key) => key ?? [],
      ),
    );
  switch (content.kind) {
    case 'operation':
    case 'webhook':
      return keys(content.kind === 'webhook', [content.operation]);
    case 'operations':
      return keys(false, content.operations);
    case 'webhooks':
      return keys(true, content.webhooks);
    case 'schema':
      return hasModels ? [`schema ${content.schema}`] : [];
    case 'models':
      return hasModels ? content.schemas.map((name) => `schema ${name}`) : [];
    default:
      return [];
  }
}

/** A group lists as many pages as it has room for; its parts have the others, and stand above them with its groups. */
function overviewOf({ children, content }: ApiPage, source: string | undefined): Overview {
  const listed = (page: ApiPage): ListedPage => ({
    title: page.title,
    ...(source !== undefined && { id: pageIdOf(source, page) }),
    ...('operation' in page.content && { endpoint: endpointOf(page.content.operation) }),
  });
  return {
    kind: 'overview',
    groups: children.filter((page) => !isSingle(page)).map(listed),
    pages: (content.kind === 'part' ? content.pages : children.filter(isSingle).slice(0, MAX_IN_OVERVIEW)).map(listed),
  };
}

const endpointOf = ({ method, path }: OutlineOperation): string =>
  beginningOf(`${method.toUpperCase()} ${path}`, MAX_ENDPOINT);

/** The order without the list of the pages below: search finds those themselves. */
export function withoutList(order: BodyOrder): BodyOrder {
  return order.content?.kind === 'overview'
    ? { ...order, content: { ...order.content, groups: [], pages: [] } }
    : order;
}

/** The body of a page of a specification; empty if the specification has no such page. */
export function computedBody(order: BodyOrder): Document {
  return bodyAfter(descriptionBlocks(order.description), order);
}

/** The body with its description as written, if that takes too long to parse. */
export function bodyAsWritten(order: BodyOrder): Document {
  return bodyAfter([rawBlock(order.description)], order);
}

function bodyAfter(introduction: readonly Block[], { content, ref }: BodyOrder): Document {
  return document(keyed([...introduction, ...(content ? blocksOf(content, ref) : [])]));
}

function blocksOf(content: ShownContent, ref: BodyOrder['ref']): Block[] {
  switch (content.kind) {
    case 'info':
      return [];
    case 'overview':
      return overviewBlocks(content);
    case 'changes':
      return changelogBlocks(content.versions, content.pages);
    case 'operation':
    case 'webhook':
      return [operationBlock(content.kind, content.operation, ref)];
    case 'schema':
      return [schemaBlock(content.schema, ref)];
    case 'operations':
      return content.operations.flatMap((each) => [heading(plain(each.title)), operationBlock('operation', each, ref)]);
    case 'webhooks':
      return content.webhooks.flatMap((each) => [heading(plain(each.title)), operationBlock('webhook', each, ref)]);
    case 'models':
      return content.schemas.flatMap((name) => [heading(plain(name)), schemaBlock(name, ref)]);
  }
}

function operationBlock(
  kind: 'operation' | 'webhook',
  { path, method }: OutlineOperation,
  ref: BodyOrder['ref'],
): Block {
  return kind === 'webhook'
    ? block('openapi-webhook', { ref, name: path, method })
    : block('openapi-operation', { ref, path, method });
}

function schemaBlock(name: string, ref: BodyOrder['ref']): Block {
  return block('openapi-schemas', { ref, schemas: [name], grouped: false });
}

/** Headings have the addresses that operations have where all of a group are on its page. */
function overviewBlocks({ groups, pages }: Overview): Block[] {
  return [
    ...listOf(groups),
    ...pages.flatMap((page) => [
      heading(linked(page)),
      ...(page.endpoint === undefined ? [] : [paragraph(code(page.endpoint))]),
    ]),
  ];
}

function listOf(pages: readonly ListedPage[]): Block[] {
  if (pages.length === 0) return [];
  const items = pages.map((page) => block('list-item', {}, [paragraph(linked(page))]));
  return [block('list-unordered', {}, items)];
}

function linked({ title, id }: ListedPage): Node {
  return id === undefined ? plain(title) : inline('link', { ref: { kind: 'page', page: id } }, [plain(title)]);
}

const code = (words: string): Node => text(leaf(words, [mark('code')]));

function heading(words: Node): Block {
  return block('heading-2', {}, [words]);
}

/** Derives keys from the content of blocks, so that an unchanged block keeps its key from version to version. */
function keyed(blocks: readonly Block[]): Block[] {
  const seen = new Map<string, number>();
  return blocks.flatMap((each) => {
    const content = contentJson(each);
    const occurrence = seen.get(content) ?? 0;
    seen.set(content, occurrence + 1);
    let count = 0;
    const newKey = (): string =>
      base62(createHash('sha256').update(`${occurrence} ${count++} ${content}`).digest(), KEY_LENGTH);
    return assignKeys(document([each]), undefined, newKey).nodes;
  });
}
