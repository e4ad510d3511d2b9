/** Attacks by what the service asks of others: videos and receivers that take as long as they may. */
import { createServer, type RequestListener } from 'node:http';
import { createServer as createRawServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '../../helpers/listening';
import { createClient } from '../client';
import { anyLoopbackAddress, makeTenant, type Tenant } from '../tenant';
import type { Report, Target } from './attacker';

const videosOfAccount = 8;

/** Two accounts create videos whose files come a byte at a time. */
export async function videos({ port, seconds }: Target): Promise<Report> {
  let begun = 0;
  const url = await serve((_request, response) => {
    begun += 1;
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': '100000000' });
    const timer = setInterval(() => response.write('a'), 100);
    response.once('close', () => clearInterval(timer));
  });
  const tenants = [await makeTenant(() => port), await makeTenant(() => port)];
  const endAt = performance.now() + seconds * 1000;
  await Promise.all(
    tenants.flatMap((tenant) =>
      Array.from({ length: videosOfAccount }, async () => {
        const create = creator(port, tenant, { type: 'video', video_url: url });
        while (performance.now() < endAt) await create();
      }),
    ),
  );
  return { note: `${begun} downloads that drip`, problems: [] };
}

const accounts = 3;
const endpointsOfAccount = 10;

/** Just within what an attempt may take. */
const answerMs = 14_000;

/** Three accounts whose ten endpoints each answer 200 after 14 s, and who always have events. */
export async function receivers({ port, seconds }: Target): Promise<Report> {
  let taken = 0;
  const url = await serve((request, response) => {
    taken += 1;
    request.resume();
    setTimeout(() => response.writeHead(200).end(), answerMs);
  });
  await keepDelivering(port, url, Math.max(seconds * 1000, answerMs + 4_000));
  return { note: `${taken} deliveries answered after ${answerMs / 1000} s`, problems: [] };
}

/** Three accounts whose ten endpoints each answer that more is to come, without end. */
export async function provisional({ port, seconds }: Target): Promise<Report> {
  let taken = 0;
  const hints = 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000);
  const server = createRawServer((socket) => {
    taken += 1;
    socket.on('error', () => {}).resume();
    const push = (failure?: Error | null) => failure ?? socket.write(hints, push);
    push();
  });
  await keepDelivering(port, await addressOf(server), seconds * 1000);
  return { note: `${taken} deliveries answered without end`, problems: [] };
}

/** Accounts that for so long always have events for all of their endpoints. */
async function keepDelivering(port: number, url: string, forMs: number): Promise<void> {
  const urls = Array.from({ length: endpointsOfAccount }, (_, at) => `${url}${at}`);
  const tenants: Tenant[] = [];
  for (let account = 0; account < accounts; account++) {
    tenants.push(await makeTenant(() => port, urls));
  }
  const endAt = performance.now() + forMs;
  await Promise.all(
    tenants.map(async (tenant) => {
      const create = creator(port, tenant, { type: 'text' });
      while (performance.now() < endAt) {
        await create();
        await sleep(100);
      }
    }),
  );
}

function creator(port: number, { key, space }: Tenant, fields: object) {
  const client = createClient(() => port, anyLoopbackAddress());
  const required = { space_id: space, submitter_name: 'x', submitter_email: 'x@example.com' };
  return () =>
    client.send({
      method: 'POST',
      path: '/api/v1/testimonials',
      headers: { authorization: `Bearer ${key}` },
      body: { ...required, text_content: 'x', ...fields },
      timeoutMs: 200_000,
    });
}

/** A server that stays until the process ends. */
export function serve(answer: RequestListener): Promise<string> {
  return addressOf(createServer(answer));
}

async function addressOf(server: Server): Promise<string> {
  return `http://127.0.0.1:${await listen(server)}/`;
}
