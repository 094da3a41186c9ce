import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSpace, LeavesOutHiddenPages } from '../../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../../kernel/access/access.service.js';
import type { Caller } from '../../../kernel/common/context.js';
import { Operation } from '../../../kernel/common/operation.js';
import { PreviewAddresses } from './preview-addresses.service.js';
import { RequestPreviewBody, RequestPreviewQuery } from './request-previews.schema.js';

@ApiTags('Change requests')
@LeavesOutHiddenPages()
@Controller('spaces/:spaceId/change-requests/:changeRequestId/preview')
export class RequestPreviewsController {
  constructor(private readonly addresses: PreviewAddresses) {}

  @Get()
  @Can('space:view')
  @Operation({
    id: 'getChangeRequestPreview',
    summary: 'Get an address that shows a site with the content of a change request',
    description:
      'The site as a visitor with the claims sees it, published or not, with the content of the change request in the place of its space; without a site the space by itself. It works for an hour in the browser of the caller, and ends when the change request is merged or archived, or when the caller may no longer see the space or the site.',
    type: RequestPreviewBody,
    errors: [409],
  })
  get(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @Param('changeRequestId') changeRequestId: string,
    @Query() query: RequestPreviewQuery,
  ) {
    return this.addresses.of(caller, space, changeRequestId, query);
  }
}
