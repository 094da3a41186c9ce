import { Injectable } from '@nestjs/common';
import { Cache } from '../../kernel/common/cache.js';
import { infrastructureFaultOf } from '../../kernel/common/infrastructure-fault.js';
import type { Requested } from './domain/requested-address.js';
import { isSameForAll } from './pages/site-place.js';
import { PublishedVersions, type ReadingMoment } from './published-versions.js';
import type { AdmissionResult, Visit } from './visit.js';
import type { SiteHead } from './visitor-access.statements.js';

const BYTES_OF_VISIT = 2000;
/** Bytes of a row in a visit: the row itself is that of the known site. */
const BYTES_OF_NAME = 16;

/** An address without any credential. */
export interface PublicAddress extends Requested {
  /** True for an address of the installation's own host. */
  readonly isOwn: boolean;
  /** The hostname of an organization that was asked for. */
  readonly organization: string | undefined;
}

/** A site at an address, and whether it lets a visitor in. */
export interface FoundSite {
  readonly head: SiteHead;
  readonly entrance: AdmissionResult;
}

interface KnownVisit {
  readonly head: SiteHead;
  readonly entrance: { readonly visit: Visit & { readonly read: ReadingMoment } };
}

/**
 * Visits to sites that everybody sees alike: they cost no statement while `PublishedVersions` knows them to be current.
 * Sites of a limited audience, or with adaptive content, are never among them.
 */
@Injectable()
export class PublicVisits {
  private readonly known = new Cache<KnownVisit>({
    share: 4,
    weigh: ({
      entrance: {
        visit: { rows },
      },
    }) => BYTES_OF_VISIT + BYTES_OF_NAME * (rows.sections.length + rows.siteSpaces.length),
  });

  constructor(private readonly versions: PublishedVersions) {}

  /** The visit of somebody without credentials; `ask` finds it by the database, which is asked where none is known. */
  async of(address: PublicAddress, ask: () => Promise<FoundSite | undefined>): Promise<FoundSite | undefined> {
    const known = this.known.get(keyOfHost(address)) ?? this.known.get(keyOfPath(address));
    const { organizationId = '' } = known?.head ?? {};
    const before = known?.entrance.visit.read;
    if (before && this.versions.isCurrent(organizationId, before)) return known;
    const read = this.versions.now();
    try {
      const found = await ask();
      return found && this.learned(address, found, read);
    } catch (error) {
      if (known && before && infrastructureFaultOf(error) && this.versions.mayStandIn(organizationId, before))
        return { head: known.head, entrance: { visit: { ...known.entrance.visit, isStale: true } } };
      throw error;
    }
  }

  private learned(address: PublicAddress, found: FoundSite, read: ReadingMoment): FoundSite {
    const { head, entrance } = found;
    if (!entrance || !('visit' in entrance) || !isSameForAll(entrance.visit)) return found;
    const known = { head, entrance: { visit: { ...entrance.visit, read } } };
    this.known.set(isFoundByHost(head, address) ? keyOfHost(address) : keyOfPath(address), known);
    return known;
  }
}

/** Tells whether a site is found by the host alone, whatever the path. */
function isFoundByHost(
  { hostname, organizationHostname }: SiteHead,
  { host, isOwn, organization }: PublicAddress,
): boolean {
  if (isOwn) return false;
  return hostname?.toLowerCase() === host || (organization !== undefined && organizationHostname === organization);
}

const keyOfHost = ({ host }: PublicAddress): string => host;

/** The parts of the path that a site may be found by: its basename on the own host, else the prefixes of proxies. */
function keyOfPath({ host, isOwn, segments, proxies }: PublicAddress): string {
  return isOwn ? `/${segments[0]?.toLowerCase() ?? ''}` : (proxies.at(-1) ?? `${host}/`);
}
