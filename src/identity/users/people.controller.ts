import { Body, Controller, Get, Param, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ByCaller, ByReader, Can, ForReaders } from '../../kernel/access/access.decorators.js';
import type { ReaderAccess } from '../../kernel/access/readers.js';
import { Addresses } from '../../kernel/common/addresses.js';
import type { Caller } from '../../kernel/common/context.js';
import { Operation } from '../../kernel/common/operation.js';
import { versioned } from '../../kernel/common/versioned.js';
import { presentUser, presentUserTo, UpdateUser, UserBody } from './users.schema.js';
import { Users } from './users.service.js';

@ApiTags('Users')
@Controller('users')
export class PeopleController {
  constructor(
    private readonly users: Users,
    private readonly addresses: Addresses,
  ) {}

  @Get(':userId')
  @Can('user:view')
  @ForReaders({ kind: 'user', parameter: 'userId' })
  @Operation({
    id: 'getUserById',
    summary: 'Get a user',
    description:
      'The caller, or a member of an organization whose members the caller may list. Reader tokens get the users whom the content that they show names, without the email address.',
    type: UserBody,
  })
  async get(@ByCaller() caller: Caller, @ByReader() reader: ReaderAccess | undefined, @Param('userId') userId: string) {
    return this.users
      .getVisible(caller, userId, reader)
      .then((user) => versioned(presentUserTo({ guestId: reader ? '' : null }, user, this.addresses), user.version));
  }

  @Patch(':userId')
  @Can('user:edit')
  @Operation({ id: 'updateUserById', summary: "Change the caller's own profile", type: UserBody, errors: [412] })
  async update(@ByCaller() caller: Caller, @Param('userId') userId: string, @Body() body: UpdateUser) {
    return this.users
      .update(caller, userId, body)
      .then((user) => versioned(presentUser(user, this.addresses), user.version));
  }
}
