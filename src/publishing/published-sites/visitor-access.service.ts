import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Cache } from '../../kernel/common/cache.js';
import { Access } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Database } from '../../kernel/common/database.js';
import { currentContext } from '../../kernel/common/context.js';
import { DomainError } from '../../kernel/common/errors.js';
import type { DataObject } from '../../kernel/common/expressions/tree.js';
import { requestAddress } from '../../kernel/common/ip-address.js';
import { hashSecret, Secrets } from '../../kernel/common/secrets.js';
import { organizationLabel } from '../sites/domain/organization-host.js';
import type { SiteForCaller } from '../sites/sites.schema.js';
import { Sites } from '../sites/sites.service.js';
import { withDraftsAbove } from '../sites/domain/structure.js';
import type { SiteSpaceRow, StructureRows } from '../sites/structure.schema.js';
import { SiteStructures } from '../sites/structure.service.js';
import { AdaptiveSchemas } from './adaptive-schemas.service.js';
import type { AdaptiveSchema } from './domain/adaptive-schema.js';
import { hostName, requestedOf, pathWithinSite } from './domain/requested-address.js';
import { visitorOf, type GivenClaims } from './domain/claims.js';
import { reachableStructure } from './domain/reachable-structure.js';
import { claimsKey, shownTo } from './domain/visitor.js';
import { customizedBy, draftOf } from './previews/customization-drafts.js';
import { PublicVisits, type FoundSite } from './public-visits.js';
import type { AdmissionResult, AdmittedVisit, Grant, Visit, VisitorPayload } from './visit.js';
import { VisitorTokens } from './visitor-tokens.js';
import { HEAD_BY_ADDRESS, HEAD_BY_ID, SITE_SPACES_FOR_READERS, type SiteHead } from './visitor-access.statements.js';

/** Bytes of a row in a view by claims: the row itself is that of the known site. */
const BYTES_OF_NAME = 16;
const LOADING_ATTEMPTS = 5;

/** The refusal of a visitor whose address is none of those that a site is limited to. */
export class AddressRefused extends DomainError {
  constructor() {
    super('forbidden', 'This site is not open to the network from which the request comes');
  }
}

/** All data of a site at one stamp. */
interface Known {
  readonly stamp: string;
  readonly site: SiteForCaller;
  readonly rows: StructureRows;
  readonly schema: AdaptiveSchema | undefined;
  /** True if visitors with different claims see different parts. */
  readonly isConditional: boolean;
  /** Approximate size in bytes. */
  readonly size: number;
}

/**
 * Admits visitors to published sites. A cached site costs one statement, which also checks whether the cache is
 * current, and whether a share link or a key is still valid; none where everybody sees the same.
 */
