import { Injectable } from '@nestjs/common';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { invalid, notFound } from '../../kernel/common/errors.js';
import { freeSlug } from '../../authoring/content/domain/slug.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { faultOfParent, gapAt, membersOf, successor, type StructureMember } from './domain/structure.js';
import { Positions } from './positions.js';
import { SiteDefaults } from './site-defaults.js';
import type { SiteAddress } from './site-address.js';
import { SiteExternalLink } from './site-external-link.entity.js';
import { SiteLock } from './site-lock.js';
import { SitePaths } from './site-paths.js';
import { SiteSectionGroup } from './site-section-group.entity.js';
import { SiteSection } from './site-section.entity.js';
import { SiteSpace } from './site-space.entity.js';
import { movePositionOf } from './site-spaces.service.js';
import type { SiteForCaller } from './sites.schema.js';
import { SiteStructures } from './structure.service.js';
import type { ItemPosition, ItemPointer } from './structure-sort.schema.js';

const NAMES: Readonly<Record<StructureMember['type'], string>> = {
  'site-section': 'Site section',
  'site-section-group': 'Site section group',
  'site-external-link': 'Site external link',
};
const MOVED = {
  'site-section': 'site_section_moved',
  'site-section-group': 'site_section_group_moved',
  'site-external-link': 'site_external_link_moved',
} as const;

/** Moves any part of a site's structure, also into groups and sections and out of them. */
@Injectable()
export class StructureSort {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly lock: SiteLock,
    private readonly paths: SitePaths,
    private readonly defaults: SiteDefaults,
    private readonly positions: Positions,
    private readonly structures: SiteStructures,
  ) {}

  /**
   * Moves an item beside another one, into the same parent; without a position to the end. Throws `notFound` for an
   * item that does not exist.
   */
  async move(caller: Caller, address: SiteAddress, item: ItemPointer, position: ItemPosition = {}): Promise<void> {
    await this.lock.restructure(caller, address, (site) =>
      item.type === 'site-space'
        ? this.moveSiteSpace(caller, site, item.id, position)
        : this.moveMember(site, { type: item.type, id: item.id }, position),
    );
  }

  /** Sections, groups and links: to the end of the site without a position. */
  private async moveMember(
    site: SiteForCaller,
    { type, id }: ItemPointer & { readonly type: StructureMember['type'] },
    { before, after }: ItemPosition,
  ): Promise<void> {
    const groups = await this.structures.groups(site.id);
    const members = membersOf(
      groups,
      await this.structures.sections(site.id),
      await this.structures.externalLinks(site.id),
    );
    const item = members.find((member) => member.id === id && member.type === type);
    if (!item) throw notFound(NAMES[type]);
    const find = (anchor: ItemPointer | undefined, name: string) => {
      if (anchor === undefined) return undefined;
      const found = members.find(
        (member) => member.id === anchor.id && member.type === anchor.type && member.id !== id,
      );
      if (!found) throw invalid(`position.${name}`, 'is not another section, group or link of this site');
      return found;
    };
    const anchor = [find(before, 'before'), find(after, 'after')].find((found) => found !== undefined);
    const parentId = anchor?.parentId ?? null;
    const fault = type === 'site-section-group' ? faultOfParent(groups, id, parentId) : undefined;
    if (fault !== undefined) throw invalid(before ? 'position.before' : 'position.after', fault);
    const anchors = movePositionOf(before?.id, after?.id);
    const gap = gapAt(
      members.filter((member) => member.parentId === parentId && member.id !== id),
      anchors,
    );
    if ('fault' in gap) throw invalid(`position.${gap.fault}`, 'is not a position beside the other');
    // One list for the whole site: a position beside either neighbour is correct in the list of the group.
    const key = await this.positions.place(
      site.id,
      await this.positions.sections(site.id, id),
      before === undefined ? anchors : { before: before.id },
    );
    const row = { siteId: site.id, id };
    await (item.type === 'site-section'
      ? this.database.of(SiteSection).update(row, { position: key, groupId: parentId })
      : item.type === 'site-section-group'
        ? this.database.of(SiteSectionGroup).update(row, { position: key, parentId })
        : this.database.of(SiteExternalLink).update(row, { position: key, groupId: parentId }));
    await this.defaults.requireLiveSection(site.id, before ? 'position.before' : 'position.after');
    await this.outbox.record({
      type: MOVED[item.type],
      organizationId: site.organizationId,
      target: id,
      payload: { siteId: site.id },
    });
  }

  /**
   * Site spaces: to the end of their section without a position. If one leaves its section, the next in order replaces
   * it as the default.
   */
  private async moveSiteSpace(
    caller: Caller,
    site: SiteForCaller,
    id: string,
    { before, after }: ItemPosition,
  ): Promise<void> {
    const row = await this.structures.siteSpace(caller.userId, site.id, id);
    const sectionId = await this.sectionBeside(site, row.sectionId, { before, after });
    const key = await this.positions.place(
      site.id,
      await this.positions.siteSpaces(site.id, sectionId, id),
      movePositionOf(before?.id, after?.id),
    );
    const isMoved = sectionId !== row.sectionId;
    const path = isMoved
      ? freeSlug(row.siteSpacePath, await this.paths.takenBesideSiteSpace(site, sectionId, id))
      : row.siteSpacePath;
    const siblings = isMoved ? await this.positions.siteSpaces(site.id, row.sectionId) : [];
    await this.database.of(SiteSpace).update({ siteId: site.id, id }, { position: key, sectionId, path });
    if (isMoved) await this.defaults.replaceSiteSpace(site.id, row.sectionId, id, successor(siblings, id)?.id ?? null);
    await this.outbox.record({
      type: 'site_space_moved',
      organizationId: site.organizationId,
      spaceId: row.id,
      target: id,
      payload: { siteId: site.id },
    });
  }

  /** The section of the neighbours, null for the root; without any the one of the site space. */
  private async sectionBeside(site: SiteForCaller, own: string | null, anchors: ItemPosition): Promise<string | null> {
    let section: string | null | undefined;
    for (const name of ['before', 'after'] as const) {
      const anchor = anchors[name];
      if (anchor === undefined) continue;
      const row = await this.database.one<{ sectionId: string | null }>(
        'SELECT section_id AS "sectionId" FROM site_space WHERE site_id = $1 AND id = $2',
        [site.id, anchor.id],
      );
      if (!row || anchor.type !== 'site-space') throw invalid(`position.${name}`, 'is not a site space of this site');
      section ??= row.sectionId;
    }
    return section === undefined ? own : section;
  }
}
