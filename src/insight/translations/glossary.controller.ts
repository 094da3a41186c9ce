import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { GlossaryEntryBody, presentGlossaryEntry, UpdateGlossary } from './glossary.schema.js';
import { Glossary } from './glossary.service.js';

@ApiTags('Translations')
@Controller('orgs/:organizationId/translations-glossary')
export class GlossaryController {
  constructor(
    private readonly glossary: Glossary,
    private readonly addresses: Addresses,
  ) {}

  @Get()
  @Can('organization:admin')
  @Operation({
    id: 'listGlossaryEntries',
    summary: 'List the terms that translations of an organization use',
    type: GlossaryEntryBody,
    list: true,
  })
  async list(@InOrganization() { id }: OrganizationAccess, @Query() query: PageQuery) {
    return this.glossary.list(id, query).then((page) => page.map((row) => presentGlossaryEntry(row, this.addresses)));
  }

  @Put()
  @Can('organization:admin')
  @Operation({
    id: 'updateGlossaryEntries',
    summary: 'Change the terms that translations of an organization use',
    description:
      'All of the operations or none. Translations between languages of a changed entry run; engines are sent what holds the term, and nothing else. A glossary has 10,000 entries at most.',
    status: 204,
    errors: [409],
  })
  async update(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Body() { operations }: UpdateGlossary,
  ) {
    return this.glossary.update(userId, id, operations);
  }

  @Get(':glossaryEntryId')
  @Can('organization:admin')
  @Operation({ id: 'getGlossaryEntry', summary: 'Get a term of the glossary', type: GlossaryEntryBody })
  async get(@InOrganization() { id }: OrganizationAccess, @Param('glossaryEntryId') entryId: string) {
    return this.glossary.get(id, entryId).then((row) => presentGlossaryEntry(row, this.addresses));
  }
}
