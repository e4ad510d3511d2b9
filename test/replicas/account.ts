/** An account that is written to, one change after the other, and read from all the while. */
import { randomInt, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Client } from '../chaos/client';
import { makeTenant } from '../chaos/tenant';
import {
  createLedger,
  type Ledger,
  pageOf,
  type Read,
  type Row,
  row,
  withSpace,
  withTestimonials,
} from './ledger';

export type Account = {
  write(client: Client): Promise<void>;
  /** Undefined where the answer is right, else what is wrong with it. */
  read(client: Client): Promise<string | undefined>;
};

/** About so many testimonials: few, so that changes are seen by most reads. */
const wantedRows = 25;
const wantedSpaces = 4;
const words = ['amber', 'birch', 'cedar', 'dahlia'];

const one = z.object({ data: row });
const many = z.object({ data: z.array(row) });
const page = z.object({ data: z.array(row), pagination: z.unknown() });

export async function makeAccount(port: () => number, client: Client): Promise<Account> {
  const { key, space } = await makeTenant(port);
  const send = senderOf(client, key);
  const { data } = one.parse(await send('GET', `/spaces/${space}`));
  const ledger = createLedger({ testimonials: new Map(), spaces: new Map([[space, data]]) });
  /** Of those that are gone, to ask for. */
  const gone = [randomUUID()];
  return {
    write: (by) => write(senderOf(by, key), ledger, gone),
    read: (by) => read(by, key, ledger, pick(readsOf(ledger, gone))),
  };
}

type Send = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** @throws Error where a change is not answered with success */
function senderOf(client: Client, key: string): Send {
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await client.send({ method, path: `/api/v1${path}`, headers, body });
    if (answer.status >= 200 && answer.status < 300) {
      return answer.text === '' ? undefined : JSON.parse(answer.text);
    }
    throw new Error(`${method} ${path}: ${answer.status} ${answer.failure ?? answer.text}`);
  };
}

/** One change of some kind. */
function write(send: Send, ledger: Ledger, gone: string[]): Promise<void> {
  const { testimonials, spaces } = ledger.now();
  const ids = [...testimonials.keys()];
  const space_id = pick([...spaces.keys()]);
  const kind = randomInt(100);
  return ledger.write(async () => {
    if (kind < 5) {
      const isNew = spaces.size < wantedSpaces;
      const name = `Space ${randomUUID()}`;
      const [method, path] = isNew ? ['POST', '/spaces'] : ['PATCH', `/spaces/${space_id}`];
      return withSpace(one.parse(await send(`${method}`, `${path}`, { name })).data);
    }
    if (ids.length < 5 || kind < 5 + 1.5 * (wantedRows - ids.length)) {
      const body = { space_id, type: 'text', submitter_name: 'Reader', text_content: text() };
      const { data } = one.parse(
        await send('POST', '/testimonials', { ...body, submitter_email: 'reader@example.com' }),
      );
      return withTestimonials([[data.id, data]]);
    }
    const some = [...new Set([pick(ids), pick(ids), pick(ids)])];
    const status = pick(['pending', 'approved', 'rejected']);
    if (kind < 65) {
      const change = kind < 50 ? { status } : { text_content: text() };
      const { data } = one.parse(await send('PATCH', `/testimonials/${some[0]}`, change));
      return withTestimonials([[data.id, data]]);
    }
    if (kind < 85) {
      const body = { testimonial_ids: some, status };
      const { data } = many.parse(await send('POST', '/testimonials/batch/update', body));
      return withTestimonials(data.map((changed): [string, Row] => [changed.id, changed]));
    }
    const path = kind < 95 ? '/testimonials/batch/delete' : `/testimonials/${some[0]}`;
    const deleted = kind < 95 ? some : some.slice(0, 1);
    await (kind < 95 ? send('POST', path, { testimonial_ids: deleted }) : send('DELETE', path));
    gone.push(...deleted);
    return withTestimonials(deleted.map((id): [string, undefined] => [id, undefined]));
  });
}

async function read(
  client: Client,
  key: string,
  ledger: Ledger,
  asked: Read,
): Promise<string | undefined> {
  const isRight = ledger.read();
  const answer = await client.send({
    path: `/api/v1${asked.path}`,
    headers: { authorization: `Bearer ${key}` },
  });
  const { status, text, failure = '' } = answer;
  const parsed: unknown = status === 200 ? JSON.parse(text) : undefined;
  const body = page.safeParse(parsed).data ?? one.safeParse(parsed).data;
  if (await isRight({ status, body }, asked)) return undefined;
  return `${asked.path}: ${status} ${failure} ${text.slice(0, 500)}`;
}

function readsOf(ledger: Ledger, gone: string[]): Read[] {
  const { testimonials, spaces } = ledger.now();
  const known = [...testimonials.keys()];
  const listOf = (
    query: string,
    isIn: (one: Row) => boolean,
    of: Parameters<typeof pageOf>[1],
  ) => ({
    path: `/testimonials?limit=${of.limit}&offset=${of.offset ?? 0}${query}`,
    expected: (state: ReturnType<Ledger['now']>) => ({
      status: 200,
      body: pageOf([...state.testimonials.values()].filter(isIn), of),
    }),
  });
  const status = pick(['pending', 'approved', 'rejected']);
  const word = pick(words);
  const all = listOf('', () => true, { limit: 50 });
  return [
    all,
    all,
    listOf('', () => true, { limit: 3, offset: 2 }),
    listOf(`&status=${status}`, (one) => one.status === status, { limit: 10 }),
    listOf(`&search=${word}`, (one) => one.text_content?.includes(word) ?? false, { limit: 10 }),
    single('testimonials', pick(known.length > 0 ? known : gone)),
    single('testimonials', pick(gone.slice(-5))),
    single('spaces', pick([...spaces.keys()])),
    {
      path: '/spaces?limit=50',
      expected: (state) => ({ status: 200, body: pageOf(state.spaces.values(), { limit: 50 }) }),
    },
  ];
}

function single(of: 'testimonials' | 'spaces', id: string): Read {
  return {
    path: `/${of}/${id}`,
    expected: (state) => {
      const data = state[of].get(id);
      return data ? { status: 200, body: { data } } : { status: 404 };
    },
  };
}

function text(): string {
  return `${pick(words)} ${pick(words)} ${randomUUID()}`;
}

function pick<T>(choices: T[]): T {
  const chosen = choices[randomInt(choices.length)];
  if (chosen === undefined) throw new Error('There is nothing to choose from');
  return chosen;
}
