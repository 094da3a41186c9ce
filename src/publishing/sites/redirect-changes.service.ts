import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { invalidFields } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { isUnchanged } from '../../kernel/platform/audit-changes.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { readSource, type SourceKey } from './domain/redirects.js';
import type { ChangeRedirects, RedirectChange, RedirectChangesBody } from './redirect-changes.schema.js';
import { RedirectDestinations, type ReadDestination } from './redirect-destinations.js';
import { REDIRECT_COLUMNS, type RedirectRow, type RedirectRule } from './redirects.schema.js';
import { MAX_REDIRECTS, SiteRedirects } from './redirects.service.js';
import type { SiteAddress } from './site-address.js';
import { SiteLock } from './site-lock.js';
import type { SiteForCaller } from './sites.schema.js';

type Result = RedirectChangesBody['results'][number];

/** A redirect while a list of changes is worked off. */
interface Held extends RedirectRule, SourceKey {
  readonly id: string;
  readonly source: string;
  readonly draft: boolean;
}

const KNOWN = `SELECT ${REDIRECT_COLUMNS}, r.path, r.wildcard FROM site_redirect r WHERE r.site_id = $1 AND NOT r.automatic AND r.path = ANY ($2::text[])`;

const ROWS = `unnest($3::text[], $4::text[], $5::text[], $6::boolean[], $7::boolean[], $8::boolean[], $9::boolean[], $10::text[], $11::text[], $12::text[], $13::text[])
   AS i (id, source, path, wildcard, capture_wildcard, draft, permanent, section_id, site_space_id, page_id, url)`;
const INSERT = `INSERT INTO site_redirect (id, organization_id, site_id, automatic, source, path, wildcard, capture_wildcard, draft, permanent,
    section_id, site_space_id, page_id, url, created_at)
  SELECT i.id, $14, $1, false, i.source, i.path, i.wildcard, i.capture_wildcard, i.draft, i.permanent, i.section_id, i.site_space_id, i.page_id, i.url, $2
    FROM ${ROWS}`;
const UPDATE = `UPDATE site_redirect r SET source = i.source, draft = i.draft, capture_wildcard = i.capture_wildcard, permanent = i.permanent,
    section_id = i.section_id, site_space_id = i.site_space_id, page_id = i.page_id, url = i.url, updated_at = $2, version = r.version + 1
  FROM ${ROWS}
 WHERE r.site_id = $1 AND r.id = i.id AND r.path = i.path AND r.wildcard = i.wildcard`;

/** Works off lists of changes of the redirects of a site. */
@Injectable()
export class RedirectChanges {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly lock: SiteLock,
    private readonly redirects: SiteRedirects,
    private readonly destinations: RedirectDestinations,
  ) {}

  /**
   * Makes the changes in order, in one transaction, and tells what became of each; those that cannot be made are
   * reported and left out.
   */
  async make(caller: Caller, address: SiteAddress, { redirects }: ChangeRedirects): Promise<RedirectChangesBody> {
    requireFields(redirects);
    return this.lock.hold(caller, address, 'site:manageRedirects', async (site) => {
      const named = redirects.flatMap(({ destination }) => destination ?? []);
      const read = new Map((await this.destinations.all(caller, site, named)).map((each, at) => [named[at], each]));
      const work = new Work(await this.known(site, redirects), MAX_REDIRECTS - (await this.redirects.count(site.id)));
      const results = redirects.map((change) =>
        work.make(change, change.destination ? read.get(change.destination) : undefined),
      );
      await this.write(site, work);
      const count = (status: Result['status']) => results.filter((result) => result.status === status).length;
      if (work.isChanged)
        await this.outbox.record({
          type: 'site_redirects_changed',
          organizationId: site.organizationId,
          target: site.id,
          payload: {
            created: count('created'),
            updated: count('updated'),
            deleted: count('deleted'),
            published: count('published'),
          },
        });
      return { results };
    });
  }

  private async known(site: SiteForCaller, changes: readonly RedirectChange[]): Promise<(Held & RedirectRow)[]> {
    const paths = changes.flatMap(({ source }) => {
      const reading = readSource(source, false);
      return 'key' in reading ? [reading.key.path] : [];
    });
    return this.database.query<Held & RedirectRow & Record<string, unknown>>(KNOWN, [site.id, paths]);
  }

  /** Removes first, since what is published takes the place of what is removed. */
  private async write(site: SiteForCaller, { removed, changed, added }: Work): Promise<void> {
    const now = this.clock.now();
    if (removed.length > 0)
      await this.database.execute(
        'DELETE FROM site_redirect WHERE site_id = $1 AND id = ANY ($2::text[]) AND NOT automatic',
        [site.id, removed],
      );
    if (changed.length > 0) await this.database.execute(UPDATE, [site.id, now, ...columnsOf(changed)]);
    if (added.length > 0) await this.database.execute(INSERT, [site.id, now, ...columnsOf(added), site.organizationId]);
  }
}

