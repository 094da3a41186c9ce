import { Body, Controller, Get, Headers, Post, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ByCaller, Can } from '../../kernel/access/access.decorators.js';
import { TemporaryTokens } from '../../kernel/access/temporary-tokens.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { NotificationChoices } from './notification-settings.service.js';
import { NotificationStreams } from './notification-streams.js';
import {
  MarkNotifications,
  NOTIFICATION_EVENTS,
  NotificationBody,
  NotificationEvents,
  NotificationSettingsBody,
  NotificationsQuery,
  NotificationsTokenBody,
  presentNotification,
  presentNotificationSettings,
  UpdateNotificationSettings,
} from './notifications.schema.js';
import { Notifications } from './notifications.service.js';

const NOTIFICATION_SCOPES = ['user:notifications:read', 'user:notifications:write'] as const;

@ApiTags('Users')
@NotificationEvents()
@Controller('user')
export class NotificationsController {
  constructor(
    private readonly notifications: Notifications,
    private readonly streams: NotificationStreams,
    private readonly choices: NotificationChoices,
    private readonly addresses: Addresses,
    private readonly temporary: TemporaryTokens,
  ) {}

  @Get('notifications')
  @Can('user:viewNotifications')
  @Operation({
    id: 'listNotifications',
    summary: "List the caller's notifications",
    description:
      'Latest first, of spaces that the caller can see and of sites that they administer now. `unread` counts all of them that are unread.',
    type: NotificationBody,
    list: true,
    envelope: {
      unread: {
        type: 'integer',
        minimum: 0,
        description: 'Unread notifications, whatever the filters, when the first page was read',
        example: 1,
      },
    },
  })
  async list(@ByCaller() caller: Caller, @Query() query: NotificationsQuery) {
    return this.notifications
      .list(caller, query)
      .then((page) => page.map((row) => presentNotification(row, this.addresses)));
  }

  @Put('notifications')
  @Can('user:editNotifications')
  @Operation({ id: 'markNotifications', summary: "Mark the caller's notifications as read or unread", status: 204 })
  async mark(@ByCaller() caller: Caller, @Body() body: MarkNotifications) {
    return this.notifications.mark(caller, body);
  }

  @Get('notifications/stream')
  @Can('user:viewNotifications')
  @Operation({
    id: 'streamNotifications',
    summary: "Follow the caller's notifications",
    description:
      'Server-sent events named `notification`, from now on; with `Last-Event-ID`, the id of an earlier event, from there on. The stream ends when the token does, and with the server: connect again then. A person can have 10 streams open on each server.',
    schema: NOTIFICATION_EVENTS,
  })
  async stream(
    @ByCaller() caller: Caller,
    @Res() response: Response,
    @Headers('last-event-id') lastEventId?: string,
  ): Promise<void> {
    await this.streams.begin(caller, response, lastEventId);
  }

  @Post('notifications/token')
  @Can('user:createNotificationsToken')
  @Operation({
    id: 'createUserNotificationsToken',
    summary: "Create a JWT that opens the caller's notifications",
    description:
      'A bearer token for the list, the stream, marks and settings of notifications, and for nothing else. It is valid for an hour, no longer than the token or session that it was made with, and has no more scopes.',
    type: NotificationsTokenBody,
    status: 200,
  })
  async createToken(@ByCaller() caller: Caller): Promise<NotificationsTokenBody> {
    return { token: await this.temporary.issue(caller, NOTIFICATION_SCOPES) };
  }

  @Get('notification-settings')
  @Can('user:viewNotifications')
  @Operation({
    id: 'getNotificationSettings',
    summary: 'Get which notifications the caller wants',
    description: 'With a token that acts in one organization: what holds for that organization.',
    type: NotificationSettingsBody,
  })
  async settings(@ByCaller() caller: Caller) {
    return this.choices.get(caller).then(({ choice, mailable }) => presentNotificationSettings(choice, mailable));
  }

  @Put('notification-settings')
  @Can('user:editNotifications')
  @Operation({
    id: 'updateNotificationSettings',
    summary: 'Choose which notifications the caller wants',
    description:
      'With a token that acts in one organization the choice holds for that organization, before the one for everything.',
    type: NotificationSettingsBody,
  })
  async updateSettings(@ByCaller() caller: Caller, @Body() body: UpdateNotificationSettings) {
    return this.choices
      .update(caller, body)
      .then(({ choice, mailable }) => presentNotificationSettings(choice, mailable));
  }
}
