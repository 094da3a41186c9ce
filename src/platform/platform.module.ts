import { Global, Module } from '@nestjs/common';
import { Outbox } from './outbox.js';

/** Services that know no domain: events, jobs, files, limits. */
@Global()
@Module({ providers: [Outbox], exports: [Outbox] })
export class PlatformModule {}
