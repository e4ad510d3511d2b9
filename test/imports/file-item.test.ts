import { createHash } from 'node:crypto';
import { z } from 'zod';
import { toItem } from '@/src/imports/file-item';
import { fieldSchemas, importedTestimonial } from '@/src/imports/schema';

describe('a record of a file', () => {
  const form = { mapping: new Map<string, string>() };
  const given = { space_id: 's', submitter_name: 'Ada', submitter_email: 'ada@example.com' };

  test('takes names from the mapping, and leaves out what is null or no field', () => {
    const mapping = new Map([['Customer', 'submitter_name']]);
    const item = toItem({ Customer: 'Ada', rating: null, other: 'x', id: 7 }, { mapping });
    expect(item).toEqual({ submitter_name: 'Ada', type: 'text', external_id: '7' });
  });

  test('takes what is mapped, wherever a column of our own name stands', () => {
    const mapping = new Map([['Review', 'text_content']]);
    const said = { Review: 'Good', submitter_name: 'Ada' };
    for (const record of [
      { text_content: null, ...said },
      { ...said, text_content: 'x' },
    ]) {
      expect(toItem(record, { mapping }).text_content).toBe('Good');
    }
    // A column of our own name that means another field is that one alone.
    const item = toItem({ rating: '5' }, { mapping: new Map([['rating', 'submitter_name']]) });
    expect(item).toMatchObject({ submitter_name: '5' });
    expect(item).not.toHaveProperty('rating');
  });

  test('takes, of two names for one field, the one that is not null', () => {
    const mapping = new Map([
      ['title', 'text_content'],
      ['body', 'text_content'],
    ]);
    for (const record of [
      { title: 'Good', body: null },
      { title: null, body: 'Good' },
    ]) {
      expect(toItem(record, { mapping }).text_content).toBe('Good');
    }
    const nothing = { title: null, body: null, text_content: 'x' };
    expect(toItem(nothing, { mapping })).not.toHaveProperty('text_content');
  });

  test('has the external id that it gives as a number, by our name or by a mapped one', () => {
    const mapping = new Map([['review', 'external_id']]);
    for (const record of [{ external_id: 1042 }, { review: 1042, id: 7 }]) {
      expect(toItem(record, { mapping }).external_id).toBe('1042');
    }
  });

  test('goes into the space that is chosen for all', () => {
    expect(toItem(given, { ...form, spaceId: 'chosen' }).space_id).toBe('chosen');
  });

  test.each([
    ['2019-05-04', '2019-05-04T00:00:00Z'],
    ['2019-05-04 08:15', '2019-05-04T08:15:00Z'],
    ['2019-05-04 08:15:01.5+02:00', '2019-05-04T08:15:01.5+02:00'],
    ['2019-05-04 08:15:00 UTC', '2019-05-04T08:15:00Z'],
    ['2019-05-04 08:15:00 -0330', '2019-05-04T08:15:00-03:30'],
    ['2019-05-04T08:15:00.123456+00:00', '2019-05-04T08:15:00.123456+00:00'],
    ['2019-05-04 08:15:00.123456+00', '2019-05-04T08:15:00.123456+00:00'],
    ['2019-05-04 08:15:00-03', '2019-05-04T08:15:00-03:00'],
  ])('of the date %j is of %j, which an import takes', (created_at, expected) => {
    expect(toItem({ ...given, created_at }, form).created_at).toBe(expected);
    expect(importedTestimonial.shape.created_at.safeParse(expected).success).toBe(true);
  });

  test('has a date that cannot be read as it is, and none where its cell is empty', () => {
    expect(toItem({ ...given, created_at: 'May 4th' }, form).created_at).toBe('May 4th');
    expect(toItem({ ...given, created_at: '' }, form).created_at).toBe(undefined);
  });

  test('is a video where it has one and says nothing else', () => {
    expect(toItem({ video_url: 'https://v.example/' }, form).type).toBe('video');
    expect(toItem({ video_url: 'https://v.example/', type: 'text' }, form).type).toBe('text');
    expect(toItem({ video_url: '', rating: '', text_content: '' }, form)).toMatchObject({
      type: 'text',
      text_content: '',
    });
  });

  test.each([
    ['5', 5],
    ['5.0', 5],
    ['5,0', 5],
    ['4.5', '4.5'],
    ['4,5', '4,5'],
    ['5 stars', '5 stars'],
  ])('of the rating %j is of %j', (rating, expected) => {
    expect(toItem({ rating }, form).rating).toBe(expected);
  });

  test('has blanks around a value where they are a part of it, and nowhere else', () => {
    const said = {
      space_id: ' 3f1c2e0a-7c1d-4b1e-9a57-0d5f4c1b2a3e',
      submitter_email: 'ada@example.com\u00a0',
      submitter_avatar_url: '\thttps://a.example/a.png ',
      status: 'approved ',
      rating: ' 5 ',
      created_at: ' 2019-05-04 08:15 ',
      video_url: ' ',
    };
    expect(toItem({ ...said, id: '1' }, form)).toEqual({
      space_id: '3f1c2e0a-7c1d-4b1e-9a57-0d5f4c1b2a3e',
      submitter_email: 'ada@example.com',
      submitter_avatar_url: 'https://a.example/a.png',
      status: 'approved',
      rating: 5,
      created_at: '2019-05-04T08:15:00Z',
      type: 'text',
      external_id: '1',
    });
    const texts = { submitter_name: ' Ada ', text_content: ' x\n', external_id: ' 1 ' };
    expect(toItem(texts, form)).toEqual({ ...texts, type: 'text' });
  });

  test('has a value for every field in a cell of text: a file of CSV has nothing else', () => {
    for (const name of importedTestimonial.keyof().options) {
      const schema = z.object({ type: z.string(), minimum: z.int().optional() }).loose();
      const { type, minimum = 1 } = schema.parse(fieldSchemas[name]);
      if (type === 'string') continue;
      const cell = type === 'boolean' ? 'true' : String(minimum);
      const value = toItem({ [name]: cell }, form)[name];
      const isTaken = importedTestimonial.shape[name].safeParse(value).success;
      expect([name, cell, value, isTaken]).toEqual([name, cell, value, true]);
    }
  });

  test('has its own external id, else its id, else one of all that it says', () => {
    expect(toItem({ ...given, id: 'i', external_id: 'e' }, form).external_id).toBe('e');
    expect(toItem({ ...given, id: 'i' }, form).external_id).toBe('i');
    const made = toItem(given, form).external_id;
    expect(made).toMatch(/^line-[0-9a-f]{40}$/);
    expect(toItem(Object.fromEntries(Object.entries(given).reverse()), form).external_id).toBe(
      made,
    );
    expect(toItem({ ...given, rating: 5 }, form).external_id).not.toBe(made);
    // It must be the same in every version, or a second run would double everything.
    const said =
      '[["space_id","s"],["submitter_email","ada@example.com"],["submitter_name","Ada"],["type","text"]]';
    expect(made).toBe(`line-${createHash('sha256').update(said).digest('hex').slice(0, 40)}`);
  });

  test('without an id of its own is another testimonial in each space', () => {
    const idIn = (spaceId: string) => toItem(given, { ...form, spaceId }).external_id;
    expect(idIn('one')).toBe(idIn('one'));
    expect(idIn('one')).not.toBe(idIn('other'));
  });
});
