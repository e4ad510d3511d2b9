/** Loaded first into the service, has a SIGHUP arrive as its settings are about to be read. */
const fs = require('node:fs');

const { existsSync } = fs;
fs.existsSync = (path) => {
  if (path === '.env.local') process.kill(process.pid, 'SIGHUP');
  return existsSync(path);
};
