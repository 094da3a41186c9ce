import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalid } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { readLinkTarget } from '../../formats/document/link-target.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { TaskLimitExceeded, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import {
  comparablePath,
  MAX_LISTED,
  MAX_SOURCE_LENGTH,
  SOURCE_PATTERN,
  sourceOf,
  type ListedRedirect,
} from './domain/redirects.js';
import { PagePlaces } from './page-places.js';
import { LISTED_REDIRECTS } from './redirect-tasks.js';
import type { ImportRedirects, RedirectsImportBody } from './redirects.schema.js';
import { SiteRedirects } from './redirects.service.js';
import type { SiteAddress } from './site-address.js';
import { SiteLock } from './site-lock.js';
import { SiteUrls } from './site-urls.js';
import type { SiteForCaller } from './sites.schema.js';
import type { SiteSpaceRow } from './structure.schema.js';
import { SiteStructures } from './structure.service.js';
import { isWebAddress } from '../../kernel/common/web-address.js';

const MAX_URL_LENGTH = 2048;

/** The target of an entry, or the reason why it has none. */
type Reading = { readonly paths: readonly string[] } | { readonly url: string } | { readonly fault: string };

interface Planned {
  readonly entry: ListedRedirect;
  readonly source: string;
  readonly path: string;
  readonly pageId: string | null;
  readonly url: string | null;
}

interface Existing {
  readonly path: string;
  readonly siteSpaceId: string | null;
  readonly pageId: string | null;
  readonly url: string | null;
}

const PUT = `INSERT INTO site_redirect AS r (id, organization_id, site_id, automatic, source, path, site_space_id, page_id, url, created_at)
  SELECT i.id, $1, $2, false, i.source, i.path, CASE WHEN i.url IS NULL THEN $3 END, i.page, i.url, $9
    FROM unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[]) AS i (id, source, path, page, url)
  ON CONFLICT (site_id, path, wildcard, draft) WHERE NOT automatic DO UPDATE
    SET source = excluded.source, section_id = NULL, site_space_id = excluded.site_space_id, page_id = excluded.page_id, url = excluded.url,
        updated_at = excluded.created_at, version = r.version + 1`;

