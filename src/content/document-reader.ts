import { Injectable } from '@nestjs/common';
import type { DocumentInput } from './change-input.js';
import type { Point } from './content-store.js';
import { keyed, toNewDocument } from './document-codec.js';
import { DocumentStore, type NewDocument } from './document-store.js';
import { ChangeFault, type PageAttributes, type WrittenDocument } from './domain/change.js';
import { completeDocument } from './domain/document/complete.js';
import type { ContentRef, Document } from './domain/document/types.js';
import { validateDocument } from './domain/document/validate.js';
import { readLinkTarget } from './domain/link-target.js';
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
    const drafts = unread.map(draftOf);
    const resolvers = await this.targets.resolve(point, drafts.flatMap((draft) => draft.targets), refs);
    const previous = await this.store.json(point.spaceId, unread.flatMap((each) => each.previous ?? []));
    const written = new Map<number, WrittenDocument>();
    const documents = new Map<string, NewDocument>();
    for (const draft of drafts) {
      const { index, previous: replaced, directory } = draft.unread;
      // What names nothing of ours means the same whoever resolves it.
      const { document, attributes } = draft.targets.length === 0 ? draft.reading : interpret(draft.unread, resolvers(directory));
      if (document === null) {
        written.set(index, { hash: null, attributes });
        continue;
      }
      const before = replaced === null ? undefined : previous.get(replaced);
      const stored = toNewDocument(keyed(document, before === undefined ? undefined : (JSON.parse(before) as Document)));
      documents.set(stored.hash, stored);
      written.set(index, { hash: stored.hash, attributes });
    }
    return { written, documents: [...documents.values()] };
  }
}

/** A document that has been read once, to find out which targets in it may mean something of the space. */
interface Draft {
  readonly unread: UnreadDocument;
  readonly reading: Reading;
  readonly targets: readonly WrittenTarget[];
}

/** The document of an input, null for an empty one, and what its Markdown says about the page. */
interface Reading {
  readonly document: Document | null;
  readonly attributes: PageAttributes;
}

function draftOf(unread: UnreadDocument): Draft {
  const targets: WrittenTarget[] = [];
  const { directory } = unread;
  const reading = interpret(unread, (target, kind) => {
    if (kind === 'openapi' || readLinkTarget(target, directory).kind !== 'external') targets.push({ target, directory });
    return undefined;
  });
  return { unread, reading, targets };
}

function interpret({ input, index, isPage }: UnreadDocument, resolve: ResolveTarget): Reading {
  if (input.document !== undefined) {
    const [fault] = validateDocument(input.document);
    if (fault) throw new ChangeFault(`document.document${fault.path === '' ? '' : `.${fault.path}`}`, fault.message, index);
    return { document: saysNothing(input.document) ? null : completeDocument(input.document), attributes: {} };
  }
  if (input.markdown === undefined) return { document: null, attributes: {} };
  const parsed = parseMarkdown(input.markdown, { resolve, page: isPage });
  return { document: saysNothing(parsed.document) ? null : parsed.document, attributes: isPage ? attributesOf(parsed, resolve) : {} };
}

/** Whether a document has neither blocks nor anything that its source said beside them. */
function saysNothing({ nodes, data }: Document): boolean {
  return nodes.length === 0 && Object.keys(data).every((name) => name === 'schemaVersion');
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
