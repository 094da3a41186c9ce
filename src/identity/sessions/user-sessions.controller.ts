import { Controller, Delete, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ByCaller, Can } from '../../kernel/access/access.decorators.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { presentSessionInList, SessionInListBody } from './sessions.schema.js';
import { SignedInBrowsers } from './signed-in-browsers.js';
import { Sessions } from './sessions.service.js';

@ApiTags('Users')
@Controller('user/sessions')
export class UserSessionsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly browsers: SignedInBrowsers,
  ) {}

  @Get()
  @Can('user:viewSessions')
  @Operation({
    id: 'listUserSessions',
    summary: 'List the browsers in which the caller is signed in',
    description: 'Latest first. A session that is limited to an organization sees those with the same limit.',
    type: SessionInListBody,
    list: true,
    alwaysThere: true,
  })
  async list(@ByCaller() caller: Caller, @Query() query: PageQuery) {
    return this.sessions
      .list(caller, query)
      .then((page) => page.map((session) => presentSessionInList(session, caller.tokenId)));
  }

  @Delete()
  @Can('user:endSessions')
  @Operation({
    id: 'endUserSessions',
    summary: 'Sign out in all other browsers',
    description: 'Ends all sessions of the caller but that of the request.',
    status: 204,
    alwaysThere: true,
  })
  async endOthers(@ByCaller() caller: Caller) {
    return this.sessions.endOthers(caller);
  }

  @Delete(':sessionId')
  @Can('user:endSessions')
  @Operation({ id: 'endUserSession', summary: 'Sign out in one browser', status: 204 })
  async end(
    @ByCaller() caller: Caller,
    @Param('sessionId') sessionId: string,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.browsers.end(caller, sessionId, response);
  }
}
