import { it } from '@jest/globals';

/**
 * A test that takes long beside others that try nearly the same: it runs where ROUNDS is given, as `npm run test:long` does,
 * and is skipped otherwise.
 */
export const inWholeRuns = process.env['ROUNDS'] === undefined ? it.skip : it;

/** The first `count` of cases that take long and are nearly the same; all of them where ROUNDS is given. */
export const inShortRuns = <Case>(cases: readonly Case[], count: number): readonly Case[] =>
  process.env['ROUNDS'] === undefined ? cases.slice(0, count) : cases;
