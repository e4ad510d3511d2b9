import { database } from '@/src/database/client';
import { createTenant, type Tenant } from '../helpers/accounts';
import { send } from '../helpers/client';
import { expectError } from '../helpers/expectations';
import { insertTestimonials } from '../helpers/rows';

/** An account with a row of each state, the newest first. */
async function tenantWithAll() {
  const tenant = await createTenant();
  const states = ['none', 'pending', 'done', 'failed'];
  const rows = await insertTestimonials(
    await tenant.space(),
    states.map((transcription, i) => ({
      transcription,
      language: transcription === 'done' ? 'en' : null,
      type: transcription === 'none' ? 'text' : 'video',
      created_at: `2026-01-0${9 - i}T00:00:00Z`,
    })),
  );
  return { tenant, states, ids: rows.map(({ id }) => id) };
}

const shown = (rows: Record<string, unknown>[]) => rows.map((row) => row.transcription);

describe('include=transcription', () => {
  test('shows transcription and language, in a list and of one, and nothing else changes', async () => {
    const { tenant, states, ids } = await tenantWithAll();
    const plain = (await tenant.api.get('/testimonials')).body;
    expect(plain.data.some((row: object) => 'transcription' in row || 'language' in row)).toBe(
      false,
    );
    const { body } = await tenant.api.get('/testimonials?include=transcription');
    expect(body).toEqual({
      ...plain,
      data: plain.data.map((row: object, i: number) => ({
        ...row,
        transcription: states[i],
        language: states[i] === 'done' ? 'en' : null,
      })),
    });
    for (const [i, id] of ids.entries()) {
      const one = await tenant.api.get(`/testimonials/${id}?include=transcription,transcription`);
      expect(one.body.data).toEqual(body.data[i]);
      expect((await tenant.api.get(`/testimonials/${id}`)).body.data).toEqual(plain.data[i]);
    }
  });

  test.each(['sort_by=rating', 'sort_by=updated_at', 'offset=600', 'status=pending', 'search=a'])(
    'shows them in a list with %s',
    async (query) => {
      const tenant = await createTenant();
      await insertTestimonials(
        await tenant.space(),
        Array(601).fill({ transcription: 'failed', text_content: 'a' }),
      );
      const { body } = await tenant.api.get(`/testimonials?limit=1&${query}&include=transcription`);
      expect(shown(body.data)).toEqual(['failed']);
    },
  );

  test.each(['x', 'transcription,', ',transcription', 'transcription, transcription', '%00'])(
    'with the value "%s" is refused',
    async (value) => {
      const tenant = await createTenant();
      const { id } = await tenant.testimonial((await tenant.space()).id);
      for (const path of ['/testimonials', `/testimonials/${id}`]) {
        expectError(await tenant.api.get(`${path}?include=${value}`), 400, 'VALIDATION_ERROR');
      }
    },
  );

  test('without a value asks for nothing', async () => {
    const { tenant } = await tenantWithAll();
    const plain = await tenant.api.get('/testimonials?limit=1');
    expect((await tenant.api.get('/testimonials?limit=1&include=')).body).toEqual(plain.body);
  });

  test('may come and go in a walk by cursor, to which it does not matter', async () => {
    const { tenant, states } = await tenantWithAll();
    const seen: unknown[] = [];
    let cursor: string | null = 'start';
    for (let page = 0; cursor; page++) {
      const include = page % 2 ? '&include=transcription' : '';
      const answer = await tenant.api.get(`/testimonials?limit=1&cursor=${cursor}${include}`);
      seen.push(...shown(answer.body.data));
      cursor = answer.body.pagination.next_cursor;
    }
    expect(seen).toEqual([undefined, states[1], undefined, states[3]]);
  });

  test('a cursor is of no use with another filter of transcription', async () => {
    const { tenant } = await tenantWithAll();
    const { body } = await tenant.api.get('/testimonials?limit=1&cursor=start');
    const path = `/testimonials?limit=1&cursor=${body.pagination.next_cursor}`;
    expectError(await tenant.api.get(`${path}&transcription=failed`), 400, 'VALIDATION_ERROR');
  });

  test('has an entity tag of its own, which changes when a transcription fails', async () => {
    const { tenant, ids } = await tenantWithAll();
    const tagOf = async (path: string) => (await tenant.api.get(path)).headers.get('etag') ?? '';
    const path = '/testimonials?include=transcription';
    const tag = await tagOf(path);
    expect(tag).not.toBe(await tagOf('/testimonials'));
    const again = (tag: string) =>
      send('GET', path, { key: tenant.api.key, headers: { 'if-none-match': tag } });
    expect((await again(tag)).status).toBe(304);
    await database().testimonial.update({
      where: { id: ids[1] ?? '' },
      data: { transcription: 'failed' },
    });
    const answer = await again(tag);
    expect(answer.status).toBe(200);
    expect(shown(answer.body.data)).toEqual(['none', 'failed', 'done', 'failed']);
  });
});

test.each(['none', 'pending', 'done', 'failed'])(
  'transcription=%s matches exactly',
  async (state) => {
    const { tenant } = await tenantWithAll();
    const { body } = await tenant.api.get(
      `/testimonials?transcription=${state}&include=transcription`,
    );
    expect([shown(body.data), body.pagination.total]).toEqual([[state], 1]);
    expectError(await tenant.api.get('/testimonials?transcription=x'), 400, 'VALIDATION_ERROR');
  },
);

describe('testimonial.updated alone has transcription and language', () => {
  const dataOf = async (tenant: Tenant) =>
    (await tenant.events()).map(({ type, data }) => [type, Object(data).transcription]);

  test.each<[object, string, string | undefined]>([
    [{ rating: 4 }, 'testimonial.updated', 'done'],
    [{ status: 'pending' }, 'testimonial.updated', 'done'],
    [{ status: 'approved' }, 'testimonial.approved', undefined],
    [{ status: 'rejected', rating: 1 }, 'testimonial.rejected', undefined],
  ])('%j emits %s', async (changes, type, transcription) => {
    const { tenant, ids } = await tenantWithAll();
    const { body } = await tenant.api.patch(`/testimonials/${ids[2]}`, changes);
    expect(body.data).not.toHaveProperty('transcription');
    expect(await dataOf(tenant)).toEqual([[type, transcription]]);
  });
});
