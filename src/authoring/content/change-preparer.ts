import { withoutUndefined } from '../../formats/document/without-undefined.js';
import { Injectable } from '@nestjs/common';
import { BaseVersions } from './base-versions.js';
import type { BatchIds } from './batch-ids.js';
import type { ChangeInput } from './change-input.js';
import { ContentStore, type Point } from './content-store.js';
import { DocumentReader, type Onto, type UnreadDocument } from './document-reader.js';
import type { DraftDocument } from './document-drafts.js';
import type { NewDocument } from './document-store.js';
import type { ContentChange, FileMetadata, PageAttributes, WrittenDocument } from './domain/content-change.js';
import { itemKey, type Item, type ItemKey } from './domain/content-item.js';
import { indexPages, pathOf, type PageIndex } from './domain/page-paths.js';
import { newTagSlug } from './domain/tag-changes.js';
import { PageReverts } from './page-reverts.js';
import { WriteConflicts } from './write-conflicts.js';
import { ResolutionReader } from './write-resolutions.js';

/** The part of a batch that is prepared before its transaction begins. */
export interface Batch {
  readonly inputs: readonly ChangeInput[];
  readonly ids: BatchIds;
  /** Stored bytes and document drafts, by the index of the change. */
  readonly files: ReadonlyMap<number, readonly FileMetadata[]>;
  readonly drafts: ReadonlyMap<number, DraftDocument>;
}

/** A batch that is ready to be applied: its items are loaded, its documents and files have their hashes. */
export interface PreparedBatch {
  readonly changes: readonly ContentChange[];
  /** For each of `changes`, the index of the caller's change from which it results. */
  readonly origins: readonly number[];
  readonly documents: readonly NewDocument[];
  /** The items that the changes name, with all ancestors. */
  readonly items: readonly Item[];
}

type Insert = Extract<ChangeInput, { operation: 'insert_page' }>;
type Update = Extract<ChangeInput, { operation: 'update_page' }>;

const EMPTY: WrittenDocument = { hash: null, attributes: {} };

/**
 * Converts the changes of a caller to changes of the domain; with a constant number of queries for any number of them.
 */
@Injectable()
export class ChangePreparer {
  constructor(
    private readonly store: ContentStore,
    private readonly reader: DocumentReader,
    private readonly reverts: PageReverts,
    private readonly bases: BaseVersions,
    private readonly conflicts: WriteConflicts,
    private readonly resolutions: ResolutionReader,
  ) {}

  /** Throws `ChangeFault` with the index of an invalid change, `conflict` if others have written the same blocks since. */
  async prepare(point: Point, batch: Batch): Promise<PreparedBatch> {
    const { inputs, ids, files } = batch;
    const [pages, others] = await Promise.all([
      this.store.withAncestors(
        point,
        inputs.flatMap((input) => namedPages(input, ids)),
      ),
      this.store.byKeys(point, inputs.flatMap(namedItems)),
    ]);
    const items = new Map([...pages.map((page) => [itemKey(page), page] as const), ...others]);
    const index = indexPages(pages);
    const bases = await this.bases.read(point, inputs, ids);
    const resolutions = await this.resolutions.read(point, inputs, ids);
    const ontoOf = (at: number) => {
      const base = bases.get(at);
      return base && { base, resolutions: resolutions.get(at) };
    };
    const { written, documents, conflicts } = await this.reader.read(
      point,
      [...batch.drafts].flatMap(([at, draft]) => unreadDocument(batch, at, draft, items, index, ontoOf(at))),
      ids.refs,
    );
    if (conflicts.length > 0) throw await this.conflicts.error(point, conflicts, index);
    const restored = await this.reverts.read(point, inputs, items);
    const changes: ContentChange[] = [];
    const origins: number[] = [];
    inputs.forEach((input, at) => {
      for (const change of translate(
        input,
        at,
        ids,
        written.get(at) ?? storedDocument(input),
        files.get(at) ?? [],
        restored.changes.get(at),
      )) {
        changes.push(change);
        origins.push(at);
      }
    });
    return {
      changes,
      origins,
      documents: [...documents, ...restored.documents],
      items: [...items.values(), ...restored.parents],
    };
  }
}

function namedPages(input: ChangeInput, ids: BatchIds): string[] {
  if (input.operation === 'insert_page') return input.into ? [ids.page(input.into)] : [];
  if (input.operation === 'update_page') return [ids.page(input.page), ...(input.into ? [ids.page(input.into)] : [])];
  return input.operation === 'delete_page' || input.operation === 'revert_page' ? [ids.page(input.page)] : [];
}

