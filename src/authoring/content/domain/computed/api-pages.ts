import { beginningOf } from '../../../../formats/document/characters.js';
import { isSlug, numberedSlug, slugOf } from '../slug.js';
import { camelCaseWords, MAX_TITLE, type ApiOutline, type OutlineOperation, type OutlineTag } from './outline.js';

/** The content of a page of a specification: that of a group, or a single operation, webhook or schema. */
export type ApiContent =
  | { readonly kind: 'info' }
  | { readonly kind: 'changes' }
  | { readonly kind: 'operations'; readonly description: string; readonly operations: readonly OutlineOperation[] }
  | { readonly kind: 'webhooks'; readonly webhooks: readonly OutlineOperation[] }
  | { readonly kind: 'models'; readonly schemas: readonly string[] }
  | { readonly kind: 'part'; readonly pages: readonly ApiPage[] }
  | { readonly kind: 'operation' | 'webhook'; readonly operation: OutlineOperation }
  | { readonly kind: 'schema'; readonly schema: string };

/** A page of a specification, by a name that is unique among groups, operations or schemas, and the same in every version. */
export interface ApiPage {
  readonly name: string;
  readonly title: string;
  readonly icon?: string;
  readonly summary?: string;
  readonly content: ApiContent;
  readonly children: readonly ApiPage[];
  /** A group that the specification does not name: where its slug is that of an operation beside it, it gives way. */
  readonly isMadeUp?: true;
}

/** Maximum number of pages of single operations and schemas of one specification; further ones have none. */
const MAX_SINGLE_PAGES = 10_000;
/** Pages of operations or schemas that one overview lists; further ones are in overviews of their own below it. */
export const MAX_IN_OVERVIEW = 250;
/** Operations without a tag up to which their page lists all of them; more are grouped by their paths. */
const MAX_UNGROUPED = 100;

/** The page with what each version changed, behind the others: its slug gives way to those of the specification. */
export const CHANGELOG_PAGE: ApiPage = {
  name: 'changelog',
  title: 'Changelog',
  content: { kind: 'changes' },
  children: [],
  isMadeUp: true,
};

/** The pages of a specification: its description, one for each tag, its webhooks, its schemas. */
export function apiPages(outline: ApiOutline): ApiPage[] {
  return groupPages(outline, new Names());
}

function groupPages(outline: ApiOutline, names: Names): ApiPage[] {
  const first: ApiPage = {
    ...looks(outline),
    name: names.take(outline.slug, 'info'),
    title: outline.title,
    content: { kind: 'info' },
    children: [],
  };
  const tagged = tagPages(outline.tags, names);
  const page = (title: string, content: ApiContent): ApiPage => ({
    name: names.take(undefined, title),
    title,
    content,
    children: [],
  });
  return [
    ...(outline.description === '' ? [] : [first]),
    ...tagged,
    ...(outline.untagged.length > 0
      ? [page('Operations', { kind: 'operations', description: '', operations: outline.untagged })]
      : []),
    ...(outline.webhooks.length > 0 ? [page('Webhooks', { kind: 'webhooks', webhooks: outline.webhooks })] : []),
    ...(outline.schemas.length > 0 ? [page('Models', { kind: 'models', schemas: outline.schemas })] : []),
  ];
}

/** The same groups, each with a page below it for each of its operations or schemas. */
export function singlePages(outline: ApiOutline): ApiPage[] {
  const names = new Names();
  const groups = groupPages(outline, names);
  const single = new SingleNames();
  const filled = (page: ApiPage): ApiPage => {
    const children = page.children.map(filled);
    const inside =
      page.content.kind === 'operations' && page.content.operations === outline.untagged
        ? pathPages(outline.untagged, names)
        : { groups: [], content: page.content };
    const pages = single.of(inside.content);
    return { ...page, children: [...children, ...inside.groups.map(filled), ...partsOf(page, pages, names), ...pages] };
  };
  return groups.map(filled);
}

/** Tells whether a page shows a single operation, webhook or schema. */
export function isSingle({ content }: ApiPage): boolean {
  return content.kind === 'operation' || content.kind === 'webhook' || content.kind === 'schema';
}

