import { describe, expect, it } from '@jest/globals';
import { excerptAround, excerptAt, linesOf } from '../app/src/services/specifications/excerpts.js';

/** Faults that a screen lists at most. */
const FAULTS = 50;
const ENTRIES = 300_000;
/** Milliseconds for all faults of a screen. */
const LONGEST = 5000;

describe('excerpts at the faults of a specification', () => {
  it('are the lines around a fault, whatever ends the lines', () => {
    const lines = linesOf('a\r\nb\rc\nd');
    expect(excerptAround(lines, 1)).toBe('› 1 a\n  2 b\n  3 c');
    expect(excerptAround(lines, 4)).toBe('  2 b\n  3 c\n› 4 d');
    expect(excerptAround(lines, 5)).toBeUndefined();
    expect(excerptAround(lines, undefined)).toBeUndefined();
  });

  it('are the beginning of the value at a pointer, or of the nearest one above it', () => {
    const value = { 'a/b': { list: [1, { x: null }, 'text'] }, __proto__: undefined };
    expect(excerptAt(value, '/a~1b/list/1')).toBe('{\n  "x": null\n}');
    expect(excerptAt(value, '/a~1b/list/7/gone')).toBe(JSON.stringify([1, { x: null }, 'text'], null, 2));
    expect(excerptAt({ constructor: 1 }, '/toString')).toBe('{\n  "constructor": 1\n}');
    const long = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`n${at}`, [{ at }]]));
    const shown = JSON.stringify(long, null, 2).split('\n').slice(0, 12);
    expect(excerptAt(long, '')).toBe([...shown, '…'].join('\n'));
    expect(excerptAt(['x'.repeat(1000)], '/0')?.length).toBeLessThan(210);
  });

  it('come at once for all faults of a specification with many entries', () => {
    const paths = Object.fromEntries(
      Array.from({ length: ENTRIES }, (_, at) => [`/path-${at}`, { get: { summary: 'A summary of some words' } }]),
    );
    const root = { paths };
    const begun = performance.now();
    for (let fault = 0; fault < FAULTS; fault++) expect(excerptAt(root, '/gone')).toContain('"/path-0"');
    expect(performance.now() - begun).toBeLessThan(LONGEST);
  });
});
