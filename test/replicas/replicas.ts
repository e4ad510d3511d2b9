/**
 * `npm run replicas`: two instances of the built service, a Postgres of its own and two standbys of it.
 * Accounts are written to and read from; every answer must be the account's state at some moment of its
 * request. Meanwhile the standbys stop replaying, at random; statements of theirs are cancelled; one is
 * cut off in silence, one is killed and comes back, one becomes a primary with rows of its own. Ends
 * with exit code 1 where one answer is wrong or no answer.
 *   --reads 100000   how many are checked
 *   --short          3,000, for machines with other work
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type Client, createClient } from '../chaos/client';
import { runProgram } from '../chaos/program';
import { percentile, say } from '../chaos/report';
import { settingsOfAll } from '../chaos/scene';
import { startPostgres, startStandby, temporaryFolder } from '../chaos/servers';
import { openFaultyPath } from '../helpers/faulty-path';
import { type Service, startService } from '../smoke/processes';
import { type Account, makeAccount } from './account';
import { pauseAtRandom, promoteAndSpoil, vacuumAtRandom } from './disturbances';

const accountCount = 8;
const readersPerAccount = 3;
const writePauseMs = 150;

/** Beyond this the reads are too slow to be told from ones that hang. */
const longestMs = 20 * 60_000;

/** Of all reads, that a standby must have answered: else nothing is shown of it. */
const leastShare = 0.05;

type Figures = { reads: number; writes: number; wrong: string[]; tookMs: number[] };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      reads: { type: 'string', default: '100000' },
      short: { type: 'boolean', default: false },
    },
  });
  const wanted = values.short ? 3_000 : Number(values.reads);
  const primary = await startPostgres();
  if (!primary) return say('left out: Postgres is not installed');
  // What the standby has to replay ends what reads it, at once.
  const impatient = await startStandby(primary, ['max_standby_streaming_delay=0']);
  const patient = await startStandby(primary);
  if (!impatient || !patient) return say('left out: pg_basebackup is not installed');
  const path = await openFaultyPath(patient.url);
  const settings = {
    ...settingsOfAll,
    DATABASE_URL: primary.url,
    DATABASE_READ_URLS: `${impatient.url},${path.url}`,
    DATA_FOLDER: temporaryFolder(),
    SECRET_KEY: randomUUID(),
    // Every read is to reach a database.
    CACHE_BYTES: '0',
  };
  const services = [await startService(settings), await startService(settings)];
  const clients = services.map((service) => createClient(() => service.port));
  const [writing] = clients;
  if (!writing) return;
  const makings = Array.from({ length: accountCount }, () =>
    makeAccount(() => services[0]?.port ?? 0, writing),
  );
  const accounts = await Promise.all(makings);
  const figures: Figures = { reads: 0, writes: 0, wrong: [], tookMs: [] };
  const pauses = pauseAtRandom([impatient, patient]);
  const vacuums = vacuumAtRandom(primary.url);
  const steps: Step[] = [
    { at: 0.25, name: 'one falls silent', run: async () => path.swallow() },
    { at: 0.45, name: 'the other is killed', run: () => impatient.kill() },
    { at: 0.65, name: 'it comes back', run: () => impatient.restart() },
    {
      at: 0.85,
      name: 'one becomes a primary with rows of its own',
      run: () => promoteAndSpoil(patient),
    },
  ];
  const begun = performance.now();
  await runLoad(accounts, clients, { wanted, figures, steps });
  await Promise.all([pauses.stop(), vacuums.stop()]);
  const outcomes = await outcomesOf(services);
  const reasons = reasonsOf(services);
  await path.close();
  report({ ...figures, outcomes, wanted, seconds: (performance.now() - begun) / 1000 });
  for (const [reason, count] of reasons) say(`left out ${count} times: ${reason}`);
  say(
    `standbys were paused ${pauses.counts.paused} times, the primary vacuumed ${vacuums.counts.vacuums} times`,
  );
}

type Step = { at: number; name: string; run(): Promise<unknown> };

/** Until so many reads have been checked; each step is taken at its share of them. */
async function runLoad(
  accounts: Account[],
  clients: Client[],
  { wanted, figures, steps }: { wanted: number; figures: Figures; steps: Step[] },
): Promise<void> {
  const deadline = performance.now() + longestMs;
  const isOver = () => figures.reads >= wanted || performance.now() > deadline;
  const [writing] = clients;
  const write = async (account: Account) => {
    while (writing && !isOver()) {
      await account.write(writing);
      figures.writes += 1;
      await new Promise((done) => setTimeout(done, Math.random() * 2 * writePauseMs));
    }
  };
  const read = async (account: Account, client: Client) => {
    while (!isOver()) {
      const startedAt = performance.now();
      const wrong = await account.read(client);
      figures.tookMs.push(performance.now() - startedAt);
      figures.reads += 1;
      if (wrong) figures.wrong.push(wrong);
      for (const step of steps.filter(({ at }) => figures.reads >= at * wanted)) {
        steps.splice(steps.indexOf(step), 1);
        say(`after ${figures.reads} reads: ${step.name}`);
        await step.run();
      }
    }
  };
  const readers = accounts.flatMap((account) =>
    Array.from({ length: readersPerAccount }, (_, at) => clients[at % clients.length]).map(
      (client) => client && read(account, client),
    ),
  );
  await Promise.all([...accounts.map(write), ...readers]);
}

/** What became of the reads, by all instances together, as their metrics have it. */
async function outcomesOf(services: Service[]): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = { answered: 0, behind: 0, failed: 0 };
  for (const { port } of services) {
    const text = await (await fetch(`http://127.0.0.1:${port}/api/metrics`)).text();
    const series = text.matchAll(/^testimonials_replica_reads_total\{outcome="(\w+)"\} (\d+)$/gm);
    for (const [, outcome = '', count] of series) {
      outcomes[outcome] = (outcomes[outcome] ?? 0) + Number(count);
    }
  }
  return outcomes;
}

/** Why replicas were left out, and how often, as the log has it. */
function reasonsOf(services: Service[]): Map<string, number> {
  const reasons = new Map<string, number>();
  for (const service of services) {
    const { printed, said } = service.output();
    for (const line of `${printed}${said}`.split('\n')) {
      if (!line.includes('replica left out')) continue;
      const [, reason = ''] = /"message":"([^"]*)"/.exec(line) ?? [];
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
  }
  return reasons;
}

function report(
  of: Figures & { outcomes: Record<string, number>; wanted: number; seconds: number },
): void {
  const { reads, writes, wrong, tookMs, outcomes, wanted, seconds } = of;
  const { answered = 0, behind = 0, failed = 0 } = outcomes;
  say(`${reads} reads checked and ${writes} writes in ${seconds.toFixed(0)} s`);
  say(
    `answered by a standby: ${answered}; by the primary, for it was behind: ${behind}, or failed: ${failed}`,
  );
  const [p50, p99, slowest] = [0.5, 0.99, 1].map((share) => percentile(tookMs, share).toFixed(1));
  say(`a read took ${p50} ms in the middle, ${p99} ms at 99 %, ${slowest} ms at most`);
  const problems = [
    reads < wanted && `${reads} of ${wanted} reads in time`,
    wrong.length > 0 && `${wrong.length} wrong:\n${wrong.slice(0, 5).join('\n')}`,
    answered < reads * leastShare && 'too few were answered by a standby',
    behind === 0 && 'no standby was ever behind',
    failed === 0 && 'no standby ever failed',
  ].filter((problem) => problem !== false);
  for (const problem of problems) say(`BEYOND ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
  else say('ok: every answer was the state of its moment');
}

runProgram(main);
