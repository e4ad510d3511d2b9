import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listen } from '../helpers/listening';

const projectFolder = join(__dirname, '../..');

// By itself npm asks for a newer npm: once a week where it may write in its cache, and at each command
// where it may not, as in a container that is read-only.
test('a command asks nothing of npm’s registry', async () => {
  const asked: string[] = [];
  const registry = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(404).end();
  });
  const port = await listen(registry);
  try {
    await promisify(execFile)('npm', ['run', '--silent', 'account', '--', '--help'], {
      cwd: projectFolder,
      // Without what says that it runs by itself (CI), in which case it does not ask.
      env: {
        PATH: process.env.PATH,
        HOME: join(projectFolder, 'no-such-home'),
        NODE_ENV: 'test',
        npm_config_cache: '/dev/null/cache',
        npm_config_registry: `http://127.0.0.1:${port}`,
      },
    });
  } finally {
    registry.closeAllConnections();
    registry.close();
  }
  expect(asked).toEqual([]);
});
