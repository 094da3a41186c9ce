import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization, InSpace } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess, SpaceAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { presentSpace, SpaceBody } from '../../workspace/spaces/spaces.schema.js';
import { ApplyTemplateToSpace, CreateSpace, presentTemplate, TemplatesBody, WholeTemplateBody } from './templates.schema.js';
import { TemplatePreviews } from './template-previews.service.js';
import { Templates } from './templates.service.js';

/** Templates, and new spaces from them. */
@ApiTags('Spaces')
@Controller()
export class TemplatesController {
  constructor(
    private readonly templates: Templates,
    private readonly previews: TemplatePreviews,
    private readonly addresses: Addresses,
  ) {}

  @Get('orgs/:organizationId/templates')
  @Can('organization:view')
  @Operation({
    id: 'listTemplates',
    summary: 'List the templates that spaces and change requests can begin with',
    type: TemplatesBody,
  })
  list() {
    return this.templates.list().then((items) => ({ items: items.map(presentTemplate) }));
  }

  @Get('orgs/:organizationId/templates/:templateId')
  @Can('organization:view')
  @Operation({
    id: 'getTemplate',
    summary: 'Get a template with its pages as HTML',
    description: 'For a look at it before a space begins with it.',
    type: WholeTemplateBody,
  })
  get(@Param('templateId') templateId: string) {
    return this.previews.of(templateId).then(({ template, pages }) => ({ ...presentTemplate(template), pages }));
  }

  @Post('orgs/:organizationId/spaces')
  @Can('organization:view')
  @Operation({
    id: 'createSpace',
    summary: 'Create a space',
    description:
      'Takes the permission to create content in the organization, or in the parent collection where one is given. The space begins with an empty page, or with a template, with one computed page, or without any page.',
    status: 201,
    type: SpaceBody,
  })
  create(@ByCaller() caller: Caller, @InOrganization() organization: OrganizationAccess, @Body() body: CreateSpace) {
    return this.templates.createSpace(caller, organization, body).then((row) => presentSpace(row, this.addresses));
  }
}

/** Templates in existing spaces. */
@ApiTags('Space content')
@Controller()
export class TemplateWritesController {
  constructor(private readonly templates: Templates) {}

  @Post('spaces/:spaceId/content/template')
  @Can('space:edit')
  @Operation({
    id: 'applyTemplateToSpace',
    summary: 'Add the pages of a template',
    description:
      'They come after the pages that are there, in one revision. Placeholders of the template lead to what `params.contentRefs` gives for them; those without keep their text only. A space whose live edits are locked takes a template only into a change request.',
    status: 204,
    errors: [409, 412],
  })
  apply(
    @ByCaller() caller: Caller,
    @InSpace() { id: spaceId }: SpaceAccess,
    @Body() { changeRequestId, ...template }: ApplyTemplateToSpace,
  ) {
    return this.templates.apply(
      caller,
      { spaceId, ...(changeRequestId !== undefined && { changeRequest: changeRequestId }) },
      template,
    );
  }
}