function namedItems(input: ChangeInput): ItemKey[] {
  switch (input.operation) {
    case 'update_file':
      return [`file:${input.file}`];
    case 'delete_files':
      return input.files.map((id): ItemKey => `file:${id}`);
    case 'update_reusable_content':
    case 'delete_reusable_content':
      return [`reusable:${input.reusableContent}`];
    case 'set_variables':
      return Object.keys(input.variables).map((name): ItemKey => `variable:${name}`);
    case 'insert_tag':
      return [`tag:${newTagSlug(input)}`];
    case 'update_tag':
    case 'delete_tag':
      return [`tag:${input.tag}`];
    case 'insert_page':
    case 'update_page':
      return (input.tags ?? []).map(({ tag }): ItemKey => `tag:${tag.tag}`);
    default:
      return [];
  }
}

function unreadDocument(
  { inputs, ids }: Batch,
  index: number,
  draft: DraftDocument,
  items: ReadonlyMap<ItemKey, Item>,
  pages: PageIndex,
  based: Omit<Onto, 'current'> | undefined,
): UnreadDocument[] {
  const input = inputs[index];
  if (input === undefined) return [];
  const before = replaced(input, ids, items);
  const parent = input.operation === 'insert_page' ? ids.parent(input.into) : (before?.parentId ?? '');
  const folder = pages.get(parent);
  const onto = based && before ? { onto: { ...based, current: before } } : {};
  return [{ index, draft, previous: before?.hash ?? null, directory: folder ? pathOf(folder, pages) : '', ...onto }];
}

function replaced(input: ChangeInput, ids: BatchIds, items: ReadonlyMap<ItemKey, Item>): Item | undefined {
  if (input.operation === 'update_page') return items.get(`page:${ids.page(input.page)}`);
  return input.operation === 'update_reusable_content' ? items.get(`reusable:${input.reusableContent}`) : undefined;
}

/** A document that was stored before its change. */
function storedDocument(input: ChangeInput): WrittenDocument | undefined {
  const hash = 'document' in input ? input.document?.stored : undefined;
  return hash === undefined ? undefined : { hash, attributes: {} };
}

function attributesOf(input: Insert | Update): PageAttributes {
  const { operation: _operation, into: _into, at: _at, document: _document, ...given } = input;
  const {
    base: _base,
    resolutions: _resolutions,
    ...rest
  }: Partial<Pick<Update, 'base' | 'resolutions'>> & PageAttributes = given;
  return rest;
}

function insertedPage(input: Insert, id: string, ids: BatchIds, document: WrittenDocument | undefined): ContentChange {
  const place = { into: ids.parent(input.into), ...withoutUndefined({ at: input.at }) };
  return { ...attributesOf(input), operation: 'insert_page', id, ...place, document: document ?? EMPTY };
}

function updatedPage(input: Update, ids: BatchIds, document: WrittenDocument | undefined): ContentChange {
  const into = input.into === undefined ? undefined : ids.parent(input.into);
  const page = ids.page(input.page);
  return {
    ...attributesOf(input),
    operation: 'update_page',
    page,
    ...withoutUndefined({ into, at: input.at, document }),
  };
}

/** The domain's changes for one of the caller's: one, or one for each file. */
function translate(
  input: ChangeInput,
  index: number,
  ids: BatchIds,
  document: WrittenDocument | undefined,
  files: readonly FileMetadata[],
  restored: ContentChange | undefined,
): ContentChange[] {
  switch (input.operation) {
    case 'insert_page':
      return [insertedPage(input, ids.of(index), ids, document)];
    case 'update_page':
      return [updatedPage(input, ids, document)];
    case 'delete_page':
      return [{ operation: 'delete_page', page: ids.page(input.page) }];
    case 'revert_page':
      return restored ? [restored] : [];
    case 'insert_files':
      return files.map((file, at) => ({
        operation: 'insert_file',
        id: ids.of(index, at),
        file,
        git: input.files[at]?.git,
      }));
    case 'update_file': {
      const { operation, file, name, git } = input;
      return [{ operation, file, ...withoutUndefined({ name, content: files[0] }), git }];
    }
    case 'delete_files':
      return input.files.map((file) => ({ operation: 'delete_file', file }));
    case 'insert_reusable_content': {
      const { operation, title, git } = input;
      return [{ operation, id: ids.of(index), title, document: document ?? EMPTY, git }];
    }
    case 'update_reusable_content': {
      const { operation, reusableContent, title, git } = input;
      return [{ operation, reusableContent, ...withoutUndefined({ title, document, git }) }];
    }
    case 'delete_reusable_content':
      return [{ operation: 'delete_reusable_content', reusableContent: input.reusableContent }];
    case 'set_variables':
      return [{ operation: 'set_variables', variables: input.variables }];
    case 'insert_tag':
      return [{ ...input, slug: newTagSlug(input) }];
    case 'update_tag':
    case 'delete_tag':
      return [input];
  }
}
