import { randomUUID } from 'node:crypto';
import { createTenant, minimalTestimonial, type Tenant } from '../helpers/accounts';
import { settled } from '../helpers/next-server';
import { sendDescribed } from '../rest/conformance';
import { operationCases } from '../rest/contract';
import { describeFunctions } from './describe';

describeFunctions('with a process for each request, and one connection', () => {
  let tenant: Tenant;

  beforeAll(async () => {
    tenant = await createTenant();
  });

  test.each(operationCases)('%s answers as the document says', async (_, operation) => {
    const { path, json } = await operation.prepare(tenant);
    const { key } = tenant.api;
    const options = json === undefined ? { key } : { key, json };
    const { status } = await sendDescribed(operation.method, path, options);
    expect(status).toBe(operation.success);
  });

  test('a key for a request holds in every process, one after the other and at once', async () => {
    const space = await tenant.space();
    const json = { ...minimalTestimonial(space.id), submitter_name: 'Once Only' };
    const headers = { 'idempotency-key': randomUUID() };
    const create = () =>
      sendDescribed('POST', '/testimonials', { key: tenant.api.key, headers, json });
    const answers = await Promise.all([create(), create(), create()]);
    answers.push(await create());

    // Who comes while another is at it is told so, and tries again.
    const made = answers.filter(({ status }) => status !== 409);
    expect(new Set(made.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    const replayed = made.filter(({ headers }) => headers.has('idempotency-replayed'));
    expect(replayed).toHaveLength(made.length - 1);
    const { body } = await tenant.api.get(`/testimonials?space_id=${space.id}`);
    expect(body.pagination.total).toBe(1);
    await settled();
    const events = await tenant.events();
    expect(events.filter(({ resourceId }) => resourceId === body.data[0].id)).toHaveLength(1);
  });
});
