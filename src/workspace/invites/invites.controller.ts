import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can, InOrganization } from '../../kernel/access/access.decorators.js';
import type { OrganizationAccess } from '../../kernel/access/access.service.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { ShowsSecret } from '../../kernel/platform/idempotency.interceptor.js';
import { Invitations } from './invitations.service.js';
import { InviteLinks } from './invite-links.service.js';
import {
  CreateInviteLink,
  InvitationBody,
  InvitedBody,
  InviteLinkBody,
  InvitePeople,
  JoinedBody,
  presentInvitation,
  presentInviteLink,
  UpdateInviteLink,
} from './invites.schema.js';
import { Joining } from './joining.service.js';

@ApiTags('Organizations, members, teams')
@Controller('orgs/:organizationId')
export class InvitesController {
  constructor(
    private readonly links: InviteLinks,
    private readonly invitations: Invitations,
    private readonly joining: Joining,
    private readonly addresses: Addresses,
  ) {}

  @Post('link-invites')
  @Can('organization:invite')
  @ShowsSecret()
  @Operation({
    id: 'createOrganizationInvite',
    summary: 'Create an invite link',
    description:
      'To the organization (administrators), or to one space or collection of it (whoever manages its permissions).',
    status: 201,
    type: InviteLinkBody,
    errors: [409],
  })
  async createLink(
    @ByCaller() caller: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Body() body: CreateInviteLink,
  ) {
    return this.links.create(caller, id, body).then((link) => presentInviteLink(link, this.addresses));
  }

  @Get('link-invites')
  @Can('organization:manageMembers')
  @Operation({
    id: 'listOrganizationInviteLinks',
    summary: 'List the invite links to an organization',
    type: InviteLinkBody,
    list: true,
  })
  async listLinks(@InOrganization() organization: OrganizationAccess, @Query() query: PageQuery) {
    return this.links
      .list(organization, query)
      .then((page) => page.map((link) => presentInviteLink(link, this.addresses)));
  }

  @Get('link-invites/:inviteId')
  @Can('organization:invite')
  @Operation({
    id: 'getOrganizationInviteLink',
    summary: 'Get an invite link',
    description: 'For callers who may create such a link.',
    type: InviteLinkBody,
  })
  async getLink(
    @ByCaller() caller: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('inviteId') inviteId: string,
  ) {
    return this.links.get(caller, id, inviteId).then((link) => presentInviteLink(link, this.addresses));
  }

  @Patch('link-invites/:inviteId')
  @Can('organization:invite')
  @Operation({
    id: 'updateOrganizationInviteById',
    summary: 'Change what an invite link gives',
    description: 'For callers who may create such a link.',
    type: InviteLinkBody,
  })
  async updateLink(
    @ByCaller() caller: Caller,
    @InOrganization() { id }: OrganizationAccess,
    @Param('inviteId') inviteId: string,
    @Body() body: UpdateInviteLink,
  ) {
    return this.links.update(caller, id, inviteId, body).then((link) => presentInviteLink(link, this.addresses));
  }

  @Delete('link-invites/:inviteId')
  @Can('organization:invite')
  @Operation({
    id: 'deleteOrganizationInviteById',
    summary: 'Delete an invite link',
    description: 'For callers who may create such a link. Users who joined through it stay.',
    status: 204,
  })
  async removeLink(
    @ByCaller() caller: Caller,
    @InOrganization() organization: OrganizationAccess,
    @Param('inviteId') inviteId: string,
  ) {
    return this.joining.withdraw(caller, organization, inviteId);
  }

  @Get('invites')
  @Can('organization:manageMembers')
  @Operation({
    id: 'listOrganizationInvites',
    summary: 'List the invitations that nobody has answered',
    description: 'Without a mail server each has the address that the invited accept it at.',
    type: InvitationBody,
    list: true,
  })
  async list(@InOrganization() organization: OrganizationAccess, @Query() query: PageQuery) {
    return this.invitations
      .list(organization, query)
      .then((page) => page.map((row) => presentInvitation(row, this.addresses)));
  }

  @Post('invites')
  @Can('organization:manageMembers')
  @Operation({
    id: 'inviteUsersToOrganization',
    summary: 'Invite people by e-mail address',
    description: 'Each invitation works once, for seven days. Inviting somebody again renews it.',
    type: InvitedBody,
  })
  async invite(@ByCaller() caller: Caller, @InOrganization() { id }: OrganizationAccess, @Body() body: InvitePeople) {
    return this.invitations.invite(caller, id, body);
  }

  @Post('invites/:inviteId')
  @Can('user:join')
  @Operation({
    id: 'joinOrganizationWithInvite',
    summary: 'Join an organization with an invite',
    description:
      "Takes the id of an invite link, the secret of an invitation, or the id of an invitation to the caller's own verified address.",
    type: JoinedBody,
  })
  async join(
    @ByCaller() caller: Caller,
    @Param('organizationId') organizationId: string,
    @Param('inviteId') inviteId: string,
  ) {
    return this.joining.join(caller, organizationId, inviteId);
  }
}
