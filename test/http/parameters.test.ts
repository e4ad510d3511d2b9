import type { IncomingMessage, ServerResponse } from 'node:http';
import { closeFronts, head, openPeer, serve } from './front';

afterEach(closeFronts);

async function echoTarget({ url }: IncomingMessage, response: ServerResponse): Promise<void> {
  response.end(`at ${url}.`);
}

const many = 'a&'.repeat(100);

// Next goes over all of them for each: of 7,000 it takes seconds.
test.each([
  ['a page', `/sign-in?${many}`],
  ['a page, behind a second question mark', `/sign-in?b?${many}`],
  ['a page, with names', `/sign-in?${Array.from({ length: 101 }, (_, i) => `n${i}=1`).join('&')}`],
  ['what is no page of ours', `/nothing?${many}`],
  ['the dashboard', `/api/trpc/spaces.list?${many}`],
  ['a whole address', `http://example.com/sign-in?${many}`],
])('more than 100 parameters are refused before Next sees them: %s', async (_name, target) => {
  const { port } = await serve({ handleOther: echoTarget });
  const text = await openPeer(port, head('GET', target)).until(/\}\}$/);
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  expect(text).toContain('VALIDATION_ERROR');
});

test('100 parameters come through, and the API has its own rules', async () => {
  const { port } = await serve({ handleOther: echoTarget, handleRest: echoTarget });
  const page = `/sign-in?${many.slice(0, -1)}`;
  const list = `/api/v1/spaces?${many}`;
  for (const target of [page, list]) {
    const text = await openPeer(port, head('GET', target)).until(/\.$/);
    expect(text).toContain(`at ${target}.`);
  }
});