/** All pages, each before those below it. */
export function* everyPage(pages: readonly ApiPage[]): Generator<ApiPage> {
  for (const page of pages) {
    yield page;
    yield* everyPage(page.children);
  }
}

/** The name of a page among all pages of its specification. */
export function uniqueName({ name, content }: Pick<ApiPage, 'name' | 'content'>): string {
  // No slug has a blank.
  if (content.kind === 'changes') return 'the changelog';
  if (content.kind === 'schema') return `schema ${name}`;
  return content.kind === 'operation' || content.kind === 'webhook' ? `operation ${name}` : name;
}

/** The pages of one specification in both groupings, each made once. */
export class ApiReference {
  private static readonly known = new WeakMap<ApiOutline, ApiReference>();
  private grouped: readonly ApiPage[] | undefined;
  private whole: readonly ApiPage[] | undefined;
  private byName: ReadonlyMap<string, ApiPage> | undefined;

  private constructor(private readonly outline: ApiOutline) {}

  static of(outline: ApiOutline): ApiReference {
    const known = this.known.get(outline) ?? new ApiReference(outline);
    this.known.set(outline, known);
    return known;
  }

  /** `by-tag`: all operations of a tag on its page; `by-operation`: each on a page of its own. */
  pages(grouping: 'by-tag' | 'by-operation'): readonly ApiPage[] {
    return grouping === 'by-tag'
      ? (this.grouped ??= apiPages(this.outline))
      : (this.whole ??= singlePages(this.outline));
  }

  /** The page of a group with all that is in it. */
  group(name: string): ApiPage | undefined {
    for (const page of everyPage(this.pages('by-tag'))) if (page.name === name) return page;
    return undefined;
  }

  /** A page among those of `by-operation`. */
  find(unique: string): ApiPage | undefined {
    this.byName ??= new Map([...everyPage(this.pages('by-operation'))].map((page) => [uniqueName(page), page]));
    return this.byName.get(unique);
  }
}

/** Names that are slugs, each taken once. */
class Names {
  private readonly taken = new Set<string>();
  /** The least number that may be free after a name: thousands of equal ones are not tried again and again. */
  private readonly numbers = new Map<string, number>();

  take(given: string | undefined, text: string): string {
    const wanted = given?.normalize('NFC').toLowerCase();
    const slug = wanted !== undefined && isSlug(wanted) ? wanted : slugOf(text);
    let number = this.numbers.get(slug) ?? 0;
    let name = numberedSlug(slug, number);
    while (this.taken.has(name)) name = numberedSlug(slug, ++number);
    this.numbers.set(slug, number + 1);
    this.taken.add(name);
    return name;
  }
}

/** Makes pages of single operations and schemas, whose names are unique among either. */
class SingleNames {
  private readonly operations = new Names();
  private readonly schemas = new Names();
  private left = MAX_SINGLE_PAGES;

  of(content: ApiContent): ApiPage[] {
    switch (content.kind) {
      case 'operations':
        return this.bounded(content.operations).map((operation) => this.operationPage('operation', operation));
      case 'webhooks':
        return this.bounded(content.webhooks).map((operation) => this.operationPage('webhook', operation));
      case 'models':
        return this.bounded(content.schemas).map((schema) => ({
          name: this.schemas.take(undefined, camelCaseWords(schema)),
          title: beginningOf(schema, MAX_TITLE),
          content: { kind: 'schema', schema },
          children: [],
        }));
      default:
        return [];
    }
  }

  private bounded<Each>(all: readonly Each[]): readonly Each[] {
    const some = all.slice(0, this.left);
    this.left -= some.length;
    return some;
  }

  private operationPage(kind: 'operation' | 'webhook', operation: OutlineOperation): ApiPage {
    const { title, slug } = operation;
    return {
      ...looks(operation),
      name: this.operations.take(slug, title),
      title,
      content: { kind, operation },
      children: [],
    };
  }
}

