/**
 * `npm run smoke`: the built service as a process, from its first start to kill -9 and back, on a
 * fresh embedded database, or with TEST_DATABASE_URL on a fresh database of that server.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import {
  canMeasure,
  expectShortLines,
  sendGarbage,
  sendHugeBodies,
  sendWrongItems,
  signIn,
  stopUnderLoad,
} from './attacks';
import { type FreshDatabase, freshDatabase } from './databases';
import {
  allOutput,
  killAll,
  resultOf,
  run,
  type Service,
  startService,
  startServiceInVain,
} from './processes';
import { exchange, oddRequests, statusOf } from './raw';
import { runSteps, step } from './steps';
import {
  apiOf,
  checkLedger,
  createUntilFailure,
  Ledger,
  submitterEmail,
  testimonialBody,
  walkOperations,
} from './walk';

const server = process.env.TEST_DATABASE_URL;
const email = 'owner@example.com';
const password = 'correct horse battery';
const writesBeforeDeath = 60;

async function walkTheLife({ settings, folder }: FreshDatabase): Promise<void> {
  const create = ['create', '--email', email, '--password', '-'];

  await step('of two commands at once on a new database, both do their work', async () => {
    const other = ['create', '--email', 'other@example.com', '--password', '-'];
    const ids = await Promise.all([
      resultOf(settings, 'account', create, `${password}\n`),
      resultOf(settings, 'account', other, `${password}\n`),
    ]);
    for (const id of ids) assert.match(id, /^[0-9a-f-]{36}$/);
  });

  let service = await step('the service starts', () => startService(settings));

  const key = await step('a key is made while the service runs', async () => {
    const scopes = ['--scopes', 'read,write,delete'];
    const made = await resultOf(settings, 'api-key', ['create', '--email', email, ...scopes]);
    assert.match(made, /^sk_live_[0-9a-f]{64}$/);
    return made;
  });

  await step('wrong arguments are one line and exit code 2', async () => {
    const { code, printed, said } = await run(settings, 'api-key', ['create', '--email', email]);
    assert.deepEqual([code, printed], [2, '']);
    assert.match(said, /^--scopes is missing.*\n$/);
  });

  await step('health is ok, and the API document needs no key', async () => {
    for (const path of ['/api/health', '/api/v1/openapi.json']) {
      const response = await fetch(service.url + path, { signal: AbortSignal.timeout(10_000) });
      assert.equal(response.status, 200, path);
      await response.json();
    }
  });

  const ledger = new Ledger();
  await step('all twelve operations answer', () => walkOperations(apiOf(service.url, key), ledger));

  for (const [name, { bytes, status }] of Object.entries(oddRequests)) {
    await step(`odd request, ${name}: ${status}`, async () => {
      const answer = await exchange(service.port, bytes);
      assert.equal(statusOf(answer), status, answer);
    });
  }

  if (canMeasure) await attack(service, key);

  if (!server) {
    await step('a second service on the same folder is refused', async () => {
      const { code, said } = await startServiceInVain(settings);
      assert.equal(code, 1);
      assert.match(said, /^The data folder .* is in use by process \d+\..*\n$/);
    });
  }

  await step('the service dies while it writes', async () => {
    await dieWriting(service, key, ledger);
    assert.ok(ledger.kept.size > writesBeforeDeath);
  });

  service = await step('and starts again', () => startService(settings, 'npm'));

  await step('everything answered with success is there, nothing deleted is', () =>
    checkLedger(apiOf(service.url, key), ledger),
  );

  await step('SIGTERM to npm start lets a request finish and ends with exit code 0', async () => {
    const { code, answer } = await stopDuringRequest(service, key, ledger);
    assert.equal(statusOf(answer), 201, answer);
    assert.equal(code, 0);
  });

  if (!server) {
    await step('and lets go of the data folder', async () => {
      const [lock = ''] = readdirSync(folder).filter((name) => name.startsWith('lock-'));
      assert.match(readFileSync(join(folder, lock), 'utf8'), /"released":true/);
    });
  }

  await step('a command finds the database without a service', async () => {
    const table = await resultOf(settings, 'api-key', ['list', '--email', email]);
    assert.match(table, /\n\S+ +Command line +sk_live_…[0-9a-f]{4} +read,write,delete +active/);
  });

  await step('SIGTERM under load cuts no request off, and ends with exit code 0', async () => {
    const { exit, failures } = await stopUnderLoad(await startService(settings));
    assert.deepEqual([failures, exit.code], [[], 0]);
  });

  await step('with nobody who reads what it writes, it answers, and ends at SIGTERM', async () => {
    const unread = await startService(settings);
    unread.stopReading();
    for (const path of ['/api/v1/testimonials', '/sign-in', '/nowhere', '/api/health']) {
      await (await fetch(unread.url + path, { signal: AbortSignal.timeout(10_000) })).text();
    }
    assert.equal((await unread.end('SIGTERM')).code, 0);
  });

  if (server) {
    await step('three services that start at once on a new database all come up', () =>
      startThree(server),
    );
  }

  await step('no key, password or submitter stands in what was written', async () => {
    const written = allOutput.join('');
    assert.match(written, /"route":"\/testimonials"/);
    expectShortLines(written);
    for (const secret of [key, password, submitterEmail]) assert.ok(!written.includes(secret));
  });

  await step('Node has warned of no leak of listeners, as it did with each sign-in', async () => {
    assert.doesNotMatch(allOutput.join(''), /MaxListenersExceededWarning/);
  });
}

/** Each bounded in time and number, and only on this machine. */
async function attack(service: Service, key: string): Promise<void> {
  await step('attack: 250 MiB to sign-in, by nobody', () =>
    sendHugeBodies(service, '/api/auth/sign-out', { 'Content-Type': 'application/json' }),
  );
  await step('attack: 250 MiB to the dashboard, by a person signed in', async () => {
    const cookie = await signIn(service, email, password);
    const headers = { 'Content-Type': 'application/json', Cookie: cookie };
    await sendHugeBodies(service, '/api/trpc/spaces.create', headers);
  });
  await step('attack: 250 MiB to the API, with a key', () =>
    sendHugeBodies(service, '/api/v1/spaces', { Authorization: key }),
  );
  await step('attack: 300 connections of garbage', () => sendGarbage(service));
  await step('attack: 520,001 wrong items', () => sendWrongItems(service, key));
}

