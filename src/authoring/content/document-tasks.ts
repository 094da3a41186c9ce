import { LRUCache } from 'lru-cache';
import { workerTask } from '../../kernel/platform/workers/worker-task.js';
import { keyed, toNewDocument } from './document-codec.js';
import type { NewDocument } from './document-store.js';
import type { PageAttributes } from './domain/content-change.js';
import { withBlockIds } from '../../formats/document/block-ids.js';
import { normalizeDocument } from '../../formats/document/normalize-document.js';
import { evaluateDocument, expressionsIn, type DocumentScope } from '../../formats/document/evaluate.js';
import { contentJson } from '../../formats/document/hash.js';
import { MAX_NODES } from '../../formats/document/node-kinds.js';
import type { ContentRef, Document } from '../../formats/document/types.js';
import { hasTooManyNodes, validateDocument, validateStored } from '../../formats/document/validate.js';
import { addressReference } from '../../formats/document/link-target.js';
import { revertBlocks } from './domain/revert-blocks.js';
import { COMMENT_PARSE_LIMITS, PAGE_PARSE_LIMITS, readingSize } from '../../formats/markdown/parse-limits.js';
import type { ResolveTarget, TargetKind } from '../../formats/markdown/parse-context.js';
import type { Frontmatter } from '../../formats/markdown/frontmatter.js';
import {
  interpretMarkdown,
  interpretWithLines,
  readMarkdown,
  type MarkdownSource,
  type ParsedMarkdown,
} from '../../formats/markdown/parse.js';
import { serializeMarkdown } from '../../formats/markdown/serialize.js';

/* Processing of whole documents, as functions of texts that any thread can run. */

/** A document as given by a caller: Markdown, or the JSON of a document. */
export type GivenDocument =
  | {
      readonly markdown: string;
      /** Pages take their title and attributes from their source, comments have narrower limits. */ readonly of:
        'page' | 'reusable' | 'comment';
    }
  | { readonly json: string };

export interface MarkdownTarget {
  readonly target: string;
  readonly kind: TargetKind;
}

/** The meaning of a target, as a `ResolveTarget` returns it. */
export interface ResolvedTarget extends MarkdownTarget {
  readonly ref: ContentRef | null | undefined;
}

/** The reason why a document is refused: `path` begins at `markdown` or `document`. */
export interface Refused {
  readonly fault: { readonly path: string; readonly message: string };
}

/** The document of an input, null for an empty one, and the page attributes in its Markdown. */
export interface Interpreted {
  readonly document: Document | null;
  readonly attributes: PageAttributes;
}

/** An interpreted document as it is stored, its blocks with their keys. */
export interface MadeDocument {
  readonly document: NewDocument | null;
  readonly attributes: PageAttributes;
}

export interface InterpretOrder {
  readonly given: GivenDocument;
  readonly resolved: readonly ResolvedTarget[];
}

export interface MakeOrder extends InterpretOrder {
  /** The JSON of the replaced document, whose block keys are reused. */
  readonly previous?: string | undefined;
}

/** Two versions of a document as JSON, undefined if it was empty, and the keys of the blocks to revert. */
export interface RevertOrder {
  readonly now: string | undefined;
  readonly then: string | undefined;
  readonly keys: readonly string[];
}

/**
 * A Markdown text is parsed when its targets are collected and interpreted once they are resolved: each thread caches
 * the latest ones in between.
 */
const sources = new LRUCache<string, MarkdownSource>({
  max: 50,
  maxSize: 2 * 1024 ** 2,
  sizeCalculation: (_, key) => key.length,
});

/** The targets of a document whose meaning depends on the space; or the reason why the document is refused. */
export function findTargets(given: GivenDocument): readonly MarkdownTarget[] | Refused {
  const found = new Map<string, MarkdownTarget>();
  const interpreted = interpreting(given, (target, kind) => void found.set(`${kind} ${target}`, { target, kind }));
  return 'fault' in interpreted ? interpreted : [...found.values()];
}

/** Interprets an input, given the meaning of its targets. */
export function interpretDocument({ given, resolved }: InterpretOrder): Interpreted | Refused {
  return interpreting(given, resolvedBy(resolved));
}

function resolvedBy(resolved: readonly ResolvedTarget[]): ResolveTarget {
  const refs = new Map(resolved.map(({ target, kind, ref }) => [`${kind} ${target}`, ref]));
  return (target, kind) => refs.get(`${kind} ${target}`);
}

