import { Database } from '../../src/kernel/common/database.js';
import { createDataSource } from '../../src/data-source.js';
import { JobQueue } from '../../src/kernel/platform/jobs/job-queue.js';
import { job } from '../../src/kernel/platform/jobs/job-definition.js';

/** Takes a job of the database given as argument, says so, and never finishes it: a server to be killed. */
const source = createDataSource({ url: process.argv[2] ?? '', poolSize: 4 });
await source.initialize();
const queue = new JobQueue({ fragile: job<{ note: string }>({ leaseSeconds: 2 }) }, new Database(source), source, 1);
queue.handle('fragile', async ({ note }) => {
  process.stdout.write(`started ${note}\n`);
  await new Promise((resolve) => setTimeout(resolve, 600_000));
});
await queue.onApplicationBootstrap();
queue.start();
