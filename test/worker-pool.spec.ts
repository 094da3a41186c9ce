import { afterAll, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { runInContext } from '../src/kernel/common/context.js';
import { FairThreadScheduler } from '../src/kernel/platform/workers/fair-thread-scheduler.js';
import { TaskLimitExceeded, WorkerPool } from '../src/kernel/platform/workers/worker-pool.js';
import { ALLOCATE, FAIL, LONG_SPIN, LONG_TEXT, REPEAT, SPIN } from './worker-tasks.js';

const registry = new Registry();
const pool = new WorkerPool({ workerThreads: 2 }, { registry });
const large = { text: 'x'.repeat(5000) };

function asParty<T>(name: string, work: () => T): T {
  return runInContext(
    { requestId: name, ip: undefined, ifMatch: undefined, party: { name, isOrganization: true } },
    work,
  );
}

describe('worker pool', () => {
  afterAll(() => pool.onApplicationShutdown());

  it('runs small texts where they arrive and large ones in a thread', async () => {
    expect(await pool.run(REPEAT, { text: 'ab' })).toEqual({ text: 'abab', isMainThread: true });
    expect(await pool.run(REPEAT, large)).toEqual({ text: large.text.repeat(2), isMainThread: false });
  });

  it('ends what takes too long, and goes on with others', async () => {
    await expect(pool.run(SPIN, { ...large, milliseconds: 60_000 })).rejects.toMatchObject({
      code: 'unprocessable',
      message: 'The text takes more than 1 seconds to process',
    });
    expect(await pool.run(REPEAT, large)).toMatchObject({ isMainThread: false });
  });

  it('ends what takes too much memory, and goes on with others', async () => {
    const refused = await pool.run(ALLOCATE, large).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(refused).toBeInstanceOf(TaskLimitExceeded);
    expect((refused as TaskLimitExceeded).at('document.markdown')).toMatchObject({
      details: [{ path: 'document.markdown', message: 'takes more than 512 MB of memory to process' }],
    });
    expect(await pool.run(REPEAT, large)).toMatchObject({ isMainThread: false });
  });

  it('passes on what a task throws', async () => {
    await expect(pool.run(FAIL, large)).rejects.toThrow('this text cannot be read');
  });

  it('counts what threads did', async () => {
    const metrics = await registry.metrics();
    expect(metrics).toMatch(/bindery_worker_task_duration_seconds_count\{task="spin",outcome="refused"\} 1/);
    expect(metrics).toMatch(/bindery_worker_task_duration_seconds_count\{task="fail",outcome="failed"\} 1/);
    expect(metrics).toMatch(/bindery_worker_tasks_waiting 0/);
  });

  it('ends what its caller gives up, whether it waits or runs', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const end = (controller: AbortController): Promise<unknown> =>
      asParty('giving up', () =>
        pool.run(SPIN, { ...large, milliseconds: 60_000 }, { signal: controller.signal }),
      ).then(
        () => 'done',
        (error: unknown) => error,
      );
    const [running, waiting] = [end(first), end(second)];
    second.abort(new Error('not any more'));
    expect(await waiting).toMatchObject({ message: 'not any more' });
    setTimeout(() => first.abort(new Error('lost')), 100);
    expect(await running).toMatchObject({ message: 'lost' });
    expect(await asParty('giving up', () => pool.run(REPEAT, large))).toMatchObject({ isMainThread: false });
  });

  it('leaves a thread to others while one party has many texts', async () => {
    const over = new AbortController();
    const busy = [1, 2, 3].map(() =>
      asParty('busy', () => pool.run(LONG_TEXT, { ...large, milliseconds: 60_000 }, { signal: over.signal })).catch(
        (error: unknown) => error,
      ),
    );
    expect(await asParty('other', () => pool.run(REPEAT, large))).toMatchObject({ isMainThread: false });
    over.abort(new Error('enough'));
    expect(await Promise.all(busy)).toMatchObject([
      { message: 'enough' },
      { message: 'enough' },
      { message: 'enough' },
    ]);
  });

  it('gives tasks of minutes threads of their own', async () => {
    const over = new AbortController();
    const long = ['a', 'b'].map((party) =>
      pool
        .run(LONG_SPIN, { ...large, milliseconds: 60_000 }, { party, signal: over.signal })
        .catch((error: unknown) => error),
    );
    for (const party of ['a', 'b', 'c'])
      expect(await asParty(party, () => pool.run(REPEAT, large))).toMatchObject({ isMainThread: false });
    over.abort(new Error('enough'));
    expect(await Promise.all(long)).toMatchObject([{ message: 'enough' }, { message: 'enough' }]);
  });
});

describe('turns of threads', () => {
  it('go round the parties, and no party has more than its share', async () => {
    const turns = new FairThreadScheduler(2, 1);
    const order: string[] = [];
    const enter = (name: string): Promise<() => void> => turns.enter(name).then((leave) => (order.push(name), leave));
    const [first, second, third] = [enter('a'), enter('a'), enter('b')];
    const [leaveFirst, leaveThird] = await Promise.all([first, third]);
    const fourth = enter('c');
    expect([order, turns.waiting]).toEqual([['a', 'b'], 2]);
    leaveThird();
    const leaveFourth = await fourth;
    expect([order, turns.waiting]).toEqual([['a', 'b', 'c'], 1]);
    leaveFourth();
    await Promise.resolve();
    expect(turns.waiting).toBe(1);
    leaveFirst();
    (await second)();
    expect([order, turns.waiting]).toEqual([['a', 'b', 'c', 'a'], 0]);
  });
});
