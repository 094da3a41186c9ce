import type { Nodes } from 'mdast';
import { document, plain } from '../../../formats/document/build.js';
import { deriveDocument } from '../../../formats/document/derive.js';
import type { ComputedSource } from '../../../formats/document/computed-source.js';
import {
  RAW_SYNTAX,
  SCHEMA_VERSION,
  type ContentRef,
  type Document,
  type FileOrUrlRef,
} from '../../../formats/document/types.js';
import { addressReference, isStorable } from '../../../formats/document/link-target.js';
import { MAX_PAGE_TAGS } from '../../content/domain/tag-changes.js';
import type { PageTag } from '../../content/domain/tags.js';
import type { DialectName } from '../../../formats/markdown/dialects/dialect.js';
import { PAGE_PARSE_LIMITS } from '../../../formats/markdown/parse-limits.js';
import { readFrontmatter, type Frontmatter, type PageLayout } from '../../../formats/markdown/frontmatter.js';
import {
  interpretMarkdown,
  parseMarkdown,
  readMarkdown,
  type MarkdownSource,
} from '../../../formats/markdown/parse.js';
import type { Place, TargetKind } from '../../../formats/markdown/parse-context.js';
import type { PlanProblem } from './plan-model.js';
import { MISSING_TARGET } from './rules.js';
import { splitPageTags } from './tags-file.js';
import type { FoundTarget } from './targets.js';

/** The attributes in the frontmatter of a page, with its references resolved. */
export interface PlannedAttributes {
  description?: string;
  icon?: string;
  emoji?: string;
  slug?: string;
  linkTitle?: string;
  hidden?: boolean;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
  condition?: string;
  layout?: PageLayout;
  cover?: { ref?: FileOrUrlRef; refDark?: FileOrUrlRef; yPos: number; height?: number };
  variables?: Record<string, string | number | boolean>;
  metaLinks?: { canonical?: ContentRef; alternates?: ContentRef[] };
  computed?: ComputedSource;
  /** Those that the folder defines. */
  tags?: readonly PageTag[];
}

/** A source file, and the data that follow from its place in the folder. */
export interface GivenSource {
  readonly path: string;
  readonly text: string;
  /** Undefined for a reusable content, which has neither title nor attributes. */
  readonly page?: { readonly title: string; readonly hidden: boolean };
  /** The slugs of the tags that pages can have. */
  readonly tags?: readonly string[] | undefined;
  /** The tool that the folder was written for, if that is another one. */
  readonly dialect?: DialectName | undefined;
  /** True if the document itself is not needed, only what is known of it. */
  readonly isChecked?: boolean;
}

export interface PlannedDocument {
  /** JSON of a `Document`; null for an empty one, and for one that is only checked. */
  readonly json: string | null;
  /** The title in the source, in its frontmatter or first heading. */
  readonly title: string | undefined;
  readonly attributes: PlannedAttributes;
  /** Ids of the files that the page shows or links to. */
  readonly files: readonly string[];
  /** Ids of those of them that blocks of an API are made from. */
  readonly specifications: readonly string[];
  /** Ids of the reusable contents that it includes. */
  readonly includes: readonly string[];
  /** The anchors of its own blocks; undefined for a computed page, which can have any. */
  readonly anchors: readonly string[] | undefined;
  readonly anchorLinks: readonly AnchorLink[];
  readonly problems: readonly PlanProblem[];
}

/** A link to an anchor, of the same page if it names none; `target` is as written. */
export interface AnchorLink extends Place {
  readonly page: string | undefined;
  readonly anchor: string;
  readonly target: string;
}

/** Resolves targets, in order. */
export type FindTargets = (targets: readonly string[]) => readonly FoundTarget[] | Promise<readonly FoundTarget[]>;

/** Targets that are resolved at once. */
const TARGETS_AT_ONCE = 1000;
const FOOTNOTE = '#user-content-fn-';
const NOWHERE: FoundTarget = { local: false };

/** The title in a page's source, '' if it has none. */
export function titleOf(source: string): string {
  const { frontmatter, body } = readFrontmatter(source);
  if (frontmatter.title !== undefined) return frontmatter.title;
  const beginning = body.trimStart().split(/\n[ \t]*\r?\n/, 1)[0] ?? '';
  return parseMarkdown(beginning).title ?? '';
}

/** Reads the document of a source file, once its targets are resolved. */
export async function readPlannedDocument(given: GivenSource, find: FindTargets): Promise<PlannedDocument> {
  return plannedDocument(given, parsedSource(given), new FoundTargets(find));
}

