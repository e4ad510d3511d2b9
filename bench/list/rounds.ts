/** Measures the subjects of a workload in turn, several times. */
import type { Client } from 'pg';
import { z } from 'zod';
import type { LoadClient, LoadRequest } from './client-process';
import { cpuOfPostgres, cpuOfTree } from './cpu';
import type { ServerName, Servers } from './servers';
import type { Subject, Workload } from './workloads';

/** One subject in one round. Milliseconds; CPU time is per request. */
export type Sample = {
  perSecond: number;
  p50: number;
  p99: number;
  serverCpu: number;
  postgresCpu: number;
};

/** The samples of each subject of a workload, by its label, in the order of the rounds. */
export type Samples = Map<string, Sample[]>;

export type Tools = {
  servers: Servers;
  /** Those that have been warmed up. */
  warm: Set<ServerName>;
  client: LoadClient;
  /** A connection to the database that is measured. */
  postgres: Client;
  rounds: number;
  seconds: number;
};

/** Before a server is first measured, so that what is compiled while it runs is compiled. */
const firstWarmUpSeconds = 8;
/** Before the first round of each workload. */
const warmUpSeconds = 1.5;
/** Before each round, for caches that the subject before has filled with its own. */
const settleSeconds = 0.2;

/** @throws Error where an answer is not what it must be, or subjects answer differently */
export async function measure(workload: Workload, tools: Tools): Promise<Samples> {
  const subjects = await Promise.all(workload.subjects.map((subject) => tagged(subject, tools)));
  if (workload.isComparable) await compareAnswers(subjects, tools);
  for (const subject of subjects) {
    const seconds = tools.warm.has(subject.server) ? warmUpSeconds : firstWarmUpSeconds;
    await drive(workload, subject, seconds, tools);
    tools.warm.add(subject.server);
  }
  const samples: Samples = new Map(subjects.map(({ label }) => [label, []]));
  for (let round = 0; round < tools.rounds; round++) {
    for (const subject of subjects) {
      await drive(workload, subject, settleSeconds, tools);
      samples.get(subject.label)?.push(await sample(workload, subject, tools));
    }
  }
  return samples;
}

async function sample(workload: Workload, subject: Subject, tools: Tools): Promise<Sample> {
  const { pid } = await tools.servers.get(subject.server);
  const before = { server: cpuOfTree(pid), postgres: await cpuOfPostgres(tools.postgres) };
  const { count, seconds, p50, p99 } = await drive(workload, subject, tools.seconds, tools);
  return {
    perSecond: count / seconds,
    p50,
    p99,
    serverCpu: (cpuOfTree(pid) - before.server) / count,
    postgresCpu: ((await cpuOfPostgres(tools.postgres)) - before.postgres) / count,
  };
}

async function drive(workload: Workload, subject: Subject, seconds: number, tools: Tools) {
  const { origin } = await tools.servers.get(subject.server);
  const { concurrency, isStable } = workload;
  return tools.client.run({ origin, requests: subject.requests, concurrency, seconds, isStable });
}

/** Requests that are to be answered with 304 get the tag that the answer has now. */
async function tagged(subject: Subject, { servers }: Tools): Promise<Subject> {
  const { origin } = await servers.get(subject.server);
  const requests = await Promise.all(
    subject.requests.map(async (request) => {
      if (request.status !== 304) return request;
      const tag = (await fetchOnce(origin, request)).headers.get('etag');
      if (!tag) throw new Error('The service sends no ETag');
      return { ...request, headers: { ...request.headers, 'if-none-match': tag } };
    }),
  );
  return { ...subject, requests };
}

const page = z.object({
  data: z.array(z.object({ id: z.string() })),
  pagination: z.object({ total: z.int() }).optional(),
  meta: z.object({ filter_count: z.int() }).optional(),
});

/** All subjects must find the same rows in the same order, and the same total. */
async function compareAnswers(subjects: Subject[], { servers }: Tools): Promise<void> {
  const answers = await Promise.all(
    subjects.map(async ({ server, requests }) => {
      const { origin } = await servers.get(server);
      const pages = await Promise.all(
        requests.map(async (request) => {
          const { data, pagination, meta } = page.parse(
            await (await fetchOnce(origin, request)).json(),
          );
          return [pagination?.total ?? meta?.filter_count, ...data.map(({ id }) => id)];
        }),
      );
      return JSON.stringify(pages);
    }),
  );
  const other = answers.findIndex((answer) => answer !== answers[0]);
  if (other < 0) return;
  throw new Error(`${subjects[other]?.label} answers with other rows than ${subjects[0]?.label}`);
}

async function fetchOnce(origin: string, { method, path, headers }: LoadRequest) {
  return fetch(origin + path, { method, headers });
}
