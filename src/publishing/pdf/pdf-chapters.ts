import { Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { Database } from '../../kernel/common/database.js';
import { ContentStore } from '../../authoring/content/content-store.js';
import type { Item } from '../../authoring/content/domain/content-item.js';
import { pathOf, type PageIndex } from '../../authoring/content/domain/page-paths.js';
import { RelativeLinks } from '../../authoring/content/relative-links.js';
import { isOwn, ReusedDocuments } from '../../authoring/content/reused-documents.js';
import { referencesIn } from '../../formats/document/derive.js';
import type { ContentRef, Document } from '../../formats/document/types.js';
import type { Picture } from '../../formats/pdf/layout/canvas.js';
import { FileStorage } from '../../kernel/platform/storage/file-storage.js';
import { FileUrls, type SignedFile } from '../../kernel/platform/storage/file-urls.js';
import { chapterFacts, type ChapterFacts } from './chapter-facts.js';
import { PageReferenceResolver, type Elsewhere } from './page-reference-resolver.js';
import type { PdfInputs } from './pdf-cache-key.js';

/** The addresses to which a PDF leads, in place of those of the service. */
export interface BookAddresses {
  /** Finds those of files, by their ids; the others keep that of the service. */
  readonly files: (files: readonly SignedFile[]) => Promise<ReadonlyMap<string, string>>;
  /** That of a page by its id; undefined for one that is not there. */
  readonly page: (id: string) => string | undefined;
}

/** The book that a chapter belongs to. */
export interface BookScope {
  readonly wanted: PdfInputs;
  readonly organizationId: string;
  readonly chapters: ReadonlyMap<string, Item>;
  /** Pages that readers of a site may be led to, also those that are not in the PDF. */
  readonly index: PageIndex;
  /** Set where links lead elsewhere than to the service. */
  readonly addresses?: BookAddresses;
}

/** Reads the chapters of PDFs, with everything that they refer to. */
@Injectable()
export class PdfChapters {
  constructor(
    private readonly store: ContentStore,
    private readonly reused: ReusedDocuments,
    private readonly relative: RelativeLinks,
    private readonly database: Database,
    private readonly storage: FileStorage,
    private readonly files: FileUrls,
    private readonly addresses: Addresses,
  ) {}

  /** The chapter of a page, whose document is given in JSON, with what it refers to, and its pictures by their hashes. */
  async read(
    item: Item,
    json: string,
    scope: BookScope,
  ): Promise<{ readonly facts: ChapterFacts; readonly pictures: ReadonlyMap<string, Picture> }> {
    const cover = (item.props['cover'] as { ref?: ContentRef } | undefined)?.ref;
    const { point, reader } = scope.wanted;
    const direct = [...referencesIn(JSON.parse(json) as Document), ...(cover ? [cover] : [])];
    const reusables = await this.reused.of(
      direct,
      point,
      reader ? { evaluated: 'true', visitor: reader.visitor } : { evaluated: 'deterministic-only' },
    );
    const inside = [...reusables.values()].flatMap(referencesIn);
    const directory = await this.relative.folderOf(point, item.id, direct);
    const relative = await this.relative.of(point, [
      { references: direct, directory },
      { references: inside, directory: '' },
    ]);
    const references = [...direct, ...inside];
    const wanted = [...references, ...relative.references]
      .filter((ref) => isOwn(ref, point.spaceId))
      .flatMap((ref) =>
        ref.kind === 'file'
          ? [`file:${ref.file}` as const]
          : !reader && 'page' in ref && ref.page !== undefined && !scope.chapters.has(ref.page)
            ? [`page:${ref.page}` as const]
            : [],
      );
    const items = await this.store.byKeys(point, wanted);
    const moved = await scope.addresses?.files([...items.values()].flatMap(fileOf));
    const resolver = new PageReferenceResolver({
      spaceId: point.spaceId,
      page: item.id,
      chapters: scope.chapters,
      items,
      relative,
      directory,
      elsewhere: (id) =>
        reader
          ? elsewhere(scope.index.get(id), (page) => addressForReaders(page, reader.home, scope))
          : elsewhere(items.get(`page:${id}`), () => `${scope.wanted.app}/~/pages/${id}`),
      reusables,
      names: scope.wanted.showsNames ? await this.names(scope.organizationId, references) : new Map(),
      fileAddress: (file) =>
        moved?.get(file.id) ??
        (reader?.hasOpenFiles === true ? this.files.open(file) : this.files.sign(file, reader?.site)),
      appAddress: (path) => (reader ? undefined : this.addresses.app(path)),
      storage: this.storage,
    });
    const picture = cover && resolver.picture(cover);
    const pictures = [picture, ...references.map((ref) => resolver.picture(ref))].flatMap((each) =>
      each ? [[each.hash, each] as const] : [],
    );
    return {
      facts: chapterFacts(json, { resolver, ...(picture && { cover: picture }) }, references),
      pictures: new Map(pictures),
    };
  }

  /** The names of members of the organization. */
  private async names(organizationId: string, references: readonly ContentRef[]): Promise<Map<string, string>> {
    const ids = references.flatMap((ref) => (ref.kind === 'user' ? [ref.user] : []));
    if (ids.length === 0) return new Map();
    const rows = await this.database.query<{ id: string; name: string }>(
      'SELECT u.id, u.display_name AS name FROM account u JOIN member m ON m.user_id = u.id AND m.organization_id = $1 WHERE u.id = ANY ($2::text[])',
      [organizationId, [...new Set(ids)]],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}

function addressForReaders(page: Item, home: string, { addresses, index }: BookScope): string | undefined {
  return addresses ? addresses.page(page.id) : `${home}/${encodeURI(pathOf(page, index))}`;
}

function elsewhere(page: Item | undefined, addressOf: (page: Item) => string | undefined): Elsewhere | undefined {
  const url = page && addressOf(page);
  return page && { title: page.title, ...(url !== undefined && { url }) };
}

const fileOf = ({ id, kind, title, hash }: Item): SignedFile[] =>
  kind === 'file' && hash !== null ? [{ id, name: title, hash }] : [];
