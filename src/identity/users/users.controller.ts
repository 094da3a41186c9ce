import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, Can } from '../../kernel/access/access.decorators.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { PageQuery } from '../../kernel/common/page-query.js';
import { versioned } from '../../kernel/common/versioned.js';
import { ShowsSecret } from '../../kernel/platform/idempotency.interceptor.js';
import { Tokens } from './tokens.service.js';
import { CreateToken, NewTokenBody, presentToken, presentUser, TokenBody, UserBody } from './users.schema.js';
import { Users } from './users.service.js';

@ApiTags('Users')
@Controller('user')
export class UsersController {
  constructor(
    private readonly users: Users,
    private readonly tokens: Tokens,
    private readonly addresses: Addresses,
  ) {}

  @Get()
  @Can('user:view')
  @Operation({ id: 'getAuthenticatedUser', summary: 'Get the user that the token belongs to', type: UserBody })
  async get(@ByCaller() caller: Caller) {
    return this.users.get(caller.userId).then((user) => versioned(presentUser(user, this.addresses), user.version));
  }

  @Get('tokens')
  @Can('user:listTokens')
  @Operation({ id: 'listAPITokens', summary: "List the caller's API tokens", type: TokenBody, list: true })
  async listTokens(@ByCaller() caller: Caller, @Query() query: PageQuery) {
    return this.tokens.list(caller.userId, query).then((page) => page.map(presentToken));
  }

  @Post('tokens')
  @ShowsSecret()
  @Can('user:edit')
  @Operation({
    id: 'createAPIToken',
    summary: 'Create an API token',
    description: 'The answer is the only one that shows the token.',
    status: 201,
    type: NewTokenBody,
  })
  async createToken(@ByCaller() caller: Caller, @Body() body: CreateToken) {
    return this.tokens.create(caller, body).then(({ row, secret }) => ({ ...presentToken(row), token: secret }));
  }

  @Delete('tokens/:tokenId')
  @Can('user:edit')
  @Operation({ id: 'deleteAPIToken', summary: 'Revoke an API token', status: 204 })
  async revokeToken(@ByCaller() caller: Caller, @Param('tokenId') tokenId: string) {
    return this.tokens.revoke(caller.userId, tokenId);
  }
}
