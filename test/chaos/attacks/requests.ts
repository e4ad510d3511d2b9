/** Attacks by requests that are valid HTTP, of whoever has an account. */
import { randomUUID } from 'node:crypto';
import { type Answer, type Client, createClient, type RequestOptions } from '../client';
import { anyLoopbackAddress, makeTenant } from '../tenant';
import type { Report, Target } from './attacker';
import { serve } from './outbound';

/** Arrays of numbers, of arrays and of long strings, just below the cap of a body or that of its values. */
export async function arrays({ port, seconds }: Target): Promise<Report> {
  const { key, space } = await makeTenant(() => port);
  const headers = { authorization: `Bearer ${key}` };
  const numbers = Array.from({ length: 500_000 }, () => 0);
  const fewer = numbers.slice(0, 99_000);
  const names = Array.from({ length: 20_000 }, () => 'x'.repeat(40));
  // Nested less deep than would end JSON.stringify here.
  let nested: unknown[] = [];
  for (let depth = 1; depth < 1_000; depth++) nested = [nested];
  const lists = Array.from({ length: 110 }, () => nested);
  const bodies: RequestOptions[] = [
    { path: '/api/v1/spaces', body: { name: 'x', custom_questions: numbers } },
    { path: '/api/v1/spaces', body: { name: 'x', custom_questions: fewer } },
    {
      path: '/api/v1/testimonials/batch/update',
      body: { testimonial_ids: names, status: 'approved' },
    },
    { path: '/api/v1/testimonials', body: { space_id: space, tags: names } },
    { path: '/api/v1/imports', body: { testimonials: [1], lists } },
  ];
  const requests = bodies.map((body) => ({ method: 'POST', headers, ...body }));
  return reportOf(await repeat(port, seconds, 8, requests));
}

const rows = 40;

/** 40 rows as large as they may be, approved and rejected in turn by one small request each time. */
export async function batches({ port, seconds }: Target): Promise<Report> {
  const url = await serve((request, response) => {
    request.resume().on('end', () => response.writeHead(204).end());
  });
  const { key, space } = await makeTenant(() => port, [url]);
  const headers = { authorization: `Bearer ${key}` };
  const client = createClient(() => port, anyLoopbackAddress());
  const ids: string[] = [];
  for (let row = 0; row < rows; row++) {
    const { text } = await client.send({
      method: 'POST',
      path: '/api/v1/testimonials',
      headers,
      body: {
        space_id: space,
        type: 'text',
        submitter_name: 'x',
        submitter_email: 'x@example.com',
        text_content: 'x'.repeat(50_000),
      },
    });
    ids.push(JSON.parse(text).data.id);
  }
  const requests = ['approved', 'rejected'].map((status) => ({
    method: 'POST',
    path: '/api/v1/testimonials/batch/update',
    headers,
    body: { testimonial_ids: ids, status },
  }));
  return reportOf(await repeat(port, seconds, 4, requests));
}

/** What a session may ask: batches of writes, batches that are too long, and uploads of nothing. */
export async function dashboard({ port, seconds }: Target): Promise<Report> {
  const { cookie } = await makeTenant(() => port);
  const headers = { cookie };
  const batchOf = (procedure: string, length: number, input: unknown): RequestOptions => ({
    method: 'POST',
    path: `/api/trpc/${Array(length).fill(procedure).join(',')}?batch=1`,
    headers,
    body: Object.fromEntries(Array.from({ length }, (_, at) => [at, input])),
  });
  const lists = Array(10).fill('testimonials.list').join(',');
  const inputs = Object.fromEntries(
    Array.from({ length: 10 }, (_, at) => [at, { search: 'e', limit: 100 }]),
  );
  const upload: RequestOptions = {
    method: 'POST',
    path: '/api/trpc/uploads.video',
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    body: randomUUID().repeat(100_000),
  };
  return reportOf(
    await repeat(port, seconds, 12, [
      batchOf('spaces.create', 10, { name: 'x' }),
      batchOf('spaces.create', 800, { name: 'x' }),
      {
        path: `/api/trpc/${lists}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`,
        headers,
      },
      upload,
    ]),
  );
}

/** Each of so many clients sends the requests in turn, as fast as they are answered. */
async function repeat(
  port: number,
  seconds: number,
  clients: number,
  requests: RequestOptions[],
): Promise<Answer[]> {
  const endAt = performance.now() + seconds * 1000;
  const answers: Answer[] = [];
  const run = async (client: Client, first: number) => {
    for (let turn = first; performance.now() < endAt; turn++) {
      const request = requests[turn % requests.length];
      if (request) answers.push(await client.send(request));
    }
    client.close();
  };
  await Promise.all(
    Array.from({ length: clients }, (_, at) =>
      run(
        createClient(() => port, anyLoopbackAddress()),
        at,
      ),
    ),
  );
  return answers;
}

function reportOf(answers: Answer[]): Report {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  const described = [...counts].map(([status, count]) => `${count} × ${status || 'none'}`);
  const failed = answers.filter(({ status }) => status >= 500 && status !== 503).length;
  return {
    note: described.join(', '),
    problems: failed > 0 ? [`${failed} requests of the attacker answered 5xx`] : [],
  };
}
