import { createServer, type Server } from 'node:net';

/** What a Redis that has read its data says to `info`. */
export const loaded = '$9\r\nloading:0';

/**
 * A server that answers each command by what `answerTo` says, without the end of its line: the command
 * in small letters, and the number of the connection. It cuts the connection off where that says nothing.
 */
export function createRedisServer(
  answerTo: (command: string, connection: number) => string | undefined,
): Server {
  let connections = 0;
  return createServer((socket) => {
    const connection = connections++;
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      for (const [, command = ''] of chunk.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
        const answer = answerTo(command.toLowerCase(), connection);
        if (answer === undefined) return socket.resetAndDestroy();
        socket.write(`${answer}\r\n`);
      }
    });
  });
}
