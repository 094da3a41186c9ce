import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSpace, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { AtPlace, livePlacesOf, OperationAt } from '../content/content-operation.js';
import { ContentPlaces, type ContentPath } from '../content/content-places.js';
import {
  ChangeRequestLinksQuery,
  ContentLocation,
  LinksQuery,
  LinkStats,
  LinkUsage,
  STATS_FIELD,
} from './links.schema.js';
import { Links } from './links.service.js';

const REPORT = { type: LinkUsage, list: true, envelope: STATS_FIELD } as const;
const REPORT_NOTE =
  'One item for each target, with the first ten places that refer to it. Pages of the list are no longer than 2 MB, and may hold fewer items than asked for.';

const BACKLINKS_NOTE =
  'Those of other spaces that the caller can see come last. Links within a page itself are left out.';

@ApiTags('Spaces')
@ApiExtraModels(LinkStats)
@Controller()
export class SpaceLinksController {
  constructor(
    private readonly places: ContentPlaces,
    private readonly links: Links,
  ) {}

  @Get('spaces/:spaceId/links')
  @Can('space:view')
  @Operation({
    id: 'listSpaceLinks',
    summary: 'List the links of a space with their status',
    description: REPORT_NOTE,
    ...REPORT,
  })
  inSpace(@ByCaller() caller: Caller, @InSpace() space: SpaceAccess, @Query() query: LinksQuery) {
    return this.places.at(space, {}).then((place) => this.links.ofSpace(caller, place, query));
  }
}

/** Links of change requests, of pages and of files. */
@ApiTags('Space content')
@Controller()
export class LinksController {
  constructor(
    private readonly places: ContentPlaces,
    private readonly links: Links,
  ) {}

  @Get('spaces/:spaceId/change-requests/:changeRequestId/links')
  @Can('space:view')
  @Operation({
    id: 'listChangeRequestLinks',
    summary: 'List the links of a space as a change request has them',
    description: REPORT_NOTE,
    ...REPORT,
  })
  inChangeRequest(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Query() query: ChangeRequestLinksQuery,
  ) {
    return this.places.at(space, path).then((place) => this.links.ofSpace(caller, place, query));
  }

  @Get(livePlacesOf('/page/:pageId/links'))
  @Can('space:view')
  @LeavesOutHiddenPages()
  @OperationAt(['listPageLinksInSpace', 'listPageLinksInChangeRequest'], {
    summary: 'List the links of a page with their status',
    description: REPORT_NOTE,
    ...REPORT,
  })
  ofPage(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Param('pageId') pageId: string,
    @Query() query: LinksQuery,
  ) {
    return this.places.at(space, path).then((place) => this.links.ofPage(caller, place, pageId, query));
  }

  @Get(livePlacesOf('/page/:pageId/backlinks'))
  @Can('space:view')
  @LeavesOutHiddenPages()
  @OperationAt(['listSpacePageBacklinks', 'listChangeRequestPageBacklinks'], {
    summary: 'List the places that refer to a page',
    description: BACKLINKS_NOTE,
    type: ContentLocation,
    list: true,
  })
  pageBacklinks(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Param('pageId') pageId: string,
    @Query() query: PageQuery,
  ) {
    return this.places.at(space, path).then((place) => this.links.backlinks(caller, place, 'page', pageId, query));
  }

  @Get(livePlacesOf('/files/:fileId/backlinks'))
  @Can('space:view')
  @LeavesOutHiddenPages()
  @OperationAt(['listSpaceFileBacklinks', 'listChangeRequestFileBacklinks'], {
    summary: 'List the places that refer to a file',
    description: BACKLINKS_NOTE,
    type: ContentLocation,
    list: true,
  })
  fileBacklinks(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Param('fileId') fileId: string,
    @Query() query: PageQuery,
  ) {
    return this.places.at(space, path).then((place) => this.links.backlinks(caller, place, 'file', fileId, query));
  }
}
