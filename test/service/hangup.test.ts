import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A database that nobody serves, so that the start ends there, after the settings were read. */
const nowhere = {
  HOST: '127.0.0.1',
  PORT: '0',
  DATABASE_URL: 'postgresql://127.0.0.1:1/none',
  SECRET_KEY: 'x'.repeat(32),
};

/** How the service ends to which SIGHUP came before it has read its settings. */
async function startAndHangUp(settings: NodeJS.Dict<string>, ...args: string[]) {
  const loaders = ['--require', join(__dirname, 'hangup-first.cjs'), '--import', 'tsx'];
  const child = spawn(process.execPath, [...loaders, 'src/server.ts', ...args], {
    stdio: 'ignore',
    env: { ...process.env, ...nowhere, ...settings },
  });
  const [code, signal] = await once(child, 'exit');
  return { code, signal };
}

test('a reload that comes before the settings were read ends no service that has workers', async () => {
  expect(await startAndHangUp({ WORKERS: '2' })).toEqual({ code: 1, signal: null });
});

test('one that has none, and a terminal that may be closed, ends at it', async () => {
  expect(await startAndHangUp({}, '--dev')).toEqual({ code: null, signal: 'SIGHUP' });
});

test('one that has none, and no terminal, passes it over and says so', () => {
  const script = join(__dirname, 'unreplaced-process.ts');
  const { status, stdout } = spawnSync(process.execPath, ['--import', 'tsx', script]);
  expect([status, String(stdout)]).toEqual([0, 'passed over\npassed over\n']);
});
