import type { INestApplicationContext } from '@nestjs/common';
import { ContentPlaces } from '../authoring/content/content-places.js';
import { importerOf } from '../authoring/interchange/import-caller.js';
import type { ContentLocation, LinkUsage } from '../authoring/links/links.schema.js';
import { Links } from '../authoring/links/links.service.js';
import { Access } from '../kernel/access/access.service.js';
import type { Caller } from '../kernel/common/context.js';
import { Database } from '../kernel/common/database.js';
import { notFound } from '../kernel/common/errors.js';
import { SiteUrls } from '../publishing/sites/site-urls.js';
import { Sites } from '../publishing/sites/sites.service.js';
import { announceConfigured } from './addresses.js';
import type { ListedRow, RowsReader } from './listings.js';
import { withServices } from './services.js';
import { actingUser } from './transfer.js';

const PAGE_SIZE = 500;

/** The first administrator of an organization, as whom commands work. */
const administrator = async (services: INestApplicationContext, organizationId: string): Promise<Caller> =>
  importerOf({ userId: await actingUser(services, organizationId, undefined), organizationId });

/** `bindery publish` and `bindery unpublish`: by the command line, for which nobody answers in the audit log. */
export const setPublished = (id: string, published: boolean) =>
  withServices(async (services) => {
    announceConfigured(services);
    const sites = services.get(Sites);
    const { organizationId } = await sites.get(id);
    const caller = await administrator(services, organizationId);
    const { title, ...site } = await sites.setPublished(caller, { id, organizationId }, published);
    return { id, title, published: site.published, address: services.get(SiteUrls).of(site, '') };
  });

/** The spaces whose links are looked at. */
export type LinksPlace = { readonly space: string } | { readonly org: string } | { readonly site: string };

interface LinkedSpace {
  readonly id: string;
  readonly organizationId: string;
}

const SPACES = `SELECT s.id, s.organization_id AS "organizationId" FROM space s
  WHERE s.deleted_at IS NULL AND s.id > $4 AND (s.id = $1 OR s.organization_id = $2 OR s.id IN (SELECT p.space_id FROM site_space p WHERE p.site_id = $3))
  ORDER BY s.id LIMIT ${PAGE_SIZE}`;
const OWNERS = `SELECT EXISTS (SELECT FROM space WHERE id = $1 AND deleted_at IS NULL) OR EXISTS (SELECT FROM organization WHERE id = $2)
    OR EXISTS (SELECT FROM site WHERE id = $3) AS "isThere"`;

/** `bindery links`: a row for each place with a broken link, of the first ten places of a target. */
export const listBrokenLinks = (place: LinksPlace, read: RowsReader): Promise<void> =>
  withServices(
    async (services) => {
      announceConfigured(services);
      const database = services.get(Database);
      const { space = null, org = null, site = null } = place as Partial<Record<'space' | 'org' | 'site', string>>;
      const owner = await database.one<{ isThere: boolean }>(OWNERS, [space, org, site]);
      if (owner?.isThere !== true)
        throw notFound(
          space === null
            ? org === null
              ? `A site ${site} was`
              : `An organization ${org} was`
            : `A space ${space} was`,
        );
      const callers = new Map<string, Caller>();
      for (let last = ''; ;) {
        const spaces = await database.query<LinkedSpace & Record<string, unknown>>(SPACES, [space, org, site, last]);
        for (const { id, organizationId } of spaces) {
          const caller = callers.get(organizationId) ?? (await administrator(services, organizationId));
          callers.set(organizationId, caller);
          if (!(await readBroken(services, caller, id, read))) return;
        }
        if (spaces.length < PAGE_SIZE) return;
        last = spaces.at(-1)?.id ?? '';
      }
    },
    { onlyReads: true },
  );

/** @returns false if nobody reads any more. */
async function readBroken(
  services: INestApplicationContext,
  caller: Caller,
  spaceId: string,
  read: RowsReader,
): Promise<boolean> {
  const access = await services.get(Access).space(caller, spaceId);
  if (!access) throw notFound('Space');
  const place = await services.get(ContentPlaces).at(access, {});
  for (let page: string | undefined; ;) {
    const query = { status: 'broken' as const, limit: PAGE_SIZE, ...(page !== undefined && { page }) };
    const found = await services.get(Links).ofSpace(caller, place, query);
    const rows = found.items.flatMap((usage) => placesOf(spaceId, usage));
    if (rows.length > 0 && !(await read(rows))) return false;
    if (found.next === undefined) return true;
    page = found.next;
  }
}

const placesOf = (space: string, { targetReference, locationReferences }: LinkUsage): ListedRow[] =>
  locationReferences.map((location) => ({
    space,
    ...sourceOf(location),
    node: location.internalLocation?.node ?? null,
    target: targetOf(targetReference),
  }));

const sourceOf = ({ kind, page, reusableContent }: ContentLocation) => ({
  kind,
  id: page?.id ?? reusableContent?.id ?? null,
  title: page?.title ?? reusableContent?.title ?? null,
  path: page?.path ?? null,
});

/** The known part of a target that is not there: an address, or the page that lacks an anchor. */
function targetOf(target: ContentLocation | undefined): string | null {
  if (target?.url !== undefined) return target.url;
  const anchor = target?.internalLocation?.anchor;
  return target?.page === undefined
    ? null
    : `${target.page.path ?? target.page.title}${anchor === undefined ? '' : `#${anchor}`}`;
}
