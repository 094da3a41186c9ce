import { Injectable } from '@nestjs/common';
import type { DocumentInput } from './change-input.js';
import type { Point } from './content-store.js';
import { keyed, toNewDocument } from './document-codec.js';
import { DocumentStore, type NewDocument } from './document-store.js';
import { ChangeFault, type PageAttributes, type WrittenDocument } from './domain/change.js';
import type { ContentRef, Document } from './domain/document/types.js';
import { validateDocument } from './domain/document/validate.js';
import { LinkTargets, type BatchRef, type WrittenTarget } from './link-targets.js';
import type { ResolveTarget } from './markdown/context.js';
import type { Frontmatter } from './markdown/frontmatter.js';
import { parseMarkdown, type ParsedMarkdown } from './markdown/parse.js';

/** A document of a batch that is still to be read. */
export interface UnreadDocument {
  /** The change that it belongs to. */
  readonly index: number;
  readonly input: DocumentInput;
  /** The document that it replaces, whose blocks lend their keys. */
  readonly previous: string | null;
  /** The path of the folder that relative links start from. */
  readonly directory: string;
  /** Pages take their title and attributes from Markdown; reusable contents do not. */
  readonly isPage: boolean;
}

export interface ReadDocuments {
  /** By the index of the change. */
  readonly written: ReadonlyMap<number, WrittenDocument>;
  readonly documents: readonly NewDocument[];
}

/** Reads the documents of a batch: Markdown with its links resolved, or documents checked against the model. */
@Injectable()
export class DocumentReader {
  constructor(
    private readonly targets: LinkTargets,
    private readonly store: DocumentStore,
  ) {}

  /** Throws `ChangeFault` with the index of the change whose document is not valid. */
  async read(point: Point, unread: readonly UnreadDocument[], refs: ReadonlyMap<string, BatchRef>): Promise<ReadDocuments> {
    const resolvers = await this.targets.resolve(point, unread.flatMap(writtenTargets), refs);
    const previous = await this.store.json(point.spaceId, unread.flatMap((each) => each.previous ?? []));
    const written = new Map<number, WrittenDocument>();
    const documents = new Map<string, NewDocument>();
    for (const each of unread) {
      const { document, attributes } = interpret(each, resolvers(each.directory));
      if (document === null) {
        written.set(each.index, { hash: null, attributes });
        continue;
      }
      const before = each.previous === null ? undefined : previous.get(each.previous);
      const stored = toNewDocument(keyed(document, before === undefined ? undefined : (JSON.parse(before) as Document)));
      documents.set(stored.hash, stored);
      written.set(each.index, { hash: stored.hash, attributes });
    }
    return { written, documents: [...documents.values()] };
  }
}

/** The document of an input, null for an empty one, and what its Markdown says about the page. */
function interpret({ input, index, isPage }: UnreadDocument, resolve: ResolveTarget): { document: Document | null; attributes: PageAttributes } {
  if (input.document !== undefined) {
    const [fault] = validateDocument(input.document);
    if (fault) throw new ChangeFault(`document.document${fault.path === '' ? '' : `.${fault.path}`}`, fault.message, index);
    return { document: saysNothing(input.document) ? null : input.document, attributes: {} };
  }
  if (input.markdown === undefined) return { document: null, attributes: {} };
  const parsed = parseMarkdown(input.markdown, { resolve, page: isPage });
  return { document: saysNothing(parsed.document) ? null : parsed.document, attributes: isPage ? attributesOf(parsed, resolve) : {} };
}

/** Whether a document has neither blocks nor anything that its source said beside them. */
function saysNothing({ nodes, data }: Document): boolean {
  return nodes.length === 0 && Object.keys(data).every((name) => name === 'schemaVersion');
}

/** All targets that the Markdown of a document names. */
function writtenTargets({ input, directory, isPage }: UnreadDocument): WrittenTarget[] {
  if (input.markdown === undefined) return [];
  const targets: WrittenTarget[] = [];
  const note: ResolveTarget = (target) => {
    targets.push({ target, directory });
    return undefined;
  };
  attributesOf(parseMarkdown(input.markdown, { resolve: note, page: isPage }), note);
  return targets;
}

/** The attributes of a page that its front matter and first heading give. */
function attributesOf({ frontmatter, title }: ParsedMarkdown, resolve: ResolveTarget): PageAttributes {
  const { cover: _cover, coverDark: _coverDark, coverY: _y, coverHeight: _height, metaLinks, extra: _extra, ...simple } = frontmatter;
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
  return resolve(target, kind, 1) ?? { kind: 'url', url: target };
}
