import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

test('a database that never answers ends its process, which says why', async () => {
  const child = spawn(
    process.execPath,
    ['--require', require.resolve('tsx/cjs'), join(__dirname, 'stuck-process.ts')],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(1);
  expect(complaint).toMatch(
    /The embedded database in memory has not answered a statement for \d+ s/,
  );
}, 180_000);
