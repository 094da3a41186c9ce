import { Body, Controller, Delete, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ByCaller, Can, Public } from '../../kernel/access/access.decorators.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import {
  BeginSession,
  presentSignInLink,
  RequestedBody,
  RequestSignInLink,
  SessionBody,
  SignInLinkBody,
} from './sessions.schema.js';
import { SignedInBrowsers } from './signed-in-browsers.js';
import { SignInLetters } from './sign-in-letters.service.js';
import { SignIns } from './sign-ins.service.js';

@ApiTags('Users')
@Controller('auth')
export class SessionController {
  constructor(
    private readonly browsers: SignedInBrowsers,
    private readonly signIns: SignIns,
    private readonly letters: SignInLetters,
  ) {}

  @Get('session')
  @Can('user:view')
  @Operation({
    id: 'getSession',
    summary: 'Get the session of the browser',
    description: 'For requests with the cookie of a session; those with an API token have none (401).',
    type: SessionBody,
    alwaysThere: true,
  })
  async get(@ByCaller() { tokenId }: Caller) {
    return this.browsers.session(tokenId);
  }

  @Delete('session')
  @Can('user:endSessions')
  @Operation({
    id: 'endSession',
    summary: 'Sign out',
    description: 'Ends the session of the request, and takes the cookie from the browser.',
    status: 204,
    alwaysThere: true,
  })
  async end(@ByCaller() caller: Caller, @Res({ passthrough: true }) response: Response) {
    return this.browsers.signOut(caller, response);
  }

  @Post('sign-in-links')
  @Public()
  @Operation({
    id: 'requestSignInLink',
    summary: 'Ask for an e-mail with a sign-in link',
    description:
      'Takes no token, and is always answered in the same way, whether there is an account or not. The link works once, for 15 minutes; nothing is sent without a mail server.',
    status: 202,
    type: RequestedBody,
    open: true,
  })
  async request(@Body() body: RequestSignInLink) {
    return this.letters.request(body);
  }

  @Get('sign-in-links/:secret')
  @Public()
  @Operation({
    id: 'getSignInLink',
    summary: 'See whom a sign-in link signs in',
    description: 'Takes no token. Reading does not use the link up.',
    type: SignInLinkBody,
    errors: [404],
    open: true,
  })
  async look(@Param('secret') secret: string) {
    return this.signIns.look(secret).then(presentSignInLink);
  }

  @Post('sessions')
  @Public()
  @Operation({
    id: 'beginSession',
    summary: 'Sign in with a link',
    description:
      'Takes no token. For pages of the address of the API: the request must come from there. The answer sets the cookie of the session; the one that the browser had before ends. A link works once.',
    status: 201,
    type: SessionBody,
    errors: [403, 404],
    open: true,
  })
  async begin(
    @Body() { secret }: BeginSession,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.browsers.signIn(secret, request, response);
  }
}
