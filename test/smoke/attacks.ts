/** What a stranger, or one account, may do to a service without hurting the others. Linux alone. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { Exit, Service } from './processes';
import { statusOf } from './raw';
import { until } from './until';

const miB = 1024 ** 2;

/** How much more memory than before an attack may take. */
const maxGrowth = 100 * miB;

/** Longest line of a log, in bytes. */
const maxLineBytes = 40_000;

/** Whether this system says what a process takes. */
export const canMeasure = existsSync('/proc/self/status');

/** A body in chunks, far above any cap, over several connections at once. */
export async function sendHugeBodies(
  service: Service,
  path: string,
  headers: Record<string, string>,
): Promise<void> {
  const before = memoryOf(service);
  let most = before;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\n${lines.join('')}Transfer-Encoding: chunked\r\n\r\n`;
  const bodies = Array.from({ length: 5 }, () =>
    sendChunks(service.port, head, 50 * miB, () => {
      most = Math.max(most, memoryOf(service));
    }),
  );
  for (const answer of await Promise.all(bodies)) assert.equal(statusOf(answer), 413, answer);
  assert.ok(most - before < maxGrowth, `memory grew by ${(most - before) / miB} MiB`);
  await expectHealthy(service);
}

/** Sends the whole body, whatever is answered meanwhile. Returns the answer. */
function sendChunks(port: number, head: string, bytes: number, sent: () => void): Promise<string> {
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
  return new Promise((resolve) => {
    let answer = '';
    let left = bytes;
    const socket = connect(port, '127.0.0.1', () => socket.write(head));
    const write = () => {
      while (left > 0) {
        left -= 0x10000;
        if (!socket.write(chunk)) break;
      }
      sent();
      if (left <= 0) socket.end('0\r\n\r\n');
    };
    socket.setEncoding('latin1');
    socket.on('connect', write);
    socket.on('drain', write);
    socket.on('data', (text) => {
      answer += text;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}

/** Connections that say nothing of use, and whose peers stay. Their descriptors come back. */
export async function sendGarbage(service: Service): Promise<void> {
  const before = descriptorsOf(service);
  const garbage = ['\x16\x03\x01 hello\r\n\r\n', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`];
  const ends = Array.from({ length: 300 }, (_, index) => {
    const options = { port: service.port, host: '127.0.0.1', allowHalfOpen: true };
    const socket = connect(options, () => socket.write(garbage[index % 2] ?? ''));
    socket.on('error', () => {});
    // The peer's own side stays open until the service cuts it.
    return new Promise((done) => socket.resume().once('end', () => done(socket)));
  });
  const sockets = await Promise.all(ends);
  await until(() => descriptorsOf(service) <= before + 10, 'descriptors come back', 10_000);
  assert.equal(sockets.length, 300);
  await expectHealthy(service);
}

/** As many wrong items as a body has room for. */
export async function sendWrongItems(service: Service, key: string): Promise<void> {
  const body = `{"name":"A","custom_questions":[${'1,'.repeat(520_000)}1]}`;
  const { status } = await fetch(`${service.url}/api/v1/spaces`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body,
  });
  assert.equal(status, 400);
  await expectHealthy(service);
}

/** Every line that a process has written is short. */
export function expectShortLines(written: string): void {
  for (const line of written.split('\n')) {
    assert.ok(Buffer.byteLength(line) < maxLineBytes, `a line of ${line.length} characters`);
  }
}

/** Tells the service to stop under clients that keep their connections and never pause. */
export async function stopUnderLoad(service: Service): Promise<{ exit: Exit; failures: string[] }> {
  let answers = 0;
  let exit: Promise<Exit> | undefined;
  const clients = Array.from({ length: 20 }, () =>
    askUntilRefused(service.port, () => {
      answers += 1;
      if (answers === 400) exit = service.end('SIGTERM');
    }),
  );
  const ends = await Promise.all(clients);
  assert.ok(exit);
  return { exit: await exit, failures: ends.filter((end) => end !== 'ECONNREFUSED') };
}

/** Returns the error that ended it. */
async function askUntilRefused(port: number, answered: () => void): Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (;;) {
      await new Promise<void>((done, fail) => {
        const options = { port, agent, host: '127.0.0.1', path: '/api/v1/openapi.json' };
        const request = httpRequest(options, (response) => {
          response.resume().once('end', done).once('error', fail);
        });
        request.once('error', fail);
        request.end();
      });
      answered();
    }
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  } finally {
    agent.destroy();
  }
}

/** The cookie of a person who signs in. */
export async function signIn(service: Service, email: string, password: string): Promise<string> {
  const response = await fetch(`${service.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.url },
    body: JSON.stringify({ email, password }),
  });
  assert.equal(response.status, 200);
  const lines = response.headers.getSetCookie();
  return lines.map((line) => line.split(';', 1)[0]).join('; ');
}

async function expectHealthy(service: Service): Promise<void> {
  const response = await fetch(`${service.url}/api/health`, { signal: AbortSignal.timeout(5_000) });
  assert.equal(response.status, 200);
}

/** Resident, in bytes. */
function memoryOf({ pid }: Service): number {
  const [, kiB = '0'] =
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kiB) * 1024;
}

function descriptorsOf({ pid }: Service): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
