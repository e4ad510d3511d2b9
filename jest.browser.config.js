const base = require('./jest.config.js');

/** The pages in a browser: `npm run test:browser`. One at a time, they share one service and one browser. */
module.exports = {
  testEnvironment: base.testEnvironment,
  runtime: base.runtime,
  roots: ['<rootDir>/test/browser'],
  testMatch: ['**/*.browser.ts'],
  transform: base.transform,
  transformIgnorePatterns: base.transformIgnorePatterns,
  moduleNameMapper: { '^@/(.*)$': '<rootDir>/$1' },
  globalSetup: '<rootDir>/test/browser/global-setup.ts',
  globalTeardown: '<rootDir>/test/browser/global-teardown.ts',
  maxWorkers: 1,
  testTimeout: 240_000,
};
