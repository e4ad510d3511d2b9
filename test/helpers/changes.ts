import fc from 'fast-check';
import { DatabaseError } from 'pg';
import { pool } from '@/src/database/client';
import { createTenant, minimalTestimonial } from './accounts';
import { type Answer, type SendOptions, send } from './client';

/** An account with the ids that changes have given it; some may be gone, or another's by now. */
export type Actor = { accountId: string; key: string; spaces: string[]; testimonials: string[] };

export type Actors = {
  all: Actor[];
  send: (method: string, path: string, options: SendOptions) => Promise<Answer>;
};

/** One change; which rows the numbers stand for is known when it is made. */
type Change = {
  kind: Kind;
  actor: number;
  /** Where rows are moved to. */
  other: number;
  space: number;
  rows: number[];
  type: 'text' | 'video';
  status: 'pending' | 'approved' | 'rejected';
  rating: number | null;
  text: string | null;
  /** Which fields an update has. */
  fields: ('status' | 'rating' | 'text')[];
};

/** An HTTP status, or what Postgres said: a SQLSTATE, '' where it did as told. */
export type Outcome = number | string;

type Made = Change & { by: Actor; to: Actor; spaceId: string; toSpace: string; ids: string[] };
type Make = (actors: Actors, change: Made) => Promise<Outcome>;

const throughApi = {
  create: async ({ send }, { by, spaceId, type, status, rating, text }) => {
    const fields = { type, status, ...(rating && { rating }), ...(text && { text_content: text }) };
    const json = { ...minimalTestimonial(spaceId), ...fields };
    return note(by.testimonials, await send('POST', '/testimonials', { key: by.key, json }));
  },
  update: async ({ send }, { by, ids: [id], fields, status, rating, text }) => {
    const json = {
      ...(fields.includes('status') && { status }),
      ...(fields.includes('rating') && { rating: rating ?? 3 }),
      ...(fields.includes('text') && { text_content: text ?? '' }),
    };
    return (await send('PATCH', `/testimonials/${id}`, { key: by.key, json })).status;
  },
  updateBatch: async ({ send }, { by, ids, status }) => {
    const json = { testimonial_ids: ids, status };
    return (await send('POST', '/testimonials/batch/update', { key: by.key, json })).status;
  },
  deleteBatch: async ({ send }, { by, ids }) => {
    const json = { testimonial_ids: ids };
    return (await send('POST', '/testimonials/batch/delete', { key: by.key, json })).status;
  },
  delete: async ({ send }, { by, ids: [id] }) =>
    (await send('DELETE', `/testimonials/${id}`, { key: by.key })).status,
  createSpace: async ({ send }, { by }) =>
    note(by.spaces, await send('POST', '/spaces', { key: by.key, json: { name: 'A space' } })),
  updateSpace: async ({ send }, { by, spaceId, rows }) => {
    const json = { name: `Name ${rows[0]}` };
    return (await send('PATCH', `/spaces/${spaceId}`, { key: by.key, json })).status;
  },
  deleteSpace: async ({ send }, { by, spaceId }) =>
    (await send('DELETE', `/spaces/${spaceId}`, { key: by.key })).status,
} satisfies Record<string, Make>;

// Locks are taken as the service takes them, the space first and then rows by id: what else would
// keep two statements from waiting for each other?
const inSql = {
  insertMany: (_, { spaceId, toSpace, type, status, rating, text }) =>
    sql(
      `INSERT INTO testimonials (space_id, user_id, type, status, submitter_name, rating, text_content)
       SELECT id, user_id, $2::testimonial_type, $3::testimonial_status, 'Ada', rating, $5
       FROM spaces, unnest(ARRAY[$4, NULL, $4]::smallint[]) rating
       WHERE id = ANY ($1::uuid[])`,
      [[spaceId, toSpace], type, status, rating, text],
    ),
  updateMany: (_, { by, to, type, status, rating, text }) =>
    sql(
      `WITH locked AS MATERIALIZED (
         SELECT id FROM testimonials WHERE user_id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE
       )
       UPDATE testimonials t SET type = $2::testimonial_type, status = $3::testimonial_status,
         rating = $4, text_content = CASE WHEN t.text_content IS NULL THEN $5 END
       FROM locked WHERE t.id = locked.id`,
      [[by.accountId, to.accountId], type, status, rating, text],
    ),
  deleteMany: (_, { ids, rating }) =>
    sql(
      `WITH locked AS MATERIALIZED (
         SELECT id FROM testimonials WHERE id = ANY ($1::uuid[])
         AND rating IS NOT DISTINCT FROM $2::smallint ORDER BY id FOR UPDATE
       )
       DELETE FROM testimonials t USING locked WHERE t.id = locked.id`,
      [ids, rating],
    ),
  move: async (_, { ids, to, toSpace }) => {
    to.testimonials.push(...ids);
    return sql(
      `WITH target AS MATERIALIZED (
         SELECT id, user_id FROM spaces WHERE id = $2::uuid FOR KEY SHARE
       ),
       locked AS MATERIALIZED (
         SELECT t.id FROM testimonials t WHERE t.id = ANY ($1::uuid[])
         AND EXISTS (SELECT FROM target) ORDER BY t.id FOR UPDATE
       )
       UPDATE testimonials t SET space_id = target.id, user_id = target.user_id
       FROM target, locked WHERE t.id = locked.id`,
      [ids, toSpace],
    );
  },
  removeRating: (_, { ids: [id] }) =>
    sql('UPDATE testimonials SET rating = NULL WHERE id = $1', [id]),
  removeText: (_, { ids: [id] }) =>
    sql('UPDATE testimonials SET text_content = NULL WHERE id = $1', [id]),
  saveTranscript: (_, { by, ids: [id], text }) =>
    sql(
      `UPDATE testimonials SET ai_transcript = $3, text_content = $3
       WHERE id = $1 AND user_id = $2 AND video_url IS NULL`,
      [id, by.accountId, text ?? ''],
    ),
  share: (_, { ids: [id] }) =>
    sql('UPDATE testimonials SET shares = shares + 1 WHERE id = $1', [id]),
  upsert: (_, { spaceId, ids: [id], status, rating, text }) =>
    sql(
      `INSERT INTO testimonials AS t (id, space_id, user_id, type, submitter_name, text_content)
       SELECT $1::uuid, id, user_id, 'text', 'Ada', $5 FROM spaces WHERE id = $2::uuid
       ON CONFLICT (id) DO UPDATE SET status = $3::testimonial_status, rating = $4::smallint`,
      [id, spaceId, status, rating, text],
    ),
  rename: (_, { ids: [id] }) =>
    sql(
      `UPDATE testimonials SET id = gen_random_uuid(), created_at = created_at - interval '1 day'
       WHERE id = $1`,
      [id],
    ),
  changeNothing: () => sql('UPDATE testimonials SET rating = 1 WHERE false', []),
} satisfies Record<string, Make>;

