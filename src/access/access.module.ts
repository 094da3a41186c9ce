import { Global, Module } from '@nestjs/common';
import { Access } from './access.service.js';
import { BearerStrategy } from './bearer.strategy.js';
import { LastSeen } from './last-seen.js';

@Global()
@Module({ providers: [Access, BearerStrategy, LastSeen], exports: [Access, BearerStrategy] })
export class AccessModule {}
