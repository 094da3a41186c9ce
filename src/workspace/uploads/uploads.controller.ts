import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { OfferUpload, presentUpload, UploadUrlBody } from './uploads.schema.js';
import { Uploads } from './uploads.service.js';

@ApiTags('Space content')
@Controller()
export class UploadsController {
  constructor(private readonly uploads: Uploads) {}

  @Post('orgs/:organizationId/storage/upload')
  @Can('organization:upload')
  @Operation({
    id: 'generateStorageUploadURL',
    summary: 'Get an address to upload a file to',
    description:
      'The bytes go to `url` by PUT or POST, once and within an hour, with exactly the type and size that were announced. `key` then names the file; files for imports are kept for a week.',
    status: 201,
    type: UploadUrlBody,
  })
  offer(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Body() { kind, file }: OfferUpload,
  ) {
    return this.uploads.offer(userId, id, kind, file).then(presentUpload);
  }
}
