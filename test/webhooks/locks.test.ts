import { Client } from 'pg';
import { database } from '@/src/database/client';
import { env } from '@/src/env';
import { log } from '@/src/logging/log';
import type { EventType } from '@/src/outbox/event-types';
import { webhookLimits } from '@/src/webhooks/limits';
import type { Claimed } from '@/src/webhooks/sending/claim';
import { renewLeases } from '@/src/webhooks/sending/leases';
import { createOutcomeBatches } from '@/src/webhooks/sending/outcome-batches';
import { recordOutcomes } from '@/src/webhooks/sending/outcomes';
import { minimalTestimonial } from '../helpers/accounts';
import { drainAt } from '../helpers/drain';
import { later } from '../helpers/durations';
import { onServer, untilSomebodyWaits } from '../helpers/locks';
import { withOwnDatabase } from '../helpers/own-database';
import { addPending } from './backlog';
import { newWebhooks, somewhere } from './dashboard';
import { claimAt, newSending, success } from './sending';

const opened: Client[] = [];

// Before the database is emptied, which would wait for their locks.
afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.end()));
});

withOwnDatabase();

/** Another process in the middle of a transaction. */
async function inTransaction(): Promise<Client> {
  const client = new Client({ connectionString: env().DATABASE_URL });
  opened.push(client);
  await client.connect();
  await client.query('BEGIN');
  return client;
}

onServer('of endpoints made at the same moment, an account gets ten', async () => {
  const { endpoints } = await newWebhooks();
  const event_types: EventType[] = ['testimonial.created'];
  const input = { url: somewhere, event_types };
  const made = await Promise.allSettled(Array.from({ length: 30 }, () => endpoints.create(input)));
  const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason.apiCode] : []));
  expect(refused).toEqual(Array(20).fill('LIMIT_EXCEEDED'));
  expect(await endpoints.list()).toHaveLength(webhookLimits.endpointsPerAccount);
});

onServer(
  'a claim passes over what another is about to take, and does not wait for it',
  async () => {
    const { endpointId } = await newSending();
    await addPending(endpointId, 3);
    const other = await inTransaction();
    const { rows } = await other.query<{ id: string }>(
      'SELECT id FROM webhook_deliveries LIMIT 2 FOR UPDATE',
    );
    const claimed = await claimAt();
    expect(claimed).toHaveLength(1);
    expect(rows.map(({ id }) => id)).not.toContain(claimed[0]?.id);
  },
);

onServer('claims that choose the same deliveries at the same moment share them out', async () => {
  const { endpointId } = await newSending();
  await addPending(endpointId, 400);
  for (let round = 0; round < 40; round++) {
    const claims = await Promise.all(Array.from({ length: 5 }, () => claimAt({ free: 5 })));
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    await database().$executeRaw`
      DELETE FROM webhook_deliveries WHERE lease_token IS NOT NULL`;
  }
});

onServer('a claim leaves to its time what has failed since it was chosen', async () => {
  const { endpointId } = await newSending();
  await addPending(endpointId, 2);
  const other = await inTransaction();
  // The claim takes one after the other, and is held up between them.
  await database().$executeRaw`
    CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END'`;
  try {
    await database().$executeRaw`
      CREATE TRIGGER wait_for_test BEFORE UPDATE ON webhook_deliveries
        FOR EACH ROW EXECUTE FUNCTION wait_for_test()`;
    await other.query('SELECT pg_advisory_xact_lock(1)');
    const claiming = claimAt();
    await untilSomebodyWaits(other);
    const { rowCount } = await other.query(
      `UPDATE webhook_deliveries SET attempt_count = 1, schedule_step = 1,
        next_attempt_at = clock_timestamp() + interval '5 minutes'
      WHERE id IN (SELECT id FROM webhook_deliveries FOR UPDATE SKIP LOCKED)`,
    );
    expect(rowCount).toBe(1);
    await other.query('COMMIT');
    expect(await claiming).toMatchObject([{ step: 0 }]);
  } finally {
    await other.query('ROLLBACK');
    await database().$executeRaw`DROP FUNCTION wait_for_test CASCADE`;
  }
});

