import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { SchemaBody } from '../../publishing/sites/schema.pipe.js';
import {
  ConversationBody,
  ConversationsQuery,
  ConversationsSourceBody,
  IngestQuery,
  presentConversation,
  presentSource,
  presentWholeConversation,
  WholeConversationBody,
} from './conversations.schema.js';
import { Conversations } from './conversations.service.js';
import { INGEST_BODY, INGEST_EXAMPLE, IngestPipe, type GivenConversation } from './ingest.schema.js';
import { Ingestion } from './ingestion.service.js';
import { ConversationsSettingsBody, presentSettings, UpdateConversationsSettings } from './settings.schema.js';
import { ConversationsSettings } from './settings.service.js';

@ApiTags('Conversations')
@Controller('orgs/:organizationId')
export class ConversationsController {
  constructor(
    private readonly ingestion: Ingestion,
    private readonly conversations: Conversations,
    private readonly settings: ConversationsSettings,
    private readonly addresses: Addresses,
  ) {}

  @Post('conversations')
  @Can('organization:ingestConversations')
  @SchemaBody(INGEST_BODY, INGEST_EXAMPLE)
  @Operation({
    id: 'ingestConversation',
    summary: 'Ingest one conversation, or up to 1,000',
    description:
      'A conversation whose id its source has given before replaces that one. HTML becomes Markdown, and personal data is masked before anything is stored, unless the organization has switched that off. Issues are found in the background.',
    status: 204,
    errors: [409, 422],
  })
  ingest(
    @InOrganization() { id }: OrganizationAccess,
    @Query() { source }: IngestQuery,
    @Body(IngestPipe) body: readonly GivenConversation[],
  ) {
    return this.ingestion.ingest(id, source, body);
  }

  @Get('conversations')
  @Can('organization:viewConversations')
  @Operation({
    id: 'listConversations',
    summary: 'List the conversations of an organization',
    description: 'Those that began last come first.',
    type: ConversationBody,
    list: true,
  })
  list(@InOrganization() { id }: OrganizationAccess, @Query() query: ConversationsQuery) {
    return this.conversations
      .list(id, query)
      .then((page) => page.map((row) => presentConversation(row, this.addresses)));
  }

  @Get('conversations/:conversationId')
  @Can('organization:viewConversations')
  @Operation({
    id: 'getConversationById',
    summary: 'Get a conversation with what was said in it',
    type: WholeConversationBody,
  })
  get(@InOrganization() { id }: OrganizationAccess, @Param('conversationId') conversationId: string) {
    return this.conversations.get(id, conversationId).then((row) => presentWholeConversation(row, this.addresses));
  }

  @Delete('conversations/:conversationId')
  @Can('organization:ingestConversations')
  @Operation({ id: 'deleteConversation', summary: 'Delete a conversation with its issues', status: 204 })
  remove(@InOrganization() { id }: OrganizationAccess, @Param('conversationId') conversationId: string) {
    return this.conversations.remove(id, conversationId);
  }

  @Get('conversations-sources')
  @Can('organization:viewConversations')
  @Operation({
    id: 'listConversationsSources',
    summary: 'List the sources of the conversations of an organization',
    description: 'By their names. A source is there as soon as it has sent a conversation, and until it is deleted.',
    type: ConversationsSourceBody,
    list: true,
  })
  listSources(@InOrganization() { id }: OrganizationAccess, @Query() query: PageQuery) {
    return this.conversations.sources(id, query).then((page) => page.map(presentSource));
  }

  @Delete('conversations-sources/:source')
  @Can('organization:ingestConversations')
  @Operation({
    id: 'deleteConversationsSource',
    summary: 'Delete all conversations of a source',
    description:
      'With their issues. Change requests that were made because of them stay, and so do the clusters that these are linked with.',
    status: 204,
  })
  removeSource(@InOrganization() { id }: OrganizationAccess, @Param('source') source: string) {
    return this.conversations.removeSource(id, source);
  }

  @Get('conversations-settings')
  @Can('organization:viewConversations')
  @Operation({
    id: 'getConversationsSettings',
    summary: 'Get how conversations are treated, and how far they are read',
    type: ConversationsSettingsBody,
  })
  getSettings(@InOrganization() { id }: OrganizationAccess) {
    return this.settings.get(id).then((row) => presentSettings(row, this.addresses));
  }

  @Patch('conversations-settings')
  @Can('organization:admin')
  @Operation({
    id: 'updateConversationsSettings',
    summary: 'Change how conversations are treated',
    description:
      'It holds for what is ingested from then on; conversations that are older than they are kept are removed within ten minutes.',
    type: ConversationsSettingsBody,
    errors: [412],
  })
  updateSettings(
    @ByCaller() { userId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Body() body: UpdateConversationsSettings,
  ) {
    return this.settings.update(userId, id, body).then((row) => presentSettings(row, this.addresses));
  }
}
