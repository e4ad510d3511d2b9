import { createTRPCClient, TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { AppRouter } from '@/src/router';
import { idempotencyKeyOf, renewOnce, useOnce } from '@/src/ui/calls/once';

let context: Record<string, unknown> = {};

function Page() {
  context = useOnce();
  return null;
}

/** As a page has it that makes something. */
function newContext(): Record<string, unknown> {
  renderToStaticMarkup(createElement(Page));
  return context;
}

/** Makes something, whose answer is lost or not, and returns the key that was sent. */
async function make(context: Record<string, unknown>, { isLost = false } = {}) {
  let sent: string | undefined;
  const answering: TRPCLink<AppRouter> =
    () =>
    ({ op }) =>
      observable(({ next, complete, error }) => {
        sent = idempotencyKeyOf(op.context);
        if (isLost) return error(TRPCClientError.from(new Error('no answer')));
        next({ result: { data: {} } });
        complete();
      });
  const client = createTRPCClient<AppRouter>({ links: [renewOnce, answering] });
  await client.spaces.create.mutate({ name: 'A' }, { context }).catch(() => {});
  return sent;
}

test('what is made is sent under one key until an answer came, and then under another', async () => {
  const context = newContext();
  const first = await make(context, { isLost: true });
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(await make(context, { isLost: true })).toBe(first);
  expect(await make(context)).toBe(first);
  const second = await make(context);
  expect(second).toMatch(/^[0-9a-f]{32}$/);
  expect(second).not.toBe(first);
});

test('a key is of one length, whatever the bytes are that it is made of', async () => {
  jest.spyOn(crypto, 'getRandomValues').mockImplementationOnce((bytes) => bytes);
  expect(await make(newContext())).toBe('0'.repeat(32));
});

test('two forms have keys of their own', async () => {
  expect(await make(newContext())).not.toBe(await make(newContext()));
});

test('what makes nothing is sent without a key', async () => {
  expect(await make({})).toBeUndefined();
  expect(await make({ once: { key: 'a' } })).toBeUndefined();
});
