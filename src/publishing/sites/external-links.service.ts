import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { invalid } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { fieldsGiven, isUnchanged } from '../../kernel/platform/audit-changes.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { Positions } from './positions.js';
import type { SiteAddress } from './site-address.js';
import { SiteExternalLink } from './site-external-link.entity.js';
import { SiteLock } from './site-lock.js';
import type { AddExternalLink, ExternalLinkRow, UpdateExternalLink } from './external-links.schema.js';
import { SiteStructures } from './structure.service.js';

/** Entries of a site's structure that lead elsewhere. */
@Injectable()
export class ExternalLinks {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly lock: SiteLock,
    private readonly positions: Positions,
    private readonly structures: SiteStructures,
  ) {}

  /** Adds a link at the end. Throws `invalid` for a site without sections. */
  async add(caller: Caller, address: SiteAddress, body: AddExternalLink): Promise<ExternalLinkRow> {
    const id = newId();
    await this.lock.hold(caller, address, 'site:admin', async (site) => {
      if ((await this.structures.sections(site.id)).length === 0)
        throw invalid('parent', 'the site has no sections, beside which links stand');
      const groupId = body.parent ?? null;
      await this.requireGroup(site.id, groupId);
      await this.database.of(SiteExternalLink).insert({
        id,
        siteId: site.id,
        groupId,
        title: body.title,
        description: body.description ?? null,
        icon: body.icon ?? null,
        url: body.url,
        condition: body.condition ?? null,
        draft: body.draft ?? false,
        position: await this.positions.place(site.id, await this.positions.sections(site.id), {}),
        createdAt: this.clock.now(),
      });
      await this.outbox.record({
        type: 'site_external_link_added',
        organizationId: site.organizationId,
        target: id,
        payload: { siteId: site.id },
      });
    });
    return this.structures.externalLink(address.id, id);
  }

  async update(
    caller: Caller,
    address: SiteAddress,
    id: string,
    changes: UpdateExternalLink,
  ): Promise<ExternalLinkRow> {
    await this.lock.hold(caller, address, 'site:admin', async (site) => {
      const row = await this.structures.externalLink(site.id, id);
      requireMatch(row.version);
      const next = {
        title: changes.title ?? row.title,
        description: changes.description === undefined ? row.description : changes.description,
        icon: changes.icon === undefined ? row.icon : changes.icon,
        url: changes.url ?? row.url,
        condition: changes.condition === undefined ? row.condition : changes.condition,
        draft: changes.draft ?? row.draft,
        groupId: changes.parent === undefined ? row.groupId : changes.parent,
      };
      if (isUnchanged(row, next)) return;
      await this.requireGroup(site.id, next.groupId);
      const position =
        next.groupId === row.groupId
          ? row.position
          : await this.positions.place(site.id, await this.positions.sections(site.id, id), {});
      await this.database.of(SiteExternalLink).update({ siteId: site.id, id }, { ...next, position });
      await this.outbox.record({
        type: 'site_external_link_updated',
        organizationId: site.organizationId,
        target: id,
        payload: { siteId: site.id, fields: fieldsGiven(changes) },
      });
    });
    return this.structures.externalLink(address.id, id);
  }

  async remove(caller: Caller, address: SiteAddress, id: string): Promise<void> {
    await this.lock.hold(caller, address, 'site:admin', async (site) => {
      const link = (await this.structures.externalLinks(site.id)).find((row) => row.id === id);
      if (!link) return;
      await this.database.of(SiteExternalLink).delete({ siteId: site.id, id });
      await this.outbox.record({
        type: 'site_external_link_removed',
        organizationId: site.organizationId,
        target: id,
        payload: { siteId: site.id },
        audit: { label: link.title },
      });
    });
  }

  private async requireGroup(siteId: string, groupId: string | null): Promise<void> {
    if (groupId !== null && !(await this.structures.groups(siteId)).some(({ id }) => id === groupId))
      throw invalid('parent', 'is no section group of this site');
  }
}
