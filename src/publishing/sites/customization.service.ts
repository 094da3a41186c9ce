import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { versioned } from '../../kernel/common/versioned.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { overlay, patchOverrides } from './domain/customization.js';
import { resolveActions, withConsistentActions } from './domain/page-actions.js';
import { ContentReferences } from './content-references.js';
import type { CustomizationBody, CustomizationOverride, CustomizationSettings } from './customization.schema.js';
import type { SiteAddress } from './site-address.js';
import { SiteLock } from './site-lock.js';
import { SiteSpace } from './site-space.entity.js';
import { Site } from './site.entity.js';
import { customizationOf, type SiteForCaller } from './sites.schema.js';
import { Sites } from './sites.service.js';
import type { SiteSpaceRow } from './structure.schema.js';
import { SiteStructures } from './structure.service.js';

/** Settings, or overrides, as they are stored. */
type Stored = Readonly<Record<string, unknown>>;

/** The design of sites: complete settings of the site, and the overrides of its site spaces. */
@Injectable()
export class Customizations {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly lock: SiteLock,
    private readonly sites: Sites,
    private readonly structures: SiteStructures,
    private readonly references: ContentReferences,
  ) {}

  async ofSite(siteId: string): Promise<CustomizationSettings> {
    const site = await this.sites.get(siteId);
    return versioned({ ...customizationOf(site) }, site.version);
  }

  /** Replaces the settings of a site as a whole. */
  async replace(caller: Caller, address: SiteAddress, body: CustomizationBody): Promise<CustomizationSettings> {
    await this.lock.hold(caller, address, 'site:admin', async (site) => {
      requireMatch(site.version);
      const customization = await this.made(caller, site, body);
      await this.database.of(Site).update({ id: site.id }, { customization, updatedAt: this.clock.now() });
      await this.outbox.record({
        type: 'site_customization_updated',
        organizationId: site.organizationId,
        target: site.id,
      });
    });
    return this.ofSite(address.id);
  }

  /** The settings that `replace` would store; throws as it does. */
  async settingsOf(caller: Caller, siteId: string, body: CustomizationBody): Promise<Stored> {
    return this.made(caller, await this.sites.get(siteId), body);
  }

  /** The settings of a site space: the site's settings with its overrides. */
  async ofSiteSpace(caller: Caller, siteId: string, id: string): Promise<CustomizationSettings> {
    const site = await this.sites.get(siteId);
    return shown(site, await this.structures.siteSpace(caller.userId, siteId, id));
  }

  /** Changes overrides of a site space; null removes one. */
  async override(
    caller: Caller,
    address: SiteAddress,
    id: string,
    patch: CustomizationOverride,
  ): Promise<CustomizationSettings> {
    await this.lock.hold(caller, address, 'site:admin', async (site) => {
      const row = await this.structures.siteSpace(caller.userId, site.id, id);
      requireMatch(row.siteSpaceVersion);
      await this.write(site, row, await this.overridden(caller, site, row, patch));
    });
    return this.ofSiteSpace(caller, address.id, id);
  }

  /** The overrides that `override` would store; throws as it does. */
  async overridesOf(caller: Caller, siteId: string, id: string, patch: CustomizationOverride): Promise<Stored> {
    const row = await this.structures.siteSpace(caller.userId, siteId, id);
    return this.overridden(caller, await this.sites.get(siteId), row, patch);
  }

  /** Removes all overrides of a site space. */
  async reset(caller: Caller, address: SiteAddress, id: string): Promise<void> {
    await this.lock.hold(caller, address, 'site:admin', async (site) => {
      const row = await this.structures.siteSpace(caller.userId, site.id, id);
      if (Object.keys(row.overrides).length > 0) await this.write(site, row, {});
    });
  }

  /** Gives a site space the overrides of another one. */
  async copy(caller: Caller, address: SiteAddress, { overrides }: SiteSpaceRow, id: string): Promise<void> {
    if (Object.keys(overrides).length === 0) return;
    await this.lock.hold(caller, address, 'site:admin', async (site) =>
      this.write(site, await this.structures.siteSpace(caller.userId, site.id, id), overrides),
    );
  }

  private async made(caller: Caller, site: SiteForCaller, body: CustomizationBody): Promise<Stored> {
    const settings = { ...body, ...resolveActions(body, customizationOf(site).pageActions.items) };
    await this.references.require(caller, site, settings);
    return withConsistentActions(settings);
  }

  private async overridden(
    caller: Caller,
    site: SiteForCaller,
    { overrides }: SiteSpaceRow,
    patch: CustomizationOverride,
  ): Promise<Stored> {
    await this.references.require(caller, site, patch);
    return patchOverrides(overrides, patch);
  }

  private async write(site: SiteForCaller, row: SiteSpaceRow, overrides: Stored): Promise<void> {
    await this.database.of(SiteSpace).update({ siteId: site.id, id: row.siteSpaceId }, { customization: overrides });
    await this.outbox.record({
      type: 'site_space_customization_updated',
      organizationId: site.organizationId,
      spaceId: row.id,
      target: row.siteSpaceId,
      payload: { siteId: site.id },
    });
  }
}

/** The settings of a site space, complete. */
export function customizationOfSiteSpace(site: SiteForCaller, row: SiteSpaceRow): CustomizationSettings {
  return withConsistentActions(overlay(customizationOf(site), row.overrides));
}

function shown(site: SiteForCaller, row: SiteSpaceRow): CustomizationSettings {
  return versioned(customizationOfSiteSpace(site, row), row.siteSpaceVersion);
}
