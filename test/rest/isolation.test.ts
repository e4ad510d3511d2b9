import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { TRPCError } from '@trpc/server';
import { byteStream } from '@/src/api/fields';
import type { Principal } from '@/src/api/principal';
import { scope } from '@/src/api/scopes';
import { createCallerFactory } from '@/src/api/trpc';
import { commandLine } from '@/src/audit/actor';
import { database } from '@/src/database/client';
import { directWriter } from '@/src/database/writer';
import { appRouter } from '@/src/router';
import { createTestimonialInput } from '@/src/testimonials/schema';
import { createEndpoint } from '@/src/webhooks/endpoints';
import { createTenant } from '../helpers/accounts';
import { digestOfAccount } from '../helpers/digest';
import { idsOfOthers } from '../helpers/ids-of-others';
import { settled } from '../helpers/next-server';
import { insertRows } from '../requests/log';
import { temporaryFiles } from '../storage/files';
import { callByName, cases, type Ids, missing, newEndpoint } from './isolation-cases';

temporaryFiles();

const procedures = Object.entries<unknown>(appRouter._def.procedures);

/** Every text that a testimonial may have, by which it is told wherever one of them is answered. */
function textsOf(accountId: string): Record<string, string> {
  const names = createTestimonialInput.omit({ space_id: true }).keyof().options;
  const takesAnyText = (name: (typeof names)[number]) =>
    createTestimonialInput.shape[name].safeParse(accountId).success;
  return Object.fromEntries(names.filter(takesAnyText).map((name) => [name, accountId]));
}

async function createOwner(liveUserId?: string) {
  const tenant = await createTenant();
  const { accountId } = tenant;
  if (liveUserId) {
    await database().user.update({ where: { id: accountId }, data: { liveUserId } });
  }
  const { id: endpoint } = await createEndpoint(accountId, newEndpoint, commandLine, directWriter);
  const space = await tenant.space({ name: `Secret ${accountId}` });
  // Approved and rated, as a list that shows such rows alone is to meet it.
  const { id: testimonial } = await tenant.testimonial(space.id, {
    ...textsOf(accountId),
    status: 'approved',
    rating: 5,
  });
  const apiKey = await database().apiKey.findFirstOrThrow({ where: { userId: accountId } });
  const { id: delivery, eventId: event } = await database().webhookDelivery.findFirstOrThrow({
    where: { endpointId: endpoint },
  });
  // Failed, as what is counted and sent again has to be.
  await database().webhookDelivery.update({
    where: { id: delivery },
    data: { state: 'failed', nextAttemptAt: null },
  });
  const { id: session } = await database().session.create({
    data: { userId: accountId, token: randomUUID(), expiresAt: new Date(Date.now() + 60_000) },
  });
  const [request = ''] = await insertRows(accountId, [
    { receivedAt: new Date(), keyId: apiKey.id },
  ]);
  const made = { space: space.id, testimonial, apiKey: apiKey.id, endpoint, delivery };
  const ids: Ids = { ...made, event, session, request };
  await settled();
  return { accountId, ids, digest: await digestOfAccount(accountId) };
}

const createCaller = createCallerFactory(appRouter);

/** What a caller sees of a call, as text: what it returns, or the error. */
async function outcome(name: string, input: unknown, principal: Principal | null) {
  try {
    const answer = await callByName(createCaller({ principal }), name, input);
    return { isDone: true, text: await textOf(answer) };
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error;
    return { isDone: false, text: `${error.code} ${error.message}` };
  }
}

/** Of a stream, all that comes. */
async function textOf(answer: unknown): Promise<string> {
  const { data: stream } = byteStream.safeParse(answer);
  return stream ? text(stream) : JSON.stringify(answer ?? null);
}

const session = (accountId: string): Principal => ({
  accountId,
  scopes: scope.options,
  via: 'session',
  sessionId: randomUUID(),
});

const testSession = (accountId: string, liveAccountId: string): Principal => ({
  ...session(accountId),
  liveAccountId,
});

const apiKey = (accountId: string, keyId?: string): Principal => ({
  accountId,
  scopes: scope.options,
  via: 'api-key',
  ...(keyId && { keyId }),
});

type Owner = Awaited<ReturnType<typeof createOwner>>;

/** Whose rows the calls of others name: nothing may change them, so all cases share them. */
let foreign: Owner;
/** Both accounts of one person, of which only the rows of `to` are named, by calls from the other. */
let modes: { from: Owner; to: Owner; session: Principal }[];

