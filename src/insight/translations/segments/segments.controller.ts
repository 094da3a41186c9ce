import { Body, Controller, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../../kernel/access/access.service.js';
import { Addresses } from '../../../kernel/common/addresses.js';
import type { Caller } from '../../../kernel/common/context.js';
import { Operation } from '../../../kernel/common/operation.js';
import {
  CorrectSegment,
  presentSegment,
  presentTranslatedPage,
  SegmentQuery,
  TranslatedPageBody,
  TranslatedPageQuery,
  TranslationSegmentBody,
} from './segments.schema.js';
import { Segments } from './segments.service.js';

@ApiTags('Translations')
@Controller('orgs/:organizationId/translations/:translationId')
export class SegmentsController {
  constructor(
    private readonly segments: Segments,
    private readonly addresses: Addresses,
  ) {}

  @Get('pages')
  @Can('organization:admin')
  @Operation({
    id: 'listTranslationPages',
    summary: 'List the pages of a translation with their states',
    description: 'They are as the latest run has read them, with what people have said since.',
    type: TranslatedPageBody,
    list: true,
  })
  async pages(
    @InOrganization() { id }: OrganizationAccess,
    @Param('translationId') translationId: string,
    @Query() query: TranslatedPageQuery,
  ) {
    return this.segments.pages(id, translationId, query).then((page) => page.map(presentTranslatedPage));
  }

  @Get('segments')
  @Can('organization:admin')
  @Operation({
    id: 'listTranslationSegments',
    summary: 'List the texts of a translation with what is said for them',
    description:
      'Each text of a page stands here once, page by page, in the order in which they stand there: title, description, then the document. The list is that of the latest run.',
    type: TranslationSegmentBody,
    list: true,
  })
  async list(
    @InOrganization() { id }: OrganizationAccess,
    @Param('translationId') translationId: string,
    @Query() query: SegmentQuery,
  ) {
    return this.segments
      .list(id, translationId, query)
      .then((page) => page.map((row) => presentSegment(row, this.addresses)));
  }

  @Get('segments/:segmentId')
  @Can('organization:admin')
  @Operation({ id: 'getTranslationSegment', summary: 'Get a text of a translation', type: TranslationSegmentBody })
  async get(
    @InOrganization() { id }: OrganizationAccess,
    @Param('translationId') translationId: string,
    @Param('segmentId') segmentId: string,
  ) {
    return this.segments.get(id, translationId, segmentId).then((row) => presentSegment(row, this.addresses));
  }

  @Patch('segments/:segmentId')
  @Can('organization:admin')
  @Operation({
    id: 'updateTranslationSegment',
    summary: 'Correct the translation of a text',
    description:
      'It counts for this text on all pages of the translation, and no run changes it: it is on the pages a moment later, also while no engine can be reached. Where the text of the source changes, the segment of the new text is outdated, and has what was said here as its match. Two people who correct one text at once tell each other by `If-Match`.',
    type: TranslationSegmentBody,
    errors: [409, 412],
  })
  async update(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('translationId') translationId: string,
    @Param('segmentId') segmentId: string,
    @Body() body: CorrectSegment,
  ) {
    return this.segments
      .correct(userId, id, { translationId, segmentId }, body)
      .then((row) => presentSegment(row, this.addresses));
  }
}
