import { Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { notFound } from '../../kernel/common/errors.js';
import { requestAddress } from '../../kernel/common/ip-address.js';
import { Pages, type Page, type SortKey } from '../../kernel/common/page.js';
import type { PageQuery } from '../../kernel/common/page-query.js';
import type { ContentPlace } from '../content/content-places.js';
import { ContentStore } from '../content/content-store.js';
import { countWithinLimit } from './domain/count-within-limit.js';
import type { ChangeRequestLinksQuery, ContentLocation, LinkStatus, LinkUsage } from './links.schema.js';
import {
  BACKLINKS,
  PAGE_REPORT,
  PLACES,
  PRIMARY_REPORT,
  REQUEST_REPORT,
  STATS,
  statusFilter,
} from './links.statements.js';
import type { LocationOwner } from './item-locations.js';
import { Locations } from './locations.service.js';

/** A target with its status; `nodes` are the places in the requested page. */
interface TargetRow {
  readonly key: string;
  readonly relation: 'reference' | 'dependsOn';
  readonly kind: string;
  readonly target: string;
  readonly target_space_id: string;
  readonly anchor: string;
  readonly nodes: readonly string[] | null;
  readonly status: LinkStatus;
  /** True if the change request has broken all of the links. */
  readonly allFresh: boolean;
}

interface Place {
  readonly kind: 'page' | 'reusable';
  readonly id: string;
  readonly node: string;
}

/** Maximum size of a response: the objects that locations embed are large, and repeated in each of them. */
const MAX_BYTES = 2_000_000;
/** More locations than this exceed the limit in any case, so they are not even loaded. */
const MAX_EMBEDDED = 1_000;

const COLUMNS =
  'i.key, i.relation, i.kind, i.target, i.target_space_id, i.anchor, i.nodes, i.status, i.fresh = i.links AS "allFresh"';
const BY_KEY: readonly SortKey[] = [{ expression: 'i.key', type: 'text' }];
const BY_SOURCE: readonly SortKey[] = [
  { expression: 'i.distance', type: 'integer' },
  { expression: 'i.space_id', type: 'text' },
  { expression: 'i.source_kind', type: 'text' },
  { expression: 'i.source_id', type: 'text' },
  { expression: 'i.key', type: 'text' },
  { expression: 'i.place', type: 'integer' },
];

/** The references of content and the references to it, as visible to a caller. */
@Injectable()
export class Links {
  constructor(
    private readonly database: Database,
    private readonly lists: Pages,
    private readonly store: ContentStore,
    private readonly locations: Locations,
    private readonly addresses: Addresses,
  ) {}

  /** The links of a space, or of a change request with its changes, by target. */
  async ofSpace(caller: Caller, place: ContentPlace, query: ChangeRequestLinksQuery): Promise<Page<LinkUsage>> {
    const page = await this.report(
      place.point.line === null ? PRIMARY_REPORT : REQUEST_REPORT,
      caller,
      place,
      [],
      query,
    );
    const places = await this.placesOf(place, page.items, query.brokenContext);
    return this.present(caller, place, page, (row) => places.get(row.key) ?? []);
  }

  /** The links of one page; throws `notFound` if the place has no such page. */
  async ofPage(
    caller: Caller,
    place: ContentPlace,
    id: string,
    query: ChangeRequestLinksQuery,
  ): Promise<Page<LinkUsage>> {
    await this.require(place, 'page', id);
    const page = await this.report(PAGE_REPORT, caller, place, [id], query);
    return this.present(caller, place, page, (row) => (row.nodes ?? []).map((node) => ({ kind: 'page', id, node })));
  }

  /**
   * The places that refer to a page or file, including those of other spaces that the caller can see, but not those in
   * the page itself.
   */
  async backlinks(
    caller: Caller,
    place: ContentPlace,
    kind: 'page' | 'file',
    id: string,
    query: PageQuery,
  ): Promise<Page<ContentLocation>> {
    await this.require(place, kind, id);
    const page = await this.lists.list<{
      space_id: string;
      source_kind: Place['kind'];
      source_id: string;
      node: string;
    }>(query, {
      scope: ['backlinks', ...scopeOf(caller, place), kind, id],
      select: 'i.distance, i.space_id, i.source_kind, i.source_id, i.key, i.node, i.place',
      from: BACKLINKS,
      values: [...pointOf(place), caller.userId, caller.organizationId ?? null, requestAddress(), kind, id],
      order: BY_SOURCE,
      direction: 'asc',
    });
    const things = page.items.map((row) =>
      sourceOf({ kind: row.source_kind, id: row.source_id, node: row.node }, row.space_id),
    );
    const shown = things.map(await this.locations.load(caller, place, things));
    const fitting = countWithinLimit(shown.map(bytesOf), MAX_BYTES);
    return page.first(fitting).with(shown.slice(0, fitting).flatMap((location) => location ?? []));
  }

  private report(
    report: string,
    caller: Caller,
    place: ContentPlace,
    more: readonly string[],
    query: ChangeRequestLinksQuery,
  ): Promise<Page<TargetRow>> {
    const { status, brokenContext } = query;
    const first = 8 + more.length;
    const own = [this.addresses.app(''), this.addresses.api].map((address) => address.toLowerCase());
    return this.lists.list<TargetRow & Record<string, unknown>>(query, {
      scope: ['links', ...scopeOf(caller, place), ...more, status, brokenContext],
      select: COLUMNS,
      from: `FROM ${report} WHERE ${statusFilter(first)}`,
      count: `SELECT count(*) FILTER (WHERE ${statusFilter(first)}) AS count, ${STATS} AS stats FROM ${report}`,
      values: [
        ...pointOf(place),
        caller.userId,
        caller.organizationId ?? null,
        requestAddress(),
        own,
        ...more,
        status ?? null,
        brokenContext ?? null,
      ],
      order: BY_KEY,
      direction: 'asc',
    });
  }

  private async placesOf(
    place: ContentPlace,
    rows: readonly TargetRow[],
    context: ChangeRequestLinksQuery['brokenContext'],
  ): Promise<Map<string, Place[]>> {
    const places = new Map<string, Place[]>();
    if (rows.length === 0) return places;
    const fresh = rows.map(({ allFresh }) => (context === undefined || allFresh ? null : context === 'change-request'));
    const found = await this.database.query<Place & { key: string }>(PLACES, [
      ...pointOf(place),
      rows.map(({ key }) => key),
      fresh,
    ]);
    for (const { key, ...each } of found) {
      const known = places.get(key);
      if (known) known.push(each);
      else places.set(key, [each]);
    }
    return places;
  }

  private async present(
    caller: Caller,
    place: ContentPlace,
    page: Page<TargetRow>,
    placesOf: (row: TargetRow) => readonly Place[],
  ): Promise<Page<LinkUsage>> {
    const all = page.items.map((row) => ({
      row,
      target: targetOf(row, place.space.id),
      sources: placesOf(row).map((each) => sourceOf(each, place.space.id)),
    }));
    const usages = all.slice(
      0,
      countWithinLimit(
        all.map(({ target, sources }) => sources.length + (target === undefined || target.kind === 'url' ? 0 : 1)),
        MAX_EMBEDDED,
      ),
    );
    const show = await this.locations.load(
      caller,
      place,
      usages.flatMap(({ target, sources }) => (target ? [target, ...sources] : sources)),
    );
    const shown = usages.map(({ row: { status, relation }, target, sources }) => {
      const targetReference = target && show(target);
      return {
        status,
        relation,
        ...(targetReference && { targetReference }),
        locationReferences: sources.flatMap((source) => show(source) ?? []),
      };
    });
    const fitting = countWithinLimit(shown.map(bytesOf), MAX_BYTES);
    return page.first(fitting).with(shown.slice(0, fitting));
  }

  private async require({ point }: ContentPlace, kind: 'page' | 'file', id: string): Promise<void> {
    if (!(await this.store.get(point, kind, id))) throw notFound(kind === 'page' ? 'Page' : 'File');
  }
}

function pointOf({ point, space }: ContentPlace): [string, string | null, number] {
  return [space.id, point.line, point.base];
}

function scopeOf(caller: Caller, { space, point }: ContentPlace): unknown[] {
  return [caller.userId, space.id, point.line];
}

function bytesOf(item: object | undefined): number {
  return item === undefined ? 0 : Buffer.byteLength(JSON.stringify(item)) + 1;
}

function sourceOf({ kind, id, node }: Place, space: string): LocationOwner {
  return {
    kind: kind === 'reusable' ? 'reusable-content' : kind,
    id,
    space,
    ...(node !== '' && { internalLocation: { type: 'node', node } }),
  };
}

/**
 * The target of a row. For a broken link only its address is shown, or the page in this space whose anchor is missing.
 */
function targetOf(
  { status, kind, target, target_space_id: within, anchor }: TargetRow,
  ownSpace: string,
): LocationOwner | undefined {
  if (status === 'broken' && kind !== 'url' && (anchor === '' || within !== ownSpace)) return undefined;
  return { kind, id: target, space: within, ...(anchor !== '' && { internalLocation: { type: 'anchor', anchor } }) };
}
