import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InSpace, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { AtPlace, livePlacesOf, OperationAt, placesOf } from '../content/content-operation.js';
import { ContentPlaces, type ContentPath } from '../content/content-places.js';
import { PageHtmlRenderer } from './page-html.service.js';
import { MarkdownPreviews } from './markdown-previews.service.js';
import { PageHtmlBody, PageHtmlQuery, RenderedMarkdownBody, RenderMarkdown } from './rendering.schema.js';

/** Content as HTML, for the workspace. */
@ApiTags('Space content')
@LeavesOutHiddenPages()
@Controller()
export class RenderingController {
  constructor(
    private readonly places: ContentPlaces,
    private readonly pages: PageHtmlRenderer,
    private readonly previews: MarkdownPreviews,
  ) {}

  @Get(placesOf('/page/:pageId/html'))
  @Can('space:view')
  @OperationAt(['getPageHtmlById', 'getPageHtmlInChangeRequestById', 'getPageHtmlInRevisionById'], {
    summary: 'Get the body of a page as HTML, as it will be published',
    description:
      'Links lead to pages of the workspace, and images and files have signed addresses, which change every hour. Content that takes too much time to render is shown as it is written.',
    type: PageHtmlBody,
    errors: [422],
  })
  page(
    @ByCaller() { userId }: Caller,
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Param('pageId') pageId: string,
    @Query() query: PageHtmlQuery,
  ) {
    return this.places.at(space, path).then((place) => this.pages.of(place, userId, pageId, query));
  }

  @Post(livePlacesOf('/render'))
  @Can('space:view')
  @OperationAt(['renderMarkdown', 'renderMarkdownInChangeRequest'], {
    summary: 'Render Markdown or a document as the body of a page, without storing anything',
    description:
      'Links and files are those of the space or change request. Content that a write would refuse is refused here, too.',
    type: RenderedMarkdownBody,
    errors: [413, 422],
  })
  render(
    @ByCaller() { userId }: Caller,
    @InSpace() space: SpaceAccess,
    @AtPlace() path: ContentPath,
    @Body() body: RenderMarkdown,
  ) {
    return this.places.at(space, path).then((place) => this.previews.of(place, userId, body));
  }
}
