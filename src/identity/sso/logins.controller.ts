import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public } from '../../kernel/access/access.decorators.js';
import { Addresses } from '../../kernel/common/addresses.js';
import { Operation } from '../../kernel/common/operation.js';
import { Mail } from '../../kernel/platform/mail.js';
import { presentUser } from '../users/users.schema.js';
import { IdentityProviders } from './identity-providers.service.js';
import { LoginTokens } from './login-tokens.service.js';
import {
  ExchangeCode,
  LoginTokenBody,
  presentWayIn,
  presentWaysIn,
  SsoLoginsBody,
  WaysInBody,
  WaysInQuery,
} from './providers.schema.js';

@ApiTags('Single sign-on')
@Controller()
export class LoginsController {
  constructor(
    private readonly providers: IdentityProviders,
    private readonly tokens: LoginTokens,
    private readonly addresses: Addresses,
    private readonly mail: Mail,
  ) {}

  @Get('orgs/:organizationId/sso')
  @Public()
  @Operation({
    id: 'listSSOProviderLoginsInOrganization',
    summary: 'List the ways to log in to an organization',
    description: 'Takes no token: people who have none find here where to get one.',
    type: SsoLoginsBody,
    errors: [404],
    open: true,
  })
  async list(@Param('organizationId') organizationId: string) {
    return this.providers.waysIn(organizationId).then((ways) => presentWaysIn(ways, this.addresses));
  }

  @Get('auth/providers')
  @Public()
  @Operation({
    id: 'listSignInProviders',
    summary: 'List the identity providers that a sign-in page offers',
    description:
      'Takes no token. With `email`, those of the organizations that admit the domain of the address, whether it has an account or not; with `organization` those of that organization, which is empty for unknown ones. A login that is begun with `returnTo`, an address of the workspace, ends with a session there.',
    type: WaysInBody,
    open: true,
  })
  async waysIn(@Query() query: WaysInQuery) {
    return this.providers
      .waysInFor(query)
      .then((ways) => ({ items: ways.map((way) => presentWayIn(way, this.addresses)), mail: this.mail.configured }));
  }

  @Post('auth/exchange')
  @Public()
  @Operation({
    id: 'exchangeLoginCode',
    summary: 'Turn the code of a login into a token',
    description:
      'For applications that began a login with a return address. Takes no token; the code works once, for a minute.',
    status: 201,
    type: LoginTokenBody,
    errors: [404],
    open: true,
  })
  async exchange(@Body() { code }: ExchangeCode) {
    return this.tokens.exchange(code).then(({ user, organizationId, token, expiresAt }) => ({
      user: presentUser(user, this.addresses),
      organization: organizationId,
      token,
      expiresAt: expiresAt.toISOString(),
    }));
  }
}
