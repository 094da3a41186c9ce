import { Body, Controller, Get, Param, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ByCaller, Can, InSpace, LeavesOutHiddenPages } from '../../kernel/access/access.decorators.js';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PresenceStreams } from './presence-streams.js';
import { PRESENCE_EVENTS, PresenceEvents, PresenceQuery, StatePresence } from './presence.schema.js';
import { Presence } from './presence.service.js';

@ApiTags('Spaces')
@PresenceEvents()
@LeavesOutHiddenPages()
@Controller('spaces/:spaceId/presence')
export class PresenceController {
  constructor(
    private readonly presence: Presence,
    private readonly streams: PresenceStreams,
  ) {}

  @Get('stream')
  @Can('space:bePresent')
  @Operation({
    id: 'streamPresenceInSpace',
    summary: 'Follow who has a space open, and its revisions',
    description:
      'Server-sent events: `presence` with all people who are in the space, and `revision` with the revision that it, or the change request of the query, has. Both come at the beginning and after each change. The stream ends when the token or the right does, and with the server: connect again then. A person can have 20 streams open on each server.',
    schema: PRESENCE_EVENTS,
  })
  stream(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @Query() query: PresenceQuery,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.begin(caller, space, query, response);
  }

  @Put(':client')
  @Can('space:bePresent')
  @Operation({
    id: 'statePresenceInSpace',
    summary: 'Say where a window of the caller is in a space',
    description:
      'It replaces all that was said of the window, and holds while a stream with the same `client` is open, else for 30 seconds. A person can have 20 windows in a space.',
    status: 204,
  })
  state(
    @ByCaller() caller: Caller,
    @InSpace() space: SpaceAccess,
    @Param('client') client: string,
    @Body() body: StatePresence,
  ): Promise<void> {
    return this.presence.state(caller, space, client, body);
  }
}
