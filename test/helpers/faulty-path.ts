import { connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from './listening';

/** A way to a TCP server that fails on demand, as networks do. */
export type FaultyPath = {
  /** The address of the server, by this way. */
  url: string;
  /** From now on nothing more passes on the connections that are open, and nobody is told. */
  swallow(): void;
  /** The same, and new connections are swallowed too until `mend`. */
  sever(): void;
  mend(): void;
  /** From now on each answer of the server comes so much later. */
  delay(ms: number): void;
  /** Cuts every open connection, and refuses new ones until `restore`. */
  withdraw(): void;
  restore(): Promise<unknown>;
  /** Cuts every open connection. */
  cut(): void;
  /** How many connections were ever made. */
  connections(): number;
  close(): Promise<void>;
};

/** Opens a way to the server that `url` names, at its usual port where the address has none. */
export async function openFaultyPath(url: string, usualPort = 5432): Promise<FaultyPath> {
  const target = new URL(url);
  const pairs = new Set<[Socket, Socket]>();
  const strays = new Set<Socket>();
  let made = 0;
  let isSevered = false;
  let delayMs = 0;
  const server = createServer((near) => {
    made += 1;
    if (isSevered) {
      strays.add(near.on('error', () => undefined).resume());
      return;
    }
    const far = connect(Number(target.port) || usualPort, target.hostname);
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    near.pipe(far);
    const late = latency(() => delayMs);
    far.pipe(late).pipe(near);
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        pairs.delete(pair);
        for (const other of pair) other.destroy();
      });
    }
  });
  const port = await listen(server);
  const address = new URL(url);
  address.host = `127.0.0.1:${port}`;
  const cut = () => {
    for (const socket of [...pairs, strays].flatMap((sockets) => [...sockets])) socket.destroy();
  };
  const swallow = () => {
    for (const [near, far] of pairs) {
      near.unpipe(far).resume();
      far.unpipe().resume();
    }
  };
  return {
    url: address.href,
    swallow,
    sever: () => {
      isSevered = true;
      swallow();
    },
    mend: () => {
      isSevered = false;
    },
    delay: (ms) => {
      delayMs = ms;
    },
    withdraw: () => {
      server.close();
      cut();
    },
    restore: () => listen(server, port),
    cut,
    connections: () => made,
    close: async () => {
      cut();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Passes everything on in order, each part so many milliseconds after it has come. */
function latency(ms: () => number): Transform {
  let last = Promise.resolve();
  let waiting = 0;
  const stream = new Transform({
    transform(chunk, _encoding, done) {
      const delayMs = ms();
      if (delayMs === 0 && waiting === 0) return done(null, chunk);
      waiting += 1;
      const due = sleep(delayMs);
      last = last
        .then(() => due)
        .then(() => {
          waiting -= 1;
          stream.push(chunk);
        });
      done();
    },
    flush: (done) => void last.then(() => done()),
  });
  return stream.on('error', () => undefined);
}