/** The document of a source that is parsed. */
export async function plannedDocument(
  given: GivenSource,
  source: ParsedSource,
  targets: FoundTargets,
): Promise<PlannedDocument> {
  await targets.find(linkedFrom(source.tree));
  const unknown = new Set<string>();
  const meaningOf = (target: string): FoundTarget => {
    const found = targets.get(target);
    if (found === undefined) unknown.add(target);
    return found ?? NOWHERE;
  };
  const read = documentOf(given, source, meaningOf);
  if (unknown.size === 0) return read;
  await targets.find(unknown);
  return documentOf(given, source, meaningOf);
}

/** The targets of the links and images of a tree, and of most attributes: those that are found late cost a second reading. */
function linkedFrom(tree: Nodes): Set<string> {
  const targets = new Set<string>();
  const visit = (node: Nodes): void => {
    if (node.type === 'link' || node.type === 'image' || node.type === 'definition') targets.add(node.url);
    if (node.type === 'html' || node.type === 'tagLine')
      for (const [, target = ''] of node.value.matchAll(TARGET_ATTRIBUTE)) targets.add(target);
    if ('children' in node) node.children.forEach(visit);
  };
  visit(tree);
  return targets;
}

const TARGET_ATTRIBUTE = /\s(?:href|src|srcset|url)=["']([^"']+)["']/g;

/** The meanings of targets, each of which is asked for once. */
export class FoundTargets {
  private readonly found = new Map<string, FoundTarget>();

  constructor(private readonly ask: FindTargets) {}

  get(target: string): FoundTarget | undefined {
    return this.found.get(target);
  }

  async find(targets: Iterable<string>): Promise<void> {
    const all = [...targets].filter((target) => !this.found.has(target));
    for (let at = 0; at < all.length; at += TARGETS_AT_ONCE) {
      const some = all.slice(at, at + TARGETS_AT_ONCE);
      const meanings = await this.ask(some);
      some.forEach((target, index) => this.found.set(target, meanings[index] ?? NOWHERE));
    }
  }
}

/** The document of a source that cannot be parsed: it contains the source verbatim. */
export function keptDocument(given: GivenSource, reason: string): PlannedDocument {
  const root: MarkdownSource['tree'] = {
    type: 'root',
    children: [{ type: 'code', lang: RAW_SYNTAX, value: given.text }],
  };
  const isPage = given.page !== undefined;
  return documentOf(
    given,
    { isPage, head: { frontmatter: {}, body: given.text, lines: 0 }, tree: root, fault: reason },
    () => NOWHERE,
  );
}

/** The document of a source that is left out entirely. */
export function leftOutDocument({ path, page }: GivenSource, reason: string): PlannedDocument {
  const problems: PlanProblem[] = [
    { file: path, line: 1, level: 'error', rule: 'unreadable-text', message: `its content is left out: it ${reason}` },
  ];
  return {
    json: null,
    title: undefined,
    attributes: { ...(page?.hidden === true && { hidden: true }) },
    files: [],
    specifications: [],
    includes: [],
    anchors: [],
    anchorLinks: [],
    problems,
  };
}

/** A source file that is parsed, whose targets are not resolved yet. */
export interface ParsedSource extends MarkdownSource {
  /** Frontmatter of a reusable content, which is stored in its document only. */
  readonly extra?: Frontmatter['extra'];
}

/** Parses a source file, which is most of the work of reading it. */
export function parsedSource({ text, page, dialect }: GivenSource): ParsedSource {
  if (page !== undefined) return readMarkdown(text, true, PAGE_PARSE_LIMITS, dialect);
  const { frontmatter, body, lines } = readFrontmatter(text);
  const source = readMarkdown(body, false, PAGE_PARSE_LIMITS, dialect);
  return {
    ...source,
    head: { ...source.head, lines },
    ...(frontmatter.extra !== undefined && { extra: frontmatter.extra }),
  };
}

