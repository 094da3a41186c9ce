import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PendingContent } from './pending-content.js';

describe('content on its way into a body', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is waited for, but not forever, and is pending until its work ends', async () => {
    const pending = new PendingContent();
    await pending.settled();
    let end = (): void => undefined;
    pending.add(new Promise<void>((resolve) => (end = resolve)));
    pending.add(Promise.resolve());
    let isOver = false;
    const over = pending.settled().then(() => (isOver = true));
    await jest.advanceTimersByTimeAsync(1000);
    expect([pending.isPending, isOver]).toEqual([true, false]);
    await jest.advanceTimersByTimeAsync(10_000);
    await over;
    expect([pending.isPending, isOver]).toEqual([true, true]);
    const done = pending.settled();
    end();
    await done;
    expect(pending.isPending).toBe(false);
  });
});
