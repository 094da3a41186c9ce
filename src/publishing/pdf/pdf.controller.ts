import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Can, InSpace, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Operation } from '../../kernel/common/operation.js';
import { PdfBody, PdfQuery } from './pdf.schema.js';
import { Renderings } from './renderings.service.js';

const DESCRIPTION =
  'The PDF is rendered in the background, once for each state of the content. Its address works for an hour; a download that begins before the PDF is there waits for it, at most 50 seconds, and is then answered with 503 and `Retry-After`.';

@ApiTags('Spaces')
@LeavesOutHiddenPages()
@Controller('spaces/:spaceId/pdf')
export class SpacePdfController {
  constructor(private readonly renderings: Renderings) {}

  @Get()
  @Can('space:view')
  @Operation({
    id: 'getSpacePDF',
    summary: 'Get the address of a PDF of a space, or of a part of its pages',
    description: DESCRIPTION,
    type: PdfBody,
    errors: [409],
  })
  pdf(@InSpace() space: SpaceAccess, @Query() query: PdfQuery) {
    return this.renderings.url(space, {}, query);
  }
}

@ApiTags('Change requests')
@LeavesOutHiddenPages()
@Controller('spaces/:spaceId/change-requests/:changeRequestId/pdf')
export class ChangeRequestPdfController {
  constructor(private readonly renderings: Renderings) {}

  @Get()
  @Can('space:view')
  @Operation({
    id: 'getChangeRequestPDF',
    summary: 'Get the address of a PDF of the content of a change request',
    description: DESCRIPTION,
    type: PdfBody,
    errors: [409],
  })
  pdf(@InSpace() space: SpaceAccess, @Param('changeRequestId') changeRequestId: string, @Query() query: PdfQuery) {
    return this.renderings.url(space, { changeRequestId }, query);
  }
}
