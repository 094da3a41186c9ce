import { Global, Module } from '@nestjs/common';
import { Access } from './access.service.js';
import { BearerStrategy } from './bearer.strategy.js';
import { LastSeen } from './last-seen.js';
import { Readers } from './readers.js';

@Global()
@Module({ providers: [Access, BearerStrategy, LastSeen, Readers], exports: [Access, BearerStrategy, Readers] })
export class AccessModule {}
