import { ApiProperty } from '@nestjs/swagger';
import { Flag, Nested, ObjectName, Text, Url } from '../../kernel/common/fields.js';
import type { Addresses } from '../../kernel/common/addresses.js';
import type { DataObject } from '../../kernel/common/expressions/tree.js';
import {
  customizationSettings,
  DEFAULT_CUSTOMIZATION,
  type CustomizationSettings,
} from '../sites/customization.schema.js';
import { customizationOfSiteSpace } from '../sites/customization.service.js';
import { openApiOf } from '../sites/schema.pipe.js';
import { customizationOf, presentSite, SiteBody, type SiteAsSeen } from '../sites/sites.schema.js';
import { presentStructure, SiteStructureBody, type StructureRows } from '../sites/structure.schema.js';
import { settingsShownTo } from './domain/visitor.js';

const SETTINGS = { ...openApiOf(customizationSettings, 'output'), example: DEFAULT_CUSTOMIZATION } as object;

class PublishedCustomizations {
  @ApiProperty({ ...SETTINGS, type: 'object', description: 'The settings of the site' } as never)
  site: CustomizationSettings;
  @ApiProperty({
    type: 'object',
    additionalProperties: SETTINGS,
    description: 'Complete settings by site space',
  } as never)
  siteSpaces: Record<string, CustomizationSettings>;
}

class SiteScript {
  @Url()
  script: string;
  @Text({ optional: true })
  contentSecurityPolicy?: string;
  @Flag()
  cookies: boolean;
}

export class PublishedSiteBody {
  @ObjectName('published-content-site')
  object: 'published-content-site';
  @Nested(() => SiteBody)
  site: SiteBody;
  @Nested(() => SiteStructureBody)
  structure: SiteStructureBody;
  @Nested(() => PublishedCustomizations)
  customizations: PublishedCustomizations;
  @Nested(() => SiteScript, {
    list: true,
    description: 'Scripts of integrations; always empty, since there are none here',
  })
  scripts: SiteScript[];
}

/**
 * A site as presented to readers; `rows` contain only the served parts, and parts that depend on claims are left out
 * for a `visitor` without them.
 */
export function presentPublishedSite(
  site: SiteAsSeen,
  rows: StructureRows,
  addresses: Addresses,
  visitor: DataObject | undefined,
): PublishedSiteBody {
  const shown = (settings: CustomizationSettings) => (visitor ? settingsShownTo(settings, visitor) : settings);
  return {
    object: 'published-content-site',
    site: presentSite({ ...site, siteSpaces: rows.siteSpaces.length }, addresses),
    structure: presentStructure(rows, addresses),
    customizations: {
      site: shown(customizationOf(site)),
      siteSpaces: Object.fromEntries(
        rows.siteSpaces.map((row) => [row.siteSpaceId, shown(customizationOfSiteSpace(site, row))]),
      ),
    },
    scripts: [],
  };
}
