import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/common/context.js';
import { Database } from '../../../kernel/common/database.js';
import type { CustomizationBody, CustomizationOverride } from '../../sites/customization.schema.js';
import { Customizations } from '../../sites/customization.service.js';
import type { SiteAddress } from '../../sites/site-address.js';
import { Previews } from '../previews.service.js';
import type { ClaimsQuery, PreviewBody, PreviewQuery } from '../publishing-auth.schema.js';
import { CustomizationDrafts } from './customization-drafts.js';

/** Shows sites to the people who try another look of them. */
@Injectable()
export class CustomizationPreviews {
  constructor(
    private readonly database: Database,
    private readonly customizations: Customizations,
    private readonly drafts: CustomizationDrafts,
    private readonly previews: Previews,
  ) {}

  /** Throws as saving the settings does, and `invalid` for a site space that is not shown. */
  async ofSite(caller: Caller, site: SiteAddress, query: PreviewQuery, body: CustomizationBody): Promise<PreviewBody> {
    const settings = await this.customizations.settingsOf(caller, site.id, body);
    return this.show(caller, site, query, settings);
  }

  /** Throws as saving the overrides does. The address is that of the site where the site space is not shown. */
  async ofSiteSpace(
    caller: Caller,
    site: SiteAddress,
    siteSpace: string,
    { claims }: ClaimsQuery,
    body: CustomizationOverride,
  ): Promise<PreviewBody> {
    const overrides = await this.customizations.overridesOf(caller, site.id, siteSpace, body);
    return this.show(caller, site, { claims, siteSpace }, overrides, siteSpace);
  }

  private show(
    caller: Caller,
    site: SiteAddress,
    query: Parameters<Previews['of']>[2],
    settings: object,
    siteSpace: string | null = null,
  ): Promise<PreviewBody> {
    const { organizationId, id: siteId } = site;
    return this.database.transaction(async () => {
      await this.drafts.keep({ organizationId, userId: caller.userId, siteId }, settings, siteSpace);
      return { url: await this.previews.of(caller, site, query, { hasDraft: true, orBeginning: siteSpace !== null }) };
    });
  }
}