onServer('leases are renewed without waiting for what is just being recorded', async () => {
  const { endpointId } = await newSending();
  await addPending(endpointId, 3);
  const claimed = await claimAt();
  const other = await inTransaction();
  const [recording] = claimed;
  await other.query('SELECT FROM webhook_deliveries WHERE id = $1 FOR UPDATE', [recording?.id]);
  const later = new Date(Date.now() + 3_600_000);
  await renewLeases(claimed, later);
  const renewed = await database().webhookDelivery.findMany({
    where: { leasedUntil: { gt: later } },
    select: { id: true },
  });
  const ids = claimed.slice(1).map(({ id }) => id);
  expect(renewed.map(({ id }) => id).sort()).toEqual(ids.sort());
});

/** What two senders have to send is claimed; `add` has the outcomes of one of them recorded. */
async function claimedOfTwo() {
  const [held, other] = [await newSending(), await newSending()];
  await held.write();
  await other.write();
  const claimed = await claimAt({ now: later() });
  const batches = createOutcomeBatches({ random: Math.random });
  const add = ({ endpointId }: typeof held, result: typeof success | typeof timeout) =>
    Promise.all(
      claimed
        .filter((one) => one.endpointId === endpointId)
        .map((one) => batches.add({ claimed: one, result })),
    );
  return { held, other, claimed, add };
}

onServer(
  'an outcome whose delivery is locked keeps no other waiting, and is recorded later',
  async () => {
    const { held, other, add } = await claimedOfTwo();
    const holder = await inTransaction();
    const rowOfHeld = 'SELECT FROM webhook_deliveries WHERE endpoint_id = $1 FOR UPDATE';
    await holder.query(rowOfHeld, [held.endpointId]);
    const warn = jest.spyOn(log(), 'warn').mockReturnValue();
    const heldIsAdded = add(held, success);
    await add(other, success);
    expect(await other.deliveries()).toMatchObject([{ state: 'succeeded', attempt_count: 1 }]);
    expect(await held.deliveries()).toMatchObject([{ state: 'pending', attempt_count: 0 }]);
    await holder.query('COMMIT');
    await heldIsAdded;
    expect(await held.deliveries()).toMatchObject([{ state: 'succeeded', attempt_count: 1 }]);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  },
);

onServer(
  'an outcome whose endpoint is locked keeps no other waiting, and is recorded later',
  async () => {
    const { held, other, claimed, add } = await claimedOfTwo();
    const holder = await inTransaction();
    const endpointOfHeld = 'SELECT FROM webhook_endpoints WHERE id = $1 FOR UPDATE';
    await holder.query(endpointOfHeld, [held.endpointId]);
    // Whoever changes it waits for that, and has its turn meanwhile.
    const paused = held.webhooks.endpoints.update({ id: held.endpointId, enabled: false });
    await untilSomebodyWaits(holder);
    const heldIsAdded = add(held, timeout);
    await add(other, timeout);
    expect(await other.deliveries()).toMatchObject([{ state: 'pending', attempt_count: 1 }]);
    expect(await other.endpoint()).toMatchObject({ failure_count: 1 });
    expect(await held.deliveries()).toMatchObject([{ state: 'pending', attempt_count: 0 }]);
    await renewLeases(claimed);
    await holder.query('COMMIT');
    await Promise.all([heldIsAdded, paused]);
    expect(await held.deliveries()).toMatchObject([{ state: 'pending', attempt_count: 1 }]);
    expect(await held.endpoint()).toMatchObject({ status: 'paused', failure_count: 1 });
  },
);

onServer('an outcome that changes no endpoint waits for none', async () => {
  const { endpointId, write, deliveries } = await newSending();
  await write();
  const claimed = await claimAt({ now: later() });
  const other = await inTransaction();
  await other.query('SELECT FROM webhook_endpoints WHERE id = $1 FOR UPDATE', [endpointId]);
  const succeeded = claimed.map((one) => ({ claimed: one, result: success }));
  expect(await recordOutcomes(succeeded, { random: Math.random })).toBe(1);
  await other.query('COMMIT');
  expect(await deliveries()).toMatchObject([{ state: 'succeeded' }]);
});

onServer('a failure counts on what the endpoint has become while it was locked', async () => {
  const { endpointId, write, endpoint } = await newSending();
  await write();
  const claimed = await claimAt();
  const other = await inTransaction();
  const params = [endpointId];
  await other.query('SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR UPDATE', params);
  const record = () => recordOutcomes(failures(claimed), { random: Math.random });
  expect(await record()).toBe(0);
  await other.query(
    `UPDATE webhook_endpoints SET failure_count = 7, failing_since = now() WHERE id = $1`,
    params,
  );
  await other.query('COMMIT');
  expect(await record()).toBe(1);
  expect(await endpoint()).toMatchObject({ failure_count: 8 });
});

