import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServedBackend } from '@/src/database/embedded/served-backend';
import { createTurns } from '@/src/database/embedded/turns';
import { serveConnection } from '@/src/database/embedded/wire-connection';
import {
  copyInResponse,
  fatalError,
  readyForQueryIdle,
  simpleQuery,
  sync,
} from '@/src/database/embedded/wire-protocol';
import { createWireServer } from '@/src/database/embedded/wire-server';
import { promised } from '../../helpers/promised';
import { until } from '../../helpers/until';
import { message, startup } from './frontend-messages';
import { playedBackend } from './played-backend';

// The wire alone, before a backend that each test plays.

const idleTransactionMs = 2_000;
const openTransaction = Buffer.from('Z\0\0\0\x05T', 'latin1');

const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

/** Serves it; each `enter` is a client that has come in, with the socket of the server for it. */
async function serveAlone(
  execute: ServedBackend['execute'],
  session?: Partial<ServedBackend['session']>,
) {
  const onBackendFailure = jest.fn();
  const backend = playedBackend({ execute, idleTransactionMs, onBackendFailure }, session);
  const turns = createTurns(() => performance.now());
  const server: Server = createServer();
  server.on('connection', (socket) => {
    serveConnection(socket, { processId: 1, turns, backend });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ended.push(() => server.close());
  const open = async () => {
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const client = connect(port, '127.0.0.1').on('error', () => {});
    const [served]: Socket[] = await once(server, 'connection');
    ended.push(() => client.destroy());
    if (!served) throw new Error('No connection came');
    return { client, served };
  };
  const enter = async () => {
    const { client, served } = await open();
    client.write(Buffer.concat([startup(), message('p', 'known')]));
    await answered(client, readyForQueryIdle);
    return { client, served };
  };
  return { backend, open, enter };
}

/** Waits for the bytes, and resolves to all that came until then. */
async function answered(client: Socket, bytes: Buffer): Promise<Buffer> {
  let came = Buffer.alloc(0);
  while (!came.includes(bytes)) {
    const [chunk]: Buffer[] = await once(client, 'data');
    came = Buffer.concat([came, chunk ?? Buffer.alloc(0)]);
  }
  return came;
}

const asks = (messages: Buffer, sql: string) => messages.includes(sql);

/** Asks for rows and takes some now and then, for so long. False if it stood still in between. */
async function takesSteadily(client: Socket, forMs: number): Promise<boolean> {
  client.write(simpleQuery('COPY large TO STDOUT'));
  const begun = performance.now();
  let last = begun;
  let longest = 0;
  while (last - begun < forMs) {
    client.once('data', () => client.pause()).resume();
    await sleep(50);
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }
  return longest < idleTransactionMs / 2;
}

describe('a client within its transaction', () => {
  /** As the backend does: BEGIN opens a transaction, COMMIT ends it. */
  const transactions = async (messages: Buffer) =>
    asks(messages, 'BEGIN') ? openTransaction : readyForQueryIdle;

  test('has so long for its next word, and as long as it likes once it is over', async () => {
    const { enter } = await serveAlone(transactions);
    const { client, served } = await enter();
    client.write(simpleQuery('BEGIN'));
    await answered(client, openTransaction);
    expect(served.timeout).toBe(idleTransactionMs);
    client.write(simpleQuery('COMMIT'));
    await answered(client, readyForQueryIdle);
    expect(served.timeout).toBe(0);
  });

  test('is not ended while the backend is at work for it', async () => {
    const { promise: working, resolve: finish } = promised<Buffer>();
    const { enter } = await serveAlone(async (messages) =>
      asks(messages, 'long') ? working : openTransaction,
    );
    const { client, served } = await enter();
    client.write(simpleQuery('BEGIN'));
    await answered(client, openTransaction);
    client.write(simpleQuery('long'));
    await until(() => served.timeout === 0);
    finish(openTransaction);
    await until(() => served.timeout === idleTransactionMs);
  });

  test('that takes a large answer slowly is not ended, and one that takes nothing is', async () => {
    const rows = Buffer.alloc(30_000_000);
    const { enter } = await serveAlone(async (messages) =>
      asks(messages, 'ROLLBACK') ? readyForQueryIdle : Buffer.concat([rows, openTransaction]),
    );
    let { client, served } = await enter();
    // One that stood still, as without a processor, has taken nothing for a while: it proves neither.
    while (!(await takesSteadily(client, 3 * idleTransactionMs))) {
      client.destroy();
      ({ client, served } = await enter());
    }
    expect(served.destroyed).toBe(false);
    expect(served.writableLength).toBeGreaterThan(0);
    await once(served, 'close');
    // It has held the turn, for which everybody waits.
    const { client: other } = await enter();
    other.write(simpleQuery('ROLLBACK'));
    await answered(other, readyForQueryIdle);
  });
});

test('one that breaks off in the midst of a failed query leaves a backend that answers others', async () => {
  let isSkipping = false;
  // As the backend does: after an error it hears nothing before Sync.
  const { backend, enter } = await serveAlone(async (messages) => {
    if (asks(messages, 'nonsense')) {
      isSkipping = true;
      return fatalError('42601', 'syntax error');
    }
    if (messages.equals(sync)) isSkipping = false;
    return isSkipping ? Buffer.alloc(0) : readyForQueryIdle;
  });
  const { client } = await enter();
  client.write(Buffer.concat([message('P', '', 'nonsense', 0), message('H')]));
  await answered(client, Buffer.from('syntax error'));
  client.destroy();
  const { client: other } = await enter();
  other.write(simpleQuery('SELECT 1'));
  await answered(other, readyForQueryIdle);
  expect(backend.onBackendFailure).not.toHaveBeenCalled();
});

test('a backend that says nothing to a ROLLBACK is handed to nobody else', async () => {
  const { promise: outcome, resolve: end } = promised<unknown>();
  const { backend, enter } = await serveAlone(
    async (messages) => (asks(messages, 'BEGIN') ? openTransaction : Buffer.alloc(0)),
    { discard: async () => end('handed on') },
  );
  backend.onBackendFailure = end;
  const { client } = await enter();
  client.write(simpleQuery('BEGIN'));
  await answered(client, openTransaction);
  client.destroy();
  expect(await outcome).toEqual(new Error('The backend answers no more.'));
});

test('what waits for its turn is not run once its client is gone', async () => {
  const run: string[] = [];
  const { enter } = await serveAlone(async (messages) => {
    run.push(messages.toString('latin1'));
    return asks(messages, 'BEGIN') ? openTransaction : readyForQueryIdle;
  });
  const [first, lost] = [await enter(), await enter()];
  first.client.write(simpleQuery('BEGIN'));
  await answered(first.client, openTransaction);
  lost.client.end(simpleQuery('INSERT'));
  await once(lost.served, 'data');
  lost.client.destroy();
  lost.served.destroy();
  await once(lost.served, 'close');
  first.client.write(simpleQuery('COMMIT'));
  await answered(first.client, readyForQueryIdle);
  const { client } = await enter();
  client.write(simpleQuery('SELECT 1'));
  await answered(client, readyForQueryIdle);
  expect(run.join()).toMatch(/BEGIN.*COMMIT.*SELECT 1/s);
  expect(run.join()).not.toContain('INSERT');
});

test('behind a long statement, what is short comes before the next long one', async () => {
  const { promise: finished, resolve: finish } = promised<void>();
  const run: string[] = [];
  const { enter } = await serveAlone(async (messages) => {
    run.push(messages.toString('latin1', 5, 8));
    await finished;
    return readyForQueryIdle;
  });
  const clients = [await enter(), await enter(), await enter()];
  const long = 'x'.repeat(20_000);
  for (const [index, sql] of [`one${long}`, `two${long}`, 'few'].entries()) {
    const { client, served } = clients[index] ?? (await enter());
    const before = served.bytesRead;
    const bytes = simpleQuery(sql);
    client.write(bytes);
    await until(() => served.bytesRead === before + bytes.length);
  }
  finish();
  await Promise.all(clients.map(({ client }) => answered(client, readyForQueryIdle)));
  expect(run).toEqual(['one', 'few', 'two']);
});

test('what a client has set is put back as its turn begins, and not within it', async () => {
  const own = [{ name: 'TimeZone', value: 'Asia/Tokyo' }];
  const putSettings = jest.fn(async () => {});
  const { enter } = await serveAlone(
    async (messages) => (asks(messages, 'SET') ? readyForQueryIdle : openTransaction),
    { takeSettings: async () => own, putSettings },
  );
  const { client } = await enter();
  client.write(simpleQuery('SET'));
  await answered(client, readyForQueryIdle);
  for (const sql of ['BEGIN', 'SELECT 1']) {
    client.write(simpleQuery(sql));
    await answered(client, openTransaction);
  }
  // What it sets in its transaction would be what it was before.
  expect(putSettings.mock.calls).toEqual([[[]], [own], [[]]]);
});

test('a client is asked once for the rows of a COPY', async () => {
  const { enter } = await serveAlone(async () =>
    Buffer.concat([copyInResponse, readyForQueryIdle]),
  );
  const { client } = await enter();
  client.write(simpleQuery('COPY a FROM STDIN'));
  await answered(client, copyInResponse);
  client.write(Buffer.concat([message('d', '1'), message('c')]));
  expect(await answered(client, readyForQueryIdle)).toEqual(readyForQueryIdle);
});

test('of who has not come in yet, no more is kept than a password may have', async () => {
  const { open } = await serveAlone(async () => readyForQueryIdle);
  const { client } = await open();
  const head = message('p', 'x'.repeat(20_000)).subarray(0, 5);
  client.write(Buffer.concat([startup(), head]));
  await answered(client, Buffer.from('C08P01'));
});

test('work that runs alone and fails leaves the turn to the others', async () => {
  const { backend } = await serveAlone(async () => readyForQueryIdle);
  const { runAlone } = createWireServer(backend);
  await expect(runAlone(() => Promise.reject(new Error('no vacuum')))).rejects.toThrow('no vacuum');
  expect(await runAlone(async () => 'run')).toBe('run');
});
