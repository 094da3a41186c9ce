import { Injectable } from '@nestjs/common';
import { Access } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { SpaceCopies } from '../../authoring/content/space-copies.service.js';
import { Customizations } from './customization.service.js';
import { Positions } from './positions.js';
import { Sections } from './sections.service.js';
import type { SiteAddress } from './site-address.js';
import { SiteSpaces } from './site-spaces.service.js';
import { SiteStructures } from './structure.service.js';
import type { DuplicateSiteSpace, SiteSpaceRow } from './structure.schema.js';

/** Copies spaces together with their place on a site. */
@Injectable()
export class SiteSpaceCopies {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly copies: SpaceCopies,
    private readonly positions: Positions,
    private readonly sections: Sections,
    private readonly siteSpaces: SiteSpaces,
    private readonly customizations: Customizations,
    private readonly structures: SiteStructures,
  ) {}

  /**
   * Copies the space of a site space and adds the copy to the site: in a section of its own at the end of the site if the
   * original is alone in it, else as another variant there. The copy is shown to the same visitors, in the same look; a copy of a
   * draft is a draft. Requires the role admin on the space.
   */
  async duplicate(
    caller: Caller,
    address: SiteAddress,
    id: string,
    { draft: wanted }: DuplicateSiteSpace,
  ): Promise<SiteSpaceRow> {
    return this.database.transaction(async () => {
      const original = await this.structures.siteSpace(caller.userId, address.id, id);
      const { sectionId } = original;
      const copy = await this.copies.create(caller, await this.access.requireSpace(caller, original.id, 'space:admin'));
      const isVariant = (await this.positions.siteSpaces(address.id, sectionId)).length > 1;
      const added = isVariant
        ? await this.asVariant(caller, address, copy.id, sectionId, wanted ?? original.draft)
        : await this.asSection(caller, address, copy, sectionId, wanted);
      if (original.condition !== null)
        await this.siteSpaces.update(caller, address, added, { condition: original.condition });
      await this.customizations.copy(caller, address, original, added);
      return this.structures.siteSpace(caller.userId, address.id, added);
    });
  }

  private async asVariant(
    caller: Caller,
    address: SiteAddress,
    spaceId: string,
    sectionId: string | null,
    draft: boolean,
  ): Promise<string> {
    const place = sectionId === null ? {} : { sectionId };
    return (await this.siteSpaces.add(caller, address, { spaceId, ...place, draft })).siteSpaceId;
  }

  /** Adds a section like that of the original, and returns its only site space. */
  private async asSection(
    caller: Caller,
    address: SiteAddress,
    copy: { readonly id: string; readonly title: string },
    sectionId: string | null,
    wanted: boolean | undefined,
  ): Promise<string> {
    const like = sectionId === null ? undefined : await this.structures.section(address.id, sectionId);
    const draft = wanted ?? like?.draft ?? false;
    const { id } = await this.sections.add(caller, address, { spaceId: copy.id, title: copy.title, draft });
    if (like && like.condition !== null) await this.sections.update(caller, address, id, { condition: like.condition });
    const [only] = await this.positions.siteSpaces(address.id, id);
    if (!only) throw new Error('a section was added without its space');
    return only.id;
  }
}
