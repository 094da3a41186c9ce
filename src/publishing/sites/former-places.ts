import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { Database } from '../../kernel/common/database.js';
import { newId } from '../../kernel/common/ids.js';
import { sourceOf } from './domain/redirects.js';
import type { SiteAddress } from './site-address.js';

/** The paths of the site spaces in $1, without those in the trash. */
const PLACES = 'SELECT site_space_id AS id, place FROM site_route WHERE site_id = $1';

/** Redirects the old paths $5 to the site spaces $6, with precedence over older automatic redirects. */
const LEAVE = `INSERT INTO site_redirect (id, organization_id, site_id, automatic, source, path, site_space_id, created_at)
  SELECT r.id, $1, $2, true, r.source, r.path, r.site_space, $7 FROM unnest($3::text[], $4::text[], $5::text[], $6::text[]) AS r (id, source, path, site_space)
  ON CONFLICT (site_id, path, site_space_id) WHERE automatic DO UPDATE SET source = excluded.source, created_at = excluded.created_at`;

const LEAVE_BASENAME = `INSERT INTO site_former_basename (basename, organization_id, site_id, created_at) VALUES (lower($1), $2, $3, $4)
  ON CONFLICT (basename) DO UPDATE SET organization_id = excluded.organization_id, site_id = excluded.site_id, created_at = excluded.created_at`;

interface Place {
  readonly id: string;
  readonly place: string;
}

/** Keeps old addresses of sites working: after any change of paths, readers of the old address are redirected. */
@Injectable()
export class FormerPlaces {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Runs a change of a site under its lock; each site space whose path changes leaves a redirect at its old one. */
  async keep<T>({ id, organizationId }: SiteAddress, work: () => Promise<T>): Promise<T> {
    const before = await this.database.query<Place & Record<string, unknown>>(PLACES, [id]);
    const result = await work();
    const rows = await this.database.query<Place & Record<string, unknown>>(PLACES, [id]);
    const after = new Map(rows.map((row) => [row.id, row.place]));
    const moved = before.filter((row) => comparable(after.get(row.id) ?? row.place) !== comparable(row.place));
    if (moved.length === 0) return result;
    const sources = moved.map(({ place }) => sourceOf(place));
    const paths = moved.map(({ place }) => comparable(place));
    await this.database.execute(LEAVE, [
      organizationId,
      id,
      moved.map(() => newId()),
      sources,
      paths,
      moved.map((row) => row.id),
      this.clock.now(),
    ]);
    return result;
  }

  /** Redirects a former basename of a site to it. */
  async keepBasename({ id, organizationId }: SiteAddress, basename: string): Promise<void> {
    await this.database.execute(LEAVE_BASENAME, [basename, organizationId, id, this.clock.now()]);
  }
}

const comparable = (place: string): string => place.normalize('NFC').toLowerCase();
