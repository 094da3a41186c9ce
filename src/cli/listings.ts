import { Addresses } from '../kernel/common/addresses.js';
import type { Database } from '../kernel/common/database.js';
import { notFound } from '../kernel/common/errors.js';
import { SiteUrls } from '../publishing/sites/site-urls.js';
import { announceTo } from './addresses.js';
import { withPlainDatabase } from './plain-database.js';

/** Rows of one statement: a list is never in memory as a whole. */
const PAGE_SIZE = 1000;

/** Lists are in the order of ids, which is that of their making: `$1` the last id, `$2` a number of rows. */
const NEXT = (id: string): string => `${id} > $1 ORDER BY ${id} LIMIT $2`;

const ORGANIZATIONS = `SELECT o.id, o.title, coalesce(t.members, 0) AS members,
    (SELECT coalesce(sum(m.members), 0)::int FROM organization_member_total m
      WHERE m.organization_id = o.id AND m.role = 'admin' AND NOT m.disabled) AS admins,
    coalesce(t.spaces, 0) AS spaces, (SELECT count(*)::int FROM site s WHERE s.organization_id = o.id) AS sites, o.hostname, o.created_at AS "createdAt"
  FROM organization o LEFT JOIN organization_total t ON t.organization_id = o.id WHERE ${NEXT('o.id')}`;

const SPACES = `SELECT s.id, s.title, s.organization_id AS organization, s.collection_id AS collection,
    s.default_level::text AS level, s.edit_mode AS "editMode", s.language,
    coalesce((SELECT t.count FROM content_total t WHERE t.space_id = s.id AND t.line = '' AND t.kind = 'page'), 0)::int AS pages,
    (SELECT count(*)::int FROM site_space p WHERE p.space_id = s.id) AS sites, s.created_at AS "createdAt", s.deleted_at AS "deletedAt"
  FROM space s WHERE ($3::text IS NULL OR s.organization_id = $3) AND ${NEXT('s.id')}`;

const USERS = `SELECT a.id, a.email, a.display_name AS name, a.email_verified AS verified, a.disabled,
    (SELECT count(*)::int FROM member m WHERE m.user_id = a.id) AS organizations,
    (SELECT max(m.last_seen_at) FROM member m WHERE m.user_id = a.id) AS "lastSeenAt", a.created_at AS "createdAt"
  FROM account a WHERE ${NEXT('a.id')}`;

const SITES = `SELECT s.id, s.title, s.organization_id AS organization, s.published, s.visibility, s.basename, s.hostname, s.proxy,
    (SELECT count(*)::int FROM site_space p WHERE p.site_id = s.id) AS spaces, s.created_at AS "createdAt"
  FROM site s WHERE ($3::text IS NULL OR s.organization_id = $3) AND ${NEXT('s.id')}`;

interface Listed {
  readonly id: string;
}

interface ListedOrganization extends Listed {
  readonly title: string;
  readonly members: number;
  readonly admins: number;
  readonly spaces: number;
  readonly sites: number;
  readonly hostname: string | null;
  readonly createdAt: Date;
}

interface ListedSpace extends Listed {
  readonly title: string;
  readonly organization: string;
  readonly collection: string | null;
  readonly level: string | null;
  readonly editMode: string;
  readonly language: string | null;
  readonly pages: number;
  readonly sites: number;
  readonly createdAt: Date;
  readonly deletedAt: Date | null;
}

interface ListedUser extends Listed {
  readonly email: string;
  readonly name: string;
  readonly verified: boolean;
  readonly disabled: boolean;
  readonly organizations: number;
  readonly lastSeenAt: Date | null;
  readonly createdAt: Date;
}

interface ListedSite extends Listed {
  readonly title: string;
  readonly organization: string;
  readonly published: boolean;
  readonly visibility: string;
  readonly basename: string;
  readonly hostname: string | null;
  readonly proxy: string | null;
  readonly spaces: number;
  readonly createdAt: Date;
}

/** One row as it is printed. */
export type ListedRow = Readonly<Record<string, string | number | boolean | null>>;

/** Receives the rows of one statement; false if no more are wanted. */
export type RowsReader = (rows: readonly ListedRow[]) => Promise<boolean>;

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

/** All organizations of the installation. */
export const listOrganizations = (read: RowsReader): Promise<void> =>
  withPlainDatabase((database) =>
    walk(
      (last) => database.query<ListedOrganization & Record<string, unknown>>(ORGANIZATIONS, [last, PAGE_SIZE]),
      ({ createdAt, ...row }) => ({ ...row, createdAt: iso(createdAt) }),
      read,
    ),
  );

/** All spaces, or those of one organization, with those in the trash. */
export const listSpaces = (organization: string | undefined, read: RowsReader): Promise<void> =>
  withPlainDatabase(async (database) => {
    await requireOrganization(database, organization);
    const values = [PAGE_SIZE, organization ?? null];
    await walk(
      (last) => database.query<ListedSpace & Record<string, unknown>>(SPACES, [last, ...values]),
      ({ level, createdAt, deletedAt, ...row }) => ({
        ...row,
        level: level ?? 'inherited',
        createdAt: iso(createdAt),
        deletedAt: iso(deletedAt),
      }),
      read,
    );
  });

/** All accounts of the installation. */
export const listUsers = (read: RowsReader): Promise<void> =>
  withPlainDatabase((database) =>
    walk(
      (last) => database.query<ListedUser & Record<string, unknown>>(USERS, [last, PAGE_SIZE]),
      ({ lastSeenAt, createdAt, ...row }) => ({ ...row, lastSeenAt: iso(lastSeenAt), createdAt: iso(createdAt) }),
      read,
    ),
  );

/** All sites, or those of one organization, with their addresses. */
export const listSites = (organization: string | undefined, read: RowsReader): Promise<void> =>
  withPlainDatabase(async (database, config) => {
    await requireOrganization(database, organization);
    const addresses = new Addresses();
    announceTo(addresses, config);
    const urls = new SiteUrls(addresses);
    const values = [PAGE_SIZE, organization ?? null];
    await walk(
      (last) => database.query<ListedSite & Record<string, unknown>>(SITES, [last, ...values]),
      ({ basename, hostname, proxy, createdAt, ...row }) => ({
        ...row,
        address: urls.of({ basename, hostname, proxy }, ''),
        createdAt: iso(createdAt),
      }),
      read,
    );
  });

async function requireOrganization(database: Database, id: string | undefined): Promise<void> {
  if (id === undefined) return;
  const found = await database.one('SELECT FROM organization WHERE id = $1', [id]);
  if (!found) throw notFound(`An organization ${id} was`);
}

async function walk<Row extends Listed>(
  next: (last: string) => Promise<Row[]>,
  present: (row: Row) => ListedRow,
  read: RowsReader,
): Promise<void> {
  for (let last = ''; ;) {
    const rows = await next(last);
    if (rows.length > 0 && !(await read(rows.map(present)))) return;
    if (rows.length < PAGE_SIZE) return;
    last = rows.at(-1)?.id ?? '';
  }
}
