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
import { readFrontmatter, type Frontmatter, type PageLayout } from '../../../formats/markdown/frontmatter.js';
import {
  interpretMarkdown,
  parseMarkdown,
  readMarkdown,
  type MarkdownSource,
} from '../../../formats/markdown/parse.js';
import type { PlanProblem } from './plan-model.js';
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
}

/** A source file, and the data that follow from its place in the folder. */
export interface GivenSource {
  readonly path: string;
  readonly text: string;
  /** Undefined for a reusable content, which has neither title nor attributes. */
  readonly page?: { readonly title: string; readonly hidden: boolean };
}

export interface PlannedDocument {
  /** JSON of a `Document`; null for an empty one. */
  readonly json: string | null;
  /** The title in the source, in its frontmatter or first heading. */
  readonly title: string | undefined;
  readonly attributes: PlannedAttributes;
  /** Ids of the files that the page shows or links to. */
  readonly files: readonly string[];
  readonly problems: readonly PlanProblem[];
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
  const source = markdownOf(given);
  const targets = targetsOf(source);
  const found = new Map<string, FoundTarget>();
  for (let at = 0; at < targets.length; at += TARGETS_AT_ONCE) {
    const some = targets.slice(at, at + TARGETS_AT_ONCE);
    const meanings = await find(some);
    some.forEach((target, index) => found.set(target, meanings[index] ?? NOWHERE));
  }
  return documentOf(given, source, found);
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
    new Map(),
  );
}

/** The document of a source that is left out entirely. */
export function leftOutDocument({ path, page }: GivenSource, reason: string): PlannedDocument {
  const problems: PlanProblem[] = [
    { file: path, line: 1, level: 'error', message: `its content is left out: it ${reason}` },
  ];
  return {
    json: null,
    title: undefined,
    attributes: { ...(page?.hidden === true && { hidden: true }) },
    files: [],
    problems,
  };
}

interface ImportedSource extends MarkdownSource {
  /** Frontmatter of a reusable content, which is stored in its document only. */
  readonly extra?: Frontmatter['extra'];
}

function markdownOf({ text, page }: GivenSource): ImportedSource {
  if (page !== undefined) return readMarkdown(text);
  const { frontmatter, body, lines } = readFrontmatter(text);
  const source = readMarkdown(body, false);
  return {
    ...source,
    head: { ...source.head, lines },
    ...(frontmatter.extra !== undefined && { extra: frontmatter.extra }),
  };
}

/** All targets in a source whose meaning depends on the folder, without duplicates. */
function targetsOf(source: MarkdownSource): string[] {
  const targets = new Set<string>();
  const { frontmatter } = interpretMarkdown(source, (target) => {
    if (!target.startsWith(FOOTNOTE)) targets.add(target);
    return undefined;
  });
  for (const target of [
    frontmatter.cover,
    frontmatter.coverDark,
    frontmatter.metaLinks?.canonical,
    ...(frontmatter.metaLinks?.alternates ?? []),
  ])
    if (target !== undefined) targets.add(target);
  return [...targets];
}

function documentOf(
  { path, page }: GivenSource,
  source: ImportedSource,
  found: ReadonlyMap<string, FoundTarget>,
): PlannedDocument {
  const problems: PlanProblem[] = [];
  const meaning = (target: string, line: number | undefined): ContentRef | undefined => {
    const { ref, local } = found.get(target) ?? NOWHERE;
    if (ref === undefined && (local || (line === undefined && !isStorable(target))))
      problems.push({
        file: path,
        ...(line === undefined ? {} : { line }),
        level: 'warning',
        message: `${target} leads nowhere`,
      });
    return ref;
  };
  const parsed = interpretMarkdown(source, (target, _kind, line) =>
    target.startsWith(FOOTNOTE) ? undefined : meaning(target, line),
  );
  for (const problem of parsed.problems) problems.push({ file: path, level: 'notice', ...problem });
  const read = parsed.document;
  if (source.extra !== undefined) read.data.frontmatter = source.extra;
  const attributes =
    page === undefined
      ? {}
      : attributesOf(parsed.frontmatter, (target) => meaning(target, undefined) ?? addressReference(target));
  if (page?.hidden === true) attributes.hidden ??= true;
  if (page !== undefined && parsed.title !== undefined && parsed.title !== page.title) {
    const heading = read.data.heading ?? { title: parsed.title, nodes: [plain(parsed.title)] };
    read.data.heading = { ...heading, title: page.title };
  }
  const refs = [
    ...deriveDocument(read).references.map(({ ref }) => ref),
    attributes.cover?.ref,
    attributes.cover?.refDark,
  ];
  const files = new Set(refs.flatMap((ref) => (ref?.kind === 'file' ? [ref.file] : [])));
  return { json: jsonOf(read), title: parsed.title, attributes, files: [...files], problems };
}

function jsonOf(read: Document): string | null {
  const isEmpty = read.nodes.length === 0 && Object.keys(read.data).every((name) => name === 'schemaVersion');
  return isEmpty ? null : JSON.stringify({ ...read, data: { schemaVersion: SCHEMA_VERSION, ...read.data } });
}

/** Parses the JSON of a `PlannedDocument`. */
export function parsedDocument(json: string | null): Document {
  return json === null ? document([]) : (JSON.parse(json) as Document);
}

function attributesOf(frontmatter: Frontmatter, find: (target: string) => ContentRef): PlannedAttributes {
  const { cover, coverDark, coverY, coverHeight, metaLinks, title: _title, extra: _extra, ...simple } = frontmatter;
  const attributes: PlannedAttributes = { ...simple };
  const hasCover = cover !== undefined || coverDark !== undefined || coverY !== undefined || coverHeight !== undefined;
  if (hasCover) {
    attributes.cover = {
      ...(cover === undefined ? {} : { ref: fileOrUrl(find(cover), cover) }),
      ...(coverDark === undefined ? {} : { refDark: fileOrUrl(find(coverDark), coverDark) }),
      yPos: coverY ?? 0,
      ...(coverHeight === undefined ? {} : { height: coverHeight }),
    };
  }
  if (metaLinks !== undefined) {
    attributes.metaLinks = {
      ...(metaLinks.canonical === undefined ? {} : { canonical: find(metaLinks.canonical) }),
      ...(metaLinks.alternates === undefined ? {} : { alternates: metaLinks.alternates.map(find) }),
    };
  }
  return attributes;
}

function fileOrUrl(ref: ContentRef, target: string): FileOrUrlRef {
  return ref.kind === 'file' || ref.kind === 'url' ? ref : addressReference(target);
}
