import { randomUUID } from 'node:crypto';
import { numberedSlug, slugOf } from '../../authoring/content/domain/slug.js';
import { HOSTNAME } from '../../identity/organizations/organizations.schema.js';
import { NAME_ORGANIZATION } from '../../identity/organizations/imported-organization.statements.js';
import { GIVE_ADDRESSES } from '../../identity/users/imported-people.statements.js';
import type { DatabaseConnection } from '../../kernel/common/connection.js';
import { sqlState } from '../../kernel/common/sql-state.js';
import { basenameFault, basenameOf, RESERVED_BASENAMES } from '../../publishing/sites/domain/paths.js';
import { LOCK_ORGANIZATION_NAME } from '../../publishing/sites/hostnames/organization-names.js';
import { KEEP_FORMER_BASENAMES, NAME_SITES } from '../../publishing/sites/imported-sites.statements.js';
import { UNIQUE_VIOLATION } from './archive-source.js';
import { nameIn, textOfColumn, type ArchivedRow } from './row-values.js';

/** Somebody has taken a name between the look at it and the commit: the import can be tried again. */
export class NameTaken extends Error {}

interface WantedSite {
  readonly id: string;
  readonly title: string;
  readonly basename: string;
  readonly proxy: string | null;
}

/**
 * Names that are unique in the installation. Somebody else who wants one of them waits until the transaction ends that
 * has stored it, so rows come with other names while an archive is read, and get their own at the end.
 */
export class InstallationNames {
  private readonly addresses: { readonly id: string; readonly email: string }[] = [];
  private readonly sites: WantedSite[] = [];
  private readonly formerBasenames: {
    readonly siteId: string;
    readonly basename: string;
    readonly createdAt: unknown;
  }[] = [];
  private hostname: string | undefined;
  /** The number from which on basenames are free, by the one that sites want. */
  private readonly numbers = new Map<string, number>();
  /** Basenames and proxies that sites of the archive have taken. */
  private readonly given = { basenames: new Set<string>(), proxies: new Set<string>() };

  constructor(
    private readonly client: DatabaseConnection,
    private readonly note: (line: string) => void,
  ) {}

  /** Notes the address of a new account (an id of this installation); returns the address that stands for it. */
  holdAddress(id: string, email: string): string {
    this.addresses.push({ id, email });
    return placeholder();
  }

  /** Notes the names of a site, and gives its row others. */
  holdSite(row: ArchivedRow): void {
    const [id, basename] = [textOfColumn(row, 'id'), textOfColumn(row, 'basename')];
    const proxy = typeof row['proxy'] === 'string' ? row['proxy'] : null;
    this.sites.push({ id, title: nameIn(row, 'title'), basename, proxy });
    Object.assign(row, { basename: placeholder(), proxy: null });
  }

  holdFormerBasename(row: ArchivedRow): void {
    const [siteId, basename] = [textOfColumn(row, 'site_id'), textOfColumn(row, 'basename')];
    this.formerBasenames.push({ siteId, basename, createdAt: row['created_at'] });
  }

  /** Notes the subdomain of the organization. */
  holdHostname(row: ArchivedRow): void {
    this.hostname = textOfColumn(row, 'hostname');
  }

  /**
   * Gives the rows of an organization their names, or the next ones that are free.
   * @param idOf the id that a row of the archive has here.
   * @throws NameTaken where somebody else has taken one in the meantime.
   */
  async give(organizationId: string, idOf: (id: string) => string): Promise<void> {
    try {
      await this.nameOrganization(organizationId);
      await this.client.query(NAME_SITES, [organizationId, JSON.stringify(await this.freeNames(idOf))]);
      const former = this.formerBasenames.map((name) => ({ ...name, siteId: idOf(name.siteId) }));
      await this.client.query(KEEP_FORMER_BASENAMES, [organizationId, JSON.stringify(former)]);
      await this.client.query(GIVE_ADDRESSES, [JSON.stringify(this.addresses)]);
    } catch (error) {
      throw sqlState(error) === UNIQUE_VIOLATION ? new NameTaken('A name was taken', { cause: error }) : error;
    }
  }

  private async nameOrganization(organizationId: string): Promise<void> {
    const { hostname } = this;
    if (hostname === undefined) return;
    if (await this.isFreeSubdomain(hostname)) await this.client.query(NAME_ORGANIZATION, [organizationId, hostname]);
    else this.note(`The subdomain ${nameIn({ hostname }, 'hostname')} is taken: the organization has none.`);
  }

  /** Tells whether no organization has a subdomain, and no site a hostname that may be the same; holds it until the end. */
  private async isFreeSubdomain(hostname: string): Promise<boolean> {
    if (!HOSTNAME.test(hostname)) return false;
    await this.client.query(LOCK_ORGANIZATION_NAME, [hostname]);
    return (
      !(await this.exists('organization WHERE hostname = $1', hostname)) &&
      !(await this.exists(`custom_hostname WHERE split_part(hostname, '.', 1) = $1`, hostname))
    );
  }

  private async freeNames(idOf: (id: string) => string): Promise<unknown[]> {
    const names = [];
    for (const site of this.sites) {
      const basename = await this.freeBasename(site.basename);
      if (basename !== site.basename)
        this.note(`The site ${site.title} is at ${basename}, because ${nameIn({ ...site }, 'basename')} is taken.`);
      names.push({ id: idOf(site.id), basename, proxy: await this.freeProxy(site) });
    }
    return names;
  }

  private async freeProxy({ title, proxy }: WantedSite): Promise<string | null> {
    if (proxy === null) return null;
    const spelling = proxy.toLowerCase();
    const isTaken = this.given.proxies.has(spelling) || (await this.exists('site WHERE lower(proxy) = $1', spelling));
    this.given.proxies.add(spelling);
    if (!isTaken) return proxy;
    this.note(`The site ${title} has no proxy, because another site is at ${nameIn({ proxy }, 'proxy')}.`);
    return null;
  }

  /** The basename itself, or with the first number with which it is neither reserved nor taken. */
  private async freeBasename(basename: string): Promise<string> {
    const wanted = basenameFault(basename) === undefined ? basename : basenameOf(slugOf(basename));
    for (let number = this.numbers.get(wanted) ?? 0; ; number++) {
      const name = numberedSlug(wanted, number);
      const spelling = name.toLowerCase();
      // The sites of the archive do not have their names yet.
      const isTaken = RESERVED_BASENAMES.has(spelling) || this.given.basenames.has(spelling);
      if (isTaken || (await this.exists('site WHERE lower(basename) = $1', spelling))) continue;
      this.numbers.set(wanted, number + 1);
      this.given.basenames.add(spelling);
      return name;
    }
  }

  private async exists(condition: string, value: string): Promise<boolean> {
    const { rowCount } = await this.client.query(`SELECT WHERE EXISTS (SELECT FROM ${condition})`, [value]);
    return (rowCount ?? 0) > 0;
  }
}

/** No name of anything: it has blanks, and no other row has it. */
const placeholder = (): string => `import ${randomUUID()}`;
