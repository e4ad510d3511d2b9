import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { readyForQueryIdle } from '@/src/database/embedded/wire-protocol';
import { createWireServer } from '@/src/database/embedded/wire-server';
import { stopTimers } from '../../helpers/clock';
import { message, startup } from './frontend-messages';
import { playedBackend } from './played-backend';

// The wire alone, without a database: that is served from a thread, whose timers are its own.

const server = createWireServer(
  playedBackend({
    execute: async () => readyForQueryIdle,
    idleTransactionMs: 1_000,
    onBackendFailure: (error) => {
      throw error;
    },
  }),
);

afterEach(async () => {
  jest.useRealTimers();
  await server.close();
});

test('who has not come in after ten seconds is ended, and who has is not', async () => {
  const { host, port } = await server.listen();
  stopTimers();
  const silent = connect(port, host);
  silent.write(startup());
  await once(silent, 'data');
  const known = connect(port, host);
  expect(await answerOrEnd(known, startup(), message('p', 'known'))).toBe('answer');
  jest.advanceTimersByTime(10_000);
  silent.resume();
  await once(silent, 'close');
  expect(await answerOrEnd(known, message('Q', 'SELECT 1'))).toBe('answer');
  known.destroy();
});

/** Sends the messages; each time, what ends well ends with the same message. */
function answerOrEnd(socket: Socket, ...messages: Buffer[]): Promise<'answer' | 'end'> {
  socket.write(Buffer.concat(messages));
  return new Promise((done) => {
    socket.on('data', (bytes) => bytes.includes(readyForQueryIdle) && done('answer'));
    socket.on('close', () => done('end'));
  });
}
