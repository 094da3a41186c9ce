import { document } from '../../../formats/document/build.js';
import { contentJson } from '../../../formats/document/hash.js';
import { lineText } from '../../../formats/document/text.js';
import type { ContentRef, Document } from '../../../formats/document/types.js';
import { readFrontmatter } from '../../../formats/markdown/frontmatter.js';
import { headIn, keepFrontmatter } from '../../../formats/markdown/keep-frontmatter.js';
import { referenceUri } from '../../../formats/markdown/references.js';
import { partsOf } from '../../../formats/markdown/parse.js';
import { serializeMarkdown } from '../../../formats/markdown/serialize.js';
import { styleInside, styleOf, USUAL_STYLE, type MarkdownStyle } from '../../../formats/markdown/source-style.js';
import { keepSegments, sourceSegments, type SegmentedBody } from '../../../formats/markdown/source-segments.js';
import {
  FoundTargets,
  parsedDocument,
  parsedSource,
  plannedDocument,
  type FindTargets,
  type GivenSource,
  type ParsedSource,
  type PlannedAttributes,
} from './plan-pages.js';

/** A file to be written where there is one already. */
export interface RewrittenFile {
  /** Its path, and what follows from its place. */
  readonly place: Omit<GivenSource, 'text'>;
  /** The text that is there. */
  readonly before: string;
  /** The content that it shall have. */
  readonly wanted: Wanted;
  /** The text that the serializer writes for that in a style. */
  readonly write: (style: MarkdownStyle) => string;
  /** Values that follow from the place of a page, and need not be written. */
  readonly implied: { readonly title?: string; readonly slug?: string; readonly linkTitle?: string };
  readonly render: (ref: ContentRef) => string;
  /** Tells whether there is a page of an id. */
  readonly isThere: (page: string) => boolean;
}

/** The content of a file; a page has a title as well. */
export interface Wanted {
  readonly document: Document;
  readonly title?: string;
  readonly attributes: PlannedAttributes;
}

export interface KeptText {
  readonly text: string;
  /** True if the text that is there means the same as the serialized one. */
  readonly unchanged: boolean;
}

/**
 * The text of a file that means what is wanted, with as much as possible of the source that `before` has. Each attempt
 * is read, in the folder as it will be, and only taken if it has the same meaning. A text that is read as exactly what
 * is wanted stays without anything being written: most files of an export do.
 */
export async function keepText(file: RewrittenFile, find: FindTargets): Promise<KeptText> {
  const targets = new FoundTargets(find);
  const nowhere = new DeadLinks(file, targets);
  const reader = new Reader(file, targets, nowhere);
  const before = await reader.read(file.before);
  const wanted = wantedMeaning(file, nowhere);
  if (before.meaning === wanted) return { text: file.before, unchanged: true };
  const { style, after } = await newText(file, before, wanted, reader);
  if (before.meaning === after.meaning) return { text: file.before, unchanged: true };
  const tried = new Set([file.before]);
  for (const attempt of attempts(file, style, before, after)) {
    const text = attempt();
    if (tried.has(text) || text.includes(referenceUri(NOWHERE))) continue;
    tried.add(text);
    if (text === after.text || (await reader.read(text)).meaning === after.meaning) return { text, unchanged: false };
  }
  return { text: after.text, unchanged: false };
}

/** The text that the serializer writes in the style of the source, unless that would say something else. */
async function newText(
  file: RewrittenFile,
  { source }: Reading,
  wanted: string,
  reader: Reader,
): Promise<{ readonly style: MarkdownStyle; readonly after: Reading }> {
  const style = styleOf(source.head.body, source.tree);
  const after = await reader.read(file.write(style));
  if (after.meaning === wanted) return { style, after };
  const usual = await reader.read(file.write(USUAL_STYLE));
  return usual.meaning === after.meaning ? { style, after } : { style: USUAL_STYLE, after: usual };
}

/** A text that is read once, for everything that is asked about it. */
interface Reading {
  readonly text: string;
  readonly source: ParsedSource;
  /** Canonical: equal for texts that mean the same in their place. */
  readonly meaning: string;
  /** Undefined where the text is not read as written, such as pasted HTML. */
  readonly body: () => { readonly segments: SegmentedBody; readonly titled: boolean } | undefined;
}

class Reader {
  constructor(
    private readonly file: RewrittenFile,
    private readonly targets: FoundTargets,
    private readonly nowhere: DeadLinks,
  ) {}

