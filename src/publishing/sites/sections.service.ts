import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { invalid, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { freeSlug, slugOf } from '../../authoring/content/domain/slug.js';
import { fieldsGiven } from '../../kernel/platform/audit-changes.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { gapAt, successor, withDraftsAbove } from './domain/structure.js';
import { Positions, type Placed } from './positions.js';
import { noDraft, SiteDefaults } from './site-defaults.js';
import type { SiteAddress } from './site-address.js';
import { SiteLock } from './site-lock.js';
import { SitePaths } from './site-paths.js';
import { SiteSection } from './site-section.entity.js';
import { movePositionOf, SiteSpaces } from './site-spaces.service.js';
import type { SiteForCaller } from './sites.schema.js';
import { SiteStructures } from './structure.service.js';
import type { MoveSection } from './structure-moves.schema.js';
import type { AddSection, SiteSectionRow, UpdateSection } from './structure.schema.js';

const FALLBACK_TITLE = 'Documentation';

interface NewSection {
  readonly title: string;
  readonly icon: string | null;
  readonly draft: boolean;
}

/** The sections of sites. */
@Injectable()
export class Sections {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly lock: SiteLock,
    private readonly paths: SitePaths,
    private readonly defaults: SiteDefaults,
    private readonly positions: Positions,
    private readonly structures: SiteStructures,
    private readonly siteSpaces: SiteSpaces,
  ) {}

  /**
   * Adds a section with a first space at the end of the site. Site spaces at the root of a site without sections first
   * move into a section of their own, which is the default.
   */
  async add(
    caller: Caller,
    address: SiteAddress,
    { spaceId, title, icon, draft = false }: AddSection,
  ): Promise<SiteSectionRow> {
    const id = await this.lock.restructure(caller, address, async (held) => {
      const spaces = await this.lock.placeable(caller, held.organizationId, [{ id: spaceId, path: 'spaceId' }]);
      const site = await this.gatherRoot(held);
      if (draft && site.defaultSectionId === null) throw noDraft('the default section of a site');
      const facts = { title: title ?? titleOf(spaces[0]?.title), icon: icon ?? null, draft };
      const sectionId = await this.insert(site, facts);
      await this.siteSpaces.insert(site, sectionId, spaces);
      if (site.defaultSectionId === null) await this.defaults.setSection(site.id, sectionId);
      return sectionId;
    });
    return this.structures.section(address.id, id);
  }

  async update(caller: Caller, address: SiteAddress, id: string, changes: UpdateSection): Promise<SiteSectionRow> {
    await this.lock.restructure(caller, address, async (site) => {
      const row = await this.structures.section(site.id, id);
      requireMatch(row.version);
      const next = {
        title: changes.title ?? row.title,
        path: changes.path ?? row.path,
        condition: changes.condition === undefined ? row.condition : changes.condition,
        icon: changes.icon === undefined ? row.icon : changes.icon,
        description: changes.description === undefined ? row.description : changes.description,
        draft: changes.draft ?? row.draft,
      };
      if (next.draft && !row.draft) this.defaults.requireOtherSection(site, row);
      if (next.path !== row.path) this.paths.require(next.path, await this.paths.takenBesideSection(site, id));
      const moved =
        changes.defaultSiteSpace !== undefined &&
        (await this.defaults.chooseSiteSpace(site.id, id, changes.defaultSiteSpace));
      const changed = Object.entries(next).some(([name, value]) => row[name as keyof SiteSectionRow] !== value);
      if (changed) {
        await this.database.of(SiteSection).update(
          { siteId: site.id, id },
          {
            title: next.title,
            path: next.path,
            condition: next.condition,
            icon: next.icon,
            description: next.description,
            draft: next.draft,
          },
        );
      }
      if (changed || moved)
        await this.outbox.record({
          type: 'site_section_updated',
          organizationId: site.organizationId,
          target: id,
          payload: { siteId: site.id, fields: fieldsGiven(changes) },
        });
    });
    return this.structures.section(address.id, id);
  }

  /** Removes a section with its site spaces; the spaces stay. The next in order replaces it as the default. */
  async remove(caller: Caller, address: SiteAddress, id: string): Promise<void> {
    await this.lock.restructure(caller, address, async (site) => {
      const sections = await this.structures.sections(site.id);
      const removed = sections.find((section) => section.id === id);
      if (!removed) return;
      await this.database.execute('DELETE FROM site_space WHERE site_id = $1 AND section_id = $2', [site.id, id]);
      await this.database.of(SiteSection).delete({ siteId: site.id, id });
      if (site.defaultSectionId === id) {
        const others = withDraftsAbove(await this.structures.groups(site.id), sections);
        await this.defaults.setSection(site.id, successor(others, id)?.id ?? null);
      }
      await this.outbox.record({
        type: 'site_section_removed',
        organizationId: site.organizationId,
        target: id,
        payload: { siteId: site.id },
        audit: { label: removed.title },
      });
    });
  }

  /** Moves a section among those of its group, or of the root. */
  async move(caller: Caller, address: SiteAddress, id: string, { position }: MoveSection): Promise<SiteSectionRow> {
    await this.lock.hold(caller, address, 'site:admin', async (site) => {
      const sections = await this.structures.sections(site.id);
      const row = sections.find((section) => section.id === id);
      if (!row) throw notFound('Site section');
      const anchors = movePositionOf(position?.before?.siteSection, position?.after?.siteSection);
      const gap = gapAt(
        sections.filter((other) => other.groupId === row.groupId && other.id !== id),
        anchors,
      );
      if ('fault' in gap) throw invalid(`position.${gap.fault}`, 'is not a position beside this section');
      const others: readonly Placed[] = await this.positions.sections(site.id, id);
      const key = await this.positions.place(
        site.id,
        others,
        anchors.before === undefined ? anchors : { before: anchors.before },
      );
      await this.database.of(SiteSection).update({ siteId: site.id, id }, { position: key });
      await this.outbox.record({
        type: 'site_section_moved',
        organizationId: site.organizationId,
        target: id,
        payload: { siteId: site.id },
      });
    });
    return this.structures.section(address.id, id);
  }

  /**
   * Moves the site spaces at the root, if there are any, into a section of their own, the default; returns the
   * resulting site.
   */
  async gatherRoot(site: SiteForCaller): Promise<SiteForCaller> {
    const root = await this.database.query<{ id: string; title: string; draft: boolean }>(
      'SELECT ss.id, s.title, ss.draft FROM site_space ss JOIN space s ON s.id = ss.space_id WHERE ss.site_id = $1 AND ss.section_id IS NULL ORDER BY ss.position, ss.id',
      [site.id],
    );
    const chosen = root.find(({ id }) => id === site.defaultSiteSpaceId) ?? root.find(({ draft }) => !draft);
    const front = chosen ?? root[0];
    if (!front) return site;
    const sectionId = await this.insert(site, { title: titleOf(front.title), icon: null, draft: false });
    await this.database.execute('UPDATE site_space SET section_id = $2 WHERE site_id = $1 AND section_id IS NULL', [
      site.id,
      sectionId,
    ]);
    await this.defaults.setSiteSpace(site.id, sectionId, chosen?.id ?? null);
    await this.defaults.setSiteSpace(site.id, null, null);
    await this.defaults.setSection(site.id, sectionId);
    return { ...site, defaultSectionId: sectionId, defaultSiteSpaceId: null };
  }

  private async insert(site: SiteForCaller, { title, icon, draft }: NewSection): Promise<string> {
    const id = newId();
    const path = freeSlug(slugOf(title), await this.paths.takenBesideSection(site));
    const key = await this.positions.place(site.id, await this.positions.sections(site.id), {});
    await this.database
      .of(SiteSection)
      .insert({ id, siteId: site.id, title, icon, draft, path, position: key, createdAt: this.clock.now() });
    await this.outbox.record({
      type: 'site_section_added',
      organizationId: site.organizationId,
      target: id,
      payload: { siteId: site.id },
    });
    return id;
  }
}

/** A section's title from that of its first space, which may be shorter than the minimum of sections. */
function titleOf(spaceTitle: string | undefined): string {
  return spaceTitle !== undefined && spaceTitle.length >= 2 ? spaceTitle : FALLBACK_TITLE;
}
