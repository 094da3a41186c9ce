import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { OrganizationsModule } from '../organizations/organizations.module.js';
import { UsersModule } from '../users/users.module.js';
import { ContributedInvites } from './contributed-invites.js';
import { BrowserSession } from './browser-session.entity.js';
import { ExpiredSessionsJob } from './expired-sessions.job.js';
import { MemberSessionsController } from './member-sessions.controller.js';
import { SessionController } from './session.controller.js';
import { sessions } from './sessions.manifest.js';
import { Sessions } from './sessions.service.js';
import { SignInLink } from './sign-in-link.entity.js';
import { SignInLinks } from './sign-in-links.service.js';
import { SignedInBrowsers } from './signed-in-browsers.js';
import { SignInLetters } from './sign-in-letters.service.js';
import { SignIns } from './sign-ins.service.js';
import { UserSessionsController } from './user-sessions.controller.js';

@Module({
  imports: [UsersModule, OrganizationsModule, TypeOrmModule.forFeature([BrowserSession, SignInLink])],
  controllers: [SessionController, UserSessionsController, MemberSessionsController],
  providers: [
    brings(sessions),
    ContributedInvites,
    Sessions,
    SignInLinks,
    SignIns,
    SignInLetters,
    SignedInBrowsers,
    ExpiredSessionsJob,
  ],
  exports: [Sessions, SignInLinks],
})
export class SessionsModule {}
