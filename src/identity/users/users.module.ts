import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PeopleController } from './people.controller.js';
import { ApiToken } from './token.entity.js';
import { Tokens } from './tokens.service.js';
import { User } from './user.entity.js';
import { UsersController } from './users.controller.js';
import { Users } from './users.service.js';
import { brings } from '../../kernel/platform/manifest/registry.js';
import { users } from './users.manifest.js';

@Module({
  imports: [TypeOrmModule.forFeature([User, ApiToken])],
  controllers: [UsersController, PeopleController],
  providers: [brings(users), Users, Tokens],
  exports: [Users, Tokens],
})
export class UsersModule {}
