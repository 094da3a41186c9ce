import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { conversationTexts } from '../../texts/conversations.js';
import { batchesInFile } from './batches-in-file.js';

type Answer = (worker: FakeWorker, question: unknown) => void;

/** A thread that answers as a test says. */
class FakeWorker {
  static answer: Answer;
  static ended = 0;
  onmessage?: (event: unknown) => void;
  onerror?: (event: unknown) => void;

  postMessage(question: unknown): void {
    setTimeout(() => FakeWorker.answer(this, question), 0);
  }

  terminate(): void {
    FakeWorker.ended += 1;
  }
}

describe('the batches in a file', () => {
  const real = globalThis.Worker;
  beforeEach(() => {
    FakeWorker.ended = 0;
    globalThis.Worker = FakeWorker as never;
  });
  afterEach(() => void (globalThis.Worker = real));

  const file = {} as File;
  const all = async (answer: Answer, signal = new AbortController().signal): Promise<unknown[]> => {
    FakeWorker.answer = answer;
    const batches: unknown[] = [];
    for await (const { batch } of batchesInFile(file, signal)) batches.push(batch);
    return batches;
  };

  it('come one after the other, and the thread ends with the last one', async () => {
    const given: (string | undefined)[] = ['one', 'two', undefined];
    expect(await all((worker) => worker.onmessage?.({ data: { all: 2, batch: given.shift() } }))).toEqual([
      'one',
      'two',
    ]);
    expect(FakeWorker.ended).toBe(1);
  });

  it('tell of a file that cannot be read, and of a thread that cannot begin', async () => {
    const told = (answer: Answer) => all(answer).catch(({ message }: Error) => message);
    expect(await told((worker) => worker.onmessage?.({ data: { fault: 'Line 3' } }))).toBe('Line 3');
    expect(await told((worker) => worker.onerror?.({ message: 'no memory' }))).toBe('no memory');
    expect(await told((worker) => worker.onerror?.({}))).toBe(conversationTexts.upload.noReader);
    expect(FakeWorker.ended).toBe(3);
  });

  it('end when nobody waits for them any more', async () => {
    const leaving = new AbortController();
    const reason = new Error('left');
    await expect(all(() => leaving.abort(reason), leaving.signal)).rejects.toBe(reason);
    expect(FakeWorker.ended).toBeGreaterThan(0);
  });
});