/** Imports redirects from the mapping in documentation repositories. */
@Injectable()
export class RedirectImport {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly lock: SiteLock,
    private readonly structures: SiteStructures,
    private readonly redirects: SiteRedirects,
    private readonly places: PagePlaces,
    private readonly urls: SiteUrls,
    private readonly workers: WorkerPool,
  ) {}

  /**
   * Adds or changes the redirect of each entry, all at once, and returns the result of each; entries without a target
   * are skipped.
   */
  async take(caller: Caller, address: SiteAddress, body: ImportRedirects): Promise<RedirectsImportBody> {
    const listed = await this.entriesOf(body);
    return this.lock.hold(caller, address, 'site:manageRedirects', async (site) => {
      const siteSpace = await this.siteSpaceOf(caller, site, body.siteSpace);
      const base =
        (
          await this.database.one<{ place: string }>('SELECT place FROM site_route WHERE site_space_id = $1', [
            siteSpace.siteSpaceId,
          ])
        )?.place ?? '';
      const plans = await this.plan(site, siteSpace, base, listed);
      const planned = plans.flatMap((plan) => ('fault' in plan ? [] : [plan]));
      const before = await this.existing(site, planned);
      const isSame = ({ path, pageId, url }: Planned): boolean => {
        const known = before.get(path);
        return (
          known !== undefined &&
          known.pageId === pageId &&
          known.url === url &&
          known.siteSpaceId === (url === null ? siteSpace.siteSpaceId : null)
        );
      };
      const written = planned.filter((plan) => !isSame(plan));
      const created = written.filter(({ path }) => !before.has(path)).length;
      if (written.length > 0) await this.write(site, siteSpace, written, created);
      const entries = plans.map((plan): RedirectsImportBody['entries'][number] => {
        const { from, line } = plan.entry;
        const shown = { ...(line !== undefined && { line }), from };
        if ('fault' in plan) return { ...shown, status: 'skipped', message: plan.fault };
        return {
          ...shown,
          status: isSame(plan) ? 'unchanged' : before.has(plan.path) ? 'updated' : 'created',
          source: plan.source,
        };
      });
      const count = (status: string) => entries.filter((entry) => entry.status === status).length;
      return {
        created,
        updated: written.length - created,
        unchanged: count('unchanged'),
        skipped: count('skipped'),
        entries,
      };
    });
  }

  private async write(
    site: SiteForCaller,
    { siteSpaceId }: SiteSpaceRow,
    written: readonly Planned[],
    created: number,
  ): Promise<void> {
    await this.redirects.requireRoom(site, created);
    const columns = [
      written.map(() => newId()),
      written.map(({ source }) => source),
      written.map(({ path }) => path),
      written.map(({ pageId }) => pageId),
      written.map(({ url }) => url),
    ];
    await this.database.execute(PUT, [site.organizationId, site.id, siteSpaceId, ...columns, this.clock.now()]);
    await this.outbox.record({
      type: 'site_redirects_imported',
      organizationId: site.organizationId,
      target: site.id,
      payload: { created, updated: written.length - created },
    });
  }

  private async siteSpaceOf(caller: Caller, site: SiteForCaller, id: string | undefined): Promise<SiteSpaceRow> {
    const { sections, siteSpaces } = await this.structures.rows(caller.userId, site.id);
    const front = sections.find(({ isDefault }) => isDefault)?.id ?? null;
    const siteSpace = siteSpaces.find((row) =>
      id === undefined ? row.isDefault && row.sectionId === front : row.siteSpaceId === id,
    );
    if (siteSpace) return siteSpace;
    throw id === undefined
      ? new DomainError('conflict', 'The site has no site space in which pages could be found')
      : invalid('siteSpace', 'is not a site space of this site');
  }

  private async plan(
    site: SiteForCaller,
    siteSpace: SiteSpaceRow,
    base: string,
    listed: readonly ListedRedirect[],
  ): Promise<(Planned | { readonly entry: ListedRedirect; readonly fault: string })[]> {
    const readings = listed.map(({ to }) => this.read(site, to));
    const space = { id: siteSpace.id, organizationId: site.organizationId };
    const ids = await this.places.idsAt(
      space,
      readings.flatMap((reading) => ('paths' in reading ? reading.paths : [])),
    );
    const taken = new Set<string>();
    return listed.map((entry, index) => {
      const source = sourceOf([base, entry.from.replace(/^\.?\//, '')].join('/'));
      const path = comparablePath(source);
      if (path === undefined || path === '' || !SOURCE_PATTERN.test(source) || source.length > MAX_SOURCE_LENGTH)
        return { entry, fault: 'it begins at no path that an address could have' };
      if (taken.has(path)) return { entry, fault: 'another entry begins at the same path' };
      taken.add(path);
      const reading = readings[index] ?? { fault: 'it has no target' };
      if ('fault' in reading) return { entry, fault: reading.fault };
      if ('url' in reading) return { entry, source, path, pageId: null, url: reading.url };
      const page = reading.paths.map((each) => ids.get(each)).find((id) => id !== undefined);
      if (page !== undefined) return { entry, source, path, pageId: page, url: null };
      const [wanted = ''] = reading.paths;
      return wanted === ''
        ? { entry, source, path, pageId: null, url: null }
        : { entry, fault: `there is no page ${wanted}` };
    });
  }

  private read(site: SiteForCaller, to: unknown): Reading {
    if (typeof to !== 'string' || to.trim() === '') return { fault: 'it has no target' };
    if (/^https?:\/\//i.test(to)) {
      if (!isWebAddress(to) || to.length > MAX_URL_LENGTH) return { fault: 'its target is no address' };
      return this.urls.isWithin(site, to)
        ? { fault: 'its target lies in the site itself: name the page' }
        : { url: to };
    }
    const target = readLinkTarget(/\.md(#|$)/i.test(to) || to.endsWith('/') ? to : `${to.replace(/#.*$/, '')}.md`, '');
    if (target.kind !== 'page') return { fault: 'its target is neither a page nor an address' };
    return { paths: target.paths };
  }

  private async existing(site: SiteForCaller, planned: readonly Planned[]): Promise<ReadonlyMap<string, Existing>> {
    const rows = await this.database.query<Existing & Record<string, unknown>>(
      `SELECT path, site_space_id AS "siteSpaceId", page_id AS "pageId", url FROM site_redirect
        WHERE site_id = $1 AND NOT automatic AND NOT wildcard AND NOT draft AND path = ANY ($2::text[])`,
      [site.id, planned.map(({ path }) => path)],
    );
    return new Map(rows.map((row) => [row.path, row]));
  }

  /** The entries of a body; throws `invalid` unless it has exactly one list, of an acceptable length. */
  private async entriesOf({ yaml, redirects }: ImportRedirects): Promise<readonly ListedRedirect[]> {
    if ((yaml === undefined) === (redirects === undefined))
      throw invalid('redirects', 'or yaml must be given, and not both');
    const entries =
      yaml === undefined
        ? Object.entries(redirects ?? {}).map(([from, to]) => ({ from, to }))
        : await this.readEntries(yaml);
    if (entries.length > MAX_LISTED)
      throw invalid(yaml === undefined ? 'redirects' : 'yaml', `has more than ${MAX_LISTED} redirects`);
    return entries;
  }

  private async readEntries(yaml: string): Promise<readonly ListedRedirect[]> {
    const read = await this.workers.run(LISTED_REDIRECTS, yaml).catch((error: unknown) => {
      throw error instanceof TaskLimitExceeded ? error.at('yaml') : error;
    });
    if ('fault' in read) throw invalid('yaml', `cannot be read: ${read.fault}`);
    return read.redirects;
  }
}
