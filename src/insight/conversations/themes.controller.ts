import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { presentTheme, ThemeBody } from './themes.schema.js';
import { Themes } from './themes.service.js';

@ApiTags('Conversations')
@Controller('orgs/:organizationId/conversations-themes')
export class ThemesController {
  constructor(
    private readonly themes: Themes,
    private readonly addresses: Addresses,
  ) {}

  @Get()
  @Can('organization:viewConversations')
  @Operation({
    id: 'listConversationsThemes',
    summary: 'List the themes of conversations with their clusters',
    description: 'Clusters that are about related matters are one theme. Those with the most issues come first.',
    type: ThemeBody,
    list: true,
  })
  list(@InOrganization() { id }: OrganizationAccess, @Query() query: PageQuery) {
    return this.themes.list(id, query).then((page) => page.map((row) => presentTheme(row, this.addresses)));
  }

  @Get(':themeId')
  @Can('organization:viewConversations')
  @Operation({ id: 'getConversationsTheme', summary: 'Get a theme of conversations', type: ThemeBody })
  get(@InOrganization() { id }: OrganizationAccess, @Param('themeId') themeId: string) {
    return this.themes.get(id, themeId).then((row) => presentTheme(row, this.addresses));
  }
}
