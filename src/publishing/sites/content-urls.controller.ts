import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can } from '../../kernel/access/access.decorators.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { ContentUrlBody, ContentUrlQuery } from './content-urls.schema.js';
import { ContentUrls } from './content-urls.service.js';

@ApiTags('Sites')
@Controller('urls/content')
export class ContentUrlsController {
  constructor(private readonly urls: ContentUrls) {}

  @Get()
  @Can('user:view')
  @Operation({
    id: 'getContentByUrl',
    summary: 'Find what an address leads to',
    description:
      'Addresses of the application lead to collections, spaces, change requests and pages, those of published sites to spaces and pages. 404 for what is not there or the caller does not see.',
    type: ContentUrlBody,
  })
  async get(@ByCaller() caller: Caller, @Query() { url }: ContentUrlQuery) {
    return this.urls.resolve(caller, url);
  }
}
