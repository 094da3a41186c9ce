import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readDocument } from './documents.js';
import { OPERATIONS } from './extensions.js';
import { VERSION_DEVIATIONS } from './version-deviations.js';

const PAGE = readFileSync('docs/reference/client-versions.md', 'utf8');

/** The cells of the rows of the table below a heading, without the head of the table. */
function rowsBelow(heading: string): string[][] {
  const [, section = ''] = PAGE.split(`\n## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  const rows = text.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const described = readDocument('gitbook-api-next');
const withPackage = described ? it : it.skip;

/** A method and path without the version and the names of parameters. */
const placeOf = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replace(/^\/v1(?=\/|$)/, '') || '/'}`.replace(/\{\w+\}/g, '{}');

describe('the table of operations that are not there', () => {
  withPackage('names the operations of the latest version that the service does not have, each once', () => {
    const own = new Set(OPERATIONS.map(({ method, path }) => placeOf(method, path)));
    const theirs = Object.entries(described?.paths ?? {}).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) =>
        operation?.operationId === undefined ? [] : [{ place: placeOf(method, path), id: operation.operationId }],
      ),
    );
    const named = rowsBelow('Operations that are not there').flatMap(([, ids = '']) =>
      [...ids.matchAll(/`(\w+)`/g)].map(([, id]) => id),
    );
    expect(named.toSorted()).toEqual(theirs.flatMap(({ place, id }) => (own.has(place) ? [] : [id])).toSorted());
    expect(PAGE).toContain(`describes ${theirs.length} operations`);
  });
});

describe('the table of answers that differ', () => {
  it('names each deviation from a later version, with its reason', () => {
    expect(rowsBelow('Answers that differ')).toEqual(
      VERSION_DEVIATIONS.map(({ versions, where, what, reason }) => [
        versions.join(', '),
        `\`${where}\``,
        what,
        reason,
      ]),
    );
  });
});
