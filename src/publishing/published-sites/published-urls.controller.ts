import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../../kernel/access/access.decorators.js';
import { Operation } from '../../kernel/common/operation.js';
import { LOOKUP, LookupModels, ResolvePublishedUrl } from './published-urls.schema.js';
import { PublishedUrls } from './published-urls.service.js';

@ApiTags('Sites')
@Controller('urls/published')
export class PublishedUrlsController {
  constructor(private readonly urls: PublishedUrls) {}

  @Post()
  @Public()
  @LookupModels()
  @Operation({
    id: 'resolvePublishedContentByUrl',
    summary: 'Find what an address of a published site shows to a visitor',
    description:
      'Takes no API token: it reveals only what opening the address reveals. The answer has a token with which the visitor reads at the API what the site shows them; it is refused as soon as they would not be let in any more.',
    schema: LOOKUP,
    open: true,
    errors: [403, 404],
  })
  async resolve(@Body() body: ResolvePublishedUrl) {
    return this.urls.resolve(body);
  }
}
