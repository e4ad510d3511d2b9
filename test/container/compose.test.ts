import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseEnv } from '@/src/env';
import { parseDockerfile } from './dockerfile';

const read = (name: string) => readFileSync(join(__dirname, '../..', name), 'utf8');

const service = z.strictObject({
  image: z.string(),
  build: z.literal('.').optional(),
  profiles: z.array(z.enum(['one', 'two'])).optional(),
  restart: z.literal('unless-stopped'),
  env_file: z.literal('.env').optional(),
  environment: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  command: z.array(z.string()).optional(),
  depends_on: z
    .record(z.string(), z.object({ condition: z.literal('service_healthy') }))
    .optional(),
  healthcheck: z
    .strictObject({
      test: z.array(z.string()).min(2),
      interval: z.string(),
      timeout: z.string(),
      retries: z.number(),
    })
    .optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  tmpfs: z.array(z.string()).optional(),
  read_only: z.literal(true).optional(),
  cap_drop: z.tuple([z.literal('ALL')]).optional(),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]).optional(),
  stop_grace_period: z.string().optional(),
  // By itself the engine keeps every line, until the disk is full.
  logging: z.strictObject({
    driver: z.literal('json-file'),
    options: z.strictObject({ 'max-size': z.string(), 'max-file': z.string() }),
  }),
});

const { services, volumes } = z
  .object({
    services: z.record(z.string(), service),
    volumes: z.record(z.string(), z.null()),
  })
  .parse(parse(read('compose.yaml'), { merge: true }));

const ours = Object.entries(services).filter(([, { build }]) => build);

function inProfile(profile: 'one' | 'two'): string[] {
  return Object.keys(services).filter(
    (name) => services[name]?.profiles?.includes(profile) ?? true,
  );
}

test('a profile is one instance or two, with what they need', () => {
  expect(inProfile('one')).toEqual(['app', 'postgres']);
  expect(inProfile('two')).toEqual(['app-1', 'app-2', 'postgres', 'redis']);
  for (const profile of ['one', 'two'] as const) {
    const names = inProfile(profile);
    for (const name of names) {
      const needed = Object.keys(services[name]?.depends_on ?? {});
      expect(names).toEqual(expect.arrayContaining(needed));
      // Waiting for one without a health check would never end.
      for (const other of needed) expect(services[other]?.healthcheck).toBeDefined();
    }
    const ports = names.flatMap((name) => services[name]?.ports ?? []);
    expect(new Set(ports).size).toBe(ports.length);
  }
});

test.each(ours)('%s gets variables that the service knows, with values that it takes', (_, app) => {
  const values = Object.entries(app.environment ?? {}).map(([name, value]) => [
    name,
    // A password in the place of the variable.
    String(value).replace(/\$\{\w+:\?[^}]*\}/, 'password'),
  ]);
  expect(values.length).toBeGreaterThan(0);
  const parsed = parseEnv(Object.fromEntries(values));
  for (const [name, value] of values) {
    expect([name, String(Object.entries(parsed).find(([known]) => known === name)?.[1])]).toEqual([
      name,
      value,
    ]);
  }
});

test.each(ours)('%s is as the image wants it', (_, app) => {
  const image = parseDockerfile(read('Dockerfile')).at(-1)?.instructions ?? [];
  const port = image.find((each) => each.kind === 'EXPOSE')?.port;
  expect(app.ports?.map((each) => each.replace(/^127\.0\.0\.1:\d+:/, ''))).toEqual([`${port}`]);
  expect(app.environment).toMatchObject({ PORT: port, DATA_FOLDER: '/data' });
  // The image's own health check reads PORT.
  expect(app.healthcheck).toBeUndefined();
  expect(app).toMatchObject({ read_only: true, volumes: ['data:/data', '/tmp'] });
  expect(Number.parseInt(app.stop_grace_period ?? '', 10)).toBeGreaterThan(20);
});

test('what the database and Redis are made with is what the instances are told', () => {
  const { environment } = services.postgres ?? {};
  const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = environment ?? {};
  for (const [, app] of ours) {
    expect(app.environment?.DATABASE_URL).toBe(
      `postgresql://${POSTGRES_USER}:${POSTGRES_PASSWORD}@postgres:5432/${POSTGRES_DB}`,
    );
  }
  const counting = ours
    .filter(([, { environment }]) => environment?.REDIS_URL)
    .map(([name]) => name);
  expect(counting).toEqual(['app-1', 'app-2']);
});

test('volumes with names are declared, and all that are declared are used', () => {
  const used = Object.values(services)
    .flatMap(({ volumes = [] }) => volumes)
    .filter((volume) => volume.includes(':'))
    .map((volume) => volume.split(':')[0]);
  expect(new Set(used)).toEqual(new Set(Object.keys(volumes)));
});
