import { Command } from '@commander-js/extra-typings';
import { OperatorError } from '../kernel/platform/operator-error.js';
import { countArgument } from './arguments.js';
import { Output, table } from './output.js';

const LISTED = 100;

const load = async () => ({
  ...(await import('./services.js')),
  ...(await import('../kernel/platform/jobs/jobs.js')),
});

/** `bindery jobs failed|retry`. */
export function jobsCommand(): Command {
  return new Command('jobs')
    .description('Show background jobs that failed for good, and run them again')
    .addCommand(failedCommand())
    .addCommand(retryCommand());
}

function failedCommand(): Command<[], Record<string, unknown>> {
  return new Command('failed')
    .description('List jobs that failed for good, latest first')
    .option('--limit <count>', 'maximum number of jobs', countArgument, LISTED)
    .option('--json', 'print JSON')
    .action(async ({ limit, json = false }) => {
      const { withServices, Jobs } = await load();
      const jobs = await withServices((services) => services.get(Jobs).deadLetters(limit), { onlyReads: true });
      const lines = jobs.map(({ id, job, problem, at }) => ({ id, job, failed: at.toISOString(), problem }));
      new Output(json).result({ jobs }, lines.length === 0 ? ['No job has failed for good.'] : table(lines));
    });
}

function retryCommand(): Command<[string], Record<string, unknown>> {
  return new Command('retry')
    .description('Enqueue a failed job again; a running server does it')
    .argument('<job-id>', 'id of the job, as `jobs failed` lists it')
    .option('--json', 'print JSON')
    .action(async (id, { json = false }) => {
      const { withServices, Jobs } = await load();
      const isEnqueued = await withServices((services) => services.get(Jobs).revive(id));
      if (!isEnqueued) throw new OperatorError(`There is no failed job with the id ${id}`);
      new Output(json).result({ job: id }, [`The job ${id} is enqueued again.`]);
    });
}