@Injectable()
export class VisitorAccess {
  private readonly known = new Cache<Known>({ share: 12, weigh: ({ size }) => size });
  /** By site, stamp and claims. */
  private readonly shown = new Cache<StructureRows>({
    share: 4,
    weigh: ({ groups, sections, links, siteSpaces }) =>
      400 + BYTES_OF_NAME * (groups.length + sections.length + links.length + siteSpaces.length),
  });

  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly addresses: Addresses,
    private readonly secrets: Secrets,
    private readonly sites: Sites,
    private readonly structures: SiteStructures,
    private readonly schemas: AdaptiveSchemas,
    private readonly tokens: VisitorTokens,
    private readonly publicVisits: PublicVisits,
  ) {}

  /** Finds the site by the host and path of a request; undefined if there is none at that address. */
  async enter(
    address: { readonly host: string; readonly path: string },
    payload: VisitorPayload,
  ): Promise<AdmittedVisit | undefined> {
    const requested = requestedOf(address.host, address.path);
    if (!requested) return undefined;
    const { host, segments, proxies } = requested;
    const shareKey = requested.shareKey ?? payload.shareKey;
    // On the installation's own host, no hostname or proxy of one site may replace another site.
    const own = hostName(new URL(this.addresses.public).host);
    const isOwn = host === own;
    const organization = organizationLabel(host, own);
    const basename = segments[0]?.toLowerCase() ?? null;
    const ask = async (): Promise<FoundSite | undefined> => {
      const head = await this.database.one<SiteHead>(HEAD_BY_ADDRESS, [
        hashOf(shareKey),
        null,
        requestAddress(),
        isOwn ? null : host,
        basename,
        isOwn ? [] : proxies,
        organization ?? null,
      ]);
      return head && { head, entrance: await this.admit(head, payload, shareKey) };
    };
    const isAnonymous =
      shareKey === undefined && payload.jwtToken === undefined && payload.unsignedClaims === undefined;
    const found = await (isAnonymous ? this.publicVisits.of({ ...requested, isOwn, organization }, ask) : ask());
    return found && { entrance: found.entrance, ...pathWithinSite(found.head, requested, organization) };
  }

  async enterById(siteId: string, payload: VisitorPayload): Promise<AdmissionResult> {
    const head = await this.database.one<SiteHead>(HEAD_BY_ID, [
      hashOf(payload.shareKey),
      null,
      requestAddress(),
      siteId,
    ]);
    return head && this.admit(head, payload, payload.shareKey);
  }

  /** The current view of a visitor who was admitted before; undefined once the grant is no longer valid. */
  async enterAgain(grant: Grant): Promise<Visit | undefined> {
    const head = await this.database.one<SiteHead>(HEAD_BY_ID, [
      null,
      grant.shareLinkId ?? null,
      requestAddress(),
      grant.siteId,
    ]);
    const entrance = head && (await this.letIn(head, grant));
    return entrance && 'visit' in entrance ? entrance.visit : undefined;
  }

  private async admit(
    head: SiteHead,
    { jwtToken, unsignedClaims: unsigned }: VisitorPayload,
    shareKey: string | undefined,
  ): Promise<AdmissionResult> {
    const isValid =
      shareKey !== undefined && head.keyHash !== null && timingSafeEqual(head.keyHash, hashSecret(shareKey));
    if (shareKey !== undefined && !isValid) return undefined;
    const token = jwtToken === undefined ? {} : await this.proven(head, jwtToken);
    const plain: Grant = {
      siteId: head.id,
      organizationId: head.organizationId,
      unsigned,
      ...(isValid && head.shareLinkId !== null && { shareLinkId: head.shareLinkId }),
    };
    const proven: Grant = { ...plain, ...token };
    // A former member is treated like every other visitor.
    const entrance =
      (await this.letIn(head, proven)) ?? (proven.memberId === undefined ? undefined : await this.letIn(head, plain));
    return entrance && 'visit' in entrance && isValid ? { visit: { ...entrance.visit, shareKey } } : entrance;
  }

  /**
   * The proof in a token: of a member who views the site with some claims, or of a visitor by the site's own service.
   */
  private async proven(head: SiteHead, token: string): Promise<Partial<Grant>> {
    if (this.tokens.isOwn(token)) {
      const own = await this.tokens.readOwn('member', token);
      return own ? memberGrant(own.claims, own.until, head) : {};
    }
    if (head.authKey === null || head.generation === null) return {};
    const found = await this.tokens.read(token, Buffer.from(this.secrets.decrypt(head.authKey)));
    return found ? { signed: found.claims, generation: head.generation, until: found.until } : {};
  }

  private async letIn(head: SiteHead, grant: Grant): Promise<AdmissionResult> {
    if (grant.shareLinkId !== undefined && head.shareLinkId !== grant.shareLinkId) return undefined;
    if (grant.generation !== undefined && head.generation !== grant.generation) return undefined;
    if (grant.memberId !== undefined) return this.letMemberIn(head, grant, grant.memberId);
    if (!head.published || (head.visibility === 'share-link' && grant.shareLinkId === undefined)) return undefined;
    if (!head.admitsAddress) throw new AddressRefused();
    if (head.visibility === 'visitor-auth' && grant.generation === undefined)
      return { login: head.fallbackUrl ?? undefined, siteId: head.id };
    const known = await this.knownOf(head);
    const visitor = visitorIn(known, grant);
    const key = claimsKey(visitor);
    return {
      visit: this.visit(head, known, { rows: this.shownTo(known, visitor, key), visitor, claimsKey: key, grant }),
    };
  }

  private shownTo({ site, stamp, rows, isConditional }: Known, visitor: DataObject, claims: string): StructureRows {
    const key = `${site.id} ${stamp} ${isConditional ? claims : ''}`;
    const shown = this.shown.get(key) ?? shownTo(rows, visitor);
    this.shown.set(key, shown);
    return shown;
  }

  /** Members see the parts of a site with spaces that they can see in any case, whether it is published or not. */
  private async letMemberIn(head: SiteHead, grant: Grant, userId: string): Promise<AdmissionResult> {
    const caller = {
      userId,
      tokenId: '',
      organizationId: grant.isLimited ? head.organizationId : undefined,
      scopes: undefined,
    };
    const account = await this.database.one('SELECT id FROM account WHERE id = $1 AND NOT disabled', [userId]);
    if (!account || !(await this.access.site(caller, head.organizationId, head.id))) return undefined;
    if (!head.admitsAddress) throw new AddressRefused();
    const visible = new Set((await this.structures.siteSpaces(userId, head.id)).map(({ siteSpaceId }) => siteSpaceId));
    const { id: siteId, organizationId } = head;
    const draft = grant.hasDraft && (await draftOf(this.database, { organizationId, userId, siteId }));
    const saved = await this.knownOf(head);
    const known = draft ? customizedBy(saved, draft) : saved;
    const visitor = visitorIn(known, grant);
    const shown = shownTo(
      { ...known.rows, siteSpaces: known.rows.siteSpaces.filter(({ siteSpaceId }) => visible.has(siteSpaceId)) },
      visitor,
    );
    return {
      visit: this.visit(head, known, {
        rows: reachableStructure(shown),
        visitor,
        claimsKey: claimsKey({ visitor, visible: [...visible].sort(), ...(draft && { draft: draft.version }) }),
        grant,
      }),
    };
  }

  private visit(
    head: SiteHead,
    { site, stamp }: Known,
    seen: Pick<Visit, 'rows' | 'visitor' | 'claimsKey' | 'grant'>,
  ): Visit {
    const { isRestricted } = head;
    const ambient = currentContext();
    if (ambient && isRestricted) ambient.filesOf = head.id;
    return {
      site,
      stamp,
      isRestricted,
      ...seen,
      // What is said within the list has addresses of files that are good there alone.
      ...(isRestricted && { claimsKey: claimsKey({ seen: seen.claimsKey, site: head.id }) }),
      rows: { ...seen.rows, siteSpaces: withHeads(seen.rows.siteSpaces, head) },
    };
  }

  private async knownOf({ id, stamp }: SiteHead): Promise<Known> {
    const known = this.known.get(id);
    if (known?.stamp === stamp) return known;
    let before: string | undefined = stamp;
    for (let attempt = 0; attempt < LOADING_ATTEMPTS; attempt++) {
      const site = await this.sites.get(id);
      const groups = await this.structures.groups(id);
      const rows = {
        groups,
        sections: await this.structures.sections(id),
        links: withDraftsAbove(groups, await this.structures.externalLinks(id)).filter(({ draft }) => !draft),
        siteSpaces: await this.database.query<SiteSpaceRow>(SITE_SPACES_FOR_READERS, [id]),
      };
      const schema = (await this.schemas.find(id))?.jsonSchema;
      // Nothing changed between the stamps before and after, so all data belong to one moment.
      const after: string | undefined = (
        await this.database.one<{ stamp: string }>('SELECT stamp FROM site WHERE id = $1', [id])
      )?.stamp;
      if (after !== undefined && after === before) {
        const isConditional = [...rows.sections, ...rows.links, ...rows.siteSpaces].some(
          ({ condition }) => (condition ?? '') !== '',
        );
        const made: Known = {
          stamp: after,
          site,
          rows,
          schema,
          isConditional,
          size: 2 * JSON.stringify([site, rows, schema]).length,
        };
        this.known.set(id, made);
        return made;
      }
      before = after;
    }
    throw new DomainError('unavailable', 'The site changes faster than it can be read', [], { 'Retry-After': '1' });
  }
}

