import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Can, ForReaders, InSpace, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { Direct } from '../../kernel/access/direct-reads.js';
import { Operation } from '../../kernel/common/operation.js';
import { ChangesBody, RevisionChangesQuery } from './changes.schema.js';
import { AtPlace, OperationAt, PagePath, placesOf } from './content-operation.js';
import { ContentChanges } from './content-changes.js';
import { ContentFiles } from './content-files.js';
import { ContentPlaces, type ContentPath } from './content-places.js';
import { ContentReader } from './content-reader.js';
import {
  ContentFlags,
  DocumentBody,
  DocumentQuery,
  EvaluatedQuery,
  FileBody,
  FileListQuery,
  MetaLinksBody,
  PageBody,
  PageReadQuery,
  PagesQuery,
  PagesBody,
  ReusableContentBody,
  RevisionBody,
} from './content.schema.js';
import { RevisionReader } from './revision-reader.js';

/** Content of a space, of a change request and of a revision: one controller, three places. */
@ApiTags('Space content')
@LeavesOutHiddenPages()
@Controller()
export class ContentController {
  constructor(
    private readonly places: ContentPlaces,
    private readonly reader: ContentReader,
    private readonly revisions: RevisionReader,
    private readonly contentFiles: ContentFiles,
    private readonly semantic: ContentChanges,
  ) {}

  @Get(placesOf(''))
  @Can('space:view')
  @ForReaders()
  @OperationAt(['getCurrentRevision', 'getRevisionOfChangeRequestById', 'getRevisionById'], {
    summary: 'Get a revision: all of its content except the bodies of pages',
    type: RevisionBody,
  })
  revision(@InSpace() space: SpaceAccess, @AtPlace() path: ContentPath, @Query() flags: ContentFlags) {
    return this.places.at(space, path).then((place) => this.revisions.get(place, flags));
  }

  @Get(placesOf('/pages'))
  @Direct()
  @Can('space:view')
  @ForReaders()
  @OperationAt(['listPages', 'listPagesInChangeRequest', 'listPagesInRevisionById'], {
    summary: 'Get the page tree, without the bodies of pages',
    type: PagesBody,
  })
  pages(@InSpace() space: SpaceAccess, @AtPlace() path: ContentPath, @Query() query: PagesQuery) {
    return this.places.at(space, path).then((place) => this.reader.pages(place, query));
  }

  @Get(placesOf('/files'))
  @Direct()
  @Can('space:view')
  @ForReaders()
  @OperationAt(['listFiles', 'listFilesInChangeRequestById', 'listFilesInRevisionById'], {
    summary: 'List files, newest first',
    type: FileBody,
    list: true,
  })
  files(@InSpace() space: SpaceAccess, @AtPlace() path: ContentPath, @Query() query: FileListQuery) {
    return this.places.at(space, path).then((place) => this.contentFiles.list(place, query));
  }

  @Get(placesOf('/files/:fileId'))
  @Direct()
  @Can('space:view')
  @ForReaders()
  @OperationAt(['getFileById', 'getFileInChangeRequestById', 'getFileInRevisionById'], {
    summary: 'Get a file',
    type: FileBody,
  })
  file(
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Param('fileId') fileId: string,
    @Query() flags: ContentFlags,
  ) {
    return this.places.at(space, path).then((place) => this.contentFiles.get(place, fileId, flags));
  }

  @Get(placesOf('/page/:pageId'))
  @Direct()
  @Can('space:view')
  @ForReaders()
  @OperationAt(['getPageById', 'getPageInChangeRequestById', 'getPageInRevisionById'], {
    summary: 'Get a page with its body',
    type: PageBody,
  })
  page(
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Param('pageId') pageId: string,
    @Query() query: PageReadQuery,
  ) {
    return this.places.at(space, path).then((place) => this.reader.page(place, pageId, query));
  }

