import { Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../../config.js';
import { Addresses } from './addresses.js';
import { Clock } from './clock.js';
import { Database } from './database.js';
import { Pages } from './page.js';
import { Secrets } from './secrets.js';

/** What every module uses: the database, time, addresses, signatures and paging. */
@Global()
@Module({
  providers: [
    Addresses,
    Clock,
    Pages,
    { provide: Database, useFactory: (source: DataSource) => new Database(source), inject: [DataSource] },
    { provide: Secrets, useFactory: (config: Config) => new Secrets(config.secretKey), inject: [CONFIG] },
  ],
  exports: [Addresses, Clock, Database, Pages, Secrets],
})
export class CommonModule {}
