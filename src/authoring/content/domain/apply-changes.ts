import { ChangeFault, type ContentChange, type PageAttributes } from './content-change.js';
import { computedSourceFault, plainSource, type ComputedSource } from '../../../formats/document/computed-source.js';
import {
  blankItem,
  holdsNoPages,
  itemKey,
  ROOT,
  type Item,
  type ItemKey,
  type ItemKind,
  type ItemProps,
  type PageType,
} from './content-item.js';
import { freeSlug, isSlug, slugOf } from './slug.js';
import { applyTagChange, tagPropsOf } from './tag-changes.js';
import type { WorkingTree } from './working-tree.js';

export const DEFAULT_TITLE = 'Untitled page';
/** Maximum page depth: reads of the tree nest as deeply. */
export const MAX_PAGE_DEPTH = 500;
const MAX_VARIABLE_LENGTH = 256;
/**
 * Maximum length of page attributes in characters, also those in its Markdown; fields of the API have narrower limits
 * of their own.
 */
const MAX_TITLE_LENGTH = 1_000;
const MAX_TEXT_LENGTH = 5_000;
const MAX_ATTRIBUTE_LENGTH = 100_000;
const VARIABLE_NAME = /^[A-Za-z][A-Za-z0-9_]{0,99}$/;

/** Attributes that are stored unchanged; an empty string removes them. */
const PLAIN_PROPS = [
  'emoji',
  'icon',
  'linkTitle',
  'description',
  'condition',
  'layout',
  'cover',
  'variables',
  'metaLinks',
  'target',
  'computed',
  'git',
] as const;
const FLAGS = ['hidden', 'noIndex', 'noRobotsIndex'] as const;

type Insert = Extract<ContentChange, { operation: 'insert_page' }>;
type Update = Extract<ContentChange, { operation: 'update_page' }>;

/**
 * Applies a batch of changes in order to a working tree; afterwards derived slugs are made unique among the final
 * siblings. Throws `ChangeFault` with the index of the change that breaks a rule; the tree must not be used then.
 */
export function applyChanges(tree: WorkingTree, changes: readonly ContentChange[], now: Date): void {
  const batch = new Batch(tree, now);
  changes.forEach((change, index) => {
    try {
      batch.apply(change, index);
    } catch (fault) {
      throw fault instanceof ChangeFault ? new ChangeFault(fault.field, fault.message, index) : fault;
    }
  });
  batch.settleSlugs();
}

class Batch {
  /** The index of the change that last set a page's slug explicitly. */
  private readonly givenBy = new Map<string, number>();

  constructor(
    private readonly tree: WorkingTree,
    private readonly now: Date,
  ) {}

  apply(change: ContentChange, index: number): void {
    switch (change.operation) {
      case 'insert_page':
        return this.insertPage(change, index);
      case 'update_page':
        return this.updatePage(change, index);
      case 'delete_page':
        return this.deletePage(this.need('page', change.page, 'page'));
      case 'restore_page':
        return this.restorePage(change.version);
      case 'insert_file':
        return this.tree.put({
          ...blankItem('file', change.id, change.file.name, this.now),
          hash: change.file.hash,
          props: { ...fileProps(change.file), ...present({ git: change.git }) },
        });
      case 'update_file':
        return this.updateFile(change);
      case 'delete_file':
        return this.tree.remove(itemKey(this.need('file', change.file, 'file')));
      case 'insert_reusable_content':
        return this.tree.put({
          ...blankItem('reusable', change.id, change.title, this.now),
          hash: change.document.hash,
          props: present({ git: change.git }),
        });
      case 'update_reusable_content':
        return this.updateReusable(change);
      case 'delete_reusable_content':
        return this.tree.remove(itemKey(this.need('reusable', change.reusableContent, 'reusableContent')));
      case 'set_variables':
        return this.setVariables(change.variables);
      case 'insert_tag':
      case 'update_tag':
      case 'delete_tag':
        return applyTagChange(this.tree, change, this.now);
    }
  }

