import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSite } from '../../kernel/access/access.decorators.js';
import type { SiteAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import {
  AdaptiveSchemaBody,
  AdaptiveSchemaPipe,
  presentAdaptiveSchema,
  TemplateConditionsBody,
  UpdateAdaptiveSchema,
} from './adaptive-schema.schema.js';
import { AdaptiveSchemas } from './adaptive-schemas.service.js';
import { templateConditions } from './domain/adaptive-schema.js';

@ApiTags('Sites')
@Controller('orgs/:organizationId/sites/:siteId/adaptive-schema')
export class AdaptiveSchemasController {
  constructor(private readonly schemas: AdaptiveSchemas) {}

  @Get()
  @Can('site:view')
  @Operation({
    id: 'getSiteAdaptiveSchema',
    summary: 'Get the schema of the claims that a site knows of its visitors',
    description: '404 while it has none.',
    type: AdaptiveSchemaBody,
  })
  async get(@InSite() { id }: SiteAccess) {
    return this.schemas.get(id).then(presentAdaptiveSchema);
  }

  @Put()
  @Can('site:admin')
  @ApiBody({ type: UpdateAdaptiveSchema })
  @Operation({
    id: 'updateSiteAdaptiveSchema',
    summary: 'Replace the schema of the claims that a site knows of its visitors',
    description:
      'Claims that it does not declare are dropped. It is checked as data: references, patterns and formats are refused.',
    type: AdaptiveSchemaBody,
    errors: [412],
  })
  async set(
    @ByCaller() caller: Caller,
    @InSite() site: SiteAccess,
    @Body(AdaptiveSchemaPipe) { jsonSchema }: { jsonSchema: UpdateAdaptiveSchema['jsonSchema'] },
  ) {
    return this.schemas.set(caller, site, jsonSchema).then(presentAdaptiveSchema);
  }

  @Get('template-conditions')
  @Can('site:view')
  @Operation({
    id: 'listSiteAdaptiveTemplateConditions',
    summary: 'List conditions to choose from, made of the schema',
    description: 'For truth values and for texts with a choice; empty while there is no schema.',
    type: TemplateConditionsBody,
  })
  async conditions(@InSite() { id }: SiteAccess) {
    return this.schemas
      .find(id)
      .then((row): TemplateConditionsBody => ({ items: row ? templateConditions(row.jsonSchema) : [] }));
  }
}