/** Many operations without a tag, in groups by the first part in which their paths differ. */
function pathPages(
  operations: readonly OutlineOperation[],
  names: Names,
): { readonly groups: ApiPage[]; readonly content: ApiContent } {
  const asContent = (some: readonly OutlineOperation[]): ApiContent => ({
    kind: 'operations',
    description: '',
    operations: some,
  });
  if (operations.length <= MAX_UNGROUPED) return { groups: [], content: asContent(operations) };
  const paths = operations.map(({ path }) => path.split('/').filter((part) => part !== '' && !part.includes('{')));
  const longest = paths.reduce((one, other) => (other.length > one.length ? other : one), []);
  const depth = longest.findIndex((part, index) => paths.some((path) => path[index] !== part));
  const byPart = new Map<string, OutlineOperation[]>();
  operations.forEach((operation, index) => {
    const part = paths[index]?.[depth] ?? '';
    const others = byPart.get(part);
    if (others) others.push(operation);
    else byPart.set(part, [operation]);
  });
  const sizes = [...byPart.values()].map((some) => some.length).sort((one, other) => other - one);
  const least = Math.max(2, sizes[MAX_IN_OVERVIEW] === undefined ? 0 : sizes[MAX_IN_OVERVIEW] + 1);
  const grouped = [...byPart].filter(([part, some]) => part !== '' && some.length >= least);
  const inGroups = new Set(grouped.flatMap(([, some]) => some));
  return {
    groups: grouped.map(([part, some]) => ({
      name: names.take(undefined, part),
      title: titleOf(part),
      content: asContent(some),
      children: [],
      isMadeUp: true,
    })),
    content: asContent(operations.filter((operation) => !inGroups.has(operation))),
  };
}

/** The overviews of those pages for which the overview of their group has no room. */
function partsOf(group: ApiPage, pages: readonly ApiPage[], names: Names): ApiPage[] {
  const parts: ApiPage[] = [];
  for (let start = MAX_IN_OVERVIEW; start < pages.length; start += MAX_IN_OVERVIEW) {
    const some = pages.slice(start, start + MAX_IN_OVERVIEW);
    const title = `${beginningOf(group.title, MAX_TITLE - 20)} ${start + 1}–${start + some.length}`;
    parts.push({
      name: names.take(undefined, numberedSlug(group.name, start / MAX_IN_OVERVIEW + 1)),
      title,
      content: { kind: 'part', pages: some },
      children: [],
      isMadeUp: true,
    });
  }
  return parts;
}

function titleOf(part: string): string {
  const words = part.replace(/[-_.]+/g, ' ').trim() || part;
  return beginningOf(words.charAt(0).toUpperCase() + words.slice(1), MAX_TITLE);
}

/** Tags under their parents; a parent that is not a tag is a page of its own, and tags in a cycle are at the top. */
function tagPages(tags: readonly OutlineTag[], names: Names): ApiPage[] {
  const known = new Map(tags.map((tag) => [tag.name, tag]));
  for (const { parent } of tags)
    if (parent !== undefined && !known.has(parent))
      known.set(parent, { name: parent, title: parent, description: '', operations: [] });
  const children = new Map<string | undefined, OutlineTag[]>();
  for (const tag of known.values()) {
    const parent = tag.parent !== undefined && !isAbove(tag.name, tag.parent, known) ? tag.parent : undefined;
    children.set(parent, [...(children.get(parent) ?? []), tag]);
  }
  const pagesUnder = (parent?: string): ApiPage[] =>
    (children.get(parent) ?? []).flatMap((tag) => {
      const name = names.take(tag.slug, tag.name);
      const below = pagesUnder(tag.name);
      if (tag.operations.length + below.length === 0 && tag.description === '') return [];
      return [
        {
          ...looks(tag),
          name,
          title: tag.title,
          content: { kind: 'operations', description: tag.description, operations: tag.operations },
          children: below,
        },
      ];
    });
  return pagesUnder();
}

const MAX_DEPTH = 8;

/** Tells whether the path from a tag upwards reaches another one, is a cycle, or is too long. */
function isAbove(name: string, from: string, tags: ReadonlyMap<string, OutlineTag>): boolean {
  const seen = new Set<string>();
  for (let at: string | undefined = from; at !== undefined; at = tags.get(at)?.parent) {
    if (at === name || seen.has(at) || seen.size >= MAX_DEPTH) return true;
    seen.add(at);
  }
  return false;
}

function looks({
  icon,
  summary,
}: {
  readonly icon?: string;
  readonly summary?: string;
}): Pick<ApiPage, 'icon' | 'summary'> {
  return { ...(icon !== undefined && { icon }), ...(summary !== undefined && { summary }) };
}
