import { Injectable } from '@nestjs/common';
import { NewSpaces } from '../../authoring/content/new-spaces.service.js';
import { Templates } from '../../authoring/templates/templates.service.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { DomainError } from '../../kernel/common/errors.js';
import { Positions } from './positions.js';
import { Sections } from './sections.service.js';
import type { SiteAddress } from './site-address.js';
import { SiteLock } from './site-lock.js';
import { SiteStructures } from './structure.service.js';

interface TemplateSection {
  readonly template: string;
  readonly title: string;
  readonly icon: string;
  /** By placeholder of the template: the template of the section that it leads to. */
  readonly links: Readonly<Record<string, string>>;
}

const SECTIONS: readonly TemplateSection[] = [
  {
    template: 'product-documentation',
    title: 'Documentation',
    icon: 'book-open',
    links: { apiReference: 'api-reference', changelog: 'changelog' },
  },
  {
    template: 'api-reference',
    title: 'API reference',
    icon: 'code',
    links: { documentation: 'product-documentation' },
  },
  {
    template: 'changelog',
    title: 'Changelog',
    icon: 'bullhorn',
    links: { documentation: 'product-documentation' },
  },
];

/** Gives sites without content something to begin with. */
@Injectable()
export class SiteTemplates {
  constructor(
    private readonly templates: Templates,
    private readonly newSpaces: NewSpaces,
    private readonly lock: SiteLock,
    private readonly positions: Positions,
    private readonly structures: SiteStructures,
    private readonly sections: Sections,
  ) {}

  /**
   * Creates a space for each section of the default documentation, and adds them to a site, in one transaction. Throws
   * `conflict` for a site that has spaces.
   */
  async apply(caller: Caller, organization: OrganizationAccess, address: SiteAddress): Promise<void> {
    await this.newSpaces.checkPlace(caller, organization, undefined);
    const templates = await Promise.all(
      SECTIONS.map(async ({ template, ...section }) => ({ ...section, read: await this.templates.readById(template) })),
    );
    await this.lock.restructure(caller, address, async ({ id, organizationId }) => {
      const [sections, siteSpaces] = [await this.structures.sections(id), await this.positions.siteSpaces(id, null)];
      if (sections.length + siteSpaces.length > 0)
        throw new DomainError('conflict', 'The site has spaces already: only an empty one takes the template');
      const spaces = await this.templates.createLinkedSpaces(caller.userId, organizationId, templates);
      for (const [index, spaceId] of spaces.entries())
        await this.sections.add(caller, address, {
          spaceId,
          title: templates[index]?.title,
          icon: templates[index]?.icon,
        });
    });
  }
}
