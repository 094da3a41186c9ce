import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { AccessGuard } from './access.guard.js';
import { Access } from './access.service.js';
import { BearerGuard } from './bearer.guard.js';
import { BearerStrategy } from './bearer.strategy.js';
import { DeclaredAccess } from './declared-access.js';
import { DirectReads } from './direct-reads.js';
import { StreamServices } from './event-streams.js';
import { LastSeen } from './last-seen.js';
import { Readers } from './readers.js';
import { TemporaryTokens } from './temporary-tokens.js';
import { UnknownInputInterceptor } from './unknown-input.interceptor.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    Access,
    AccessGuard,
    BearerGuard,
    BearerStrategy,
    DeclaredAccess,
    DirectReads,
    LastSeen,
    Readers,
    StreamServices,
    TemporaryTokens,
    UnknownInputInterceptor,
  ],
  exports: [
    Access,
    AccessGuard,
    BearerGuard,
    BearerStrategy,
    DirectReads,
    Readers,
    StreamServices,
    TemporaryTokens,
    UnknownInputInterceptor,
  ],
})
export class AccessModule {}
