import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { ContentModule } from '../content/content.module.js';
import { PresenceStreams } from './presence-streams.js';
import { PresenceController } from './presence.controller.js';
import { PresentWindow } from './presence.entity.js';
import { presence } from './presence.manifest.js';
import { Presence } from './presence.service.js';

/** The people who have a space open at the same time. */
@Module({
  imports: [TypeOrmModule.forFeature([PresentWindow]), ContentModule],
  controllers: [PresenceController],
  providers: [brings(presence), Presence, PresenceStreams],
})
export class PresenceModule {}
