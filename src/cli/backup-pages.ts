import { createHash } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import { ContentPlaces } from '../authoring/content/content-places.js';
import { PageHtmlRenderer } from '../authoring/rendering/page-html.service.js';
import { PageHtmlQuery } from '../authoring/rendering/rendering.schema.js';
import { Access } from '../kernel/access/access.service.js';
import { Addresses } from '../kernel/common/addresses.js';
import { Database } from '../kernel/common/database.js';
import { DomainError, notFound } from '../kernel/common/errors.js';
import type { RenderedPage } from '../operations/backup/stored-manifest.js';

const SAMPLED = 20;

/** Pages of all spaces in an order that has nothing to do with their age, each with an administrator. */
const SAMPLE = `SELECT space_id AS space, page_id AS page FROM page_current ORDER BY hashtext(page_id), page_id LIMIT ${SAMPLED}`;
const ADMINISTRATOR = `SELECT m.user_id AS id FROM space s JOIN member m ON m.organization_id = s.organization_id AND m.role = 'admin' AND NOT m.disabled
 WHERE s.id = $1 ORDER BY m.joined_at, m.user_id LIMIT 1`;

type SampledPage = Pick<RenderedPage, 'space' | 'page'>;

/** Renders a sample of pages as a snapshot of the database has them, which another connection has exported. */
export function renderSample(services: INestApplicationContext, snapshot: string): Promise<RenderedPage[]> {
  const database = services.get(Database);
  return database.inSnapshot(snapshot, async () => {
    const sample = await database.query<SampledPage & Record<string, unknown>>(SAMPLE);
    const rendered: RenderedPage[] = [];
    for (const page of sample) {
      // A page that cannot be rendered here proves nothing elsewhere.
      const sha256 = await renderedHash(services, page).catch(unlessDomainError);
      if (sha256 !== undefined) rendered.push({ ...page, sha256 });
    }
    return rendered;
  });
}

/** Renders pages again. @returns a fault for each page that cannot be rendered, or is rendered to something else. */
export async function compareSample(
  services: INestApplicationContext,
  pages: readonly RenderedPage[],
  isSameRelease: boolean,
): Promise<string[]> {
  const faults: string[] = [];
  for (const page of pages) {
    const sha256 = await renderedHash(services, page).catch(unlessDomainError);
    const isEqual = sha256 === page.sha256 || (sha256 !== undefined && !isSameRelease);
    if (!isEqual)
      faults.push(
        `The page ${page.page} of the space ${page.space} ${sha256 === undefined ? 'cannot be rendered' : 'is rendered to something else'}`,
      );
  }
  return faults;
}

function unlessDomainError(error: unknown): undefined {
  if (!(error instanceof DomainError)) throw error;
}

/** The hash of a page as HTML, as an administrator sees it, without what depends on the hour and the key. */
async function renderedHash(services: INestApplicationContext, { space, page }: SampledPage): Promise<string> {
  services.get(Addresses).announce('http://api.invalid', 'http://published.invalid', undefined);
  const administrator = await services.get(Database).one<{ id: string }>(ADMINISTRATOR, [space]);
  const caller = { userId: administrator?.id ?? '', tokenId: '', organizationId: undefined, scopes: undefined };
  const access = await services.get(Access).space(caller, space);
  if (!access) throw notFound('Space');
  const place = await services.get(ContentPlaces).at(access, {});
  const { json } = await services.get(PageHtmlRenderer).of(place, caller.userId, page, new PageHtmlQuery());
  const lasting = json.replace(/expires=\d+|signature=[\w-]+/g, '');
  return createHash('sha256').update(lasting).digest('hex');
}
