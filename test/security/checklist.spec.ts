import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';

const ITEMS = 46;
const ROOT = new URL('../../', import.meta.url);
const ROW = /^\| (?<number>\d+) \| [^|]+ \| (?<proof>[^|]+) \|$/gm;
const FILE = /`(?<path>test\/[\w./-]+\.spec\.ts)`/g;

const rows = [...readFileSync(new URL('SECURITY.md', ROOT), 'utf8').matchAll(ROW)].map(({ groups }) => ({
  number: Number(groups?.number),
  proof: groups?.proof ?? '',
}));

describe('the table of SECURITY.md', () => {
  it('has a row for each item, in their order', () => {
    expect(rows.map((row) => row.number)).toEqual(Array.from({ length: ITEMS }, (_, index) => index + 1));
  });

  it.each(rows)('names tests that bear the number $number', ({ number, proof }) => {
    if (/^Does not apply: .{20}/.test(proof)) return;
    const files = [...proof.matchAll(FILE)].map(({ groups }) => groups?.path ?? '');
    expect(files).not.toEqual([]);
    for (const file of files) {
      expect(existsSync(new URL(file, ROOT)) ? file : `${file} is not there`).toBe(file);
      expect(readFileSync(new URL(file, ROOT), 'utf8')).toMatch(new RegExp(`['"\`]3b-${number}\\b`));
    }
  });
});
