import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { listen } from '../helpers/listening';

/**
 * A database that hangs up, so that the start ends there, after the settings were read. What refuses the
 * connection would end it before the process asks for what came meanwhile, a signal as well.
 */
const database = createServer((socket) => socket.once('data', () => socket.destroy()));
let port: number;

beforeAll(async () => {
  port = await listen(database);
});
afterAll(() => database.close());

/** How the service ends to which SIGHUP came before it has read its settings. */
async function startAndHangUp(settings: NodeJS.Dict<string>, ...args: string[]) {
  const loaders = ['--require', join(__dirname, 'hangup-first.cjs'), '--import', 'tsx'];
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: `postgresql://127.0.0.1:${port}/none`,
    SECRET_KEY: 'x'.repeat(32),
    ...settings,
  };
  const child = spawn(process.execPath, [...loaders, 'src/server.ts', ...args], {
    stdio: 'ignore',
    env,
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