/** Claims count while adaptive content is enabled for the site; without it no visitor has any. */
function visitorIn({ site, schema }: Known, { signed, unsigned }: Grant): DataObject {
  return visitorOf(site.adaptiveContent ? schema : undefined, signed, unsigned);
}

function memberGrant(claims: Readonly<Record<string, unknown>>, until: number, head: SiteHead): Partial<Grant> {
  const { sub, organization, site, limited, draft, signed, unsigned } = claims as {
    sub?: string;
    organization?: string;
    site?: string;
    limited?: boolean;
    draft?: boolean;
    signed?: GivenClaims;
    unsigned?: GivenClaims;
  };
  if (sub === undefined || organization !== head.organizationId || (site !== undefined && site !== head.id)) return {};
  return {
    memberId: sub,
    ...(limited && { isLimited: true }),
    ...(draft && { hasDraft: true }),
    signed,
    until,
    ...(unsigned && { unsigned }),
  };
}

function hashOf(shareKey: string | undefined): Buffer | null {
  return shareKey === undefined ? null : hashSecret(shareKey);
}

/**
 * Site spaces with the current heads of their spaces; those whose space was removed since the structure was read are
 * left out.
 */
function withHeads(siteSpaces: readonly SiteSpaceRow[], { heads }: SiteHead): SiteSpaceRow[] {
  const byId = new Map(heads.map((head) => [head.id, head]));
  return siteSpaces.flatMap((row) => {
    const head = byId.get(row.id);
    return head
      ? [
          {
            ...row,
            revisionId: head.revisionId,
            sequence: head.sequence,
            version: head.version,
            updatedAt: new Date(head.updatedAt),
          },
        ]
      : [];
  });
}
