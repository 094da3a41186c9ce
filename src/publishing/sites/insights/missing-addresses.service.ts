import { Injectable } from '@nestjs/common';
import type { SiteAccess } from '../../../kernel/access/access.service.js';
import { Clock } from '../../../kernel/common/clock.js';
import { Pages, type Page } from '../../../kernel/common/page.js';
import { countedDays } from './counted-days.js';
import type { CountedDaysQuery } from './counted-days.schema.js';
import type { MissingAddressRow } from './missing-addresses.schema.js';

/** Addresses of the site $2 of the organization $1 in the days from $3 to $4. */
const ADDRESSES = `FROM (
  SELECT path, sum(requests)::int AS requests, (array_agg(referrer ORDER BY last_asked_at DESC) FILTER (WHERE referrer IS NOT NULL))[1] AS referrer,
         max(last_asked_at) AS last_asked_at
    FROM site_missing_address WHERE organization_id = $1 AND site_id = $2
     AND day BETWEEN ($3::timestamptz AT TIME ZONE 'UTC')::date AND ($4::timestamptz AT TIME ZONE 'UTC')::date
   GROUP BY path) a WHERE true`;

/** Lists the addresses at which readers of sites find no page. */
@Injectable()
export class MissingAddresses {
  constructor(
    private readonly lists: Pages,
    private readonly clock: Clock,
  ) {}

  /** The addresses of a site, the most frequent and among these the latest first. Throws `invalid` for a range that ends before it begins. */
  async list(
    { id, organizationId }: SiteAccess,
    { from, to, ...request }: CountedDaysQuery,
  ): Promise<Page<MissingAddressRow>> {
    const { start, end } = countedDays({ from, to }, this.clock.now());
    return this.lists.list<MissingAddressRow & Record<string, unknown>>(request, {
      scope: ['missing-addresses', id, from ?? null, to ?? null],
      select: 'a.path, a.requests, a.referrer, a.last_asked_at AS "lastAskedAt"',
      from: ADDRESSES,
      values: [organizationId, id, start, end],
      countsItself: true,
      order: [
        { expression: 'a.requests', type: 'integer' },
        { expression: 'a.last_asked_at', type: 'timestamptz' },
        { expression: 'a.path', type: 'text' },
      ],
      direction: 'desc',
    });
  }
}
