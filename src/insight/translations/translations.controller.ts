import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { CreateTranslation, presentTranslation, TranslationBody, UpdateTranslation } from './translations.schema.js';
import { Translations } from './translations.service.js';

@ApiTags('Translations')
@Controller('orgs/:organizationId/translations')
export class TranslationsController {
  constructor(
    private readonly translations: Translations,
    private readonly addresses: Addresses,
  ) {}

  @Get()
  @Can('organization:admin')
  @Operation({
    id: 'listTranslations',
    summary: 'List the translations of an organization',
    type: TranslationBody,
    list: true,
  })
  async list(@InOrganization() { id, role }: OrganizationAccess, @Query() query: PageQuery) {
    return this.translations
      .list(id, query)
      .then((page) => page.map((row) => presentTranslation(row, role, this.addresses)));
  }

  @Post()
  @Can('organization:admin')
  @Operation({
    id: 'createTranslation',
    summary: 'Translate a space into another language',
    description:
      'Makes a space for the result, which nobody else writes to, and runs in the background. From then on the translation follows its source: each run sends the engine only what was not translated before. A space has one translation for each language, and more that have a `variant`.',
    status: 201,
    type: TranslationBody,
    errors: [409],
  })
  async create(
    @ByCaller() caller: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Body() body: CreateTranslation,
  ) {
    return this.translations
      .create(caller, organization, body)
      .then((row) => presentTranslation(row, organization.role, this.addresses));
  }

  @Get(':translationId')
  @Can('organization:admin')
  @Operation({ id: 'getTranslation', summary: 'Get a translation', type: TranslationBody })
  async get(@InOrganization() { id, role }: OrganizationAccess, @Param('translationId') translationId: string) {
    return this.translations.get(id, translationId).then((row) => presentTranslation(row, role, this.addresses));
  }

  @Put(':translationId')
  @Can('organization:admin')
  @Operation({
    id: 'updateTranslation',
    summary: 'Change the instructions of a translation',
    description: 'Where they differ, the translation runs with them.',
    type: TranslationBody,
    errors: [412],
  })
  async update(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id, role }: OrganizationAccess,
    @Param('translationId') translationId: string,
    @Body() body: UpdateTranslation,
  ) {
    return this.translations
      .update(userId, id, translationId, body)
      .then((row) => presentTranslation(row, role, this.addresses));
  }

  @Delete(':translationId')
  @Can('organization:admin')
  @Operation({
    id: 'deleteTranslation',
    summary: 'End a translation',
    description: 'A run that is at work stops. The space with the result stays, as a space like others.',
    status: 204,
    errors: [412],
  })
  async remove(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('translationId') translationId: string,
  ) {
    return this.translations.remove(userId, id, translationId);
  }

  @Post(':translationId/run')
  @Can('organization:admin')
  @Operation({
    id: 'runTranslation',
    summary: 'Bring a translation up to date',
    description: 'Translations follow their sources by themselves; this is for translations whose latest run failed.',
    status: 204,
  })
  async run(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('translationId') translationId: string,
  ) {
    return this.translations.run(userId, id, translationId);
  }
}
