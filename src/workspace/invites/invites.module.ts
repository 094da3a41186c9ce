import { Module } from '@nestjs/common';
import { UsersModule } from '../../identity/users/users.module.js';
import { SessionsModule } from '../../identity/sessions/sessions.module.js';
import { OrganizationsModule } from '../../identity/organizations/organizations.module.js';
import { CollectionsModule } from '../collections/collections.module.js';
import { SpacesModule } from '../spaces/spaces.module.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AcceptInvitationController } from './accept-invitation.controller.js';
import { Invitations } from './invitations.service.js';
import { InviteLinks } from './invite-links.service.js';
import { InvitesController } from './invites.controller.js';
import { Joining } from './joining.service.js';
import { InviteSignIns } from './invite-sign-ins.js';
import { OpenInvitesController } from './open-invites.controller.js';
import { OpenInvites } from './open-invites.service.js';
import { InviteAttempts } from './invite-attempts.js';
import { InvitedGrants } from './invited-grants.js';
import { RedeemedInvitations } from './redeemed-invitations.js';
import { Registrations } from './registrations.service.js';
import { Invitation } from './invitation.entity.js';
import { InviteLink } from './invite-link.entity.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { invites } from './invites.manifest.js';

@Module({
  imports: [
    SpacesModule,
    CollectionsModule,
    OrganizationsModule,
    UsersModule,
    SessionsModule,
    TypeOrmModule.forFeature([Invitation, InviteLink]),
  ],
  controllers: [InvitesController, AcceptInvitationController, OpenInvitesController],
  providers: [
    brings(invites),
    InviteAttempts,
    InvitedGrants,
    InviteSignIns,
    OpenInvites,
    InviteLinks,
    Invitations,
    Joining,
    RedeemedInvitations,
    Registrations,
  ],
  exports: [Invitations],
})
export class InvitesModule {}
