import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { allows } from '../../kernel/access/permissions.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { CreateCustomFont, CustomFontBody, presentCustomFont, UpdateCustomFont } from './custom-fonts.schema.js';
import { CustomFonts } from './custom-fonts.service.js';

const mayEdit = ({ role }: OrganizationAccess): boolean => allows('organization:admin', role);

@ApiTags('Sites')
@Controller('orgs/:organizationId/fonts')
export class CustomFontsController {
  constructor(private readonly fonts: CustomFonts) {}

  @Get()
  @Can('organization:viewFonts')
  @Operation({
    id: 'listCustomFonts',
    summary: 'List the fonts of an organization',
    description: 'Oldest first.',
    type: CustomFontBody,
    list: true,
  })
  async list(@InOrganization() organization: OrganizationAccess, @Query() query: PageQuery) {
    return this.fonts
      .list(organization.id, query)
      .then((page) => page.map((font) => presentCustomFont(font, mayEdit(organization))));
  }

  @Put()
  @Can('organization:admin')
  @Operation({
    id: 'createCustomFont',
    summary: 'Add a font to an organization',
    description:
      'The files are uploaded before, see `storage/upload`, as WOFF2, WOFF or any other format that browsers read. A site uses the font once the answer, without `permissions`, is `styling.font` or `styling.monospaceFont` of its customization. An organization has 100 fonts at most.',
    status: 201,
    type: CustomFontBody,
    errors: [409],
  })
  async create(
    @ByCaller() { userId }: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Body() body: CreateCustomFont,
  ) {
    return this.fonts
      .create(userId, organization.id, body)
      .then((font) => presentCustomFont(font, mayEdit(organization)));
  }

  @Get(':fontId')
  @Can('organization:viewFonts')
  @Operation({ id: 'getCustomFont', summary: 'Get a font of an organization', type: CustomFontBody })
  async get(@InOrganization() organization: OrganizationAccess, @Param('fontId') id: string) {
    return this.fonts.get(organization.id, id).then((font) => presentCustomFont(font, mayEdit(organization)));
  }

  @Post(':fontId')
  @Can('organization:admin')
  @Operation({
    id: 'updateCustomFont',
    summary: 'Change a font of an organization',
    description:
      'Sites that use the font show the change at once. Files that are no longer part of a font are deleted.',
    status: 201,
    type: CustomFontBody,
    errors: [412],
  })
  async update(
    @ByCaller() { userId }: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Param('fontId') id: string,
    @Body() body: UpdateCustomFont,
  ) {
    return this.fonts
      .update(userId, organization.id, id, body)
      .then((font) => presentCustomFont(font, mayEdit(organization)));
  }

  @Delete(':fontId')
  @Can('organization:admin')
  @Operation({
    id: 'deleteCustomFont',
    summary: 'Delete a font of an organization, with its files',
    description: 'Answers 409 while a site uses the font.',
    status: 204,
    errors: [409],
  })
  async remove(
    @ByCaller() { userId }: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Param('fontId') id: string,
  ) {
    return this.fonts.remove(userId, organization.id, id);
  }
}
