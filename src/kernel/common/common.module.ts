import { Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Addresses } from './addresses.js';
import { Clock } from './clock.js';
import { Database } from './database.js';
import { Pages } from './page.js';

/** The providers that every module uses: the database, time, addresses and paging. */
@Global()
@Module({
  providers: [
    Addresses,
    Clock,
    Pages,
    { provide: Database, useFactory: (source: DataSource) => new Database(source), inject: [DataSource] },
  ],
  exports: [Addresses, Clock, Database, Pages],
})
export class CommonModule {}
