import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Addresses } from '../common/addresses.js';
import { Database } from '../common/database.js';
import { DomainError } from '../common/errors.js';
import type { Fields } from '../common/expressions/tree.js';
import { hashSecret } from '../common/secrets.js';
import type { Site } from '../sites/sites.schema.js';
import { Sites } from '../sites/sites.service.js';
import type { SiteSpaceRow, StructureRows } from '../sites/structure.schema.js';
import { SiteStructures } from '../sites/structure.service.js';
import { hostName, requestedOf, within } from './domain/address.js';
import { claimsKey, NOBODY, shownTo } from './domain/visitor.js';
import { HEAD_BY_ADDRESS, HEAD_BY_ID, SITE_SPACES_FOR_READERS, type SiteHead } from './visits.statements.js';

const SITES_KNOWN = 500;
const CLAIMS_KNOWN = 200;
const LOADING_ATTEMPTS = 5;

/** What a visitor brings along. */
export interface VisitorPayload {
  readonly jwtToken?: string;
  readonly unsignedClaims?: Readonly<Record<string, unknown>>;
  readonly shareKey?: string;
}

/** A published site as one visitor sees it. */
export interface Visit {
  readonly site: Site;
  /** Only what is served and what conditions show to this visitor; of each space (`id`) also the current `revisionId`, `sequence` and `language`. */
  readonly rows: StructureRows;
  /** Scope of expressions: `{claims: {…, unsigned: {…}}}`. */
  readonly visitor: Fields;
  /** The same for the same claims: a part of every cache key. */
  readonly claimsKey: string;
  /** Changes with anything of the site, its structure and settings, but not with the content of its spaces. */
  readonly stamp: string;
  /** The valid key that was brought. */
  readonly shareKey?: string;
}

/** How a visitor is let in: to the site, to its login (where it has one), or not at all, which is a 404. */
export type Entrance = { readonly visit: Visit } | { readonly login: string | undefined } | undefined;

export interface Entered {
  readonly entrance: Entrance;
  /** Where the site begins for this visitor, without a slash at its end: '' on a host of its own. Share keys are part of it. */
  readonly siteBasePath: string;
  /** Decoded, without slashes at its ends: what `placeOf` takes. */
  readonly path: string;
}

/** All of a site at one stamp. */
interface Known {
  readonly stamp: string;
  readonly site: Site;
  readonly rows: StructureRows;
  /** By claims. */
  readonly shown: LRUCache<string, StructureRows>;
}

/** Lets visitors into published sites. A site that is known costs one statement, which also tells whether it still is what is known. */
@Injectable()
export class Visits {
  private readonly known = new LRUCache<string, Known>({ max: SITES_KNOWN });

  constructor(
    private readonly database: Database,
    private readonly addresses: Addresses,
    private readonly sites: Sites,
    private readonly structures: SiteStructures,
  ) {}

  /** By the host and path of a request; undefined where there is no site at that address. */
  async enter(address: { readonly host: string; readonly path: string }, payload: VisitorPayload): Promise<Entered | undefined> {
    const requested = requestedOf(address.host, address.path);
    if (!requested) return undefined;
    const { host, segments, proxies } = requested;
    const shareKey = requested.shareKey ?? payload.shareKey;
    // On the installation's own host nobody's hostname or proxy may take the place of another site.
    const isOwn = host === hostName(new URL(this.addresses.public).host);
    const head = await this.head(HEAD_BY_ADDRESS, { shareKey }, isOwn ? null : host, segments[0]?.toLowerCase() ?? null, isOwn ? [] : proxies);
    if (!head) return undefined;
    return { entrance: await this.admit(head, { ...payload, ...(shareKey !== undefined && { shareKey }) }), ...within(head, requested) };
  }

  async enterById(siteId: string, payload: VisitorPayload): Promise<Entrance> {
    const head = await this.head(HEAD_BY_ID, payload, siteId);
    return head && this.admit(head, payload);
  }

  private async head(statement: string, { shareKey }: VisitorPayload, ...values: readonly unknown[]): Promise<SiteHead | undefined> {
    return this.database.one<SiteHead>(statement, [shareKey === undefined ? null : hashSecret(shareKey), null, ...values]);
  }

  private async admit(head: SiteHead, payload: VisitorPayload): Promise<Entrance> {
    if (!head.published) return undefined;
    const shareKey = validKey(head, payload.shareKey);
    if (payload.shareKey !== undefined && shareKey === undefined) return undefined;
    if (head.visibility === 'share-link' && shareKey === undefined) return undefined;
    if (head.visibility === 'visitor-auth') return { login: head.fallbackUrl ?? undefined };
    return { visit: { ...(await this.see(head, NOBODY)), ...(shareKey !== undefined && { shareKey }) } };
  }

  /** What a visitor with these claims sees of a site now. */
  private async see(head: SiteHead, visitor: Fields): Promise<Omit<Visit, 'shareKey'>> {
    const known = await this.knownOf(head);
    const key = claimsKey(visitor);
    let shown = known.shown.get(key);
    if (!shown) {
      shown = shownTo(known.rows, visitor);
      known.shown.set(key, shown);
    }
    return { site: known.site, rows: { ...shown, siteSpaces: withHeads(shown.siteSpaces, head) }, visitor, claimsKey: key, stamp: known.stamp };
  }

  private async knownOf({ id, stamp }: SiteHead): Promise<Known> {
    const known = this.known.get(id);
    if (known?.stamp === stamp) return known;
    let before: string | undefined = stamp;
    for (let attempt = 0; attempt < LOADING_ATTEMPTS; attempt++) {
      const site = await this.sites.get(id);
      const rows = {
        groups: await this.structures.groups(id),
        sections: await this.structures.sections(id),
        siteSpaces: await this.database.query<SiteSpaceRow>(SITE_SPACES_FOR_READERS, [id]),
      };
      const after: string | undefined = (await this.database.one<{ stamp: string }>('SELECT stamp FROM site WHERE id = $1', [id]))?.stamp;
      if (after !== undefined && after === before) {
        const made: Known = { stamp: after, site, rows, shown: new LRUCache({ max: CLAIMS_KNOWN }) };
        this.known.set(id, made);
        return made;
      }
      before = after;
    }
    throw new DomainError('unavailable', 'The site changes faster than it can be read', [], { 'Retry-After': '1' });
  }
}

function validKey({ keyHash }: SiteHead, given: string | undefined): string | undefined {
  return given !== undefined && keyHash !== null && timingSafeEqual(keyHash, hashSecret(given)) ? given : undefined;
}

/** Site spaces with what their spaces hold now; those whose space went since the structure was read are left out. */
function withHeads(siteSpaces: readonly SiteSpaceRow[], { heads }: SiteHead): SiteSpaceRow[] {
  const byId = new Map(heads.map((head) => [head.id, head]));
  return siteSpaces.flatMap((row) => {
    const head = byId.get(row.id);
    return head ? [{ ...row, revisionId: head.revisionId, sequence: head.sequence, version: head.version, updatedAt: new Date(head.updatedAt) }] : [];
  });
}
