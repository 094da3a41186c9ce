import { Injectable } from '@nestjs/common';
import { Access } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { SpaceCopies } from '../../authoring/content/space-copies.service.js';
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
    private readonly structures: SiteStructures,
  ) {}

  /**
   * Copies the space of a site space and adds the copy to the site: in a section of its own beside that of the original
   * if the original is alone in it, else as another variant there. Requires the role admin on the space.
   */
  async duplicate(
    caller: Caller,
    address: SiteAddress,
    id: string,
    { draft = false }: DuplicateSiteSpace,
  ): Promise<SiteSpaceRow> {
    const { id: spaceId, sectionId } = await this.structures.siteSpace(caller.userId, address.id, id);
    return this.database.transaction(async () => {
      const original = await this.access.requireSpace(caller, spaceId, 'space:admin');
      const copy = await this.copies.create(caller, original);
      const variants = await this.positions.siteSpaces(address.id, sectionId);
      if (variants.length > 1)
        return this.siteSpaces.add(caller, address, {
          spaceId: copy.id,
          ...(sectionId !== null && { sectionId }),
          draft,
        });
      const section = await this.sections.add(caller, address, { spaceId: copy.id, title: copy.title, draft });
      return this.structures.siteSpace(caller.userId, address.id, await this.onlyOneIn(address, section.id));
    });
  }

  private async onlyOneIn({ id }: SiteAddress, sectionId: string): Promise<string> {
    const [siteSpace] = await this.positions.siteSpaces(id, sectionId);
    return siteSpace?.id ?? '';
  }
}
