import { subscribe } from 'node:diagnostics_channel';
import { Server } from 'node:net';
import { placesByAddress } from '../../http/by-address';
import type { ConnectionLimits } from '../../http/connections';

export type WaitingLimits = Pick<ConnectionLimits, 'connections' | 'connectionsPerAddress'>;

/** What Node keeps of a socket, below its own classes; not documented. */
type Handle = {
  close: (...args: unknown[]) => unknown;
  getpeername: (peer: { address?: string }) => unknown;
};

/** As one that listens, which hands what it accepts to this. */
type Listener = { onconnection: (error: number, client?: unknown) => unknown };

/**
 * Lets so many connections wait in this process until a worker takes them, of one address no more than
 * its share, and closes those that come when there are as many. Node accepts them faster than workers
 * take them, one in a turn each, and without end: they would take all descriptors, with which workers
 * are started too, and who comes last would wait for all before. To be called before the first worker
 * listens. Where a later version of Node talks otherwise, it is as if this were not there.
 */
export function boundWaiting({ connections, connectionsPerAddress }: WaitingLimits): void {
  let waiting = 0;
  const byAddress = placesByAddress(connectionsPerAddress);

  function bound(listener: Listener): void {
    const accept = listener.onconnection;
    listener.onconnection = (error, client) => {
      if (isHandle(client)) {
        const leave = waiting < connections && byAddress.take(peerOf(client));
        if (!leave) return client.close();
        waiting += 1;
        const { close } = client;
        // Once it is handed over, or nobody is there to take it.
        client.close = (...args) => {
          waiting -= 1;
          leave();
          client.close = close;
          return Reflect.apply(close, client, args);
        };
      }
      return Reflect.apply(accept, listener, [error, client]);
    };
  }

  subscribe('tracing:net.server.listen:asyncEnd', (message) => {
    const server = typeof message === 'object' && message && 'server' in message && message.server;
    if (!(server instanceof Server)) return;
    const listener = handleOf(server);
    // What listens for workers Node takes out of the server that it made for that.
    server.once('listening', () =>
      queueMicrotask(() => {
        if (isListener(listener) && !handleOf(server)) bound(listener);
      }),
    );
  });
}

/** Empty where it has left already, as in `remoteAddress` of a socket. */
function peerOf(client: Handle): string {
  const peer: { address?: string } = {};
  client.getpeername(peer);
  return peer.address ?? '';
}

function isHandle(client: unknown): client is Handle {
  if (typeof client !== 'object' || client === null) return false;
  return (
    'close' in client &&
    typeof client.close === 'function' &&
    'getpeername' in client &&
    typeof client.getpeername === 'function'
  );
}

function handleOf(server: Server): unknown {
  return '_handle' in server ? server._handle : undefined;
}

function isListener(handle: unknown): handle is Listener {
  if (typeof handle !== 'object' || handle === null || !('onconnection' in handle)) return false;
  return typeof handle.onconnection === 'function';
}
