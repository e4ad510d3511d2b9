// Jest takes an environment as the default of a file: `@jest-environment` at the head of a test.
export { ownEnvironment as default } from './environment';
