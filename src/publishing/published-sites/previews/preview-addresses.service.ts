import { Injectable } from '@nestjs/common';
import { ContentLines } from '../../../authoring/content/content-lines.js';
import type { RequestHead } from '../../../authoring/content/request-lines.js';
import { isActive } from '../../../authoring/content/domain/request-status.js';
import type { SpaceAccess } from '../../../kernel/access/access.service.js';
import { permission, requireScope } from '../../../kernel/access/permissions.js';
import { Addresses } from '../../../kernel/common/addresses.js';
import type { Caller } from '../../../kernel/common/context.js';
import { DomainError, invalid } from '../../../kernel/common/errors.js';
import { Sites } from '../../sites/sites.service.js';
import type { SiteForCaller } from '../../sites/sites.schema.js';
import type { SiteSpaceRow } from '../../sites/structure.schema.js';
import { claimsInParameter, type ClaimsInParameter } from '../claims-parameter.js';
import { previewBase, PREVIEW_TOKEN } from '../domain/preview-address.js';
import { addressBelow, siteSpacePath } from '../pages/domain/site-paths.js';
import { firstDocument } from '../pages/domain/space-tree.js';
import { pagePath } from '../pages/site-place.js';
import { SpaceTrees } from '../pages/space-trees.js';
import type { Visit } from '../visit.js';
import { PreviewGrants } from './preview-grants.js';
import type { PreviewGrant } from './previewed-request.js';
import type { RequestPreviewBody, RequestPreviewQuery } from './request-previews.schema.js';
import { RequestPreviews } from './request-previews.service.js';

const SITES = 50;
/** Sites that are tried for one that shows the space to a visitor with the claims. */
const TRIED = 5;
const MAX_ADDRESS_LENGTH = 2048;

interface Opened {
  readonly grant: PreviewGrant;
  readonly visit: Visit;
}

/** Makes the addresses of previews of change requests. */
@Injectable()
export class PreviewAddresses {
  constructor(
    private readonly lines: ContentLines,
    private readonly sites: Sites,
    private readonly previews: RequestPreviews,
    private readonly grants: PreviewGrants,
    private readonly trees: SpaceTrees,
    private readonly addresses: Addresses,
  ) {}

  /** An address for the caller, of a site that holds the space, or without one of the space alone. */
  async of(
    caller: Caller,
    space: SpaceAccess,
    idOrNumber: string,
    query: RequestPreviewQuery,
  ): Promise<RequestPreviewBody> {
    const request = await this.lines.request(space.id, idOrNumber);
    if (!isActive(request.status))
      throw new DomainError('conflict', `A ${request.status} change request has no preview`);
    const claims = claimsInParameter(query.claims);
    const sites = await this.sitesOf(caller, request);
    const { grant, visit } = await this.opened(caller, request, claims, sites, query.site);
    const base = previewBase({ request: request.id, shown: grant.siteId ?? grant.spaceId });
    const url = new URL(this.addresses.published(await this.pathIn(visit, base, query)));
    url.searchParams.set(PREVIEW_TOKEN, await this.grants.sign(grant));
    if (url.href.length > MAX_ADDRESS_LENGTH) throw invalid('claims', 'are too long for an address');
    return {
      object: 'change-request-preview',
      url: url.href,
      expiresAt: new Date(grant.until * 1000).toISOString(),
      sites: sites.map(({ id, title }) => ({ id, title })),
    };
  }

  /** The sites that hold the space, published ones first; none for a token that may not see sites. */
  private async sitesOf(caller: Caller, { organizationId, spaceId }: RequestHead): Promise<readonly SiteForCaller[]> {
    const { scopes } = caller;
    if (scopes && !scopes.includes(permission('site:view').scope)) return [];
    const { items } = await this.sites.list(caller, organizationId, { space: spaceId, limit: SITES });
    return items.toSorted((left, right) => Number(right.published) - Number(left.published));
  }

  private async opened(
    caller: Caller,
    { id: requestId, organizationId, spaceId }: RequestHead,
    claims: ClaimsInParameter,
    sites: readonly SiteForCaller[],
    wanted: string | undefined,
  ): Promise<Opened> {
    if (wanted !== undefined) requireScope(caller, 'site:view');
    if (wanted !== undefined && !sites.some(({ id }) => id === wanted))
      throw invalid('site', 'is not a site of the space that the caller may see');
    const tried = wanted === undefined ? [...sites.slice(0, TRIED).map(({ id }) => id), undefined] : [wanted];
    for (const siteId of tried) {
      const grant = this.grants.grant(caller, { organizationId, spaceId, requestId, siteId }, claims);
      const admission = await this.previews.admit(grant);
      if (admission && 'visit' in admission) return { grant, visit: admission.visit };
    }
    throw invalid('claims', 'do not show the space: its condition in the site does not hold for them');
  }

  /** The path of the wanted page, else of the wanted site space, else of the first place that shows the space. */
  private async pathIn(visit: Visit, base: string, { siteSpace, page }: RequestPreviewQuery): Promise<string> {
    const { rows, preview } = visit;
    const row = rows.siteSpaces.find((each) =>
      siteSpace === undefined ? each.id === preview?.point.spaceId : each.siteSpaceId === siteSpace,
    );
    if (!row) throw invalid('siteSpace', 'is not a site space that a visitor with these claims can see');
    if (page !== undefined) return this.pathOf(visit, base, row, page);
    return addressBelow(base + siteSpacePath(rows, row), '');
  }

  private async pathOf(visit: Visit, base: string, row: SiteSpaceRow, id: string): Promise<string> {
    const { tree } = await this.trees.of(visit, row);
    const page = tree.byId.get(id);
    const shown = page && firstDocument(page);
    if (!shown) throw invalid('page', 'is not a page that a visitor with these claims can see');
    return pagePath({ visit, base, origin: '' }, row, tree, shown);
  }
}
