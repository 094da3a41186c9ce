import { Body, Controller, Param, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../kernel/access/access.decorators.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Operation } from '../../kernel/common/operation.js';
import { presentUser } from '../../identity/users/users.schema.js';
import { AcceptInvitation, NewAccountBody } from './invites.schema.js';
import { Registrations } from './registrations.service.js';

@ApiTags('Users')
@Controller('auth/invitations')
export class AcceptInvitationController {
  constructor(
    private readonly registrations: Registrations,
    private readonly addresses: Addresses,
  ) {}

  @Post(':secret')
  @Public()
  @Operation({
    id: 'acceptInvitation',
    summary: 'Make an account with an invitation',
    description:
      'Takes no token. The answer has the first API token of the new account, or signs the browser in with `session`, which only pages of the address of the API may ask for (403); people who have an account accept with it instead (409).',
    status: 201,
    type: NewAccountBody,
    errors: [403, 404, 409],
    open: true,
  })
  async accept(
    @Param('secret') secret: string,
    @Body() body: AcceptInvitation,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.registrations.acceptFrom(request, response, secret, body).then(({ user, organizationId, token }) => ({
      user: presentUser(user, this.addresses),
      organization: organizationId,
      ...(token !== undefined && { token }),
    }));
  }
}
