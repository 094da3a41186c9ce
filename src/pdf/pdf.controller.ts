import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSpace } from '../access/access.decorators.js';
import type { SpaceAccess } from '../access/access.service.js';
import type { Caller } from '../common/context.js';
import { AtPlace, OperationAt } from '../content/content-operation.js';
import type { ContentPath } from '../content/content-reader.js';
import { PdfBody, PdfQuery } from './pdf.schema.js';
import { Renderings } from './renderings.service.js';

@ApiTags('PDF')
@Controller()
export class PdfController {
  constructor(private readonly renderings: Renderings) {}

  @Get(['spaces/:spaceId/pdf', 'spaces/:spaceId/change-requests/:changeRequestId/pdf'])
  @Can('space:view')
  @OperationAt(['getSpacePDF', 'getChangeRequestPDF'], {
    summary: 'Get the address of a PDF of all pages, of a page with those below it, or of one page',
    description: 'The PDF is rendered in the background, once for each state of the content. Its address works for an hour; a download that begins before the PDF is there waits for it, at most 50 seconds, and is then answered with 503 and `Retry-After`.',
    type: PdfBody,
    errors: [409],
  })
  pdf(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @AtPlace() path: ContentPath, @Query() query: PdfQuery) {
    return this.renderings.url(caller, space, path, query);
  }
}
