const base = require('./jest.config.js');

/** The pages in a browser: `npm run test:browser`. */
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
  // Each has a browser and a service, which wait for one another most of the time: with two, two cores
  // were idle half of it. A place takes some 2 GB.
  maxWorkers: 3,
  testTimeout: 240_000,
};
