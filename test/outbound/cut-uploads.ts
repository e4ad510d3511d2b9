import { createServer, type Socket } from 'node:net';
import { serve } from './servers';

/** More than a connection takes by itself. */
export const largeBytes = 24 * 1024 * 1024;

/** Of a server that has heard enough after the head of a request, of which much is still to come. */
export const enoughHeard: [string, (socket: Socket) => void][] = [
  [
    'answers',
    (socket) =>
      socket.end('HTTP/1.1 429 Enough\r\nConnection: close\r\nContent-Length: 6\r\n\r\nenough'),
  ],
  ['hangs up', (socket) => socket.destroy()],
  ['says nothing', () => {}],
];

/** Has a server do so with every request. Returns its origin. */
export async function serveEnoughHeard(react: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.pause();
      react(socket);
    });
  });
  return `http://127.0.0.1:${await serve(server)}`;
}
