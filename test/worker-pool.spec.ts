import { afterAll, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { runInContext } from '../src/common/context.js';
import { TaskLimitExceeded, WorkerPool } from '../src/platform/workers/worker-pool.js';
import { ALLOCATE, FAIL, REPEAT, SPIN } from './worker-tasks.js';

const registry = new Registry();
const pool = new WorkerPool({ workerThreads: 2 }, { registry });
const large = { text: 'x'.repeat(5000) };

function asParty<T>(name: string, work: () => T): T {
  return runInContext({ requestId: name, ip: undefined, ifMatch: undefined, party: { name, isOrganization: true } }, work);
}

describe('worker pool', () => {
  afterAll(() => pool.onApplicationShutdown());

  it('runs small texts where they arrive and large ones in a thread', async () => {
    expect(await pool.run(REPEAT, { text: 'ab' })).toEqual({ text: 'abab', isMainThread: true });
    expect(await pool.run(REPEAT, large)).toEqual({ text: large.text.repeat(2), isMainThread: false });
  });

  it('ends what takes too long, and goes on with others', async () => {
    await expect(pool.run(SPIN, { ...large, milliseconds: 60_000 })).rejects.toMatchObject({ code: 'unprocessable', message: 'The text takes more than 1 seconds to process' });
    expect(await pool.run(REPEAT, large)).toMatchObject({ isMainThread: false });
  });

  it('ends what takes too much memory, and goes on with others', async () => {
    const refused = await pool.run(ALLOCATE, large).then(() => undefined, (error: unknown) => error);
    expect(refused).toBeInstanceOf(TaskLimitExceeded);
    expect((refused as TaskLimitExceeded).at('document.markdown')).toMatchObject({ details: [{ path: 'document.markdown', message: 'takes more than 512 MB of memory to process' }] });
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

  it('leaves a thread to others while one party has many texts', async () => {
    const order: string[] = [];
    const slow = Array.from({ length: 4 }, (_, index) => asParty('busy', () => pool.run(SPIN, { ...large, milliseconds: 300 }).then(() => order.push(`busy ${index}`))));
    await asParty('other', () => pool.run(REPEAT, large).then(() => order.push('other')));
    await Promise.all(slow);
    expect(order.indexOf('other')).toBeLessThan(3);
    expect(order.filter((name) => name !== 'other')).toEqual(['busy 0', 'busy 1', 'busy 2', 'busy 3']);
  });
});