/** As `interpretDocument`, ready to be stored. */
export function makeDocument({ previous, ...order }: MakeOrder): MadeDocument | Refused {
  const interpreted = interpretDocument(order);
  if ('fault' in interpreted) return interpreted;
  const { document, attributes } = interpreted;
  return {
    document:
      document &&
      toNewDocument(keyed(document, previous === undefined ? undefined : (JSON.parse(previous) as Document))),
    attributes,
  };
}

/**
 * The next version of a document, as JSON, ready to be stored; undefined if its content equals the previous one, whose
 * hash it then has.
 */
export function nextVersion({
  json,
  previous,
}: {
  readonly json: string;
  readonly previous: string | undefined;
}): NewDocument | Refused | undefined {
  const complete = normalizeDocument(JSON.parse(json) as Document);
  const before = previous === undefined ? undefined : (JSON.parse(previous) as Document);
  if (before && contentJson(before) === contentJson(complete)) return undefined;
  const [fault] = validateStored(complete);
  return fault ? { fault } : toNewDocument(keyed(complete, before));
}

/** The current version of a document with some blocks reverted, ready to be stored; undefined if it becomes empty. */
export function withRevertedBlocks({ now, then, keys }: RevertOrder): NewDocument | undefined {
  const [present, earlier] = [now, then].map((json) =>
    json === undefined ? undefined : (JSON.parse(json) as Document),
  );
  const frame = present ?? earlier;
  const nodes = revertBlocks(present?.nodes ?? [], earlier?.nodes ?? [], new Set(keys));
  return frame && nodes.length > 0 ? toNewDocument({ ...frame, nodes }) : undefined;
}

/** A page of Markdown, as it would be read, without being stored. */
export interface PreviewDocument {
  /** JSON; the key of each block is the line of the source that it begins with. */
  readonly document: string;
  readonly title?: string;
}

export interface PreviewOrder {
  readonly markdown: string;
  readonly resolved: readonly ResolvedTarget[];
}

/** Interprets the Markdown of a page, given the meaning of its targets, for a preview beside its source. */
export function previewDocument({ markdown, resolved }: PreviewOrder): PreviewDocument | Refused {
  const source = sourceOf(markdown, 'page');
  const refused = (message: string): Refused => ({ fault: { path: 'markdown', message } });
  if (source.fault !== undefined) return refused(source.fault);
  const { parsed, lines } = interpretWithLines(source, resolvedBy(resolved));
  if (hasTooManyNodes(parsed.document)) return refused(`makes more than ${MAX_NODES} nodes`);
  const document: Document = {
    ...parsed.document,
    nodes: parsed.document.nodes.map((block, index) => ({ ...block, key: String(lines[index] ?? '') })),
  };
  return {
    document: JSON.stringify(document),
    ...(parsed.title !== undefined && { title: parsed.title }),
  };
}

/** The Markdown of a document, with its references in their written form. */
export function documentMarkdown(json: string): string {
  return serializeMarkdown(JSON.parse(json) as Document);
}

/** The JSON of a document in which expressions are replaced by their values. */
export function evaluatedJson({ json, scope }: { readonly json: string; readonly scope: DocumentScope }): string {
  return JSON.stringify(evaluateDocument(JSON.parse(json) as Document, scope));
}

/** The JSON of a document in which blocks that can be linked to have their ids. */
export function jsonWithIds(json: string): string {
  return JSON.stringify(withBlockIds(JSON.parse(json) as Document));
}

/** A document in JSON is about four times as long as its Markdown. */
const JSON_LENGTH = 4;
/** Giving ids to blocks, or comparing them, only copies them, which costs a quarter of what reading a document does. */
const COPIED_JSON_LENGTH = 16;
/** Characters of a document that take as long as the most expensive expression may. */
const EXPRESSION_LENGTH = 400;
export const sizeOfGiven = (given: GivenDocument): number =>
  'markdown' in given ? readingSize(given.markdown) : given.json.length / JSON_LENGTH;

