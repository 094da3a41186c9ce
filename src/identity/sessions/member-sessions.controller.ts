import { Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { ShowsSecret } from '../../kernel/platform/idempotency.interceptor.js';
import { MadeSignInLinkBody, presentSessionInList, SessionInListBody } from './sessions.schema.js';
import { Sessions } from './sessions.service.js';
import { SignInLinks } from './sign-in-links.service.js';

@ApiTags('Users')
@Controller('orgs/:organizationId/members/:userId')
export class MemberSessionsController {
  constructor(
    private readonly links: SignInLinks,
    private readonly sessions: Sessions,
  ) {}

  @Get('sessions')
  @Can('organization:manageSessions')
  @Operation({
    id: 'listMemberSessions',
    summary: 'List the browsers in which a member is signed in',
    description:
      'Sessions that act in this organization only, and all of a member of no other organization: what somebody does elsewhere is not shown.',
    type: SessionInListBody,
    list: true,
  })
  async list(
    @ByCaller() { tokenId }: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('userId') userId: string,
    @Query() query: PageQuery,
  ) {
    return this.sessions
      .listOfMember(id, userId, query)
      .then((page) => page.map((session) => presentSessionInList(session, tokenId)));
  }

  @Delete('sessions')
  @Can('organization:manageSessions')
  @Operation({
    id: 'endMemberSessions',
    summary: 'Sign a member out',
    description: 'Ends the sessions that the list shows, at once.',
    status: 204,
  })
  async end(@InOrganization() { id }: OrganizationAccess, @Param('userId') userId: string) {
    return this.sessions.endOfMember(id, userId);
  }

  @Post('sign-in-link')
  @Can('organization:manageSessions')
  @ShowsSecret()
  @Operation({
    id: 'createMemberSignInLink',
    summary: 'Make a link that signs a member in',
    description:
      'To be handed over to the member: it works once, for an hour, with and without a mail server. Its session acts in this organization only, and ends at the latest with the token of the request. Agents and tokens with scopes make none (403); where single sign-on is required, only administrators can be given one (409).',
    status: 201,
    type: MadeSignInLinkBody,
    errors: [409],
  })
  async createLink(
    @ByCaller() caller: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('userId') userId: string,
  ) {
    return this.links
      .forMember(caller, id, userId)
      .then(({ url, expiresAt }) => ({ url, expiresAt: expiresAt.toISOString() }));
  }
}
