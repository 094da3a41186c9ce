import { Injectable } from '@nestjs/common';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { invalidFields, type ErrorDetail } from '../../kernel/common/errors.js';
import { customizationReferences, type FoundReference } from './domain/customization.js';
import { PagePlaces } from './page-places.js';
import { SiteLock } from './site-lock.js';
import type { SiteForCaller } from './sites.schema.js';

/** Objects of the spaces $1 by kind $2 and id $3. */
const ITEMS = `SELECT i.space_id AS space, i.kind, i.id FROM unnest($2::text[], $3::text[]) AS k (kind, id)
  JOIN content_item i ON i.space_id = ANY ($1::text[]) AND i.line = '' AND i.kind = k.kind AND i.id = k.id`;

const KINDS: Readonly<Record<string, string>> = {
  page: 'page',
  anchor: 'page',
  file: 'file',
  'reusable-content': 'reusable',
};

const MESSAGES: Readonly<Record<string, string>> = {
  page: 'is no page of that space, or of the spaces of this site',
  anchor: 'is no page of that space, or of the spaces of this site',
  file: 'is no file of the spaces of this site',
  'reusable-content': 'is no reusable content of that space, or of the spaces of this site',
  collection: 'is no collection of this organization',
  user: 'is no member of this organization',
  openapi: 'is no specification of this organization',
};

/** The targets of references that a viewer can see. */
interface Seen {
  readonly spaces: ReadonlySet<string>;
  /** Ids of the site's own spaces. */
  readonly own: readonly string[];
  readonly collections: ReadonlySet<string>;
  readonly members: ReadonlySet<string>;
  /** By slug. */
  readonly specifications: ReadonlySet<string>;
  /** `space kind id`. */
  readonly items: ReadonlySet<string>;
}

/** Checks the references of settings: each must have a target that its author can see. */
@Injectable()
export class ContentReferences {
  constructor(
    private readonly database: Database,
    private readonly lock: SiteLock,
    private readonly places: PagePlaces,
  ) {}

  /**
   * Throws `invalid` with the path of every reference to an absent, foreign or invisible target, the same for all
   * three.
   */
  async require(caller: Caller, site: SiteForCaller, settings: object): Promise<void> {
    const references = customizationReferences(settings).filter(({ kind }) => kind !== 'url');
    if (references.length === 0) return;
    const seen = await this.seen(caller, site, references);
    const faults: ErrorDetail[] = [];
    for (const reference of references) {
      const { path, kind, space, id } = reference;
      if (space !== undefined && !seen.spaces.has(space))
        faults.push({ path: `${path}.space`, message: 'is no space of this organization' });
      else if (id !== undefined && !(await this.isThere(site, seen, reference)))
        faults.push({ path: `${path}.${fieldOf(kind)}`, message: MESSAGES[kind] ?? 'is not there' });
    }
    if (faults.length > 0) throw invalidFields(faults);
  }

  private async seen(
    caller: Caller,
    { id, organizationId }: SiteForCaller,
    references: readonly FoundReference[],
  ): Promise<Seen> {
    const own = (
      await this.database.query<{ id: string }>('SELECT DISTINCT space_id AS id FROM site_space WHERE site_id = $1', [
        id,
      ])
    ).map((row) => row.id);
    const named = [...new Set([...own, ...references.flatMap(({ space }) => space ?? [])])];
    const visible = await this.lock.visible(caller, organizationId, named);
    const spaces = new Set(named.filter((_, index) => visible[index]));
    const ofKind = (kind: string) =>
      references.flatMap((reference) => (reference.kind === kind ? (reference.id ?? []) : []));
    const collections = await this.idsOf(
      `SELECT a.collection_id AS id FROM collection_access($1, $2::text[]) a JOIN collection c ON c.id = a.collection_id WHERE a.role > 'none' AND c.organization_id = $3`,
      caller.userId,
      ofKind('collection'),
      organizationId,
    );
    const members = await this.idsOf(
      `SELECT m.user_id AS id FROM member m WHERE $1::text IS NOT NULL AND m.user_id = ANY ($2::text[]) AND m.organization_id = $3 AND NOT m.disabled`,
      caller.userId,
      ofKind('user'),
      organizationId,
    );
    const specifications = await this.idsOf(
      `SELECT s.slug AS id FROM openapi_spec s JOIN member m ON m.organization_id = s.organization_id AND m.user_id = $1 AND NOT m.disabled AND m.role > 'none' WHERE s.slug = ANY ($2) AND s.organization_id = $3`,
      caller.userId,
      ofKind('openapi'),
      organizationId,
    );
    const items = references.flatMap((reference) =>
      reference.id !== undefined && KINDS[reference.kind] !== undefined
        ? [{ kind: KINDS[reference.kind], id: reference.id }]
        : [],
    );
    const rows =
      items.length === 0
        ? []
        : await this.database.query<{ space: string; kind: string; id: string }>(ITEMS, [
            [...spaces],
            items.map(({ kind }) => kind),
            items.map((item) => item.id),
          ]);
    return {
      spaces,
      own,
      collections,
      members,
      specifications,
      items: new Set(rows.map((row) => `${row.space} ${row.kind} ${row.id}`)),
    };
  }

  private async idsOf(
    statement: string,
    userId: string,
    ids: readonly string[],
    organizationId: string,
  ): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.database.query<{ id: string }>(statement, [userId, ids, organizationId]);
    return new Set(rows.map(({ id }) => id));
  }

  private async isThere(
    site: SiteForCaller,
    { spaces, own, collections, members, specifications, items }: Seen,
    { kind, space, id = '' }: FoundReference,
  ): Promise<boolean> {
    if (kind === 'collection') return collections.has(id);
    if (kind === 'user') return members.has(id);
    if (kind === 'openapi') return specifications.has(id);
    const item = KINDS[kind];
    if (item === undefined) return false;
    const among = space === undefined ? own.filter((each) => spaces.has(each)) : [space];
    if (among.some((each) => items.has(`${each} ${item} ${id}`))) return true;
    if (item !== 'page') return false;
    // Generated pages of a specification have no rows of their own.
    for (const each of among)
      if ((await this.places.pathOf({ id: each, organizationId: site.organizationId }, id)) !== undefined) return true;
    return false;
  }
}

/** The field of a reference with the id of its target. */
function fieldOf(kind: string): string {
  if (kind === 'anchor') return 'page';
  if (kind === 'reusable-content') return 'reusableContent';
  return kind === 'openapi' ? 'spec' : kind;
}
