import { describe, expect, it } from '@jest/globals';
import { batchesOf, conversationsIn } from './file-batches.js';

describe('the conversations of a file', () => {
  it('are one, a list, or one a line', () => {
    const one = { id: '1', parts: [] };
    expect(conversationsIn(JSON.stringify(one))).toEqual([one]);
    expect(conversationsIn(`\uFEFF${JSON.stringify([one, one], null, 2)}`)).toEqual([one, one]);
    expect(conversationsIn(`${JSON.stringify(one)}\r\n\n${JSON.stringify({ ...one, id: '2' })}\n`)).toEqual([
      one,
      { ...one, id: '2' },
    ]);
    expect(conversationsIn('')).toEqual([]);
    expect(() => conversationsIn(`${JSON.stringify(one)}\n{"id":`)).toThrow('Line 2 is no JSON.');
  });

  it('are sent in order, each once, in requests of a limited size', () => {
    const all = Array.from({ length: 1203 }, (_, id) => ({ id, body: 'x'.repeat(id === 3 ? 2_000_000 : 10) }));
    const batches = batchesOf(all);
    expect(batches.flatMap(({ conversations }) => conversations)).toEqual(all);
    expect(batches.map(({ first, conversations }) => [first, conversations.length])).toEqual([
      [0, 3],
      [3, 1],
      [4, 500],
      [504, 500],
      [1004, 199],
    ]);
    expect(batchesOf([])).toEqual([]);
  });
});
