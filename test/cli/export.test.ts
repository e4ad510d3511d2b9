import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { exportScript } from '@/src/cli/export';
import { importScript } from '@/src/cli/import';
import { newAccount, type Row, rowsOf } from './accounts';
import { run } from './run';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'testimonials-export-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('an export', () => {
  const text = fc.constantFrom(
    '',
    '=1+1',
    "'=x",
    'ÄÖ 😀',
    'a;b,c"d"',
    'one\r\ntwo',
    '\t@x',
    ' plain ',
  );
  const fields = fc.record(
    {
      rating: fc.integer({ min: 1, max: 5 }),
      status: fc.constantFrom('pending', 'approved', 'rejected'),
      submitter_company: text,
      submitter_role: text,
      text_content: text,
      ai_transcript: text,
      external_id: text.filter((id) => id !== ''),
      created_at: fc.constantFrom('2019-05-04T08:15:00.123456Z', '0001-01-01T00:00:00Z'),
      video_url: fc.constantFrom('https://example.invalid/v.mp4'),
      type: fc.constantFrom('text', 'video'),
    },
    { requiredKeys: [] },
  );

  test.each(['csv', 'jsonl'])(
    'as %s, imported elsewhere, is the same testimonials',
    async (format) => {
      const mix = fc.uniqueArray(fields, {
        minLength: 1,
        maxLength: 15,
        selector: ({ external_id }) => external_id ?? Symbol('none'),
      });
      await fc.assert(
        fc.asyncProperty(mix, async (items) => {
          const [one, other] = [await newAccount(), await newAccount()];
          const testimonials = items.map((item) => ({
            space_id: one.space,
            submitter_name: '@Ada',
            submitter_email: 'ada@example.com',
            type: 'text',
            ...item,
          }));
          const { status, body } = await one.tenant.api.post('/imports', { testimonials });
          expect([status, body.created]).toEqual([200, items.length]);
          const written: Buffer[] = [];
          const args = ['--email', one.email, '--format', format];
          expect((await run(exportScript, args, '', written)).code).toBe(0);
          const text = Buffer.concat(written);
          const imported = await run(importScript, [...other.to, '--format', format, '-'], text);
          expect(imported.said).toEqual([]);
          const comparable = (rows: Row[], idOf: (row: Row) => unknown) =>
            rows
              .map(({ id, space_id, user_id, updated_at, external_id, ...same }) =>
                JSON.stringify([idOf({ id, external_id }), same]),
              )
              .sort();
          expect(comparable(await rowsOf(other.tenant), (row) => row.external_id)).toEqual(
            comparable(await rowsOf(one.tenant), (row) => row.external_id ?? row.id),
          );
        }),
        { numRuns: 5 * Number(process.env.FUZZ_FACTOR ?? 1) },
      );
    },
  );

  test('has every row once, oldest first, over many pages, of one space where it is asked for', async () => {
    const { tenant, email, space } = await newAccount();
    const elsewhere = (await tenant.space()).id;
    for (const [space_id, count] of [
      [space, 250],
      [elsewhere, 3],
    ] as const) {
      const testimonials = Array.from({ length: count }, (_, i) => ({
        space_id,
        type: 'text',
        submitter_name: `Ada ${i}`,
        submitter_email: 'ada@example.com',
        created_at: `2019-01-01T00:0${i % 10}:00Z`,
      }));
      await tenant.api.post('/imports', { testimonials });
    }
    const out = join(folder, 'out.jsonl');
    const args = ['--email', email, '--format', 'jsonl', '--out', out];
    const exported = async (more: string[]) => {
      expect(await run(exportScript, [...args, ...more])).toEqual({
        code: 0,
        printed: [],
        said: [],
      });
      const rows = readFileSync(out, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line): Row => JSON.parse(line));
      const keys = rows.map(({ created_at, id }) => `${created_at} ${id}`);
      expect(keys).toEqual([...keys].sort());
      return rows;
    };
    expect(new Set((await exported([])).map(({ id }) => id)).size).toBe(253);
    const ofSpace = await exported(['--space', elsewhere]);
    expect(ofSpace.map(({ space_id }) => space_id)).toEqual(Array(3).fill(elsewhere));
    expect(readdirSync(folder)).not.toContainEqual(expect.stringMatching(/\.part$/));
  });

  test('has rows that are too large to be read together unasked', async () => {
    const { email, tenant, space } = await newAccount();
    const testimonial = {
      ...{ space_id: space, type: 'text', submitter_name: 'Ada' },
      ...{ submitter_email: 'ada@example.com', text_content: 'é'.repeat(50_000) },
    };
    const testimonials = Array.from({ length: 12 }, () => testimonial);
    expect((await tenant.api.post('/imports', { testimonials })).body.created).toBe(12);
    const written: Buffer[] = [];
    const args = ['--email', email, '--format', 'jsonl'];
    expect(await run(exportScript, args, '', written)).toMatchObject({ code: 0, said: [] });
    expect(Buffer.concat(written).toString().trimEnd().split('\n').length).toBe(12);
  });

  test('that cannot be put in its place leaves nothing behind, and says so in one line', async () => {
    const { email } = await newAccount();
    const place = mkdtempSync(join(folder, 'taken-'));
    const { code, said } = await run(exportScript, ['--email', email, '--out', place]);
    expect([code, said]).toEqual([1, [expect.stringContaining(place)]]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('leaves what is there and is no file as it is, and what is called like its unfinished one', async () => {
    const { email } = await newAccount();
    const own = mkdtempSync(join(folder, 'own-'));
    const pipe = join(own, 'pipe');
    execFileSync('mkfifo', [pipe]);
    mkdirSync(join(own, 'out.csv.part'));
    const { code, said } = await run(exportScript, ['--email', email, '--out', pipe]);
    expect([code, said]).toEqual([1, [expect.stringContaining(`${pipe} is no file`)]]);
    expect(statSync(pipe).isFIFO()).toBe(true);

    writeFileSync(join(own, 'there.csv'), 'before');
    symlinkSync('there.csv', join(own, 'link.csv'));
    for (const name of ['out.csv', 'link.csv']) {
      const done = await run(exportScript, ['--email', email, '--out', join(own, name)]);
      expect(done).toMatchObject({ code: 0, said: [] });
    }
    expect(readFileSync(join(own, 'there.csv'), 'utf8')).toContain('submitter_name');
    expect(lstatSync(join(own, 'link.csv')).isSymbolicLink()).toBe(true);
    // Of people it has names and addresses.
    expect(statSync(join(own, 'out.csv')).mode & 0o777).toBe(0o600);
    expect(readdirSync(own).sort()).toEqual([
      'link.csv',
      'out.csv',
      'out.csv.part',
      'pipe',
      'there.csv',
    ]);
  });

  test("of another account's space is one line and exit code 1, and no file", async () => {
    const [{ email }, other] = [await newAccount(), await newAccount()];
    const out = join(folder, 'of-another.csv');
    const args = ['--email', email, '--space', other.space, '--out', out];
    const { code, said } = await run(exportScript, args);
    expect([code, said.length, existsSync(out)]).toEqual([1, 1, false]);
  });

  test('of an account without testimonials is the names of the columns', async () => {
    const { email } = await newAccount();
    const written: Buffer[] = [];
    await run(exportScript, ['--email', email], '', written);
    expect(Buffer.concat(written).toString()).toMatch(
      /^\ufeff"id","space_id",.*,"external_id"\r\n$/,
    );
  });
});
