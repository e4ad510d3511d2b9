/** Tests of what is built; without a build, or a server for its functions, there is nothing to test. */
export const describeFunctions = process.env.TEST_FRONT === 'serverless' ? describe : describe.skip;
