import { afterAll, describe, expect, it } from '@jest/globals';
import { runInContext } from '../src/common/context.js';
import { ThreadTurns } from '../src/platform/workers/thread-turns.js';
import { TaskLimitExceeded, WorkerPool } from '../src/platform/workers/worker-pool.js';
import { ALLOCATE, FAIL, LONG_SPIN, REPEAT, SPIN } from './worker-tasks.js';

const pool = new WorkerPool({ workerThreads: 2 });
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

  it('leaves a thread to others while one party has many texts', async () => {
    const order: string[] = [];
    // Both threads are there.
    await Promise.all(['one', 'another'].map((name) => asParty(name, () => pool.run(SPIN, { ...large, milliseconds: 300 }))));
    const slow = Array.from({ length: 4 }, (_, index) => asParty('busy', () => pool.run(SPIN, { ...large, milliseconds: 300 }).then(() => order.push(`busy ${index}`))));
    await asParty('other', () => pool.run(REPEAT, large).then(() => order.push('other')));
    await Promise.all(slow);
    expect(order.indexOf('other')).toBeLessThan(3);
    expect(order.filter((name) => name !== 'other')).toEqual(['busy 0', 'busy 1', 'busy 2', 'busy 3']);
  });

  it('ends what its caller gives up, whether it waits or runs', async () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const end = (controller: AbortController): Promise<unknown> => asParty('giving up', () => pool.run(SPIN, { ...large, milliseconds: 60_000 }, { signal: controller.signal })).then(() => 'done', (error: unknown) => error);
    const [running, waiting] = [end(first), end(second)];
    second.abort(new Error('not any more'));
    expect(await waiting).toMatchObject({ message: 'not any more' });
    setTimeout(() => first.abort(new Error('lost')), 100);
    expect(await running).toMatchObject({ message: 'lost' });
    expect(await asParty('giving up', () => pool.run(REPEAT, large))).toMatchObject({ isMainThread: false });
  });

  it('gives tasks of minutes threads of their own', async () => {
    const enough = new AbortController();
    const long = ['a', 'b'].map((party) => pool.run(LONG_SPIN, { ...large, milliseconds: 600_000 }, { party, signal: enough.signal }).catch((error: unknown) => error));
    expect(await Promise.all(['a', 'b', 'c'].map((party) => asParty(party, () => pool.run(REPEAT, large))))).toMatchObject([{ isMainThread: false }, { isMainThread: false }, { isMainThread: false }]);
    enough.abort(new Error('enough'));
    expect(await Promise.all(long)).toMatchObject([{ message: 'enough' }, { message: 'enough' }]);
  });
});

describe('turns at threads', () => {
  it('go to the party that waits longest for one, and to none for more than its share', async () => {
    const turns = new ThreadTurns(2, 1);
    const begun: string[] = [];
    const enter = (name: string, signal?: AbortSignal): Promise<() => void> => turns.enter(name, signal).then((leave) => {
      begun.push(name);
      return leave;
    });
    const others = () => new Promise((resolve) => setImmediate(resolve));
    const gone = new AbortController();
    const [first, , b, c] = [enter('a'), enter('a'), enter('b'), enter('c')];
    const refused = enter('c', gone.signal).catch(() => 'gone');
    await others();
    expect(begun).toEqual(['a', 'b']);
    gone.abort();
    expect(await refused).toBe('gone');
    (await b)();
    await others();
    expect(begun).toEqual(['a', 'b', 'c']);
    (await first)();
    (await c)();
    await others();
    expect(begun).toEqual(['a', 'b', 'c', 'a']);
  });
});
