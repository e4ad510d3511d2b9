import { createClient, failure, loseAnswer, refuseConnection } from './client';

test('a walk has every row once, whatever comes and goes meanwhile', async () => {
  const { api, tenant, sent, faults } = await createClient();
  const space = await tenant.space();
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) ids.push((await tenant.testimonial(space.id)).id);
  const seen: string[] = [];
  faults.push(() => null, loseAnswer);
  for await (const { id } of api.iterateTestimonials({ status: 'pending', limit: 2 })) {
    seen.push(id);
    if (seen.length === 1) await tenant.testimonial(space.id);
  }
  expect(seen).toEqual([...ids].reverse());
  expect(sent.map(({ url }) => url.searchParams.get('cursor'))[0]).toBe('start');
  // Three pages, one of them twice.
  expect(sent).toHaveLength(4);
  expect(new Set(sent.map(({ url }) => url.searchParams.get('status')))).toEqual(
    new Set(['pending']),
  );
});

test('a walk through an empty list ends, and pages have a hundred rows', async () => {
  const { api, sent } = await createClient();
  for await (const { name } of api.iterateSpaces()) throw new Error(name);
  expect(sent.map(({ url }) => url.search)).toEqual(['?limit=100&cursor=start']);
});

test('a walk that is left asks for no further page', async () => {
  const { api, tenant, sent } = await createClient();
  for (let count = 0; count < 3; count += 1) await tenant.space();
  for await (const _ of api.iterateSpaces({ limit: 1 })) break;
  expect(sent).toHaveLength(1);
});

test('a walk fails as a call does', async () => {
  const { api, faults } = await createClient({ maxAttempts: 1 });
  faults.push(refuseConnection);
  await expect(api.iterateSpaces().next()).rejects.toMatchObject({ code: 'CONNECTION_FAILED' });
});

test('a walk ends with the signal’s reason', async () => {
  const { api, sent } = await createClient();
  const reason = new Error('Enough');
  const options = { signal: AbortSignal.abort(reason) };
  expect(await failure(api.iterateTestimonials({}, options).next())).toBe(reason);
  expect(await failure(api.iterateSpaces({}, options).next())).toBe(reason);
  expect(sent).toEqual([]);
});

test.each([
  '{}',
  '[]',
  '{"data":[]}',
  '{"data":[],"pagination":null}',
  '{"data":{},"pagination":{"next_cursor":"a"}}',
  // A feed would begin again with its oldest event, for ever.
  '{"data":[],"pagination":{"next_cursor":""}}',
  // As of a server that knows no cursor: of a long list, the rest would be missing without a word.
  '{"data":[],"pagination":{"total":3,"limit":1,"offset":0,"has_more":true}}',
])('%s in place of a page is an error of its own, to a walk and to a feed', async (body) => {
  const { api, faults } = await createClient();
  const other = async () => new Response(body);
  faults.push(other, other);
  const unexpected = { name: 'TestimonialsError', code: 'UNEXPECTED_RESPONSE' };
  expect(await failure(api.iterateSpaces().next())).toMatchObject(unexpected);
  expect(await failure(api.followEvents().pages().next())).toMatchObject(unexpected);
});
