import { withLoggedFailures } from '@/src/service/silent-failures';
import { logLines } from '../helpers/log-lines';
import { closeFronts, head, openPeer, serve } from '../http/front';

afterEach(closeFronts);

/** The lines of the log after an answer of Next. */
async function linesOf(status: number, type?: string): Promise<unknown[]> {
  // Of those that are alike within a second, the first is an error.
  const lines = logLines('error', 'info');
  const { port } = await serve({
    handleOther: withLoggedFailures(async (_, response) => {
      response.statusCode = status;
      if (type) response.setHeader('Content-Type', type);
      response.end('Internal Server Error;');
    }),
  });
  await openPeer(port, head('GET', '/sign-in?next=/')).until(/;/);
  return lines;
}

test.each(['text/plain', undefined])(
  'what Next gives up, as %p, has a line with its page',
  async (type) => {
    const line = expect.objectContaining({ page: '/sign-in', code: 'INTERNAL_ERROR' });
    expect(await linesOf(500, type)).toEqual([[line, 'page failed']]);
  },
);

test.each([
  ['a page that says so, of which the log has a line', 500, 'text/html; charset=utf-8'],
  ['a page that is not there', 404, 'text/plain'],
])('%s has none by it', async (_, status, type) => {
  expect(await linesOf(status, type)).toEqual([]);
});
