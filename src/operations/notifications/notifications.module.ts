import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChangeRequestsModule } from '../../authoring/change-requests/change-requests.module.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { ConflictCheck } from './conflict-check.entity.js';
import { ConflictChecks } from './conflict-checks.js';
import { NotificationFanOut } from './notification-fan-out.js';
import { NotificationInbox } from './notification-inbox.entity.js';
import { NotificationLetters } from './notification-letters.js';
import { NotificationSettings } from './notification-settings.entity.js';
import { NotificationChoices } from './notification-settings.service.js';
import { NotificationStreams } from './notification-streams.js';
import { NotificationWriter } from './notification-writer.js';
import { Notification } from './notification.entity.js';
import { NotificationsController } from './notifications.controller.js';
import { notifications } from './notifications.manifest.js';
import { Notifications } from './notifications.service.js';
import { StaleNotificationsJob } from './stale-notifications.job.js';
import { UnsubscribeEndpoint } from './unsubscribe-endpoint.js';
import { WeeklyDigests } from './weekly-digests.js';

@Module({
  imports: [
    ChangeRequestsModule,
    TypeOrmModule.forFeature([Notification, NotificationInbox, NotificationSettings, ConflictCheck]),
  ],
  controllers: [NotificationsController],
  providers: [
    brings(notifications),
    ConflictChecks,
    NotificationChoices,
    NotificationFanOut,
    NotificationLetters,
    Notifications,
    NotificationStreams,
    NotificationWriter,
    StaleNotificationsJob,
    UnsubscribeEndpoint,
    WeeklyDigests,
  ],
})
export class NotificationsModule {}
