import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Database } from '../../common/database.js';
import { CONFIG, type Config } from '../../../config.js';
import { JobQueue } from './job-queue.js';
import { JOBS } from './job-table.js';

/** The jobs of the service. */
@Injectable()
export class Jobs extends JobQueue<typeof JOBS> {
  constructor(database: Database, source: DataSource, @Inject(CONFIG) config: Config) {
    super(JOBS, database, source, config.shutdownTimeout);
  }
}
