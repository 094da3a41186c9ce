import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByReader, Can, ForReaders, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { ReaderAccess } from '../../kernel/access/readers.js';
import { Operation } from '../../kernel/common/operation.js';
import { EmbedBody, EmbedQuery } from './embeds.schema.js';
import { Embeds } from './embeds.service.js';

const DESCRIPTION =
  'Returns the title and player of content at YouTube, Vimeo, Loom, Dailymotion, Spotify, SoundCloud, Figma, CodePen and CodeSandbox, posts at X, TikTok, Reddit and Flickr, and the title, site and icon of any other page. Where nothing can be read, the answer is a link with the address itself. Answers are cached for an hour, those without a title for a minute.';

@ApiTags('Embeds')
@LeavesOutHiddenPages()
@Controller()
export class EmbedsController {
  constructor(private readonly embeds: Embeds) {}

  @Get('urls/embed')
  @Can('user:view')
  @Operation({
    id: 'getEmbedByUrl',
    summary: 'Get what is shown in the place of an address',
    description: DESCRIPTION,
    type: EmbedBody,
  })
  async get(@Query() { url }: EmbedQuery) {
    return this.embeds.of(url);
  }

  @Get('spaces/:spaceId/embed')
  @Can('space:view')
  @ForReaders()
  @Operation({
    id: 'getEmbedByUrlInSpace',
    summary: 'Get what is shown in the place of an address that a space embeds',
    description: `${DESCRIPTION} With the token of a site's reader only addresses to which the content that the reader sees refers; 404 for others.`,
    type: EmbedBody,
  })
  async getInSpace(@ByReader() reader: ReaderAccess | undefined, @Query() { url }: EmbedQuery) {
    return this.embeds.inSpace(reader, url);
  }
}
