import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Database } from '../../common/database.js';
import { CONFIG, type Config } from '../config/config.js';
import type { ServiceJobs } from '../manifest/manifest.js';
import { Registry } from '../manifest/registry.js';
import { JobQueue } from './job-queue.js';

/** The jobs of the service. A job without a handler stops the boot. */
@Injectable()
export class Jobs extends JobQueue<ServiceJobs> {
  constructor(registry: Registry, database: Database, source: DataSource, @Inject(CONFIG) config: Config) {
    super(registry.jobs as ServiceJobs, database, source, config.shutdownTimeout);
  }
}
