import { Injectable } from '@nestjs/common';
import { Access } from '../../kernel/access/access.service.js';
import { allows, type PermissionKey } from '../../kernel/access/permissions.js';
import { atLeast, type AccessLevel } from '../../kernel/common/roles.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, invalidFields, notFound, type ErrorDetail } from '../../kernel/common/errors.js';
import { FormerPlaces } from './former-places.js';
import type { SiteAddress } from './site-address.js';
import type { SiteForCaller } from './sites.schema.js';
import { additions } from '../../identity/organizations/custom-roles/additions.js';

const COLUMNS = `site.id, site.organization_id AS "organizationId", site.type, site.title, site.basename, site.hostname, site.proxy,
  coalesce(site.hostname, (SELECT h.hostname FROM custom_hostname h WHERE h.organization_id = site.organization_id AND h.site_id = site.id)) AS "claimedHostname",
  site.visibility, site.published, site.adaptive_content AS "adaptiveContent", site.agents_context AS "agentsContext", site.unanswered_questions AS "unansweredQuestions",
  site.default_section_id AS "defaultSectionId", site.default_site_space_id AS "defaultSiteSpaceId", site.customization, site.version,
  site.created_at AS "createdAt"`;
const SITE_SPACES = 'FROM site_space ss JOIN space s ON s.id = ss.space_id AND s.deleted_at IS NULL';

/** The columns of `Site` over the alias `site`. */
export const SITE_COLUMNS = `${COLUMNS}, (SELECT count(*)::int ${SITE_SPACES} WHERE ss.site_id = site.id) AS "siteSpaces"`;

/** The same for the user `$1`, with their role, counting only those site spaces whose space they can see. */
export const SITE_COLUMNS_AS_SEEN = `${COLUMNS}, (SELECT count(*)::int ${SITE_SPACES}
  JOIN space_access($1, ARRAY(SELECT placed.space_id FROM site_space placed WHERE placed.site_id = site.id)) a ON a.space_id = s.id AND a.role > 'none' WHERE ss.site_id = site.id) AS "siteSpaces",
  (SELECT seen.role FROM site_access($1, ARRAY[site.id]) seen) AS "callerRole", ${additions('site', '$1', 'site')} AS "callerAdded"`;

/** A space to be added to a site. */
export interface PlacedSpace {
  readonly id: string;
  readonly title: string;
}

/** The first step of every change of a site: one change of a site at a time, with the caller's current permissions. */
@Injectable()
export class SiteLock {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly formerPlaces: FormerPlaces,
  ) {}

  /**
   * Runs `work` in a transaction that holds the site's row. Throws `notFound` if it was removed and `forbidden` if the
   * caller's permission was revoked between the guard and the lock.
   */
  async hold<T>(
    caller: Caller,
    { id, organizationId }: SiteAddress,
    key: PermissionKey,
    work: (site: SiteForCaller) => Promise<T>,
  ): Promise<T> {
    return this.database.transaction(async () => {
      await this.holdMembership(caller, organizationId);
      const site = await this.database.one<SiteForCaller>(
        `SELECT ${SITE_COLUMNS} FROM site WHERE site.id = $1 AND site.organization_id = $2 FOR NO KEY UPDATE OF site`,
        [id, organizationId],
      );
      const access = await this.access.site(caller, organizationId, id);
      if (!site || !access) throw notFound('Site');
      if (!allows(key, access)) throw new DomainError('forbidden', `Requires the permission ${key}`);
      return work(site);
    });
  }

  /** The same for work that may change paths: old addresses are redirected afterwards. */
  async restructure<T>(caller: Caller, address: SiteAddress, work: (site: SiteForCaller) => Promise<T>): Promise<T> {
    return this.hold(caller, address, 'site:admin', (site) => this.formerPlaces.keep(site, () => work(site)));
  }

  /** Locks the caller's membership until the transaction ends. */
  async holdMembership(caller: Caller, organizationId: string): Promise<AccessLevel | undefined> {
    const member = await this.database.one<{ role: AccessLevel }>(
      'SELECT role FROM member WHERE organization_id = $1 AND user_id = $2 AND NOT disabled FOR SHARE',
      [organizationId, caller.userId],
    );
    return member?.role;
  }

  /**
   * The spaces in a body, each at its field's path, if the caller may add them to a site, which requires the role admin
   * on them. Throws `invalid` for those that are absent, foreign, invisible, in the trash or named twice, and
   * `forbidden` for those that are only visible.
   */
  async placeable(
    caller: Caller,
    organizationId: string,
    named: readonly { id: string; path: string }[],
  ): Promise<PlacedSpace[]> {
    const rows = await this.database.query<PlacedSpace & { role: AccessLevel }>(
      `SELECT s.id, s.title, a.role FROM space_access($1, $2::text[]) a JOIN space s ON s.id = a.space_id
        WHERE s.organization_id = $3 AND s.deleted_at IS NULL AND a.role > 'none'`,
      [caller.userId, named.map(({ id }) => id), organizationId],
    );
    const known = new Map(rows.map((row) => [row.id, row]));
    const faults: ErrorDetail[] = named.flatMap(({ id, path }, index) => {
      if (!known.has(id)) return [{ path, message: 'is no space of this organization' }];
      return named.findIndex((other) => other.id === id) < index ? [{ path, message: 'is named twice' }] : [];
    });
    if (faults.length > 0) throw invalidFields(faults);
    if (rows.some(({ role }) => !allows('space:admin', role)))
      throw new DomainError('forbidden', 'Adding a space to a site requires the permission space:admin on it');
    return named.flatMap(({ id }) => known.get(id) ?? []);
  }

  /** Tells whether the user may see each of the spaces, in order. */
  async visible(caller: Caller, organizationId: string, spaces: readonly string[]): Promise<boolean[]> {
    const rows = await this.database.query<{ id: string; role: AccessLevel }>(
      'SELECT s.id, a.role FROM space_access($1, $2::text[]) a JOIN space s ON s.id = a.space_id WHERE s.organization_id = $3',
      [caller.userId, spaces, organizationId],
    );
    const seen = new Set(rows.filter(({ role }) => role !== null && atLeast(role, 'read')).map(({ id }) => id));
    return spaces.map((id) => seen.has(id));
  }
}
