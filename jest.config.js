const { availableParallelism } = require('node:os');

// Packages that have to be compiled. Most exist as ES modules only; the tests run as CommonJS.
const compiledPackages = [
  'request-filtering-agent',
  'rettime',
  'until-async',
  '@open-draft/deferred-promise',
  'better-auth',
  '@better-auth',
  'better-call',
  '@better-fetch',
  'nanostores',
  'jose',
  '@noble',
  'defu',
  'rou3',
  '@seriousme/openapi-schema-validator',
  // Loads Node's http by `import()`, which Jest has for none but what it compiles.
  '@opentelemetry/otlp-exporter-base',
];

// A shell may have it set for a service of its own. Workers get it from here.
process.env.NODE_ENV = 'test';

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: '<rootDir>/test/helpers/environment.ts',
  runtime: '<rootDir>/test/helpers/runtime.js',
  // One more than there are cores: some tests wait for time to pass, or for processes that they start.
  maxWorkers: availableParallelism() + 1,
  // No test waits for long; a crowded machine may still need long for one that hashes passwords.
  testTimeout: 90_000,
  roots: ['<rootDir>/test', '<rootDir>/client/test'],
  transform: {
    '\\.[mc]?[jt]sx?$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
        },
        // A package is loaded when it is first used, so that no file pays for what it does not try.
        module: { type: 'commonjs', lazy: true },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:${compiledPackages.join('|')})/)`],
  moduleNameMapper: {
    '^@/(.*)$': '<rootDir>/$1',
    // Outside a running Next there is no request to wait for; tests wait for the tasks themselves.
    '^next/server$': '<rootDir>/test/helpers/next-server.ts',
    '^@better-auth/utils/password$': '<rootDir>/test/helpers/passwords.ts',
  },
  globalSetup: '<rootDir>/test/helpers/global-setup.ts',
  globalTeardown: '<rootDir>/test/helpers/global-teardown.ts',
  setupFilesAfterEnv: ['<rootDir>/test/helpers/setup.ts'],
};
