/** The last stage from its first start to its second, on each kind of database. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { openTemporary } from '@/src/database/embedded/open';
import { Service } from './service';
import { type Image, makeReadOnly } from './stages';
import { openSurroundings, type Surroundings, transcript } from './surroundings';

const email = 'owner@example.com';
const row = z.object({ id: z.string() });
const testimonial = row.extend({ text_content: z.string().nullable() });

/** Throws at the first thing that is not as it should be. `path` is where Node and npm are found. */
export async function liveIn(
  image: Image,
  { path, say }: { path: string; say: (line: string) => void },
): Promise<void> {
  makeReadOnly(image, [join(image.root, 'data')]);
  const surroundings = await openSurroundings();
  try {
    await liveEmbedded(image, path, surroundings, say);
    await liveOnServer(image, path, say);
  } finally {
    surroundings.close();
  }
  say(`In the temporary folder there is left: ${readdirSync(join(image.root, 'tmp')).join(', ')}`);
}

async function liveEmbedded(
  image: Image,
  path: string,
  surroundings: Surroundings,
  say: (line: string) => void,
): Promise<void> {
  const settings = {
    ALLOW_PRIVATE_NETWORK: 'true',
    OPENAI_BASE_URL: surroundings.speechToTextUrl,
  };
  const first = await Service.start(image, path, settings);
  say('Healthy on the embedded database');
  await expectReadOnly(first);
  await first.expectPage('/docs');
  await first.expectPage('/sign-in');
  const key = await makeKey(first);
  const { space, written } = await write(first, key);
  await expectDelivery(first, key, space, surroundings);
  say('A webhook was delivered');
  await expectTranscript(first, key, space, surroundings.videoUrl);
  say('A video was transcribed');
  await expectCommands(first);
  say('The commands run');
  await first.stop();
  say('Stopped with exit code 0');

  const second = await Service.start(image, path, settings);
  const read = await second.ask(['GET', `/testimonials/${written.id}`], 200, {
    key,
    data: testimonial,
  });
  if (read.text_content !== written.text_content) throw new Error('The second start reads another');
  await second.stop();
  say('A second start has the data of the first');
}

/** No server is needed for that: what the service is given is an address that speaks Postgres. */
async function liveOnServer(image: Image, path: string, say: (line: string) => void) {
  const server = await openTemporary();
  try {
    const service = await Service.start(image, path, {
      DATABASE_URL: server.url,
      // Nobody is there: each instance then counts for itself.
      REDIS_URL: 'redis://127.0.0.1:1',
    });
    await service.exec(['npm', 'run', '--silent', 'migrate']);
    await write(service, await makeKey(service));
    await service.stop();
  } finally {
    await server.close();
  }
  say('Healthy with DATABASE_URL and REDIS_URL');
}

/** As the process that serves, nothing of the application can be changed, and nothing added. */
async function expectReadOnly(service: Service): Promise<void> {
  const attempt = `
    const targets = ['.', 'src', '.next', 'node_modules', '..'];
    for (const folder of targets) {
      try {
        require('node:fs').writeFileSync(folder + '/written', '');
      } catch { continue }
      console.log(folder);
    }`;
  const written = await service.exec(['node', '-e', attempt]);
  if (written !== '') throw new Error(`It can write to: ${written}`);
}

async function makeKey(service: Service): Promise<string> {
  const run = (script: string) => ['npm', 'run', '--silent', script, '--', 'create'];
  const owner = ['--email', email];
  await service.exec([...run('account'), ...owner, '--password', '-'], 'correct horse battery\n');
  const key = await service.exec([...run('api-key'), ...owner, '--scopes', 'read,write,delete']);
  return key.trim();
}

async function write(service: Service, key: string) {
  const space = await service.ask(['POST', '/spaces'], 201, {
    key,
    json: { name: 'Northwind Support', primary_color: '#1A73E8' },
    data: row,
  });
  const written = await create(service, key, {
    space_id: space.id,
    type: 'text',
    text_content: 'We answered our first customer within a minute.',
  });
  const read = await service.ask(['GET', `/testimonials/${written.id}`], 200, {
    key,
    data: testimonial,
  });
  if (read.text_content !== written.text_content) throw new Error('What is read is not written');
  return { space, written };
}

function create(service: Service, key: string, fields: Record<string, string>) {
  const json = { submitter_name: 'Ada Park', submitter_email: 'ada@example.com', rating: 5 };
  return service.ask(['POST', '/testimonials'], 201, {
    key,
    json: { ...json, ...fields },
    data: testimonial,
  });
}

async function expectDelivery(
  service: Service,
  key: string,
  space: z.infer<typeof row>,
  { receiverUrl, delivery }: Surroundings,
): Promise<void> {
  const endpoint = await service.ask(['POST', '/webhook-endpoints'], 201, {
    key,
    json: { url: receiverUrl, event_types: ['testimonial.created'] },
    data: row.extend({ secret: z.string() }),
  });
  await create(service, key, { space_id: space.id, type: 'text', text_content: 'Quick and kind.' });
  const { body, headers } = await inTime(delivery, 'no delivery came');
  new Webhook(endpoint.secret).verify(body, headers);
  await service.ask(['PATCH', `/webhook-endpoints/${endpoint.id}`], 200, {
    key,
    json: { enabled: false },
    data: row,
  });
}

/** Extracting the audio is a process of its own. */
async function expectTranscript(
  service: Service,
  key: string,
  space: z.infer<typeof row>,
  videoUrl: string,
): Promise<void> {
  const { id } = await create(service, key, {
    space_id: space.id,
    type: 'video',
    video_url: videoUrl,
  });
  const data = z.object({ ai_transcript: z.string().nullable() });
  const read = await service.ask(['GET', `/testimonials/${id}`], 200, { key, data });
  if (read.ai_transcript !== transcript) throw new Error(`Transcribed as ${read.ai_transcript}`);
}

/** Each of those that `makeKey` has not run. */
async function expectCommands(service: Service): Promise<void> {
  const run = (script: string, ...args: string[]) =>
    service.exec(['npm', 'run', '--silent', script, '--', '--email', email, ...args]);
  await run('seed', '--spaces', '1', '--testimonials', '3');
  const exported = await run('export');
  if (!exported.includes('Quick and kind.')) throw new Error(`Exported: ${exported}`);
  const importAgain = ['npm', 'run', 'import', '--', '--email', email, '--format', 'csv', '-'];
  await service.exec(importAgain, exported);
  const document = await service.exec(['npm', 'run', '--silent', 'openapi']);
  if (!document.startsWith('{')) throw new Error(`The document: ${document}`);
  // Enough to load all that they need.
  for (const script of ['doctor', 'backup', 'restore', 'move']) {
    await service.exec(['npm', 'run', '--silent', script, '--', '--help']);
  }
}

async function inTime<T>(promise: Promise<T>, otherwise: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(otherwise)), 60_000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