/** Kills the service after some writes of several clients, whose next ones are under way. */
async function dieWriting(service: Service, key: string, ledger: Ledger): Promise<void> {
  const api = apiOf(service.url, key);
  const space = spaceIn(ledger);
  let rest = writesBeforeDeath;
  let killed: Promise<unknown> | undefined;
  const countDown = () => {
    rest -= 1;
    if (rest === 0) killed = service.end('SIGKILL');
  };
  const clients = [1, 2, 3, 4];
  await Promise.all(clients.map(() => createUntilFailure(api, space, ledger, countDown)));
  await killed;
}

/** Tells the service to stop between the head of a request and its body. */
async function stopDuringRequest(service: Service, key: string, ledger: Ledger) {
  const body = JSON.stringify(testimonialBody(spaceIn(ledger), 'Late'));
  const head =
    `POST /api/v1/testimonials HTTP/1.1\r\nHost: x\r\nAuthorization: ${key}\r\n` +
    `Expect: 100-continue\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  let answer = '';
  let ending: ReturnType<Service['end']> | undefined;
  const socket = connect(service.port, '127.0.0.1', () => socket.write(head));
  await new Promise<void>((done) => {
    socket.on('data', (chunk) => {
      // Once it has asked for the body, it has the request.
      if (!ending) {
        ending = service.end('SIGTERM');
        socket.write(body);
      } else {
        answer += chunk;
      }
    });
    socket.on('error', () => {});
    socket.on('close', () => done());
  });
  return { code: (await ending)?.code, answer };
}

async function startThree(server: string): Promise<void> {
  const database = await freshDatabase(server);
  try {
    const services = await Promise.all([1, 2, 3].map(() => startService(database.settings)));
    for (const { url } of services) assert.equal((await fetch(`${url}/api/health`)).status, 200);
    const exits = await Promise.all(services.map((service) => service.end('SIGTERM')));
    assert.deepEqual(
      exits.map(({ code }) => code),
      [0, 0, 0],
    );
  } finally {
    killAll();
    await database.remove();
  }
}

function spaceIn({ kept }: Ledger): string {
  const path = [...kept.keys()].find((candidate) => candidate.startsWith('/spaces/'));
  assert.ok(path);
  return path.slice('/spaces/'.length);
}

void runSteps(walkTheLife);