  @Get(placesOf('/page/:pageId/meta-links'))
  @Can('space:view')
  @ForReaders()
  @OperationAt(['listSpacePageMetaLinks', 'listChangeRequestPageMetaLinks', 'listRevisionPageMetaLinks'], {
    summary: 'Get the canonical address and the alternates of a page',
    type: MetaLinksBody,
  })
  metaLinks(@InSpace() space: SpaceAccess, @AtPlace() path: ContentPath, @Param('pageId') pageId: string) {
    return this.places.at(space, path).then((place) => this.reader.metaLinks(place, pageId));
  }

  @Get(placesOf('/path/*pagePath'))
  @Direct()
  @Can('space:view')
  @ForReaders()
  @OperationAt(['getPageByPath', 'getPageInChangeRequestByPath', 'getPageInRevisionByPath'], {
    summary: 'Get a page with its body by its path',
    type: PageBody,
  })
  pageAtPath(
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @PagePath() pagePath: string,
    @Query() query: PageReadQuery,
  ) {
    return this.places.at(space, path).then((place) => this.reader.pageAtPath(place, pagePath, query));
  }

  @Get(placesOf('/reusable-contents/:reusableContentId'))
  @Direct()
  @Can('space:view')
  @ForReaders()
  @OperationAt(
    ['getReusableContentById', 'getReusableContentInChangeRequestById', 'getReusableContentInRevisionById'],
    { summary: 'Get a reusable content', type: ReusableContentBody },
  )
  reusable(
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Param('reusableContentId') id: string,
    @Query() flags: ContentFlags,
  ) {
    return this.places.at(space, path).then((place) => this.reader.reusable(place, id, flags));
  }

  @Get('spaces/:spaceId/revisions/:revisionId/page/:pageId/document')
  @Direct()
  @Can('space:view')
  @ForReaders()
  @Operation({
    id: 'getPageDocumentInRevisionById',
    summary: 'Get the document of a page in a revision',
    type: DocumentBody,
  })
  pageDocument(
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Param('pageId') pageId: string,
    @Query() { evaluated }: EvaluatedQuery,
  ) {
    return this.places.at(space, path).then((place) => this.reader.documentOf(place, 'page', pageId, evaluated));
  }

  @Get('spaces/:spaceId/revisions/:revisionId/reusable-contents/:reusableContentId/document')
  @Can('space:view')
  @ForReaders()
  @Operation({
    id: 'getReusableContentDocumentInRevisionById',
    summary: 'Get the document of a reusable content in a revision',
    type: DocumentBody,
  })
  reusableDocument(
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Param('reusableContentId') id: string,
    @Query() { evaluated }: EvaluatedQuery,
  ) {
    return this.places.at(space, path).then((place) => this.reader.documentOf(place, 'reusable', id, evaluated));
  }

  @Get('spaces/:spaceId/revisions/:revisionId/changes')
  @Can('space:view')
  @Operation({ id: 'getRevisionSemanticChanges', summary: 'Get what a revision changed', type: ChangesBody })
  changes(
    @InSpace() space: SpaceAccess,
    @Param('revisionId') revisionId: string,
    @Query() query: RevisionChangesQuery,
  ) {
    return this.semantic.ofRevision(space, revisionId, query);
  }

  @Get('spaces/:spaceId/documents/:documentId')
  @Direct()
  @Can('space:view')
  @ForReaders()
  @Operation({
    id: 'getDocumentById',
    summary: 'Get a document by its id, which pages show as `documentId`',
    description: 'Reader tokens get the documents of the current content, as their claims show them.',
    type: DocumentBody,
  })
  document(@InSpace() space: SpaceAccess, @Param('documentId') documentId: string, @Query() _query: DocumentQuery) {
    return space.reader
      ? this.places.at(space, {}).then((place) => this.reader.documentWithId(place, documentId))
      : this.places.at(space, {}).then((place) => this.reader.storedDocument(place, documentId));
  }
}