/** These lock in an order of their own. */
const alone = {
  moveSpace: async (_, { spaceId, to, ids }) => {
    to.spaces.push(spaceId);
    to.testimonials.push(...ids);
    return sql('UPDATE spaces SET user_id = $2 WHERE id = $1', [spaceId, to.accountId]);
  },
  deleteAccount: (_, { actor, by }) =>
    actor === 0 ? sql('DELETE FROM users WHERE id = $1', [by.accountId]) : Promise.resolve(''),
} satisfies Record<string, Make>;

const kinds = { ...throughApi, ...inSql, ...alone };
type Kind = keyof typeof kinds;

const all = Object.keys(kinds) as Kind[];
/** What may happen at once with anything else here. */
export const concurrent = all.filter((kind) => !(kind in alone));

const frequent: Kind[] = ['create', 'create', 'insertMany', 'update', 'updateBatch'];

/** What the service itself does, and tells of in events. */
export const ofService = all.filter((kind) => kind in throughApi);

/** A change of one of the kinds; creating is as frequent as to keep some rows there. */
export function aChange(of: Kind[] = all): fc.Arbitrary<Change> {
  return fc.record({
    kind: fc.constantFrom<Kind>(...of, ...frequent.filter((kind) => of.includes(kind))),
    actor: fc.nat(2),
    other: fc.nat(2),
    space: fc.nat(7),
    rows: fc.array(fc.nat(40), { minLength: 1, maxLength: 12 }),
    type: fc.constantFrom('text', 'video'),
    status: fc.constantFrom('pending', 'approved', 'rejected'),
    rating: fc.option(fc.integer({ min: 1, max: 5 })),
    text: fc.option(fc.constantFrom('', 'Abc', 'ÄÖ İı ς', '%_\\', 'ABC def')),
    fields: fc.subarray(['status', 'rating', 'text'], { minLength: 1 }),
  });
}

/** Accounts of two spaces and a few testimonials each. */
export async function createActors(count: number, through: Actors['send'] = send): Promise<Actors> {
  const actors = Array.from({ length: count }, async () => {
    const tenant = await createTenant();
    const spaces = [(await tenant.space()).id, (await tenant.space()).id];
    const actor: Actor = {
      accountId: tenant.accountId,
      key: tenant.api.key,
      spaces,
      testimonials: [],
    };
    const rows = await pool().query<{ id: string }>(
      `INSERT INTO testimonials (space_id, user_id, type, submitter_name, rating, text_content)
       SELECT id, user_id, 'text', 'Ada', i % 3 + 1, 'Text ' || i
       FROM spaces, generate_series(1, 6) i WHERE user_id = $1 RETURNING id`,
      [actor.accountId],
    );
    actor.testimonials.push(...rows.rows.map(({ id }) => id));
    return actor;
  });
  return { all: await Promise.all(actors), send: through };
}

/** Makes the change. Resolves to what became of it. */
export function make(actors: Actors, change: Change): Promise<Outcome> {
  const by = at(actors.all, change.actor);
  const to = at(actors.all, change.other);
  const ids = [...new Set(change.rows.map((row) => at(by.testimonials, row)))];
  const spaceId = at(by.spaces, change.space);
  const toSpace = at(to.spaces, change.space + 1);
  return kinds[change.kind](actors, { ...change, by, to, ids, spaceId, toSpace });
}

function at<T>(list: T[], index: number): T {
  const item = list[index % list.length];
  if (item === undefined) throw new Error('An empty list has nothing to pick');
  return item;
}

function note(ids: string[], { status, body }: Answer): Outcome {
  if (status === 201) ids.push(body.data.id);
  return status;
}

async function sql(text: string, values: unknown[]): Promise<Outcome> {
  try {
    await pool().query(text, values);
    return '';
  } catch (error) {
    if (error instanceof DatabaseError) return error.code ?? 'unknown';
    throw error;
  }
}