  async read(text: string): Promise<Reading> {
    const { place, implied } = this.file;
    const source = parsedSource({ ...place, text });
    const { json, title, attributes } = await plannedDocument({ ...place, text }, source, this.targets);
    return {
      text,
      source,
      meaning: meaningOf(
        { document: this.nowhere.in(parsedDocument(json)), ...(title !== undefined && { title }), attributes },
        implied,
      ),
      body: () => this.bodyOf(text, source),
    };
  }

  private bodyOf(text: string, source: ParsedSource): ReturnType<Reading['body']> {
    const { body } = source.head;
    if (source.fault !== undefined || readFrontmatter(text).body !== body) return undefined;
    const parts = partsOf(source, (target) => this.targets.get(target)?.ref);
    const segments = sourceSegments(
      body,
      parts.map(({ line, blocks }) => ({ line, blocks: this.nowhere.in(blocks) })),
    );
    const first = segments.segments[0]?.blocks[0];
    const titled =
      this.file.place.page === undefined ||
      (first?.type === 'heading-1' && source.head.frontmatter.title === undefined);
    return { segments, titled };
  }
}

/**
 * Links that lead nowhere mean the same: where a page has been deleted, the links of others to it stay as written, as
 * they would in a repository.
 */
class DeadLinks {
  private readonly hasSome: boolean;

  constructor(
    private readonly file: RewrittenFile,
    private readonly targets: FoundTargets,
  ) {
    this.hasSome = this.isAnyIn(file.wanted.document);
  }

  /** A copy of a value in which each of them is the same reference. */
  in<T>(value: T): T {
    return this.hasSome ? (this.replaced(value) as T) : value;
  }

  private isAnyIn(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return false;
    return this.isGone(value) || Object.values(value).some((each) => this.isAnyIn(each));
  }

  private replaced(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.replaced(each));
    if (typeof value !== 'object' || value === null) return value;
    if (this.isGone(value) || this.isUnfound(value)) return NOWHERE;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.replaced(each)]));
  }

  /** A reference to a page of the space that is not there. */
  private isGone(value: object): boolean {
    const { kind, page, space } = value as Partial<Record<'kind' | 'page' | 'space', unknown>>;
    const isOfPage = (kind === 'page' || kind === 'anchor') && typeof page === 'string' && space === undefined;
    return isOfPage && !this.file.isThere(page);
  }

  private isUnfound(value: object): boolean {
    const { kind, url } = value as Partial<Record<'kind' | 'url', unknown>>;
    const found = kind === 'url' && typeof url === 'string' ? this.targets.get(url) : undefined;
    return found !== undefined && found.local && found.ref === undefined;
  }
}

const NOWHERE: ContentRef = { kind: 'page', page: '' };

function meaningOf({ document: content, title, attributes }: Wanted, implied: RewrittenFile['implied']): string {
  const { slug, linkTitle, ...others } = attributes;
  return contentJson({
    document: content,
    // A title or name that is what the place says anyway need not be written.
    title: implied.title === undefined ? undefined : (title ?? implied.title),
    slug: slug === implied.slug ? undefined : slug,
    linkTitle: linkTitle === implied.linkTitle ? undefined : linkTitle,
    ...others,
  });
}

function wantedMeaning({ wanted, implied }: RewrittenFile, nowhere: DeadLinks): string {
  const { heading } = wanted.document.data;
  // A heading with more than plain text is written in the place of the title.
  const title = heading !== undefined && heading.title === wanted.title ? lineText(heading.nodes).trim() : wanted.title;
  return meaningOf(
    { ...wanted, document: nowhere.in(wanted.document), ...(title !== undefined && { title }) },
    implied,
  );
}

/** From the one that keeps the most to the one that keeps the least. */
function attempts(
  { render }: RewrittenFile,
  style: MarkdownStyle,
  before: Reading,
  after: Reading,
): readonly (() => string)[] {
  const [was, is] = [before.body(), after.body()];
  if (was === undefined || is === undefined) return [];
  const segments = was.titled ? is.segments : { ...is.segments, segments: is.segments.segments.slice(1) };
  const write = (blocks: Parameters<typeof document>[0]): string =>
    serializeMarkdown(document(blocks), { render, style: styleInside(style) });
  const head = keepFrontmatter(headIn(before.text), headIn(after.text));
  const body = (inside: boolean, next = segments): string => keepSegments(was.segments, next, { write, inside });
  return [
    () => head + body(true),
    () => head + body(false),
    () => head + body(true, is.segments),
    () => head + body(false, is.segments),
    () => headIn(after.text) + body(false, is.segments),
  ];
}
