/** @type {import('jest').Config} */
export default {
  rootDir: '.',
  roots: ['<rootDir>/test', '<rootDir>/app/src'],
  testMatch: ['**/*.spec.ts'],
  // They need a browser: npm run test:browser
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/browser/'],
  // Sources and packages are loaded once for a process, not once for each spec file: test/runner/runtime.js says how.
  testEnvironment: '<rootDir>/test/runner/environment.js',
  runtime: '<rootDir>/test/runner/runtime.js',
  transform: {},
  reporters: ['default', '<rootDir>/test/contract/reporter.js'],
  globalSetup: '<rootDir>/test/global-setup.js',
  globalTeardown: '<rootDir>/test/global-teardown.js',
  // For --findRelatedTests.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testTimeout: 60_000,
  testSequencer: '<rootDir>/test/sequencer.js',
  maxWorkers: 2,
  // The modules of test/ that a spec file has loaded outlive it, since ESM are never freed: past this, a new process goes on.
  workerIdleMemoryLimit: '700MB',
};
