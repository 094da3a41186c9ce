import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../../kernel/access/access.service.js';
import type { Caller } from '../../../kernel/common/context.js';
import { Operation } from '../../../kernel/common/operation.js';
import {
  ExportQuery,
  ImportedFileBody,
  ImportTranslationFile,
  TranslationFileBody,
} from './translation-files.schema.js';
import { TranslationFiles } from './translation-files.service.js';

@ApiTags('Translations')
@Controller('orgs/:organizationId/translations/:translationId')
export class TranslationFilesController {
  constructor(private readonly files: TranslationFiles) {}

  @Get('export')
  @Can('organization:admin')
  @Operation({
    id: 'exportTranslation',
    summary: 'Export the texts of a translation as a file for translators',
    description:
      'Inline marks are `<pc>` and `<ph>` in XLIFF and PO, `<bpt>`, `<ept>` and `<ph>` in TMX. Texts that nobody has reviewed are fuzzy in PO; in XLIFF their state is `translated`, or `initial` where they are outdated, with the former source and its translation in notes. Untranslated texts have no translation there.',
    type: TranslationFileBody,
  })
  async export(
    @InOrganization() { id }: OrganizationAccess,
    @Param('translationId') translationId: string,
    @Query() query: ExportQuery,
  ) {
    return this.files.export(id, translationId, query);
  }

  @Post('import')
  @Can('organization:admin')
  @Operation({
    id: 'importTranslation',
    summary: 'Import translations from a file',
    description:
      'Texts are found by their source. They are reviewed if the file says so: by the state `reviewed` or `final` in XLIFF, a `prop` of the type `state` with one of these in TMX, and without `fuzzy` in PO. Others are taken where nobody has reviewed the text. TMX also stores texts that the source does not have, for when it does.',
    type: ImportedFileBody,
    errors: [409, 422],
  })
  async import(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('translationId') translationId: string,
    @Body() body: ImportTranslationFile,
  ) {
    return this.files.import(userId, id, translationId, body);
  }
}