onServer('an endpoint deleted while an outcome is recorded leaves nothing to record', async () => {
  const { held, other, add } = await claimedOfTwo();
  const holder = await inTransaction();
  await holder.query('DELETE FROM webhook_endpoints WHERE id = $1', [held.endpointId]);
  const warn = jest.spyOn(log(), 'warn').mockReturnValue();
  const heldIsAdded = add(held, timeout);
  // Recorded after the first try at the other, which is locked.
  await add(other, timeout);
  await holder.query('COMMIT');
  await heldIsAdded;
  expect(await held.webhooks.endpoints.list()).toEqual([]);
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

onServer(
  'endpoints are changed while events are written and failures recorded, and none ends in a deadlock',
  async () => {
    const warned = jest.spyOn(log(), 'warn');
    const { endpointId: id, write, webhooks } = await newSending();
    const { update, rotateSecret } = webhooks.endpoints;
    const record = async () => recordOutcomes(failures(await claimAt()), { random: Math.random });
    const times = async (count: number, task: () => Promise<unknown>) => {
      for (; count > 0; count -= 1) await task();
    };
    const ends = await Promise.allSettled([
      ...[write, write, write].map((task) => times(60, task)),
      ...[record, record].map((task) => times(90, task)),
      times(60, () => update({ id, enabled: true })),
      times(60, () => update({ id, enabled: true })),
      times(60, () => rotateSecret({ id })),
    ]);
    expect(ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))).toEqual([]);
    // One that was ended, and done again, says so.
    expect(warned.mock.calls).toEqual([]);
  },
);

onServer('a test of an endpoint that is being deleted finds none, and sends nothing', async () => {
  const { endpointId, webhooks } = await newSending();
  const other = await inTransaction();
  await other.query('DELETE FROM webhook_endpoints WHERE id = $1', [endpointId]);
  const sent = webhooks.endpoints.sendTest({ id: endpointId });
  await untilSomebodyWaits(other);
  await other.query('COMMIT');
  await expect(sent).rejects.toMatchObject({ apiCode: 'WEBHOOK_ENDPOINT_NOT_FOUND' });
  expect(await database().webhookEvent.count({ where: { isTest: true } })).toBe(0);
});

onServer('a write whose endpoint is being deleted is done, and sent to nobody there', async () => {
  const { endpointId, spaceId, tenant } = await newSending();
  const other = await inTransaction();
  await other.query('DELETE FROM webhook_endpoints WHERE id = $1', [endpointId]);
  const body = minimalTestimonial(spaceId);
  const written = tenant.api.post('/testimonials', body);
  await Promise.race([untilSomebodyWaits(other), written]);
  await other.query('COMMIT');
  expect((await written).status).toBe(201);
  expect(await tenant.events()).toMatchObject([{ type: 'testimonial.created' }]);
  expect(await database().webhookDelivery.count()).toBe(0);
});

onServer('a replay leaves alone what has succeeded while it waited', async () => {
  const { endpointId, receiver, webhooks, write, deliveries } = await newSending();
  await write();
  await database().$executeRaw`
    UPDATE webhook_deliveries SET state = 'failed', next_attempt_at = NULL, attempt_count = 1`;
  const other = await inTransaction();
  await other.query(`UPDATE webhook_deliveries SET state = 'succeeded'`);
  const since = '2026-01-01T00:00:00Z';
  const replayed = webhooks.deliveries.replayFailed({ endpoint_id: endpointId, since });
  await Promise.race([untilSomebodyWaits(other), replayed]);
  await other.query('COMMIT');
  expect(await replayed).toEqual({ replayed: 0, has_more: false });
  expect(await drainAt(later())).toBe(0);
  expect(await deliveries()).toMatchObject([{ state: 'succeeded', attempt_count: 1 }]);
  expect(receiver.received).toEqual([]);
});

const timeout = {
  durationMs: 1,
  status: null,
  errorClass: 'timeout' as const,
  responseHeaders: null,
  responseBody: null,
  retryAfter: undefined,
  answeredAt: new Date(),
};

function failures(claimed: Claimed[]) {
  return claimed.map((one) => ({ claimed: one, result: timeout }));
}
