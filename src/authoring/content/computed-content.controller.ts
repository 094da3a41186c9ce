import { Body, Controller, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByReader, Can, ForReaders, InSpace, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import type { ReaderAccess } from '../../kernel/access/readers.js';
import { Operation } from '../../kernel/common/operation.js';
import { ComputeDocument, ComputedRevisionBody, ComputeRevision } from './computed-content.schema.js';
import { ComputedContent } from './computed-content.service.js';
import { DocumentBody, DocumentQuery } from './content.schema.js';

/** Content computed from sources that a request names, whether pages have them or not. */
@ApiTags('Space content')
@LeavesOutHiddenPages()
@Controller('spaces/:spaceId/content/computed')
export class ComputedContentController {
  constructor(private readonly computed: ComputedContent) {}

  @Post('document')
  @Can('space:view')
  @ForReaders()
  @Operation({
    id: 'getComputedDocument',
    summary: 'Compute the document of a page of a specification',
    description:
      'The body of a page with this source, empty for a page that the specification does not have. The specification is one of the organization, or a file of the space; 404 without it, and with the token of a reader for one that no page of the site names.',
    type: DocumentBody,
  })
  document(
    @InSpace() space: SpaceAccess,
    @ByReader() reader: ReaderAccess | undefined,
    @Body() { source, seed }: ComputeDocument,
    @Query() _query: DocumentQuery,
  ) {
    return this.computed.document({ space, reader }, source, seed);
  }

  @Post('revision')
  @Can('space:view')
  @ForReaders()
  @Operation({
    id: 'getComputedRevision',
    summary: 'Compute the pages of a specification',
    description:
      'The pages that a computed page with this source stands for, without their bodies. The answers to sources that are not there are those of `getComputedDocument`.',
    type: ComputedRevisionBody,
  })
  revision(
    @InSpace() space: SpaceAccess,
    @ByReader() reader: ReaderAccess | undefined,
    @Body() { source, seed }: ComputeRevision,
  ) {
    return this.computed.revision({ space, reader }, source, seed);
  }
}
