import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { currentContext, runInContext } from '../src/kernel/common/context.js';
import { Database } from '../src/kernel/common/database.js';
import { tick } from '../src/kernel/platform/jobs/job-scheduler.js';
import { JobQueue, type JobHandler } from '../src/kernel/platform/jobs/job-queue.js';
import { LostJob, type JobRun } from '../src/kernel/platform/jobs/job-run.js';
import { job, type JobTable } from '../src/kernel/platform/jobs/job-definition.js';
import { scratchDatabase, type ScratchDatabase } from './scratch-database.js';

type Note = { note: string };
let scratch: ScratchDatabase;
let database: Database;
const queues: { beforeApplicationShutdown(): Promise<void> }[] = [];

beforeAll(async () => {
  Logger.overrideLogger(false);
  scratch = await scratchDatabase();
  database = new Database(scratch.source);
  await database.execute('CREATE TABLE effect (note text)');
});
beforeEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.beforeApplicationShutdown()));
  await database.execute('TRUNCATE effect, schedule_tick');
  if (await database.one(`SELECT 1 FROM pg_tables WHERE schemaname = 'jobs'`))
    await database.execute('DELETE FROM jobs.job');
});
afterAll(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.beforeApplicationShutdown()));
  await scratch.drop();
});

async function boot<Table extends JobTable>(
  table: Table,
  handlers: { [Name in keyof Table & string]: JobHandler<Note> },
  source: DataSource = scratch.source,
) {
  const own = source === scratch.source ? database : new Database(source);
  const queue = new JobQueue(table, own, source, 1);
  for (const [name, handler] of Object.entries<JobHandler<Note>>(handlers)) queue.handle(name, handler as never);
  await queue.onApplicationBootstrap();
  queues.push(queue);
  return queue as unknown as JobQueue<Record<keyof Table & string, ReturnType<typeof job<Note>>>>;
}

const effects = async (): Promise<string[]> =>
  (await database.query<Note & Record<string, unknown>>('SELECT note FROM effect ORDER BY note')).map(
    (row) => row.note,
  );
const record = (run: JobRun, note: string, on = database): Promise<unknown> =>
  run.commit(() => on.execute('INSERT INTO effect VALUES ($1)', [note]));
const states = (name: string) =>
  database.query(`SELECT state::text, retry_count FROM jobs.job WHERE name = $1 ORDER BY created_on`, [name]);