export const FIND_TARGETS = workerTask(import.meta.url, findTargets, { size: sizeOfGiven });
export const INTERPRET_DOCUMENT = workerTask(import.meta.url, interpretDocument, {
  size: ({ given }) => sizeOfGiven(given),
});
export const MAKE_DOCUMENT = workerTask(import.meta.url, makeDocument, {
  size: ({ given, previous = '' }) => Math.max(sizeOfGiven(given), previous.length / COPIED_JSON_LENGTH),
});
export const NEXT_VERSION = workerTask(import.meta.url, nextVersion, {
  size: ({ json, previous = '' }) => Math.max(json.length, previous.length) / JSON_LENGTH,
});
export const REVERT_BLOCKS = workerTask(import.meta.url, withRevertedBlocks, {
  size: ({ now = '', then = '' }) => Math.max(now.length, then.length) / JSON_LENGTH,
});
export const DOCUMENT_MARKDOWN = workerTask(import.meta.url, documentMarkdown, {
  size: (json) => json.length / JSON_LENGTH,
});
/** A document of 64 KB takes about half a millisecond, which is less than its way to a thread and back. */
export const JSON_WITH_IDS = workerTask(import.meta.url, jsonWithIds, {
  size: (json) => json.length / COPIED_JSON_LENGTH,
});
export const PREVIEW_DOCUMENT = workerTask(import.meta.url, previewDocument, {
  size: ({ markdown }: PreviewOrder) => readingSize(markdown),
});
export const EVALUATED_JSON = workerTask(import.meta.url, evaluatedJson, {
  size: ({ json }) => json.length / JSON_LENGTH + EXPRESSION_LENGTH * expressionsIn(json),
});

function interpreting(given: GivenDocument, resolve: ResolveTarget): Interpreted | Refused {
  return 'json' in given ? ofJson(given.json) : ofMarkdown(given, resolve);
}

function ofJson(json: string): Interpreted | Refused {
  const document = JSON.parse(json) as Document;
  const [fault] = validateDocument(document);
  if (fault)
    return { fault: { path: fault.path === '' ? 'document' : `document.${fault.path}`, message: fault.message } };
  return { document: saysNothing(document) ? null : normalizeDocument(document), attributes: {} };
}

function ofMarkdown(
  { markdown, of }: Extract<GivenDocument, { markdown: string }>,
  resolve: ResolveTarget,
): Interpreted | Refused {
  const source = sourceOf(markdown, of);
  const refused = (message: string): Refused => ({ fault: { path: 'markdown', message } });
  if (source.fault !== undefined) return refused(source.fault);
  const parsed = interpretMarkdown(source, resolve);
  if (hasTooManyNodes(parsed.document)) return refused(`makes more than ${MAX_NODES} nodes`);
  return {
    document: saysNothing(parsed.document) ? null : parsed.document,
    attributes: of === 'page' ? attributesOf(parsed, resolve) : {},
  };
}

function sourceOf(markdown: string, of: Extract<GivenDocument, { markdown: string }>['of']): MarkdownSource {
  const key = `${of} ${markdown}`;
  const source =
    sources.get(key) ??
    readMarkdown(markdown, of === 'page', of === 'comment' ? COMMENT_PARSE_LIMITS : PAGE_PARSE_LIMITS);
  sources.set(key, source);
  return source;
}

/** Tells whether a document has neither blocks nor other data of its source. */
export function saysNothing({ nodes, data }: Document): boolean {
  return nodes.length === 0 && Object.keys(data).every((name) => name === 'schemaVersion');
}

/** The page attributes in front matter and first heading. */
function attributesOf({ frontmatter, title }: ParsedMarkdown, resolve: ResolveTarget): PageAttributes {
  const {
    cover: _cover,
    coverDark: _coverDark,
    coverY: _y,
    coverHeight: _height,
    metaLinks,
    extra: _extra,
    ...simple
  } = frontmatter;
  const cover = coverOf(frontmatter, resolve);
  return {
    ...simple,
    ...(title !== undefined && title.trim() !== '' && { title: title.trim() }),
    ...(cover && { cover }),
    ...(metaLinks && {
      metaLinks: {
        ...(metaLinks.canonical !== undefined && { canonical: reference(metaLinks.canonical, resolve) }),
        ...(metaLinks.alternates && { alternates: metaLinks.alternates.map((target) => reference(target, resolve)) }),
      },
    }),
  };
}

function coverOf({ cover, coverDark, coverY, coverHeight }: Frontmatter, resolve: ResolveTarget): object | undefined {
  if (cover === undefined && coverDark === undefined) return undefined;
  return {
    ...(cover !== undefined && { ref: reference(cover, resolve, 'image') }),
    ...(coverDark !== undefined && { refDark: reference(coverDark, resolve, 'image') }),
    yPos: coverY ?? 0,
    ...(coverHeight !== undefined && { height: coverHeight }),
  };
}

function reference(target: string, resolve: ResolveTarget, kind: 'link' | 'image' = 'link'): ContentRef {
  return resolve(target, kind, 1) ?? addressReference(target);
}