beforeAll(async () => {
  foreign = await createOwner();
  const live = { from: await createOwner(), to: await createOwner() };
  const test = {
    to: await createOwner(live.from.accountId),
    from: await createOwner(live.to.accountId),
  };
  modes = [
    { from: live.from, to: test.to, session: session(live.from.accountId) },
    {
      from: test.from,
      to: live.to,
      session: testSession(test.from.accountId, live.to.accountId),
    },
  ];
});

test('every procedure of the service has a case here', () => {
  expect(Object.keys(cases).sort()).toEqual(procedures.map(([name]) => name).sort());
});

test('an id of another account is known as such, of whatever row', async () => {
  const ids = [foreign.accountId, ...Object.values(foreign.ids)];
  expect((await idsOfOthers(randomUUID(), JSON.stringify(ids))).sort()).toEqual(ids.sort());
  expect(await idsOfOthers(foreign.accountId, JSON.stringify(ids))).toEqual([]);
});

describe.each(Object.entries(cases))('%s', (name, { input, isOfKeys, isOfTestMode }) => {
  const isAboutRows = ({ ids }: Owner) =>
    JSON.stringify(input(missing)) !== JSON.stringify(input(ids));

  test('answers for rows of another account as for missing ones, and leaves them untouched', async () => {
    for (const principalOf of [session, apiKey]) {
      const { accountId } = await createTenant();
      const stranger = principalOf(accountId);
      const forMissing = await outcome(name, input(missing), stranger);
      const forForeign = await outcome(name, input(foreign.ids), stranger);
      if (isAboutRows(foreign)) expect(forForeign).toEqual(forMissing);
      for (const secret of [foreign.accountId, ...Object.values(foreign.ids)]) {
        expect(forForeign.text).not.toContain(secret);
      }
      // Nor anybody's: a limit or an order may leave out those that are known here.
      expect(await idsOfOthers(accountId, forForeign.text)).toEqual([]);
    }
    expect(await digestOfAccount(foreign.accountId)).toBe(foreign.digest);
  });

  test('reaches the rows when the same input comes from their owner', async () => {
    const { accountId, ids } = await createOwner();
    const principal = isOfKeys ? apiKey(accountId, ids.apiKey) : session(accountId);
    expect((await outcome(name, input(ids), principal)).isDone).toBe(!isOfTestMode);
    if (!isOfTestMode) return;
    const test = await createOwner(accountId);
    const inTestMode = testSession(test.accountId, accountId);
    expect((await outcome(name, input(test.ids), inTestMode)).isDone).toBe(true);
  });

  test('answers in one mode for rows of the other as for missing ones, and leaves them untouched', async () => {
    // Sessions are the person's in both modes.
    const isOfPerson = name.startsWith('account.');
    for (const { from, to, session: ofPages } of isOfPerson ? modes.slice(0, 1) : modes) {
      for (const principal of [ofPages, apiKey(from.accountId, from.ids.apiKey)]) {
        const forMissing = await outcome(name, input(missing), principal);
        const forOther = await outcome(name, input(to.ids), principal);
        if (isAboutRows(to)) expect(forOther).toEqual(forMissing);
        for (const secret of Object.values(to.ids)) expect(forOther.text).not.toContain(secret);
      }
      expect(await digestOfAccount(to.accountId)).toBe(to.digest);
    }
  });

  test('is closed to whoever is nobody', async () => {
    const answer = await outcome(name, input(foreign.ids), null);
    expect(answer).toMatchObject({ isDone: false, text: expect.stringMatching(/^UNAUTHORIZED/) });
  });
});

test('an API key opens no procedure that is not part of the REST API', async () => {
  const { accountId, ids } = await createOwner();
  const sessionOnly = procedures.filter(([, procedure]) => {
    const { meta } = Reflect.get(Object(procedure), '_def');
    return !meta?.openapi;
  });
  expect(sessionOnly.length).toBeGreaterThan(0);
  for (const [name] of sessionOnly) {
    const answer = await outcome(name, cases[name]?.input(ids), apiKey(accountId));
    expect([name, answer.text]).toEqual([name, expect.stringMatching(/^UNAUTHORIZED/)]);
  }
});

test('lists hold the rows of the caller’s account and no other', async () => {
  const [one, two] = [await createOwner(), await createOwner()];
  for (const name of [
    'testimonials.list',
    'spaces.list',
    'events.list',
    'apiKeys.list',
    'audit.list',
    'account.sessions.list',
    'requests.list',
    'requests.keys',
    'webhooks.endpoints.list',
  ]) {
    const { text } = await outcome(name, {}, session(one.accountId));
    expect(Object.values(one.ids).some((id) => text.includes(id))).toBe(true);
    expect(Object.values(two.ids).some((id) => text.includes(id))).toBe(false);
    expect([name, await idsOfOthers(one.accountId, text)]).toEqual([name, []]);
  }
});
