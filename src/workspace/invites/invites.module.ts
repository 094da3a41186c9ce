import { Module } from '@nestjs/common';
import { AcceptInvitationController } from './accept-invitation.controller.js';
import { Invitations } from './invitations.service.js';
import { InviteLinks } from './invite-links.service.js';
import { InvitesController } from './invites.controller.js';
import { Joining } from './joining.service.js';

@Module({
  controllers: [InvitesController, AcceptInvitationController],
  providers: [InviteLinks, Invitations, Joining],
})
export class InvitesModule {}