  /** Explicit slugs must be unique among the final siblings; derived ones get a suffix. */
  settleSlugs(): void {
    const changed = this.tree.changes();
    const renamed = [...changed.values()].filter(
      (item): item is Item => item !== null && item.kind === 'page' && this.hasMoved(item),
    );
    for (const parent of new Set(renamed.map((page) => page.parentId))) {
      const siblings = this.tree.children(parent).filter((page) => page.slug !== null);
      const taken = new Map<string, Item>();
      const following: Item[] = [];
      for (const page of siblings) {
        if (changed.has(itemKey(page)) && !this.givenBy.has(page.id) && this.hasMoved(page)) following.push(page);
        else this.take(page, taken);
      }
      for (const page of following) {
        const wanted = follows(page) ? slugOf(page.title) : (page.slug ?? '');
        const slug = freeSlug(wanted, taken);
        taken.set(slug, page);
        if (slug !== page.slug) this.tree.put({ ...page, slug });
      }
    }
  }

  /** Tells whether anything has changed on which a page's slug depends. */
  private hasMoved(page: Item): boolean {
    const before = this.tree.before(itemKey(page));
    return (
      !before ||
      before.title !== page.title ||
      before.parentId !== page.parentId ||
      before.slug !== page.slug ||
      before.type !== page.type
    );
  }

  private take(page: Item, taken: Map<string, Item>): void {
    const other = taken.get(page.slug ?? '');
    const index = this.givenBy.get(page.id) ?? (other && this.givenBy.get(other.id));
    if (other && index !== undefined)
      throw new ChangeFault('slug', `the slug ${page.slug ?? ''} is taken by a sibling`, index);
    taken.set(page.slug ?? '', page);
  }

  private insertPage(change: Insert, index: number): void {
    const attributes = { ...attributesOf(change), ...change.document.attributes };
    const type = attributes.type ?? 'document';
    this.checkParent(change.into, type);
    this.checkDepth(change.into, 1);
    const position = this.tree.positionAt(change.into, change.id, change.at);
    const page: Item = {
      ...blankItem('page', change.id, attributes.title ?? DEFAULT_TITLE, this.now),
      parentId: change.into,
      position,
      type,
      hash: change.document.hash,
    };
    this.tree.put(this.described(page, attributes, index));
  }

  private updatePage(change: Update, index: number): void {
    const page = this.need('page', change.page, 'page');
    const attributes = { ...attributesOf(change), ...change.document?.attributes };
    const type = attributes.type ?? (page.type as PageType);
    const into = change.into ?? page.parentId;
    if (into !== page.parentId || type !== page.type) {
      if (this.tree.isWithin(into, page.id)) throw new ChangeFault('into', 'a page cannot be moved under itself');
      this.checkParent(into, type);
    }
    if (into !== page.parentId) this.checkDepth(into, this.heightOf(page.id));
    if (holdsNoPages(type) && !holdsNoPages(page.type) && this.tree.children(page.id).length > 0) {
      throw new ChangeFault('type', `a page with subpages cannot become a ${type}`);
    }
    const moved = change.into !== undefined || change.at !== undefined;
    const place =
      moved && (into !== page.parentId || change.at !== undefined)
        ? { parentId: into, position: this.tree.positionAt(into, page.id, change.at) }
        : {};
    const hash = type !== 'document' ? null : change.document ? change.document.hash : page.hash;
    const current = this.tree.page(page.id) ?? page;
    this.tree.put(
      this.described(
        { ...current, ...place, type, hash, title: attributes.title ?? page.title, updatedAt: this.now },
        attributes,
        index,
      ),
    );
  }

  private deletePage(page: Item): void {
    for (const child of [...this.tree.children(page.id)]) this.deletePage(child);
    this.tree.remove(itemKey(page));
  }

