import { isDeepStrictEqual } from 'node:util';
import {
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  type Document,
  type Node,
  type ToStringOptions,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { isObject } from '../../../../formats/document/checks.js';
import { mergeText, withLineEndsOf } from '../../../../formats/markdown/merge-text.js';
import { YAML_WRITING } from '../../../../formats/markdown/yaml-keys.js';
import { readSiteFile } from './read-site-file.js';
import { childNodesOf, siteNodeName, withDescendants, type SiteFile, type SiteNode } from './site-file.js';
import { valuesOf, writeSiteFile } from './write-site-file.js';

/** The file of a site to be written where there is one already. */
export interface RewrittenSite {
  readonly before: string;
  readonly wanted: SiteFile;
}

/**
 * The file that says `wanted`, with the comments, the order, the spelling and the other keys that `before` has. A file with
 * faults, and one that cannot be changed in its parts, is written anew.
 */
export function keepSiteFile({ before, wanted }: RewrittenSite): string {
  const anew = writeSiteFile(wanted);
  const [former, site] = [before, anew].map((text) => readSiteFile(text).site);
  if (former === undefined || site === undefined) return anew;
  const saysIt = (text: string): boolean => isDeepStrictEqual(readSiteFile(text).site, site);
  if (isDeepStrictEqual(former, site)) return before;
  const [was, is] = editedTexts(before, former, site) ?? [];
  if (was === undefined || is === undefined) return anew;
  const merged = mergeText(was, is, before);
  return [merged, is].find(saysIt) ?? anew;
}

/** The file before and after the change, both as they are serialized; undefined where a part of it is an alias. */
function editedTexts(before: string, former: SiteFile, wanted: SiteFile): [was: string, is: string] | undefined {
  // The reader has refused keys that are there twice; to look for them again takes quadratic time.
  const document = parseDocument(before, { uniqueKeys: false });
  const root = document.contents;
  const site = isMap(root) ? root.get('site', true) : undefined;
  if (document.errors.length > 0 || !isMap(root) || !isMap(site)) return undefined;
  const style = { ...YAML_WRITING, ...styleOf(before, root, site) };
  const written = (): string => withLineEndsOf(before, document.toString(style));
  const was = written();
  const editor = new SiteEditor(document, former);
  if (!editor.edit(site, wanted) || hasDeadAlias(document)) return undefined;
  return [was, written()];
}

/** The spelling of a file: the widths of indents, a list that may stand below its key without one, and the space inside of braces. */
function styleOf(source: string, root: YAMLMap, site: YAMLMap): ToStringOptions {
  const columnOf = (node: unknown): number => {
    const offset = (node as Node | undefined)?.range?.[0] ?? 0;
    return offset - source.lastIndexOf('\n', offset - 1) - 1;
  };
  const keyOf = (map: YAMLMap, name: string): unknown =>
    map.items.find(({ key }) => isScalar(key) && key.value === name)?.key;
  const list = site.get('structure', true);
  const indent = columnOf(site) - columnOf(keyOf(root, 'site'));
  return {
    indent: site.flow !== true && indent > 0 && indent <= 8 ? indent : 2,
    flowCollectionPadding: source.includes('{ '),
    indentSeq: !isSeq(list) || list.flow === true || columnOf(list) > columnOf(keyOf(site, 'structure')),
  };
}

function hasDeadAlias(document: Document): boolean {
  let isDead = false;
  visit(document, {
    Alias: (_key, alias) => {
      isDead ||= alias.resolve(document) === undefined;
    },
  });
  return isDead;
}

type Values = Readonly<Record<string, unknown>>;

/** Changes the document of a site part by part. */
class SiteEditor {
  private readonly former: ReadonlyMap<string, SiteNode>;
  /** The mappings of the nodes that the document has. */
  private readonly maps = new Map<string, YAMLMap>();

  constructor(
    private readonly document: Document,
    private readonly was: SiteFile,
  ) {
    this.former = new Map(was.structure.flatMap(withDescendants).map((node) => [siteNodeName(node), node]));
  }

  /** False where an alias stands for a node. */
  edit(site: YAMLMap, { title, structure }: SiteFile): boolean {
    if (!this.collect(site.get('structure', true), this.was.structure)) return false;
    this.change(site, { title: this.was.title }, { title });
    this.arrange(site, 'structure', structure);
    return true;
  }

  private collect(list: unknown, nodes: readonly SiteNode[]): boolean {
    if (nodes.length === 0) return true;
    if (!isSeq(list)) return false;
    return nodes.every((node, at) => {
      const map = list.items[at];
      if (!isMap(map)) return false;
      this.maps.set(siteNodeName(node), map);
      return this.collect(map.get('children', true), childNodesOf(node));
    });
  }

  private change(map: YAMLMap, was: Values, is: Values): void {
    for (const name of Object.keys({ ...was, ...is }))
      if (!isDeepStrictEqual(was[name], is[name])) this.set(map, name, was, is);
  }

  private set(map: YAMLMap, name: string, was: Values, is: Values): void {
    const [node, before, value] = [map.get(name, true) as unknown, was[name], is[name]];
    if (value === undefined) map.delete(name);
    else if (isMap(node) && isObject(before) && isObject(value)) this.change(node, before, value);
    else if (isScalar(node) && !isObject(value)) node.value = value;
    else if (map.has(name)) map.set(name, this.document.createNode(value));
    else {
      const names = Object.keys(is);
      const earlier = new Set<unknown>(names.slice(0, names.indexOf(name)));
      const at = map.items.findLastIndex(({ key }) => isScalar(key) && earlier.has(key.value));
      map.items.splice(at + 1, 0, this.document.createPair(name, value));
    }
  }

  /** Lets a list hold the nodes, each with all that the document says of it. */
  private arrange(parent: YAMLMap, name: string, nodes: readonly SiteNode[]): void {
    const maps = nodes.map((node) => this.mapOf(node));
    const there = parent.get(name, true) as unknown;
    const known = isSeq(there) ? there.items : [];
    if (maps.length === known.length && maps.every((map, at) => map === known[at])) return;
    if (maps.length === 0) {
      parent.delete(name);
      return;
    }
    const list = isSeq(there) ? there : this.document.createNode<unknown[]>([]);
    if (list !== there) parent.set(name, list);
    if (known.length === 0) list.flow = false;
    placeItems(list, maps);
  }

  private mapOf(node: SiteNode): YAMLMap {
    const name = siteNodeName(node);
    const [map, former] = [this.maps.get(name), this.former.get(name)];
    const placed = map ?? this.document.createNode(valuesOf(node));
    if (former) this.change(placed, valuesOf(former), valuesOf(node));
    this.arrange(placed, 'children', childNodesOf(node));
    return placed;
  }
}

/** Gives a list other items, with the comment above each, and with empty lines between them where it has such. */
function placeItems(list: YAMLSeq, items: readonly YAMLMap[]): void {
  const [first, ...others] = list.items.filter((item) => isMap(item));
  const isSpaced = others.length > 0 && others.every(({ spaceBefore }) => spaceBefore === true);
  if (first && first !== items[0]) moveComment(list, first, items[0]);
  const known = new Set(others);
  items.forEach((item, at) => {
    if (item !== first || at > 0) item.spaceBefore = at > 0 && (known.has(item) ? item.spaceBefore === true : isSpaced);
  });
  list.items = [...items];
}

/** The last paragraph of the comment above a list is about its first item, and goes with it; the others stay above the list. */
function moveComment(list: YAMLSeq, first: YAMLMap, next: YAMLMap | undefined): void {
  const paragraphs = list.commentBefore?.split('\n\n') ?? [];
  const own = paragraphs.pop();
  if (own !== undefined) first.commentBefore = own;
  list.commentBefore = null;
  if (paragraphs.length === 0) return;
  const [above, below] = [paragraphs.join('\n\n'), next?.commentBefore];
  list.commentBefore = below ? `${above}\n\n${below}` : `${above}\n`;
  if (next) next.commentBefore = null;
}
