/** @type {import('jest').Config} */
export default {
  rootDir: '.',
  roots: ['<rootDir>/test', '<rootDir>/app/src'],
  testMatch: ['**/*.spec.ts'],
  // They need a browser: npm run test:browser
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/browser/'],
  testEnvironment: 'node',
  reporters: ['default', '<rootDir>/test/contract/reporter.js'],
  globalSetup: '<rootDir>/test/global-setup.js',
  globalTeardown: '<rootDir>/test/global-teardown.js',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          target: 'es2023',
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  testTimeout: 60_000,
  testSequencer: '<rootDir>/test/sequencer.js',
  maxWorkers: 2,
  // Modules of a spec file outlive it (contexts of ESM are never freed): past this, collecting garbage makes a run three times as slow.
  workerIdleMemoryLimit: '700MB',
};
