import { Injectable } from '@nestjs/common';
import { isActive, type RequestStatus } from '../../../authoring/content/domain/request-status.js';
import { appAddress } from '../../../authoring/content/present-content.js';
import { Access } from '../../../kernel/access/access.service.js';
import { allows } from '../../../kernel/access/permissions.js';
import { Addresses } from '../../../kernel/common/addresses.js';
import { Database } from '../../../kernel/common/database.js';
import { Spaces } from '../../../workspace/spaces/spaces.service.js';
import type { PreviewAddress } from '../domain/preview-address.js';
import { VisitorAccess } from '../visitor-access.service.js';
import type { Visit } from '../visit.js';
import { PreviewGrants } from './preview-grants.js';
import type { PreviewedRequest, PreviewGrant } from './previewed-request.js';
import { spaceAlone } from './space-alone.js';
import { withRequest } from './with-request.js';

/** A change request whose preview is over, for a member who may still see it. */
export interface EndedPreview {
  readonly status: RequestStatus;
  readonly number: number;
  readonly app: string;
}

/** The admission to a preview; undefined for everybody whose token does not lead in. */
export type PreviewAdmission = { readonly visit: Visit } | { readonly ended: EndedPreview } | undefined;

interface RequestRow extends Record<string, unknown> {
  readonly number: number;
  readonly status: RequestStatus;
  readonly subject: string;
  readonly revisionId: string;
  readonly sequence: number;
  readonly baseSequence: number;
}

/** The change request `$2` of the space `$1`, for the account `$3` while that is not disabled. */
const REQUEST = `SELECT r.number, r.status, r.subject, r.revision_id AS "revisionId", r.sequence::float8 AS sequence, r.base_sequence::float8 AS "baseSequence"
  FROM change_request r JOIN account a ON a.id = $3 AND NOT a.disabled WHERE r.space_id = $1 AND r.id = $2`;

/**
 * Admits members to previews of change requests: sites with the content of a change request in the place of its space.
 * Everything is asked anew at each request: the token, the state of the change request, and what the member may see.
 */
@Injectable()
export class RequestPreviews {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly addresses: Addresses,
    private readonly spaces: Spaces,
    private readonly visits: VisitorAccess,
    private readonly grants: PreviewGrants,
  ) {}

  /** The admission at an address of a preview, by its token. */
  async enter({ request, shown }: PreviewAddress, token: string): Promise<PreviewAdmission> {
    const grant = await this.grants.read(token);
    if (grant?.requestId !== request || (grant.siteId ?? grant.spaceId) !== shown) return undefined;
    return this.admit(grant);
  }

  /** The admission of somebody with a grant that is known to be genuine. */
  async admit(grant: PreviewGrant): Promise<PreviewAdmission> {
    const { memberId, organizationId, spaceId } = grant;
    const caller = {
      userId: memberId,
      tokenId: '',
      organizationId: grant.isLimited ? organizationId : undefined,
      scopes: undefined,
    };
    const row = await this.database.one<RequestRow>(REQUEST, [spaceId, grant.requestId, memberId]);
    const space = row && (await this.access.space(caller, spaceId));
    if (!row || !space || space.deletedAt !== null || !allows('space:view', space.role)) return undefined;
    if (space.organizationId !== organizationId) return undefined;
    const app = appAddress(this.addresses, { organizationId, id: spaceId }, { number: row.number });
    if (!isActive(row.status)) return { ended: { status: row.status, number: row.number, app } };
    const preview: PreviewedRequest = {
      grant,
      number: row.number,
      subject: row.subject,
      point: {
        spaceId,
        line: grant.requestId,
        sequence: row.sequence,
        base: row.baseSequence,
        hidden: space.hiddenPages,
      },
      revisionId: row.revisionId,
      app,
    };
    const published = await this.withoutRequest(grant, space.hiddenPages);
    const visit = published && withRequest(published, preview);
    return visit && { visit };
  }

  /** The current visit of a member who was admitted before; undefined once the preview is over for them. */
  async again({ grant }: PreviewedRequest): Promise<Visit | undefined> {
    const admission = await this.admit(grant);
    return admission && 'visit' in admission ? admission.visit : undefined;
  }

  /** The site as the member sees it with the claims, before anything is replaced in it. */
  private async withoutRequest(grant: PreviewGrant, hiddenPages: readonly string[]): Promise<Visit | undefined> {
    const { siteId, organizationId, memberId, signed, unsigned, until } = grant;
    if (siteId === undefined) return spaceAlone(await this.spaces.get(memberId, grant.spaceId), hiddenPages, grant);
    return this.visits.enterAgain({
      siteId,
      organizationId,
      memberId,
      until,
      ...(grant.isLimited && { isLimited: true }),
      ...(signed && { signed }),
      ...(unsigned && { unsigned }),
    });
  }
}
