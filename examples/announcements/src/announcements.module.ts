import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { brings } from 'bindery/extension';
import { Announcement } from './announcement.entity.js';
import { AnnouncementSettings } from './announcement-settings.entity.js';
import { AnnouncementsController } from './announcements.controller.js';
import { announcements } from './announcements.manifest.js';
import { Announcements } from './announcements.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Announcement, AnnouncementSettings])],
  controllers: [AnnouncementsController],
  providers: [brings(announcements), Announcements],
})
export class AnnouncementsModule {}