  /**
   * Restores an earlier version of a page in its current place; a deleted page returns to its former place, or to the
   * root if that is not possible.
   */
  private restorePage(version: Item): void {
    const current = this.tree.page(version.id);
    if (current && holdsNoPages(version.type) && this.tree.children(version.id).length > 0) {
      throw new ChangeFault('page', `a page with subpages cannot become a ${version.type}`);
    }
    const wanted = current?.parentId ?? version.parentId;
    const parent = this.tree.page(wanted);
    const parentId = parent && !holdsNoPages(parent.type) && version.type !== 'group' ? wanted : ROOT;
    if (!current) this.checkDepth(parentId, 1);
    const position =
      current?.parentId === parentId ? current.position : this.tree.positionAt(parentId, version.id, undefined);
    this.tree.put({ ...version, parentId, position, updatedAt: this.now });
  }

  private updateFile(change: Extract<ContentChange, { operation: 'update_file' }>): void {
    const file = this.need('file', change.file, 'file');
    const content = change.content
      ? {
          hash: change.content.hash,
          props: { ...file.props, width: undefined, height: undefined, ...fileProps(change.content), git: change.git },
        }
      : { props: { ...file.props, git: change.git ?? file.props['git'] } };
    const next = { ...file, ...content, title: change.name ?? file.title, updatedAt: this.now };
    this.tree.put({ ...next, props: present(next.props) });
  }

  private updateReusable(change: Extract<ContentChange, { operation: 'update_reusable_content' }>): void {
    const reusable = this.need('reusable', change.reusableContent, 'reusableContent');
    const props = change.git === undefined ? reusable.props : { ...reusable.props, git: change.git };
    this.tree.put({
      ...reusable,
      title: change.title ?? reusable.title,
      hash: change.document ? change.document.hash : reusable.hash,
      props,
      updatedAt: this.now,
    });
  }

  private setVariables(variables: Readonly<Record<string, string | number | boolean | null>>): void {
    for (const [name, value] of Object.entries(variables)) {
      if (!VARIABLE_NAME.test(name))
        throw new ChangeFault(`variables.${name}`, 'a name is a letter, then letters, digits and underscores');
      if (!['string', 'number', 'boolean'].includes(typeof value) && value !== null)
        throw new ChangeFault(`variables.${name}`, 'is text, a number, true, false or null');
      if (typeof value === 'string' && value.length > MAX_VARIABLE_LENGTH)
        throw new ChangeFault(`variables.${name}`, `has more than ${MAX_VARIABLE_LENGTH} characters`);
      const key: ItemKey = `variable:${name}`;
      const before = this.tree.get(key);
      if (value === null) this.tree.remove(key);
      else
        this.tree.put({
          ...(before ?? blankItem('variable', name, name, this.now)),
          props: { value },
          updatedAt: this.now,
        });
    }
  }

  private need(kind: ItemKind, id: string, field: string): Item {
    const item = this.tree.get(`${kind}:${id}`);
    if (!item) throw new ChangeFault(field, 'is not in this content');
    return item;
  }

  private checkParent(into: string, type: PageType): void {
    if (into === ROOT) return;
    const parent = this.tree.page(into);
    if (!parent) throw new ChangeFault('into', 'is not in this content');
    if (holdsNoPages(parent.type)) throw new ChangeFault('into', `a ${parent.type} cannot have subpages`);
    if (type === 'group') throw new ChangeFault('into', 'a group must be at the root');
  }

  private checkDepth(into: string, height: number): void {
    let depth = height;
    for (let at = this.tree.page(into); at; at = this.tree.page(at.parentId)) depth++;
    if (depth > MAX_PAGE_DEPTH)
      throw new ChangeFault('into', `pages are nested at most ${MAX_PAGE_DEPTH} levels deep: this would make ${depth}`);
  }

