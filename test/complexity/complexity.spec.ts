import { afterAll, describe, expect, it } from '@jest/globals';
import { readSources, packageOf } from '../architecture/source.js';
import { rounds } from '../property/content-generators.js';
import { ENTRIES, UNREAD } from './entries.js';
import { QUICK, THOROUGH } from './measure.js';
import { isTooMuch, measured, printed, type Row } from './table.js';

/*
 * Whatever takes text from outside takes time and memory that grow with its length only. Every way in is tried with the
 * hostile shapes of its language, doubled until they are as long as they may be or take long. A run takes one shape of each,
 * `npm run test:complexity` more of them, and prints each as it is measured.
 */

/** Shapes of each way in. */
const SHAPES = rounds(1);
const LIMITS = process.env['ROUNDS'] === undefined ? QUICK : THOROUGH;
/** Bytes of the heap that what is made of a text may hold for each of its characters, beside a megabyte of the process's own. */
const MOST_BYTES = 3_000;

/** Packages that read languages: what of them sees text from outside has a row. */
const PARSERS =
  /^(?:parse5|yaml|js-yaml|satteri|micromark.*|mdast-util-.*|hast-util-.*|katex|acorn|shiki|@xmldom\/xmldom|image-size|file-type|libphonenumber-js|ajv|@seriousme\/openapi-schema-validator|fontkit)$/;

const rows: Row[] = [];

/** So many of the shapes, evenly from all of them. */
function some(shapes: readonly string[]): string[] {
  const step = Math.max(1, shapes.length / SHAPES);
  return Array.from(
    { length: Math.min(SHAPES, shapes.length) },
    (_, index) => shapes[Math.floor((index + 0.5) * step)] ?? '',
  );
}

afterAll(() => {
  const longest = rows.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, 10);
  process.stdout.write(
    `characters, processor time, times those of half of them, bytes held a character (the 10 longest of ${rows.length} shapes)\n${longest.map(printed).join('\n')}\n`,
  );
});

describe('3b-26 the time that text from outside takes', () => {
  it.each(Object.keys(ENTRIES))('grows with its length: %s', async (entry) => {
    const tooMuch: string[] = [];
    for (const shape of some(Object.keys(ENTRIES[entry]?.shapes ?? {}))) {
      const row = await measured(entry, shape, LIMITS);
      rows.push(row);
      if (LIMITS === THOROUGH) process.stdout.write(`${printed(row)}\n`);
      if (isTooMuch(row) || row.bytes > MOST_BYTES) tooMuch.push(printed(row));
    }
    expect(tooMuch).toEqual([]);
  });
});

describe('the table of what takes text', () => {
  const parsing = readSources('src').filter(({ imports }) =>
    imports.some(({ kind, specifier }) => kind !== 'type' && PARSERS.test(packageOf(specifier))),
  );
  const named = new Set(
    [...Object.values(ENTRIES).flatMap(({ modules }) => modules), ...Object.keys(UNREAD)].map(
      (module) => `${module}.ts`,
    ),
  );

  it('has a row for every module that calls a parser', () => {
    expect(parsing.length).toBeGreaterThan(20);
    expect(parsing.map(({ path }) => path).filter((path) => !named.has(path))).toEqual([]);
  });

  it('names modules that are there', () => {
    const paths = new Set(readSources('src').map(({ path }) => path));
    expect([...named].filter((path) => !paths.has(path))).toEqual([]);
  });

  it('has shapes for every way in', () => {
    expect(
      Object.entries(ENTRIES)
        .filter(([, { shapes, modules }]) => Object.keys(shapes).length < 10 || modules.length === 0)
        .map(([name]) => name),
    ).toEqual([]);
  });
});
