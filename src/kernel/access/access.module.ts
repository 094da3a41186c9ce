import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Access } from './access.service.js';
import { BearerStrategy } from './bearer.strategy.js';
import { DeclaredAccess } from './declared-access.js';
import { LastSeen } from './last-seen.js';
import { Readers } from './readers.js';
import { TemporaryTokens } from './temporary-tokens.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [Access, BearerStrategy, DeclaredAccess, LastSeen, Readers, TemporaryTokens],
  exports: [Access, BearerStrategy, Readers, TemporaryTokens],
})
export class AccessModule {}
