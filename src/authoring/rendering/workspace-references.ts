import { Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { Database } from '../../kernel/common/database.js';
import { FileUrls } from '../../kernel/platform/storage/file-urls.js';
import type { ContentRef, FileOrUrlRef } from '../../formats/document/types.js';
import { imageOfUrl, linkOfUrl } from '../../formats/html/reference-facts.js';
import type { LinkFacts } from '../../formats/html/render-context.js';
import { languagePackOf } from '../../formats/html/languages/language-packs.js';
import type { ComputedReading } from '../content/computed-pages.js';
import type { ContentPlace } from '../content/content-places.js';
import { ContentStore } from '../content/content-store.js';
import { sourceOfDerived } from '../content/domain/computed/expansion.js';
import type { Item, ItemKey } from '../content/domain/content-item.js';
import { ancestorsOf, indexPages, pathOf, type PageIndex } from '../content/domain/page-paths.js';
import { appAddress, pageUrl } from '../content/present-content.js';
import { RelativeLinks, type WrittenReferences } from '../content/relative-links.js';
import { isOwn } from '../content/reused-documents.js';
import type { ReaderReferences } from './content-html.js';
import { fileFacts, imageFacts, pageFacts } from './reference-facts.js';

/** Generated pages that are looked up for one document; links to further ones show no title. */
const MOST_GENERATED = 20;

/** The content that links to other pages of the space lead to. */
export type WorkspacePlace = Pick<ContentPlace, 'point' | 'app' | 'space'>;

interface Named extends Record<string, unknown> {
  readonly id: string;
  readonly title: string;
  /** The pages of a space that the user does not see. */
  readonly hidden?: readonly string[];
}

const SPACES = `SELECT s.id, s.title, hidden_pages($1, s.id) AS hidden FROM space_access($1, $2::text[]) a JOIN space s ON s.id = a.space_id
  WHERE a.role > 'none' AND s.organization_id = $3 AND s.deleted_at IS NULL`;
const COLLECTIONS = `SELECT c.id, c.title FROM collection_access($1, $2::text[]) a JOIN collection c ON c.id = a.collection_id
  WHERE a.role > 'none' AND c.organization_id = $3`;
const PEOPLE = `SELECT u.id, u.display_name AS title FROM account u JOIN member m ON m.user_id = u.id AND m.organization_id = $1
  WHERE u.id = ANY ($2::text[])`;

interface Found {
  readonly pages: PageIndex;
  readonly files: ReadonlyMap<ItemKey, Item>;
  readonly spaces: ReadonlyMap<string, Named>;
  /** The pages of other spaces with all above them, by space. */
  readonly elsewhere: ReadonlyMap<string, PageIndex>;
  readonly collections: ReadonlyMap<string, Named>;
  readonly people: ReadonlyMap<string, Named>;
}

/** Resolves references for people who read content in the workspace: its links lead to pages there. */
@Injectable()
export class WorkspaceReferences {
  constructor(
    private readonly store: ContentStore,
    private readonly relative: RelativeLinks,
    private readonly files: FileUrls,
    private readonly addresses: Addresses,
    private readonly database: Database,
  ) {}

  /**
   * The answers for the references of a document, as far as the user sees their targets; all are looked up together. The
   * first of them tell the folder of the page.
   */
  async of(
    place: WorkspacePlace,
    userId: string,
    written: readonly WrittenReferences[],
    reading?: ComputedReading,
  ): Promise<ReaderReferences> {
    const relative = await this.relative.of(place.point, written);
    const directory = written[0]?.directory ?? '';
    const references = [...written.flatMap((each) => each.references), ...relative.references];
    const found = await this.find(place, userId, references, reading);
    const own = (ref: ContentRef): Item | undefined =>
      ref.kind === 'file' && isOwn(ref, place.space.id) ? found.files.get(`file:${ref.file}`) : undefined;
    const address = ({ id, title: name, hash }: Item): string => this.files.sign({ id, name, hash: hash ?? '' });
    return {
      link: (given) => {
        const ref = relative.of(given, directory);
        if (!ref) return given.kind === 'url' ? { title: given.url } : {};
        const file = own(ref);
        return file ? { href: address(file), title: file.title } : this.link(place, found, ref);
      },
      image: (ref: FileOrUrlRef) => {
        if (ref.kind === 'url') return imageOfUrl(ref.url);
        const file = own(ref);
        return file && imageFacts(file, address(file));
      },
      file: (ref) => {
        const file = own(ref);
        return file && fileFacts(file, address(file));
      },
      origin: new URL(this.addresses.app('/')).origin,
      externalTarget: 'blank',
      iconStyle: 'regular',
      labels: languagePackOf(place.space.language ?? '').content,
    };
  }

  private link(place: WorkspacePlace, found: Found, ref: ContentRef): LinkFacts {
    const { organizationId } = place.space;
    const named = (title: string | undefined, path: string): LinkFacts =>
      title === undefined ? {} : { title, href: this.addresses.app(`/o/${organizationId}${path}`) };
    switch (ref.kind) {
      case 'url':
        return linkOfUrl(ref.url, undefined);
      case 'page':
        return this.page(place, found, ref.page, ref.space, '');
      case 'anchor':
        return ref.page === undefined
          ? { href: `#${encodeURIComponent(ref.anchor)}`, title: ref.anchor }
          : this.page(place, found, ref.page, ref.space, ref.anchor);
      case 'space':
        return named(found.spaces.get(ref.space)?.title, `/s/${ref.space}`);
      case 'collection':
        return named(found.collections.get(ref.collection)?.title, `/c/${ref.collection}`);
      case 'user': {
        const title = found.people.get(ref.user)?.title;
        return title === undefined ? {} : { title };
      }
      case 'openapi':
        return { title: ref.spec };
      default:
        return {};
    }
  }

  private page(place: WorkspacePlace, found: Found, id: string, space: string | undefined, anchor: string): LinkFacts {
    const isHere = space === undefined || space === place.space.id;
    const pages = isHere ? found.pages : found.elsewhere.get(space);
    const page = pages?.get(id);
    if (!pages || !page)
      return isHere && sourceOfDerived(id) !== undefined ? { href: `${place.app}/~/pages/${id}` } : {};
    const app = isHere
      ? place.app
      : appAddress(this.addresses, { organizationId: place.space.organizationId, id: space });
    return { ...pageFacts(page), href: pageUrl({ app }, pathOf(page, pages), id, anchor) };
  }

  private async find(
    place: WorkspacePlace,
    userId: string,
    references: readonly ContentRef[],
    reading: ComputedReading | undefined,
  ): Promise<Found> {
    const { id: spaceId, organizationId } = place.space;
    const [own, other] = [
      references.filter((ref) => isOwn(ref, spaceId)),
      references.filter((ref) => !isOwn(ref, spaceId)),
    ];
    const pages = own.flatMap((ref) => ('page' in ref && ref.page !== undefined ? [ref.page] : []));
    const around = await this.store.withAncestors(place.point, pages);
    const generated = await this.generated(pages, reading);
    const files = await this.store.byKeys(
      place.point,
      own.flatMap((ref): ItemKey[] => (ref.kind === 'file' ? [`file:${ref.file}`] : [])),
    );
    const spaces = await this.named(SPACES, userId, organizationId, [
      ...own.flatMap((ref) => (ref.kind === 'space' ? [ref.space] : [])),
      ...other.flatMap((ref) => ('space' in ref && ref.space !== undefined ? [ref.space] : [])),
    ]);
    return {
      pages: indexPages([...generated, ...around]),
      files,
      spaces,
      elsewhere: await this.elsewhere(other, spaces),
      collections: await this.named(
        COLLECTIONS,
        userId,
        organizationId,
        references.flatMap((ref) => (ref.kind === 'collection' ? [ref.collection] : [])),
      ),
      people: await this.people(
        organizationId,
        references.flatMap((ref) => (ref.kind === 'user' ? [ref.user] : [])),
      ),
    };
  }

  private async generated(pages: readonly string[], reading: ComputedReading | undefined): Promise<Item[]> {
    const ids = new Set(pages.filter((id) => sourceOfDerived(id) !== undefined));
    const found: Item[] = [];
    for (const id of reading ? [...ids].slice(0, MOST_GENERATED) : []) {
      const page = await reading?.byId(id);
      if (page) found.push(page.page, ...ancestorsOf(page.page, indexPages(page.around)));
    }
    return found;
  }

  private async elsewhere(
    references: readonly ContentRef[],
    spaces: ReadonlyMap<string, Named>,
  ): Promise<Map<string, PageIndex>> {
    const wanted = references.flatMap((ref) =>
      (ref.kind === 'page' || ref.kind === 'anchor') &&
      ref.page !== undefined &&
      ref.space !== undefined &&
      spaces.has(ref.space)
        ? [{ space: ref.space, kind: 'page' as const, id: ref.page }]
        : [],
    );
    if (wanted.length === 0) return new Map();
    const current = await this.store.current(wanted, new Map([...spaces].map(([id, { hidden = [] }]) => [id, hidden])));
    return new Map([...current].map(([space, items]) => [space, indexPages(items)]));
  }

  private async named(
    statement: typeof SPACES | typeof COLLECTIONS,
    userId: string,
    organizationId: string,
    ids: readonly string[],
  ): Promise<Map<string, Named>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.query<Named>(statement, [userId, [...new Set(ids)], organizationId]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  private async people(organizationId: string, ids: readonly string[]): Promise<Map<string, Named>> {
    if (ids.length === 0) return new Map();
    const rows = await this.database.query<Named>(PEOPLE, [organizationId, [...new Set(ids)]]);
    return new Map(rows.map((row) => [row.id, row]));
  }
}
