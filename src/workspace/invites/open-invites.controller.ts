import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../../kernel/access/access.decorators.js';
import { Operation } from '../../kernel/common/operation.js';
import {
  OpenInvitationBody,
  OpenInviteLinkBody,
  presentOpenInvitation,
  presentOpenInviteLink,
} from './open-invites.schema.js';
import { OpenInvites } from './open-invites.service.js';

@ApiTags('Users')
@Controller('auth')
export class OpenInvitesController {
  constructor(private readonly invites: OpenInvites) {}

  @Get('invitations/:secret')
  @Public()
  @Operation({
    id: 'getOpenInvitation',
    summary: 'See an invitation',
    description: 'Takes no token: for those who hold its secret.',
    type: OpenInvitationBody,
    errors: [404],
    open: true,
  })
  async invitation(@Param('secret') secret: string) {
    return this.invites.invitation(secret).then(presentOpenInvitation);
  }

  @Get('invite-links/:inviteId')
  @Public()
  @Operation({
    id: 'getOpenInviteLink',
    summary: 'See where an invite link leads',
    description: 'Takes no token: for those who hold the link.',
    type: OpenInviteLinkBody,
    errors: [404],
    open: true,
  })
  async link(@Param('inviteId') inviteId: string) {
    return this.invites.link(inviteId).then(presentOpenInviteLink);
  }
}
