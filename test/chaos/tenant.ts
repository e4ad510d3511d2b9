/** An account with a key, a space and a webhook endpoint, made as a person makes them: by the pages. */
import assert from 'node:assert/strict';
import { randomInt, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Client, createClient } from './client';

export type Tenant = {
  accountId: string;
  key: string;
  cookie: string;
  space: string;
  /** Calls a procedure of the dashboard that changes something. */
  change(procedure: string, input: unknown): Promise<unknown>;
};

const signedUp = z.object({ user: z.object({ id: z.string() }) });
const created = z.object({ result: z.object({ data: z.unknown() }) });
const withKey = z.object({ key: z.string() });
const withId = z.object({ data: z.object({ id: z.string() }) });

/** Sends every webhook to `endpoints`. */
export async function makeTenant(port: () => number, endpoints: string[] = []): Promise<Tenant> {
  // Sign-ups are counted by address.
  const client = createClient(port, anyLoopbackAddress());
  try {
    return await make(client, endpoints);
  } finally {
    client.close();
  }
}

async function make(client: Client, endpoints: string[]): Promise<Tenant> {
  const email = `${randomUUID()}@example.com`;
  const answer = await client.send({
    method: 'POST',
    path: '/api/auth/sign-up/email',
    body: { email, password: randomUUID(), name: 'Chaos' },
  });
  assert.equal(answer.status, 200, answer.text);
  const { user } = signedUp.parse(JSON.parse(answer.text));
  const cookie = [answer.headers['set-cookie'] ?? []]
    .flat()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const change = async (procedure: string, input: unknown) => {
    const { status, text } = await client.send({
      method: 'POST',
      path: `/api/trpc/${procedure}`,
      headers: { cookie },
      body: input,
    });
    assert.equal(status, 200, `${procedure}: ${text}`);
    return created.parse(JSON.parse(text)).result.data;
  };
  const scopes = ['read', 'write', 'delete'];
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const { key } = withKey.parse(
    await change('apiKeys.create', { name: 'Chaos', scopes, expires_at }),
  );
  for (const url of endpoints) {
    await change('webhooks.endpoints.create', {
      url,
      event_types: ['testimonial.created', 'testimonial.approved'],
    });
  }
  const made = await client.send({
    method: 'POST',
    path: '/api/v1/spaces',
    headers: { authorization: `Bearer ${key}` },
    body: { name: 'Chaos' },
  });
  assert.equal(made.status, 201, made.text);
  const space = withId.parse(JSON.parse(made.text)).data.id;
  return { accountId: user.id, key, cookie, space, change };
}

/** All of 127.0.0.0/8 is this machine, on Linux; elsewhere the one address. */
export function anyLoopbackAddress(): string {
  if (process.platform !== 'linux') return '127.0.0.1';
  return `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
}