/** The redirects that a list of changes names, before and after. */
class Work {
  private readonly before: ReadonlyMap<string, Held>;
  private readonly held: Map<string, Held>;

  /** `room`: as many redirects can still be added to the site. */
  constructor(
    known: readonly Held[],
    private room: number,
  ) {
    this.before = new Map(known.map((row) => [row.id, row]));
    this.held = new Map(known.map((row) => [placeOf(row, row.draft), row]));
  }

  get removed(): string[] {
    const kept = new Set([...this.held.values()].map(({ id }) => id));
    return [...this.before.keys()].filter((id) => !kept.has(id));
  }

  get changed(): Held[] {
    return [...this.held.values()].filter((row) => {
      const was = this.before.get(row.id);
      return was !== undefined && !isUnchanged(was, row);
    });
  }

  get added(): Held[] {
    return [...this.held.values()].filter(({ id }) => !this.before.has(id));
  }

  get isChanged(): boolean {
    return [this.removed, this.changed, this.added].some(({ length }) => length > 0);
  }

  make(change: RedirectChange, destination: ReadDestination | undefined): Result {
    const { source, intent = 'live' } = change;
    const draft = intent === 'draft';
    const reading = readSource(source, change.captureWildcard ?? false);
    const failed = ({ path, message }: { path: string; message: string }): Result => ({
      status: 'error',
      source,
      draft,
      error: `${path}: ${message}`,
    });
    if ('fault' in reading) return failed(reading.fault);
    const { key } = reading;
    if (intent === 'publish') return this.publish(key) ?? failed({ path: 'source', message: 'has no draft' });
    if (destination === undefined)
      return this.remove(key, draft) ?? failed({ path: 'source', message: `has no ${draft ? 'draft' : 'redirect'}` });
    if ('fault' in destination)
      return failed({ path: `destination.${destination.fault.path}`, message: destination.fault.message });
    const rule = { ...destination.to, captureWildcard: change.captureWildcard ?? false, permanent: change.permanent };
    return (
      this.put(source, key, draft, rule) ??
      failed({ path: 'source', message: `is one too many: a site holds at most ${MAX_REDIRECTS} redirects` })
    );
  }

  private put(
    source: string,
    key: SourceKey,
    draft: boolean,
    { permanent, ...rule }: Omit<RedirectRule, 'permanent'> & { permanent: boolean | undefined },
  ): Result | undefined {
    const place = placeOf(key, draft);
    const known = this.held.get(place);
    if (!known && this.room <= 0) return undefined;
    if (!known) this.room--;
    const row = known ?? { id: newId(), draft, ...key, permanent: false };
    this.held.set(place, { ...row, ...rule, source, permanent: permanent ?? row.permanent });
    return { status: known ? 'updated' : 'created', source, draft, id: row.id };
  }

  private remove(key: SourceKey, draft: boolean): Result | undefined {
    const place = placeOf(key, draft);
    const known = this.held.get(place);
    if (!known) return undefined;
    this.held.delete(place);
    this.room++;
    return { status: 'deleted', source: known.source, draft };
  }

  /** The live redirect takes over what the draft says; without one the draft becomes live. */
  private publish(key: SourceKey): Result | undefined {
    const draft = this.held.get(placeOf(key, true));
    if (!draft) return undefined;
    const live = this.held.get(placeOf(key, false));
    if (live) this.room++;
    this.held.delete(placeOf(key, true));
    const { id } = live ?? draft;
    this.held.set(placeOf(key, false), { ...draft, id, draft: false });
    return { status: 'published', source: draft.source, draft: false, id };
  }
}

/** Redirects of one source exclude each other, unless one of them is a draft. */
function placeOf({ path, wildcard }: SourceKey, draft: boolean): string {
  return JSON.stringify([path, wildcard, draft]);
}

function columnsOf(rows: readonly Held[]): unknown[][] {
  return [
    rows.map(({ id }) => id),
    rows.map(({ source }) => source),
    rows.map(({ path }) => path),
    rows.map(({ wildcard }) => wildcard),
    rows.map(({ captureWildcard }) => captureWildcard),
    rows.map(({ draft }) => draft),
    rows.map(({ permanent }) => permanent),
    rows.map(({ sectionId }) => sectionId),
    rows.map(({ siteSpaceId }) => siteSpaceId),
    rows.map(({ pageId }) => pageId),
    rows.map(({ url }) => url),
  ];
}

/** Throws `invalid` where a change has not the fields of its intent. */
function requireFields(changes: readonly RedirectChange[]): void {
  const faults = changes.flatMap(({ intent, destination, captureWildcard, permanent }, at) => {
    const path = `redirects.${at}.destination`;
    if (intent !== 'publish') return destination === undefined ? [{ path, message: 'is required' }] : [];
    const given = Object.entries({ destination, captureWildcard, permanent }).filter(
      ([, value]) => value !== undefined,
    );
    return given.map(([name]) => ({ path: `redirects.${at}.${name}`, message: 'does not go with publish' }));
  });
  if (faults.length > 0) throw invalidFields(faults);
}
