import { Clock } from '../../src/kernel/common/clock.js';
import { Database } from '../../src/kernel/common/database.js';
import { createDataSource } from '../../src/data-source.js';
import { Jobs } from '../../src/kernel/platform/jobs/jobs.js';
import { MonthsAheadJob } from '../../src/kernel/platform/retention/months-ahead.job.js';
import { PastEventsJob } from '../../src/kernel/platform/retention/past-events.job.js';
import { AuditRetentionJob } from '../../src/operations/audit/audit-retention.job.js';
import { REGISTRY } from '../events/registry.js';

/** Makes and removes months of the database given as argument, and says when it begins and ends: a server to be killed. */
const source = createDataSource({ url: process.argv[2] ?? '', poolSize: 4 });
await source.initialize();
const database = new Database(source);
const jobs = Object.create(Jobs.prototype) as Jobs;
process.stdout.write('begun\n');
await new MonthsAheadJob(database, REGISTRY).make();
await new PastEventsJob(database, { eventRetentionDays: 60 }).remove();
await new AuditRetentionJob(database, new Clock(), jobs, { auditRetentionDays: 60 }).remove();
process.stdout.write('ended\n');
setInterval(() => undefined, 1000);
