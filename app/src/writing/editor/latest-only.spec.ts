import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { latestOnly } from './latest-only.js';

describe('the texts that are kept', () => {
  let page: EventTarget & { visibilityState: string };
  let tab: EventTarget;
  let stored: string[];
  let keep: (text: string) => void;

  beforeEach(() => {
    jest.useFakeTimers();
    page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
    tab = new EventTarget();
    Object.assign(globalThis, { document: page, window: tab });
    stored = [];
    // The answer of the storage never comes.
    keep = latestOnly((text) => (stored.push(text), new Promise(() => undefined)));
  });

  afterEach(() => {
    jest.useRealTimers();
    Reflect.deleteProperty(globalThis, 'document');
    Reflect.deleteProperty(globalThis, 'window');
  });

  it('are the first one at once, and the last one of those behind it after a pause', () => {
    for (const text of ['a', 'ab', 'abc']) keep(text);
    expect(stored).toEqual(['a']);
    jest.advanceTimersByTime(250);
    expect(stored).toEqual(['a', 'abc']);
    jest.advanceTimersByTime(1000);
    keep('abcd');
    expect(stored).toEqual(['a', 'abc', 'abcd']);
  });

  it.each(['pagehide', 'visibilitychange'])('have the last one when the page goes away: %s', (event) => {
    keep('a');
    keep('ab');
    if (event === 'pagehide') tab.dispatchEvent(new Event(event));
    else {
      page.visibilityState = 'hidden';
      page.dispatchEvent(new Event(event));
    }
    expect(stored).toEqual(['a', 'ab']);
  });

  it('have each one of a page that is hidden', () => {
    page.visibilityState = 'hidden';
    for (const text of ['a', 'ab', 'abc']) keep(text);
    expect(stored).toEqual(['a', 'ab', 'abc']);
  });
});
