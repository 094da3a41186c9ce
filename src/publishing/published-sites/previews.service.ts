import { Injectable } from '@nestjs/common';
import { permission, requireScope } from '../../kernel/access/permissions.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { invalid, notFound } from '../../kernel/common/errors.js';
import { Members } from '../../identity/organizations/members.service.js';
import { siteSpacePath } from './pages/domain/site-paths.js';
import { claimsInParameter } from './claims-parameter.js';
import type { PreviewQuery } from './publishing-auth.schema.js';
import { VisitorTokens } from './visitor-tokens.js';
import { VisitorAccess } from './visitor-access.service.js';

/** The permissions for seeing sites. */
const SEEN = ['site:view', 'space:view'] as const;
const PREVIEW_SECONDS = 3600;
const MAX_ADDRESS_LENGTH = 2048;

/** Shows members the view of visitors. */
@Injectable()
export class Previews {
  constructor(
    private readonly addresses: Addresses,
    private readonly tokens: VisitorTokens,
    private readonly visits: VisitorAccess,
    private readonly members: Members,
  ) {}

  /**
   * The address of a site, or of one site space, with a token for the member and the given claims; with a draft it shows
   * how the site would look. `orBeginning` leads to the beginning of the site where the site space is not shown.
   */
  async of(
    caller: Caller,
    site: { readonly id: string; readonly organizationId: string },
    { siteSpace, claims }: { [Name in keyof PreviewQuery]: PreviewQuery[Name] | undefined },
    { hasDraft = false, orBeginning = false }: { readonly hasDraft?: boolean; readonly orBeginning?: boolean } = {},
  ): Promise<string> {
    for (const key of SEEN) requireScope(caller, key);
    const given = claimsInParameter(claims);
    const until = this.tokens.after(PREVIEW_SECONDS);
    const token = await this.tokens.sign(
      'member',
      { ...memberOf(caller, site.organizationId), site: site.id, ...given, ...(hasDraft && { draft: true }) },
      until,
    );
    const entrance = await this.visits.enterById(site.id, { jwtToken: token });
    if (!entrance || !('visit' in entrance)) throw notFound('Site');
    const { rows, site: shown } = entrance.visit;
    const row = rows.siteSpaces.find(({ siteSpaceId }) => siteSpaceId === siteSpace);
    if (siteSpace !== undefined && !row && !orBeginning)
      throw invalid('siteSpace', 'is not a site space that a visitor with these claims can see');
    const address = new URL(this.addresses.published(`/${shown.basename}${row ? siteSpacePath(rows, row) : ''}`));
    address.searchParams.set('jwt_token', token);
    if (address.href.length > MAX_ADDRESS_LENGTH) throw invalid('claims', 'are too long for an address');
    return address.href;
  }

  /**
   * Records that a member is active. The token identifies them to the sites of their organization, which show what they
   * may read; an API token without scopes for spaces or sites gets none, because it would circumvent its scopes.
   */
  async ofActiveMember(caller: Caller, organizationId: string): Promise<string | undefined> {
    const { userId, scopes } = caller;
    await this.members.seen(organizationId, userId);
    if (scopes && !SEEN.every((key) => scopes.includes(permission(key).scope))) return undefined;
    return this.tokens.sign('member', memberOf(caller, organizationId), this.tokens.after(PREVIEW_SECONDS));
  }
}

/** The member, and whether the API token was limited to the organization. */
export function memberOf({ userId, organizationId }: Caller, organization: string): Readonly<Record<string, unknown>> {
  return { sub: userId, organization, ...(organizationId !== undefined && { limited: true }) };
}
