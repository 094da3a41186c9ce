import { Body, Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSpace, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageVerificationReader } from './page-verification-reader.js';
import { PageVerificationBody, VerificationsQuery, VerifyPage } from './page-verifications.schema.js';
import { PageVerifications } from './page-verifications.service.js';

@ApiTags('Spaces')
@LeavesOutHiddenPages()
@Controller('spaces/:spaceId/verifications')
export class PageVerificationsController {
  constructor(
    private readonly verifications: PageVerifications,
    private readonly reader: PageVerificationReader,
  ) {}

  @Get()
  @Can('space:view')
  @Operation({
    id: 'listPageVerificationsInSpace',
    summary: 'List the pages of a space that were verified',
    description: 'Those that the caller sees; verifications that end first come first.',
    type: PageVerificationBody,
    list: true,
  })
  list(@InSpace() space: SpaceAccess, @Query() query: VerificationsQuery) {
    return this.reader.list(space, query);
  }

  @Get(':pageId')
  @Can('space:view')
  @Operation({
    id: 'getPageVerificationInSpace',
    summary: 'Get until when a page is held to be true, and who answers for it',
    type: PageVerificationBody,
  })
  get(@InSpace() space: SpaceAccess, @Param('pageId') pageId: string) {
    return this.reader.get(space, pageId);
  }

  @Put(':pageId')
  @Can('space:verifyPages')
  @Operation({
    id: 'verifyPageInSpace',
    summary: 'Verify a page: hold it to be true until a time',
    description:
      'The owner, a member or a team, answers for the page, and is told once when the time has passed. Changes of the page do not end it. Published pages say it where the customization of the site has `pageVerification`.',
    type: PageVerificationBody,
  })
  verify(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @Param('pageId') pageId: string,
    @Body() body: VerifyPage,
  ) {
    return this.verifications.verify(caller, space, pageId, body);
  }

  @Delete(':pageId')
  @Can('space:verifyPages')
  @Operation({ id: 'removePageVerificationInSpace', summary: 'Remove the verification of a page', status: 204 })
  remove(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Param('pageId') pageId: string) {
    return this.verifications.remove(caller, space, pageId);
  }
}
