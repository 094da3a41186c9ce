import { it } from '@jest/globals';

/**
 * A test that takes long beside others that try nearly the same: it runs where ROUNDS is given, as `npm run test:long` does,
 * and is skipped otherwise.
 */
export const inWholeRuns = process.env['ROUNDS'] === undefined ? it.skip : it;