async function until(condition: () => Promise<boolean>, seconds = 20): Promise<void> {
  for (const end = performance.now() + seconds * 1000; !(await condition());) {
    if (performance.now() > end) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
/** Makes running jobs look like those of a server that died long ago. */
const expire = (name: string) =>
  database.execute(
    `UPDATE jobs.job SET started_on = started_on - interval '1 hour' WHERE name = $1 AND state = 'active'`,
    [name],
  );
const skipDelays = () =>
  database.execute(`UPDATE jobs.job SET start_after = now() - interval '1 second' WHERE state < 'active'`);

describe('enqueueing', () => {
  it('needs a handler for every name, and one only', async () => {
    await expect(
      boot({ known: job<Note>(), forgotten: job<Note>() }, { known: async () => undefined } as never),
    ).rejects.toThrow('jobs without a handler: forgotten');
    const queue = await boot({ known: job<Note>() }, { known: async () => undefined });
    expect(() => queue.handle('known', async () => undefined)).toThrow(/two handlers/);
  });

  it('commits with the change that wants the job', async () => {
    const queue = await boot(
      { greet: job<Note>() },
      { greet: async ({ note }, run) => void (await record(run, note)) },
    );
    await database.transaction(async () => {
      await queue.enqueue('greet', { note: 'kept' });
    });
    const change = database.transaction(async () => {
      await queue.enqueue('greet', { note: 'rolled back' });
      throw new Error('no');
    });
    await expect(change).rejects.toThrow('no');
    expect(await queue.drain()).toBe(1);
    expect(await effects()).toEqual(['kept']);
    expect(await states('greet')).toEqual([{ state: 'completed', retry_count: 0 }]);
  });

  it('waits for the time that was asked for', async () => {
    const queue = await boot(
      { later: job<Note>() },
      { later: async ({ note }, run) => void (await record(run, note)) },
    );
    await queue.enqueue('later', { note: 'future' }, { afterSeconds: 3600 });
    expect([await queue.isWaiting('later'), await queue.drain()]).toEqual([true, 0]);
    await skipDelays();
    expect([await queue.drain(), await queue.isWaiting('later')]).toEqual([1, false]);
  });

  it('starts at once on the server that enqueued it, outside of the request', async () => {
    let context: unknown = 'unset';
    const queue = await boot(
      { quick: job<Note>() },
      {
        quick: async ({ note }, run) => {
          context = currentContext();
          await record(run, note);
        },
      },
    );
    // Nobody polls, so that only what was enqueued can have it begun.
    const intervals = jest.spyOn(globalThis, 'setInterval').mockImplementation((act) => setTimeout(act, 3_600_000));
    queue.start();
    intervals.mockRestore();
    // The look at the start is over by then.
    await new Promise((resolve) => setTimeout(resolve, 300));
    await runInContext({ requestId: 'r', ip: '192.0.2.1', ifMatch: undefined }, () =>
      database.transaction(() => queue.enqueue('quick', { note: 'q' })),
    );
    await until(async () => (await effects()).length === 1);
    expect(context).toBeUndefined();
  });
});

describe('running', () => {
  it('tries again after growing delays and then keeps a dead letter, which can be revived', async () => {
    let broken = true;
    const attempts: number[] = [];
    const queue = await boot(
      { flaky: job<Note>({ retries: 2, backoffSeconds: 40 }) },
      {
        flaky: async ({ note }, run) => {
          attempts.push(run.attempt);
          if (broken) throw new Error('no answer');
          await record(run, note);
        },
      },
    );
    await queue.enqueue('flaky', { note: 'f' });
    const delays: number[] = [];
    for (let i = 0; i < 3; i++) {
      expect(await queue.drain()).toBe(1);
      expect(await queue.drain()).toBe(0);
      const row = await database.one<{ delay: string }>(
        `SELECT extract(epoch FROM start_after - now()) AS delay FROM jobs.job WHERE name = 'flaky' AND state = 'retry'`,
      );
      if (row) delays.push(Number(row.delay));
      await skipDelays();
    }
    expect(attempts).toEqual([0, 1, 2]);
    expect(delays).toHaveLength(2);
    expect(delays[0]).toBeGreaterThan(30);
    expect(delays[1]).toBeGreaterThan(70);
    const [letter] = await queue.deadLetters();
    expect(letter).toMatchObject({ job: 'flaky', payload: { note: 'f' }, problem: 'no answer' });
    broken = false;
    expect(await queue.revive(letter?.id ?? '')).toBe(true);
    expect(await queue.revive(letter?.id ?? '')).toBe(false);
    expect(await queue.drain()).toBe(1);
    expect([await effects(), await queue.deadLetters()]).toEqual([['f'], []]);
  });

  it('commits the effect and the completion together', async () => {
    let fail = true;
    const queue = await boot(
      { paired: job<Note>({ backoffSeconds: 1 }) },
      {
        paired: ({ note }, run) =>
          run.commit(async () => {
            await database.execute('INSERT INTO effect VALUES ($1)', [note]);
            if (fail) throw new Error('after the effect');
          }),
      },
    );
    await queue.enqueue('paired', { note: 'p' });
    await queue.drain();
    expect([await effects(), await states('paired')]).toEqual([[], [{ state: 'retry', retry_count: 0 }]]);
    fail = false;
    await skipDelays();
    await queue.drain();
    expect([await effects(), await states('paired')]).toEqual([['p'], [{ state: 'completed', retry_count: 1 }]]);
  });

  it('refuses the effect of a run that was taken for dead', async () => {
    const outcomes: string[] = [];
    let first: JobRun | undefined;
    let proceed = (): void => undefined;
    const table = { slow: job<Note>({ backoffSeconds: 1 }) };
    const late = await boot(table, {
      slow: async (_, run) => {
        first = run;
        await new Promise<void>((resolve) => (proceed = resolve));
        await record(run, 'late').catch((error: unknown) => {
          outcomes.push(error instanceof LostJob ? 'lost' : 'other');
          throw error;
        });
      },
    });
    const other = await boot(table, { slow: async (_, run) => void (await record(run, 'other')) });
    await late.enqueue('slow', { note: 's' });
    const running = late.drain();
    await until(async () => first !== undefined);
    await expire('slow');
    await other.reclaim();
    await skipDelays();
    expect(await other.drain()).toBe(1);
    proceed();
    await running;
    expect(outcomes).toEqual(['lost']);
    expect([await effects(), await states('slow')]).toEqual([['other'], [{ state: 'completed', retry_count: 1 }]]);
  });

  it('keeps its lease while it works and hears when it lost it', async () => {
    const seen: string[] = [];
    const queue = await boot(
      { long: job<Note>({ leaseSeconds: 1, retries: 0 }) },
      {
        long: async (_, run) => {
          seen.push('started');
          await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
          seen.push('aborted');
        },
      },
    );
    await queue.enqueue('long', { note: 'l' });
    const running = queue.drain();
    await until(async () => seen.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    await queue.reclaim();
    expect([seen, await states('long')]).toEqual([['started'], [{ state: 'active', retry_count: 0 }]]);
    // The run may renew its lease between the two.
    await until(async () => {
      await expire('long');
      await queue.reclaim();
      return seen.length === 2;
    });
    await running;
    expect(seen).toEqual(['started', 'aborted']);
  });

  it('stops what takes too long', async () => {
    const queue = await boot(
      { endless: job<Note>({ leaseSeconds: 1, timeoutSeconds: 1, retries: 0 }) },
      {
        endless: (_, run) =>
          new Promise((_resolve, reject) =>
            run.signal.addEventListener('abort', () => reject(run.signal.reason as Error)),
          ),
      },
    );
    await queue.enqueue('endless', { note: 'e' });
    await queue.drain();
    expect((await queue.deadLetters())[0]).toMatchObject({ job: 'endless', problem: 'the job took too long' });
  });

  it('gives running jobs back when the server stops', async () => {
    let started = false;
    const queue = await boot(
      { held: job<Note>() },
      {
        held: async (_, run) => {
          started = true;
          await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
        },
      },
    );
    queue.start();
    await queue.enqueue('held', { note: 'h' });
    await until(async () => started);
    await queue.beforeApplicationShutdown();
    expect(await states('held')).toEqual([{ state: 'retry', retry_count: 0 }]);
  });
});

describe('3b-39 several servers', () => {
  it('run each of many jobs once', async () => {
    const table = { shared: job<Note>({ concurrency: 4 }) };
    const runs = new Map<string, number>();
    const perServer = [0, 0];
    const servers = await Promise.all(
      [0, 1].map(async (server) => {
        const source = await scratch.connect();
        const own = new Database(source);
        return boot(
          table,
          {
            shared: async ({ note }, run) => {
              runs.set(note, (runs.get(note) ?? 0) + 1);
              perServer[server] = (perServer[server] ?? 0) + 1;
              await new Promise((resolve) => setTimeout(resolve, 5));
              await record(run, note, own);
            },
          },
          source,
        );
      }),
    );
    const notes = Array.from({ length: 120 }, (_, i) => `n${String(i).padStart(3, '0')}`);
    for (const note of notes) await servers[0]?.enqueue('shared', { note });
    for (const server of servers) server.start();
    await until(async () => (await effects()).length >= notes.length);
    await Promise.all(servers.map((server) => server.beforeApplicationShutdown()));
    expect(await effects()).toEqual(notes);
    expect([...runs.values()].every((times) => times === 1)).toBe(true);
    expect(Math.min(...perServer)).toBeGreaterThan(10);
  });

  it.each([-86_400_000, 86_400_000])(
    'run a job once although the clock of the machine jumps by %i milliseconds',
    async (jump) => {
      const table = { steady: job<Note>({ leaseSeconds: 1, timeoutSeconds: 60, retries: 0 }) };
      let runs = 0;
      const clock = jest.spyOn(Date, 'now');
      try {
        const handler: JobHandler<Note> = async (_, run) => {
          runs++;
          const real = performance.timeOrigin;
          clock.mockImplementation(() => real + performance.now() + jump);
          await new Promise((resolve) => setTimeout(resolve, 1500));
          run.signal.throwIfAborted();
          await record(run, 'steady');
        };
        const servers = [
          await boot(table, { steady: handler }),
          await boot(table, { steady: handler }, await scratch.connect()),
        ];
        await servers[0]?.enqueue('steady', { note: 's' });
        for (const server of servers) server.start();
        await until(async () => (await effects()).length > 0);
        for (const server of servers) await server.reclaim();
        expect([runs, await effects(), await states('steady')]).toEqual([
          1,
          ['steady'],
          [{ state: 'completed', retry_count: 0 }],
        ]);
      } finally {
        clock.mockRestore();
      }
    },
  );

  it('tick together once, and again when the time has passed', async () => {
    const table = { hourly: job<Note>({ everySeconds: 3600 }), manual: job<Note>() };
    const nothing = { hourly: async () => undefined, manual: async () => undefined };
    const servers = await Promise.all(
      [0, 1, 2, 3].map(async () => {
        const source = await scratch.connect();
        return { database: new Database(source), queue: await boot(table, nothing, source) };
      }),
    );
    const tickAll = async () =>
      (await Promise.all(servers.map((server) => tick(server.database, server.queue as never, table)))).flat();
    expect(await tickAll()).toEqual(['hourly']);
    expect(await tickAll()).toEqual([]);
    expect(await states('hourly')).toHaveLength(1);
    await database.execute(`UPDATE schedule_tick SET ticked_at = ticked_at - interval '1 hour'`);
    expect(await tickAll()).toEqual(['hourly']);
    // The first one still waits: a second would only do the same work twice.
    expect(await states('hourly')).toHaveLength(1);
    expect(await servers[0]?.queue.drain()).toBe(1);
    await database.execute(`UPDATE schedule_tick SET ticked_at = ticked_at - interval '1 hour'`);
    expect(await tickAll()).toEqual(['hourly']);
    expect(await states('hourly')).toHaveLength(2);
  });

  it('never run one scheduled job twice at the same time', async () => {
    const table = { hourly: job<Note>({ everySeconds: 3600, concurrency: 4 }) };
    let now = 0;
    let most = 0;
    const handler: JobHandler<Note> = async () => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 30));
      now--;
    };
    const servers = await Promise.all(
      [0, 1].map(async () => boot(table, { hourly: handler }, await scratch.connect())),
    );
    for (let i = 0; i < 6; i++) await servers[0]?.enqueue('hourly', { note: String(i) });
    for (const server of servers) server.start();
    await until(async () => !(await servers[0]?.isWaiting('hourly')) && now === 0);
    expect(most).toBe(1);
  });

  it('take over the job of a server that was killed', async () => {
    const child = spawn(
      process.execPath,
      [
        '--import',
        new URL('./faults/run-typescript.mjs', import.meta.url).href,
        new URL('./faults/work-until-killed.ts', import.meta.url).pathname,
        scratch.url,
      ],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    try {
      const queue = await boot(
        { fragile: job<Note>({ leaseSeconds: 2, backoffSeconds: 1 }) },
        { fragile: async ({ note }, run) => void (await record(run, note)) },
      );
      await queue.enqueue('fragile', { note: 'survives' });
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      expect(line.toString()).toBe('started survives\n');
      child.kill('SIGKILL');
      await once(child, 'exit');
      await queue.reclaim();
      expect(await states('fragile')).toEqual([{ state: 'active', retry_count: 0 }]);
      await until(async () => {
        await queue.reclaim();
        return (await queue.drain()) > 0;
      });
      expect([await effects(), await states('fragile')]).toEqual([
        ['survives'],
        [{ state: 'completed', retry_count: 1 }],
      ]);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
