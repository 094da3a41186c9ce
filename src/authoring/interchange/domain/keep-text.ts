import { document } from '../../../formats/document/build.js';
import { contentJson } from '../../../formats/document/hash.js';
import type { ContentRef } from '../../../formats/document/types.js';
import { readFrontmatter } from '../../../formats/markdown/frontmatter.js';
import { headIn, keepFrontmatter } from '../../../formats/markdown/keep-frontmatter.js';
import { partsOf, readMarkdown } from '../../../formats/markdown/parse.js';
import { serializeMarkdown } from '../../../formats/markdown/serialize.js';
import type { MarkdownStyle } from '../../../formats/markdown/source-style.js';
import { keepSegments, sourceSegments, type SegmentedBody } from '../../../formats/markdown/source-segments.js';
import type { FindTargets, GivenSource } from './plan-pages.js';
import { foundTargets, parsedDocument, readPlannedDocument } from './plan-pages.js';
import type { FoundTarget } from './targets.js';

/** A file to be written where there is one already. */
export interface RewrittenFile {
  /** Its path, and what follows from its place. */
  readonly place: Omit<GivenSource, 'text'>;
  /** The text that is there, its style, and the text that the serializer has written in that. */
  readonly before: string;
  readonly style: MarkdownStyle;
  readonly after: string;
  /** Values that follow from the place of a page, and need not be written. */
  readonly implied: { readonly title?: string; readonly slug?: string; readonly linkTitle?: string };
  readonly render: (ref: ContentRef) => string;
}

export interface KeptText {
  readonly text: string;
  /** True if the text that is there means the same as the serialized one. */
  readonly unchanged: boolean;
}

/**
 * The text of a file that means what `after` means, with as much as possible of the source that `before` has. Each
 * attempt is read, in the folder as it will be, and only taken if it has the same meaning.
 */
export async function keepText(file: RewrittenFile, find: FindTargets): Promise<KeptText> {
  const { before, after } = file;
  const wanted = await meaningOf(after, file, find);
  if (before === after || (await meaningOf(before, file, find)) === wanted) return { text: before, unchanged: true };
  const tried = new Set([before]);
  for (const attempt of await attempts(file, find)) {
    const text = attempt();
    if (tried.has(text)) continue;
    tried.add(text);
    if ((await meaningOf(text, file, find)) === wanted) return { text, unchanged: false };
  }
  return { text: after, unchanged: false };
}

async function meaningOf(text: string, { place, implied }: RewrittenFile, find: FindTargets): Promise<string> {
  const { json, title, attributes } = await readPlannedDocument({ ...place, text }, find);
  const { slug, linkTitle, ...others } = attributes;
  return contentJson({
    document: parsedDocument(json),
    // A title or name that is what the place says anyway need not be written.
    title: implied.title === undefined ? undefined : (title ?? implied.title),
    slug: slug === implied.slug ? undefined : slug,
    linkTitle: linkTitle === implied.linkTitle ? undefined : linkTitle,
    ...others,
  });
}

/** From the one that keeps the most to the one that keeps the least. */
async function attempts(file: RewrittenFile, find: FindTargets): Promise<(() => string)[]> {
  const { before, after, render, style } = file;
  const [was, is] = [await bodyOf(before, file, find), await bodyOf(after, file, find)];
  if (was === undefined || is === undefined) return [];
  const segments = was.titled ? is.segments : { ...is.segments, segments: is.segments.segments.slice(1) };
  const write = (blocks: Parameters<typeof document>[0]): string =>
    serializeMarkdown(document(blocks), { render, style });
  const head = keepFrontmatter(headIn(before), headIn(after));
  const body = (inside: boolean, next = segments): string => keepSegments(was.segments, next, { write, inside });
  return [
    () => head + body(true),
    () => head + body(false),
    () => head + body(true, is.segments),
    () => head + body(false, is.segments),
    () => headIn(after) + body(false, is.segments),
  ];
}

/** Undefined where the text is not read as written, such as pasted HTML. */
async function bodyOf(
  text: string,
  { place }: RewrittenFile,
  find: FindTargets,
): Promise<{ segments: SegmentedBody; titled: boolean } | undefined> {
  const { body, frontmatter } = readFrontmatter(text);
  const source = readMarkdown(body, false);
  if (source.head.body !== body || source.fault !== undefined) return undefined;
  const found = await foundTargets(source, find);
  const segments = sourceSegments(
    body,
    partsOf(source, (target) => (found.get(target) ?? NOWHERE).ref),
  );
  const first = segments.segments[0]?.blocks[0];
  const titled = place.page === undefined || (first?.type === 'heading-1' && frontmatter.title === undefined);
  return { segments, titled };
}

const NOWHERE: FoundTarget = { local: false };
