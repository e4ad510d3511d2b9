/** For tests of what only this system has or does. */
export const onLinux = process.platform === 'linux' ? test : test.skip;
