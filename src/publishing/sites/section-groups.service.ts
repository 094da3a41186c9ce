import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { invalid, invalidFields, type ErrorDetail } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import type { EventPayload } from '../../kernel/platform/manifest/events.js';
import { fieldsGiven, isUnchanged } from '../../kernel/platform/audit-changes.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { faultOfParent } from './domain/structure.js';
import { Positions } from './positions.js';
import { Sections } from './sections.service.js';
import type { SiteAddress } from './site-address.js';
import { SiteDefaults } from './site-defaults.js';
import { SiteLock } from './site-lock.js';
import { SiteSectionGroup } from './site-section-group.entity.js';
import type { SiteForCaller } from './sites.schema.js';
import { SiteStructures } from './structure.service.js';
import type { AddSectionGroup, SectionGroupRow, UpdateSectionGroup } from './structure.schema.js';

/** Groups of sections, which may be nested. */
@Injectable()
export class SectionGroups {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly lock: SiteLock,
    private readonly positions: Positions,
    private readonly structures: SiteStructures,
    private readonly sections: Sections,
    private readonly defaults: SiteDefaults,
  ) {}

  /** Adds a group at the end and moves the given sections into it, in the given order. */
  async add(
    caller: Caller,
    address: SiteAddress,
    { title, icon, sections = [], parent, draft = false }: AddSectionGroup,
  ): Promise<SectionGroupRow> {
    const id = newId();
    await this.lock.restructure(caller, address, async (held) => {
      await this.requireMembers(held, sections, parent);
      const site = await this.sections.gatherRoot(held);
      const key = await this.positions.place(site.id, await this.positions.sections(site.id), {});
      await this.database.of(SiteSectionGroup).insert({
        id,
        siteId: site.id,
        parentId: parent ?? null,
        title,
        icon: icon ?? null,
        draft,
        position: key,
        createdAt: this.clock.now(),
      });
      await this.take(site, id, sections);
      await this.defaults.requireLiveSection(site.id, 'sections');
      await this.outbox.record({
        type: 'site_section_group_added',
        organizationId: site.organizationId,
        target: id,
        payload: { siteId: site.id, sectionIds: sections },
      });
    });
    return this.structures.group(address.id, id);
  }

  async update(
    caller: Caller,
    address: SiteAddress,
    id: string,
    changes: UpdateSectionGroup,
  ): Promise<SectionGroupRow> {
    await this.lock.restructure(caller, address, async (site) => {
      const row = await this.structures.group(site.id, id);
      requireMatch(row.version);
      const title = changes.title ?? row.title;
      const icon = changes.icon === undefined ? row.icon : changes.icon;
      const parentId = changes.parent === undefined ? row.parentId : changes.parent;
      const draft = changes.draft ?? row.draft;
      if (isUnchanged(row, { title, icon, parentId, draft })) return;
      const fault = faultOf(await this.structures.groups(site.id), id, parentId);
      if (fault !== undefined) throw invalid('parent', fault);
      const position =
        parentId === row.parentId
          ? row.position
          : await this.positions.place(site.id, await this.positions.sections(site.id, id), {});
      await this.database
        .of(SiteSectionGroup)
        .update({ siteId: site.id, id }, { title, icon, parentId, draft, position });
      await this.defaults.requireLiveSection(site.id, draft === row.draft ? 'parent' : 'draft');
      await this.updated(site, id, { fields: fieldsGiven(changes) });
    });
    return this.structures.group(address.id, id);
  }

  /** Removes a group; its content moves to the place of the group, that of a draft as drafts. */
  async remove(caller: Caller, address: SiteAddress, id: string): Promise<void> {
    await this.lock.hold(caller, address, 'site:admin', async (site) => {
      const group = (await this.structures.groups(site.id)).find((row) => row.id === id);
      if (!group) return;
      const values = [site.id, id, group.parentId, group.draft];
      await this.database.execute(
        'UPDATE site_section SET group_id = $3, draft = draft OR $4, version = version + 1 WHERE site_id = $1 AND group_id = $2',
        values,
      );
      await this.database.execute(
        'UPDATE site_section_group SET parent_id = $3, draft = draft OR $4, version = version + 1 WHERE site_id = $1 AND parent_id = $2',
        values,
      );
      await this.database.execute(
        'UPDATE site_external_link SET group_id = $3, draft = draft OR $4, version = version + 1 WHERE site_id = $1 AND group_id = $2',
        values,
      );
      await this.database.of(SiteSectionGroup).delete({ siteId: site.id, id });
      await this.outbox.record({
        type: 'site_section_group_removed',
        organizationId: site.organizationId,
        target: id,
        payload: { siteId: site.id },
        audit: { label: group.title },
      });
    });
  }

  /** Moves a section to the end of a group; does nothing if it is already in it. */
  async addSection(caller: Caller, address: SiteAddress, id: string, sectionId: string): Promise<SectionGroupRow> {
    await this.lock.restructure(caller, address, async (site) => {
      await this.structures.group(site.id, id);
      const section = (await this.structures.sections(site.id)).find((row) => row.id === sectionId);
      if (!section) throw invalid('sectionId', 'is not a section of this site');
      if (section.groupId === id) return;
      await this.take(site, id, [sectionId]);
      await this.defaults.requireLiveSection(site.id, 'sectionId');
      await this.updated(site, id, { addedSectionIds: [sectionId] });
    });
    return this.structures.group(address.id, id);
  }

  /** Moves a section out of its group to the root of the site; does nothing if it is not in the group. */
  async removeSection(caller: Caller, address: SiteAddress, id: string, sectionId: string): Promise<void> {
    await this.lock.hold(caller, address, 'site:admin', async (site) => {
      await this.structures.group(site.id, id);
      const removed = await this.database.execute(
        'UPDATE site_section SET group_id = NULL, version = version + 1 WHERE site_id = $1 AND id = $2 AND group_id = $3',
        [site.id, sectionId, id],
      );
      if (removed > 0) await this.updated(site, id, { removedSectionIds: [sectionId] });
    });
  }

  private async requireMembers(
    site: SiteForCaller,
    sections: readonly string[],
    parent: string | undefined,
  ): Promise<void> {
    const known = await this.structures.sections(site.id);
    const groups = await this.structures.groups(site.id);
    const faults: ErrorDetail[] = sections.flatMap((id, index) => {
      const path = `sections.${index}`;
      if (!known.some((section) => section.id === id)) return [{ path, message: 'is not a section of this site' }];
      return sections.indexOf(id) < index ? [{ path, message: 'is named twice' }] : [];
    });
    const fault = faultOf(groups, undefined, parent ?? null);
    if (fault !== undefined) faults.push({ path: 'parent', message: fault });
    if (faults.length > 0) throw invalidFields(faults);
  }

  private async take(site: SiteForCaller, groupId: string, sections: readonly string[]): Promise<void> {
    const others = await this.positions.sections(site.id);
    await this.database.execute(
      `UPDATE site_section t SET group_id = $2, position = row.key, version = version + 1 FROM unnest($3::text[], $4::text[]) AS row (id, key)
        WHERE t.site_id = $1 AND t.id = row.id`,
      [site.id, groupId, sections, this.positions.append(others, sections.length)],
    );
  }

  private updated(
    site: SiteForCaller,
    target: string,
    facts: Omit<EventPayload<'site_section_group_updated'>, 'siteId'>,
  ): Promise<string> {
    return this.outbox.record({
      type: 'site_section_group_updated',
      organizationId: site.organizationId,
      target,
      payload: { siteId: site.id, ...facts },
    });
  }
}

/** The reason against a group as the parent of another (undefined: a new one), in words. */
function faultOf(
  groups: readonly SectionGroupRow[],
  id: string | undefined,
  parentId: string | null,
): string | undefined {
  if (parentId !== null && !groups.some((group) => group.id === parentId)) return 'is no section group of this site';
  return faultOfParent(groups, id, parentId);
}
