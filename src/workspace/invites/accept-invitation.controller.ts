import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
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
      'Takes no token. The answer has the first API token of the new account; people who have an account accept with its token instead (409).',
    status: 201,
    type: NewAccountBody,
    errors: [404, 409],
    open: true,
  })
  async accept(@Param('secret') secret: string, @Body() body: AcceptInvitation) {
    return this.registrations.accept(secret, body).then(({ user, organizationId, token }) => ({
      user: presentUser(user, this.addresses),
      organization: organizationId,
      token,
    }));
  }
}
