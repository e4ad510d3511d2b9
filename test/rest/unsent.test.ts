import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { runDeferred } from '@/src/api/deferred';
import { handleNodeRequest } from '@/src/rest/node';
import { createUnsent, unsent } from '@/src/rest/unsent';
import { createTenant } from '../helpers/accounts';
import { insertLargeRows, tenantWithLargeRows } from '../helpers/large-rows';
import { listen } from '../helpers/listening';
import { after } from '../helpers/next-server';
import { promised } from '../helpers/promised';
import { insertTestimonials } from '../helpers/rows';

/** Answers on their way, and the names of those that were cut, in order. */
function answers(totalBytes: number) {
  const unsent = createUnsent({ totalBytes });
  const cut: string[] = [];
  return {
    cut,
    /** The name begins with whose it is. */
    hold: (name: string, bytes: number) => unsent.hold(name.charAt(0), bytes, () => cut.push(name)),
  };
}

test('where too much is on its way, the oldest of whoever has most is cut', () => {
  const { cut, hold } = answers(100);
  hold('a1', 30);
  hold('b1', 20);
  hold('a2', 30);
  expect(cut).toEqual([]);
  hold('c1', 40);
  expect(cut).toEqual(['a1']);
  hold('c2', 40);
  expect(cut).toEqual(['a1', 'c1']);
});

test('what has been taken counts no more', () => {
  const { cut, hold } = answers(100);
  const taken = hold('a1', 60);
  taken();
  taken();
  hold('a2', 60);
  hold('b1', 40);
  expect(cut).toEqual([]);
});

test('an answer alone may be larger than all together', () => {
  const { cut, hold } = answers(100);
  hold('a1', 200);
  expect(cut).toEqual([]);
  hold('b1', 10);
  expect(cut).toEqual(['a1']);
});

test('an answer counts until it is taken, and not where its client left before it was there', async () => {
  const tenant = await createTenant();
  const text = 'x'.repeat(50_000);
  await insertTestimonials(await tenant.space(), [{ text_content: text }]);
  const taken = promised<void>();
  const hold = jest.spyOn(unsent(), 'hold').mockReturnValue(taken.resolve);
  const handled: Promise<void>[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.headers['x-leaves']) {
      request.socket.destroy();
      await once(response, 'close');
    }
    await handleNodeRequest(request, response, (task) => after(() => runDeferred(task)));
  };
  const server = createServer((request, response) => {
    handled.push(handle(request, response));
  });
  const url = `http://127.0.0.1:${await listen(server)}/api/v1/testimonials`;
  const authorization = `Bearer ${tenant.api.key}`;
  const leaving = fetch(url, { headers: { authorization, 'x-leaves': 'yes' } });
  await expect(leaving).rejects.toThrow();
  await Promise.all(handled);
  expect(hold).not.toHaveBeenCalled();
  await (await fetch(url, { headers: { authorization } })).text();
  expect(hold).toHaveBeenCalledTimes(1);
  await taken.promise;
  server.closeAllConnections();
  server.close();
});

test('a client that takes none of its large answers is cut off, and answers to others are whole', async () => {
  const { tenant } = await tenantWithLargeRows(30);
  const other = await createTenant();
  await insertLargeRows(await other.space(), 2);
  const handled: Promise<void>[] = [];
  const server = createServer((request, response) => {
    handled.push(handleNodeRequest(request, response, (task) => after(() => runDeferred(task))));
  });
  // Who reads nothing does not see the end of its connection.
  let cut = 0;
  server.on('connection', (socket) => socket.once('close', () => (cut += 1)));
  const port = await listen(server);
  const sockets = Array.from({ length: 6 }, () => {
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => {});
    socket.write(
      `GET /api/v1/testimonials HTTP/1.1\r\nHost: x\r\nAuthorization: ${tenant.api.key}\r\n\r\n`,
    );
    return socket;
  });
  while (cut === 0) await new Promise((done) => setImmediate(done));
  const authorization = `Bearer ${other.api.key}`;
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/testimonials`, {
    headers: { authorization },
  });
  expect((await answer.json()).data).toHaveLength(2);
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  server.close();
  await Promise.allSettled(handled);
});