function documentOf(
  { path, page, tags, isChecked }: GivenSource,
  source: ParsedSource,
  find: (target: string) => FoundTarget,
): PlannedDocument {
  const problems: PlanProblem[] = [];
  const specifications = new Set<string>();
  const anchorLinks: AnchorLink[] = [];
  /** Without a place for a target in the front matter. */
  const meaning = (target: string, kind: TargetKind, place?: Place): ContentRef | undefined => {
    const { ref, local } = find(target);
    if (ref === undefined && (local || (place === undefined && !isStorable(target))))
      problems.push({
        file: path,
        ...(place && { line: place.line, ...(place.column !== undefined && { column: place.column }) }),
        level: 'warning',
        rule: MISSING_TARGET[kind],
        message: `${target} leads nowhere`,
      });
    if (ref?.kind === 'file' && kind === 'openapi') specifications.add(ref.file);
    if (ref?.kind === 'anchor' && ref.space === undefined)
      anchorLinks.push({ line: 1, ...place, page: ref.page, anchor: ref.anchor, target });
    return ref;
  };
  const parsed = interpretMarkdown(source, (target, kind, line, column) =>
    target.startsWith(FOOTNOTE) ? undefined : meaning(target, kind, { line, column }),
  );
  for (const problem of parsed.problems) problems.push({ file: path, level: 'notice', ...problem });
  const read = parsed.document;
  if (source.extra !== undefined) read.data.frontmatter = source.extra;
  const attributes =
    page === undefined
      ? {}
      : attributesOf(parsed.frontmatter, (target, kind) => meaning(target, kind) ?? addressReference(target));
  if (page?.hidden === true) attributes.hidden ??= true;
  if (page !== undefined) addTags(attributes, takeTags(read, tags), { path, problems });
  if (page !== undefined && parsed.title !== undefined && parsed.title !== page.title) {
    const heading = read.data.heading ?? { title: parsed.title, nodes: [plain(parsed.title)] };
    read.data.heading = { ...heading, title: page.title };
  }
  const derived = deriveDocument(read);
  const refs = [...derived.references.map(({ ref }) => ref), attributes.cover?.ref, attributes.cover?.refDark];
  const files = new Set(refs.flatMap((ref) => (ref?.kind === 'file' ? [ref.file] : [])));
  return {
    json: isChecked === true ? null : jsonOf(read),
    title: parsed.title,
    attributes,
    files: [...files],
    specifications: [...specifications],
    includes: refs.flatMap((ref) => (ref?.kind === 'reusable-content' ? [ref.reusableContent] : [])),
    anchors: attributes.computed === undefined ? derived.anchors : undefined,
    anchorLinks,
    problems,
  };
}

function addTags(
  attributes: PlannedAttributes,
  named: readonly PageTag[],
  { path, problems }: { readonly path: string; readonly problems: PlanProblem[] },
): void {
  if (named.length > 0) attributes.tags = named.slice(0, MAX_PAGE_TAGS);
  if (named.length > MAX_PAGE_TAGS)
    problems.push({
      file: path,
      line: 1,
      level: 'warning',
      rule: 'front-matter',
      message: `a page has at most ${MAX_PAGE_TAGS} tags, so the others are left out`,
    });
}

/** Takes the tags that the folder defines out of the front matter that a document keeps. */
function takeTags({ data }: Document, defined: readonly string[] = []): readonly PageTag[] {
  const { tags: written, ...kept } = data.frontmatter ?? {};
  const split = defined.length === 0 ? undefined : splitPageTags(written, new Set(defined));
  if (split === undefined || split.tags.length === 0) return [];
  const others = split.others.length === 0 ? kept : { ...kept, tags: split.others };
  if (Object.keys(others).length === 0) delete data.frontmatter;
  else data.frontmatter = others;
  return split.tags;
}

function jsonOf(read: Document): string | null {
  const isEmpty = read.nodes.length === 0 && Object.keys(read.data).every((name) => name === 'schemaVersion');
  return isEmpty ? null : JSON.stringify({ ...read, data: { schemaVersion: SCHEMA_VERSION, ...read.data } });
}

/** Parses the JSON of a `PlannedDocument`. */
export function parsedDocument(json: string | null): Document {
  return json === null ? document([]) : (JSON.parse(json) as Document);
}

function attributesOf(
  frontmatter: Frontmatter,
  find: (target: string, kind: TargetKind) => ContentRef,
): PlannedAttributes {
  const { cover, coverDark, coverY, coverHeight, metaLinks, title: _title, extra: _extra, ...simple } = frontmatter;
  const attributes: PlannedAttributes = { ...simple };
  const hasCover = cover !== undefined || coverDark !== undefined || coverY !== undefined || coverHeight !== undefined;
  if (hasCover) {
    attributes.cover = {
      ...(cover === undefined ? {} : { ref: fileOrUrl(find(cover, 'image'), cover) }),
      ...(coverDark === undefined ? {} : { refDark: fileOrUrl(find(coverDark, 'image'), coverDark) }),
      yPos: coverY ?? 0,
      ...(coverHeight === undefined ? {} : { height: coverHeight }),
    };
  }
  if (metaLinks !== undefined) {
    attributes.metaLinks = {
      ...(metaLinks.canonical === undefined ? {} : { canonical: find(metaLinks.canonical, 'link') }),
      ...(metaLinks.alternates === undefined
        ? {}
        : { alternates: metaLinks.alternates.map((target) => find(target, 'link')) }),
    };
  }
  return attributes;
}

function fileOrUrl(ref: ContentRef, target: string): FileOrUrlRef {
  return ref.kind === 'file' || ref.kind === 'url' ? ref : addressReference(target);
}