  /** The height of the subtree of a page. */
  private heightOf(id: string): number {
    return 1 + this.tree.children(id).reduce((highest, child) => Math.max(highest, this.heightOf(child.id)), 0);
  }

  /** Sets the attributes of a page, and its slug if one is given. */
  private described(page: Item, attributes: PageAttributes, index: number): Item {
    requireLengths(attributes);
    const props: Record<string, unknown> = { ...page.props };
    for (const name of PLAIN_PROPS)
      if (attributes[name] !== undefined)
        props[name] = attributes[name] === '' || attributes[name] === null ? undefined : attributes[name];
    for (const name of FLAGS) if (attributes[name] !== undefined) props[name] = attributes[name] || undefined;
    if (attributes.tags !== undefined)
      Object.assign(props, tagPropsOf(this.tree, page.type as PageType, attributes.tags ?? []));
    if (props['computed'] !== undefined && attributes.computed !== undefined)
      props['computed'] = sourceFor(page.type, props['computed']);
    // A page of another type cannot use the same source.
    else if (attributes.type !== undefined && computedSourceFault(props['computed'], page.type))
      props['computed'] = undefined;
    if (page.type === 'link' && props['target'] === undefined) throw new ChangeFault('target', 'a link needs a target');
    if (page.type === 'computed' && props['computed'] === undefined)
      throw new ChangeFault('computed', 'a computed page needs its source');
    if (page.type === 'link' || page.type === 'computed')
      return { ...page, slug: null, props: present({ ...props, slugGiven: undefined }) };
    if (attributes.slug === undefined || (attributes.slug === '' && follows(page))) {
      return { ...page, slug: page.slug ?? slugOf(page.title), props: present(props) };
    }
    if (attributes.slug === '')
      return { ...page, slug: slugOf(page.title), props: present({ ...props, slugGiven: undefined }) };
    const slug = attributes.slug.normalize('NFC').toLowerCase();
    if (!isSlug(slug)) throw new ChangeFault('slug', 'may have letters, digits, hyphens, dots, underscores and tildes');
    this.givenBy.set(page.id, index);
    return { ...page, slug, props: present({ ...props, slugGiven: true }) };
  }
}

/** Throws for values that are too long for search, or for lists of pages. */
function requireLengths(attributes: PageAttributes): void {
  if ((attributes.title?.length ?? 0) > MAX_TITLE_LENGTH)
    throw new ChangeFault('title', `has more than ${MAX_TITLE_LENGTH} characters`);
  for (const name of PLAIN_PROPS) {
    const value = attributes[name];
    const [length, most] =
      typeof value === 'string'
        ? [value.length, MAX_TEXT_LENGTH]
        : [value === undefined ? 0 : JSON.stringify(value).length, MAX_ATTRIBUTE_LENGTH];
    if (length > most) throw new ChangeFault(name, `has more than ${most} characters`);
  }
}

/** Tells whether the slug of a page is derived from its title. */
function follows(page: Item): boolean {
  return page.props['slugGiven'] !== true;
}

/** The stored source of a computed page of this type. */
function sourceFor(type: string, source: unknown): ComputedSource {
  const fault = computedSourceFault(source, type);
  if (fault) throw new ChangeFault(['computed', fault.path].filter(Boolean).join('.'), fault.message);
  return plainSource(source as ComputedSource);
}

function attributesOf(change: Insert | Update): PageAttributes {
  const { title, slug, type, tags } = change;
  const attributes: Record<string, unknown> = { title, slug, type, tags };
  for (const name of [...PLAIN_PROPS, ...FLAGS]) attributes[name] = change[name];
  return present(attributes);
}

function fileProps({
  contentType,
  size,
  width,
  height,
}: {
  contentType: string;
  size: number;
  width?: number;
  height?: number;
}): ItemProps {
  return present({ contentType, size, width, height });
}

/** Removes properties that are undefined. */
function present(properties: ItemProps): ItemProps {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
}
