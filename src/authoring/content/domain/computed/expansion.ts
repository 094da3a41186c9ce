import { createHash } from 'node:crypto';
import type { Item } from '../content-item.js';
import { freeSlug, isSlug, slugOf } from '../slug.js';
import type { ApiOutline, OutlineOperation, OutlineTag } from './outline.js';
import { plainSource, type ComputedSource } from '../../../../formats/document/computed-source.js';

/** The content of a page of a specification. */
export type ApiContent =
  | { readonly kind: 'info' }
  | { readonly kind: 'operations'; readonly description: string; readonly operations: readonly OutlineOperation[] }
  | { readonly kind: 'webhooks'; readonly webhooks: readonly OutlineOperation[] }
  | { readonly kind: 'models'; readonly schemas: readonly string[] };

/** A page of a specification. Its name is its slug, unless a sibling has that one, and the same in every version. */
export interface ApiPage {
  readonly name: string;
  readonly title: string;
  readonly icon?: string;
  readonly summary?: string;
  readonly content: ApiContent;
  readonly children: readonly ApiPage[];
}

/** The pages of a specification: its description, one for each tag, its webhooks, its schemas. */
export function apiPages(outline: ApiOutline): ApiPage[] {
  const names = new Names();
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

/** Finds the page with this name at any depth. */
export function findApiPage(pages: readonly ApiPage[], name: string): ApiPage | undefined {
  for (const page of pages) {
    const found = page.name === name ? page : findApiPage(page.children, name);
    if (found) return found;
  }
  return undefined;
}

class Names {
  private readonly taken = new Set<string>();

  take(given: string | undefined, text: string): string {
    const wanted = given?.normalize('NFC').toLowerCase();
    const name = freeSlug(wanted !== undefined && isSlug(wanted) ? wanted : slugOf(text), this.taken);
    this.taken.add(name);
    return name;
  }
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

export const ID_LENGTH = 20;

/** The id of a generated page: that of the source, by which it is found, and a hash of the page's name. */
export function derivedId(source: string, name: string): string {
  return `${source}${base62(createHash('sha256').update(name).digest(), ID_LENGTH)}`;
}

/** The id of the source of a generated page; undefined for ids of written pages. */
export function sourceOfDerived(id: string): string | undefined {
  return id.length === 2 * ID_LENGTH ? id.slice(0, ID_LENGTH) : undefined;
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The beginning of a hash as letters and digits. */
export function base62(hash: Buffer, length: number): string {
  let rest = BigInt(`0x${hash.toString('hex')}`);
  let text = '';
  for (; text.length < length; rest /= 62n) text += DIGITS.charAt(Number(rest % 62n));
  return text;
}

/** Attributes that decide who sees and finds a computed page: they hold for the pages that are generated from it, too. */
const INHERITED = ['hidden', 'condition', 'variables', 'noIndex', 'noRobotsIndex'] as const;

/**
 * The pages generated by a computed page, in its position among its siblings; `taken` are the slugs of the siblings,
 * and receives those of the new pages.
 */
export function expandPage(source: Item, computed: ComputedSource, outline: ApiOutline, taken: Set<string>): Item[] {
  const pages = apiPages(outline).filter(({ content }) => content.kind !== 'models' || computed.props.models === true);
  const inherited = Object.fromEntries(
    INHERITED.flatMap((name) => (source.props[name] === undefined ? [] : [[name, source.props[name]]])),
  );
  const made: Item[] = [];
  const place = (
    siblings: readonly ApiPage[],
    parentId: string,
    slugs: Set<string>,
    position: (index: number) => string,
  ): void => {
    siblings.forEach((page, index) => {
      const id = derivedId(source.id, page.name);
      const slug = freeSlug(page.name, slugs);
      slugs.add(slug);
      const { title, icon, summary } = page;
      const props = {
        ...(icon !== undefined && { icon }),
        ...(summary !== undefined && { description: summary }),
        ...inherited,
        computed: documentSource(computed, page),
      };
      made.push({
        ...source,
        id,
        parentId,
        position: position(index),
        type: 'document',
        slug,
        title,
        props,
        hash: null,
      });
      place(page.children, id, new Set(), orderKey);
    });
  };
  // "!" comes before every character of order keys, so no sibling can be between the source and these.
  place(pages, source.parentId, taken, (index) => `${source.position}!${orderKey(index)}`);
  return made;
}

function orderKey(index: number): string {
  return String(index).padStart(5, '0');
}

/** The source of the body of a page of a specification. */
function documentSource({ type, dependencies }: ComputedSource, { name, content }: ApiPage): ComputedSource {
  const props =
    content.kind === 'models'
      ? { doc: 'models' }
      : { doc: content.kind === 'info' ? 'info' : 'operations', page: name };
  return plainSource({ type, props, dependencies });
}
