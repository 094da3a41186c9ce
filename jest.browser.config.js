import base from './jest.config.js';

/** Tests of published sites in a browser, which take longer than the others and need one. */
export default {
  ...base,
  roots: ['<rootDir>/test/browser'],
  testPathIgnorePatterns: ['/node_modules/'],
  reporters: ['default'],
  testTimeout: 300_000,
  maxWorkers: 1,
};
