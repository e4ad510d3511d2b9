/** The twelve operations of the API over HTTP, as the holder of a key uses them. */
import assert from 'node:assert/strict';

type Json = Record<string, unknown>;

/** What has been answered with success, so that it has to be there for good. */
export class Ledger {
  /** By path below `/api/v1`. */
  readonly kept = new Map<string, Json>();
  readonly deleted = new Set<string>();

  delete(path: string): void {
    this.kept.delete(path);
    this.deleted.add(path);
  }
}

type Api = ReturnType<typeof apiOf>;

/** Calls with a time limit, whose answers must have the status and, as a success, its headers. */
export function apiOf(serviceUrl: string, key: string) {
  return async (method: string, path: string, status: number, body?: unknown): Promise<Json> => {
    const response = await fetch(`${serviceUrl}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    assert.equal(response.status, status, `${method} ${path}: ${text}`);
    for (const name of ['limit', 'remaining', 'reset']) {
      assert.match(response.headers.get(`x-ratelimit-${name}`) ?? '', /^\d+$/, name);
    }
    if (status === 204) assert.equal(text, '');
    return text === '' ? {} : JSON.parse(text);
  };
}

/** Calls every operation at least once, and writes down what has to last. */
export async function walkOperations(api: Api, ledger: Ledger): Promise<void> {
  const space = await walkSpaces(api, ledger);
  const create = async (name: string) => {
    const { data } = await api('POST', '/testimonials', 201, testimonialBody(space, name));
    const id = idOf(data);
    ledger.kept.set(`/testimonials/${id}`, asRow(data));
    return id;
  };
  const ids = [];
  for (const name of ['Ada', 'Ben', 'Cleo', 'Dora', 'Emil']) ids.push(await create(name));
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = ids;

  const changed = await api('PATCH', `/testimonials/${first}`, 200, { status: 'approved' });
  assert.equal(asRow(changed.data).status, 'approved');
  ledger.kept.set(`/testimonials/${first}`, asRow(changed.data));

  const batch = { testimonial_ids: [third, second], status: 'rejected' };
  const updated = await api('POST', '/testimonials/batch/update', 200, batch);
  assert.equal(updated.updated, 2);
  for (const row of asRows(updated.data)) ledger.kept.set(`/testimonials/${row.id}`, row);

  await api('DELETE', `/testimonials/${fourth}`, 204);
  ledger.delete(`/testimonials/${fourth}`);
  const removal = { testimonial_ids: [fifth, fourth] };
  const removed = await api('POST', '/testimonials/batch/delete', 200, removal);
  assert.deepEqual(removed, { deleted: 1 });
  ledger.delete(`/testimonials/${fifth}`);

  const page = await api('GET', `/testimonials?space_id=${space}&sort_order=asc`, 200);
  assert.deepEqual(asRows(page.data).map(idOf), [first, second, third]);
  assert.deepEqual(page.pagination, { total: 3, limit: 50, offset: 0, has_more: false });
  await checkLedger(api, ledger);
}

/** Returns the id of a space that stays. */
async function walkSpaces(api: Api, ledger: Ledger): Promise<string> {
  const [kept, gone] = [
    await api('POST', '/spaces', 201, { name: 'Kept' }),
    await api('POST', '/spaces', 201, { name: 'Gone' }),
  ].map(({ data }) => idOf(data));
  await api('DELETE', `/spaces/${gone}`, 204);
  ledger.delete(`/spaces/${gone}`);
  const changed = await api('PATCH', `/spaces/${kept}`, 200, { description: 'Über uns 🙂' });
  ledger.kept.set(`/spaces/${kept}`, asRow(changed.data));
  const page = await api('GET', '/spaces', 200);
  assert.deepEqual(asRows(page.data), [changed.data]);
  return String(kept);
}

/** Everything kept is there as it was answered, and nothing deleted is. */
export async function checkLedger(api: Api, { kept, deleted }: Ledger): Promise<void> {
  for (const [path, row] of kept) assert.deepEqual((await api('GET', path, 200)).data, row);
  for (const path of deleted) await api('GET', path, 404);
}

/** Creates testimonials one after another until a call fails, as it does when the service dies. */
export async function createUntilFailure(
  api: Api,
  space: string,
  ledger: Ledger,
  created: () => void,
): Promise<void> {
  for (;;) {
    try {
      const { data } = await api('POST', '/testimonials', 201, testimonialBody(space, 'Writer'));
      ledger.kept.set(`/testimonials/${idOf(data)}`, asRow(data));
      created();
    } catch (error) {
      // An answer that is not 201 is a failure of the test; no answer is what is waited for.
      if (error instanceof assert.AssertionError) throw error;
      return;
    }
  }
}

export function testimonialBody(space: string, name: string): Json {
  return {
    space_id: space,
    type: 'text',
    submitter_name: name,
    submitter_email: submitterEmail,
    text_content: `${name} was here`,
    rating: 5,
  };
}

export const submitterEmail = 'submitter-of-the-smoke-test@example.com';

function idOf(row: unknown): string {
  return String(asRow(row).id);
}

function asRow(value: unknown): Json {
  assert.ok(typeof value === 'object' && value !== null);
  return Object.fromEntries(Object.entries(value));
}

function asRows(value: unknown): Json[] {
  assert.ok(Array.isArray(value));
  return value.map(asRow);
}
