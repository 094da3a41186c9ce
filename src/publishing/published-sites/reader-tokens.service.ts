import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { SiteAccess, SpaceAccess } from '../../kernel/access/access.service.js';
import { Readers, type NamedKind, type ReaderAccess } from '../../kernel/access/readers.js';
import type { SiteSpaceRow } from '../sites/structure.schema.js';
import type { GivenClaims } from './domain/claims.js';
import { VisibleNames } from './visible-names.js';
import { VisitorTokens } from './visitor-tokens.js';
import { VisitorAccess } from './visitor-access.service.js';
import type { Grant, Visit } from './visit.js';
import { roleAlone } from '../../kernel/access/permissions.js';

const READER_SECONDS = 3600;

/** A visitor of a site at the API. */
export class SiteReader implements ReaderAccess {
  readonly site: SiteAccess;
  readonly siteSpaces: readonly SiteSpaceRow[];

  constructor(
    readonly visit: Visit,
    private readonly named: VisibleNames,
  ) {
    const { id, organizationId } = visit.site;
    this.site = { id, organizationId, ...roleAlone('read') };
    this.siteSpaces = visit.rows.siteSpaces;
  }

  space(id: string): SpaceAccess | undefined {
    const row = this.siteSpaces.find((siteSpace) => siteSpace.id === id);
    const { visitor, claimsKey, site } = this.visit;
    const path = row?.route ?? null;
    const published = { path, visibility: path === null ? null : site.visibility };
    return row && { ...row, ...roleAlone('read'), guestId: null, reader: { visitor, claimsKey, published } };
  }

  names(kind: NamedKind, target: string): Promise<boolean> {
    return this.named.has(this.visit, kind, target);
  }
}

/** The content of a reader token, without its expiry. */
interface ReaderClaims {
  readonly kind: 'site';
  readonly organization: string;
  readonly site: string;
  readonly link?: string;
  readonly generation?: number;
  readonly member?: string;
  readonly limited?: true;
  readonly claims?: GivenClaims;
  readonly unsigned?: GivenClaims;
}

/**
 * Tokens with which visitors of a site read its visible content at the API. They contain the grant of the visitor, so
 * that each use checks whether it is still valid.
 */
@Injectable()
export class ReaderTokens implements OnModuleInit {
  constructor(
    private readonly readers: Readers,
    private readonly tokens: VisitorTokens,
    private readonly visits: VisitorAccess,
    private readonly named: VisibleNames,
  ) {}

  onModuleInit(): void {
    this.readers.resolveBy(this);
  }

  isReaderToken(secret: string): boolean {
    return this.tokens.isOwn(secret);
  }

  async accessOf(secret: string): Promise<SiteReader | undefined> {
    const found = await this.tokens.readOwn('reader', secret);
    if (!found) return undefined;
    const { organization, site, link, generation, member, limited, claims, unsigned } =
      found.claims as unknown as ReaderClaims;
    const grant: Grant = {
      siteId: site,
      organizationId: organization,
      ...(link !== undefined && { shareLinkId: link }),
      ...(generation !== undefined && { generation }),
      ...(member !== undefined && { memberId: member }),
      ...(limited && { isLimited: true }),
      signed: claims,
      unsigned,
    };
    const visit = await this.visits.enterAgain(grant);
    return visit && this.readerOf(visit);
  }

  /** The access that a visit would have at the API. */
  readerOf(visit: Visit): SiteReader {
    return new SiteReader(visit, this.named);
  }

  /** Issues a token for a visitor's view, for an hour or until the visitor's grant ends. */
  async issue({ grant, visitor }: Visit): Promise<string> {
    const { unsigned, ...claims } = visitor['claims'] as { readonly unsigned: GivenClaims };
    const said: ReaderClaims = {
      kind: 'site',
      organization: grant.organizationId,
      site: grant.siteId,
      ...(grant.shareLinkId !== undefined && { link: grant.shareLinkId }),
      ...(grant.generation !== undefined && { generation: grant.generation }),
      ...(grant.memberId !== undefined && { member: grant.memberId }),
      ...(grant.isLimited && { limited: true }),
      claims,
      unsigned,
    };
    const until = this.tokens.after(READER_SECONDS);
    return this.tokens.sign('reader', { ...said }, Math.min(until, grant.until ?? until));
  }
}
