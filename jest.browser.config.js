const base = require('./jest.config.js');

/** The pages in a browser: `npm run test:browser`. One at a time, they share one service. */
module.exports = {
  testEnvironment: base.testEnvironment,
  roots: ['<rootDir>/test/browser'],
  testMatch: ['**/*.browser.ts'],
  transform: base.transform,
  transformIgnorePatterns: base.transformIgnorePatterns,
  moduleNameMapper: { '^@/(.*)$': '<rootDir>/$1' },
  maxWorkers: 1,
  testTimeout: 240_000,
};
