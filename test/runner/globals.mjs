/** `@jest/globals` of the spec file that loads it, see runtime.js. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } =
  globalThis[Symbol.for('bindery.test-globals')];
