/**
 * `npm run failover`: three instances of the built service on Postgres under Patroni, with etcd and
 * HAProxy, all of this run's own. Under load the primary is killed again and again, with its Patroni and
 * its etcd, and switched on again. Prints a table, and ends with exit code 1 where a write or an event
 * is lost, a delivery is under way twice at once, or the cluster or the service does not come back.
 *   --kills 10   how often
 *   --short      twice, for machines with other work
 *   --ttl 10     seconds after which a silent primary is taken for dead
 */
import { randomInt, randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { committedEvents, compare, createLedger, type Ledger } from '../chaos/ledger';
import { type Load, startLoad } from '../chaos/load';
import { runProgram } from '../chaos/program';
import { type Receiver, startReceiver } from '../chaos/receiver';
import { say } from '../chaos/report';
import { settingsOfAll, undelivered } from '../chaos/scene';
import { temporaryFolder } from '../chaos/servers';
import { makeTenant } from '../chaos/tenant';
import { type Service, startService } from '../smoke/processes';
import { type Cluster, findPrograms, startCluster } from './cluster';
import type { Machine } from './machine';
import { failoverTable, type Kill, problemsOf, summary, type Totals } from './report';
import { paceOf } from './settings';

const clientsPerInstance = 2;
const pauseMs = 40;

/**
 * How long receivers take: one that gets every event as it comes, five at once, and one that has
 * several deliveries under way whenever a primary dies, whose leases run out before there is another.
 * An attempt may take 15 s.
 */
const answersAfterMs = [20, 14_000];

/** Until every client of every instance is answered again. */
const recoveryTimeoutMs = 60_000;

/** Of everything that was started, for whoever has to end it. */
const machines: Machine[] = [];

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      kills: { type: 'string' },
      short: { type: 'boolean', default: false },
      ttl: { type: 'string', default: '10' },
    },
  });
  const wanted = Number(values.kills ?? (values.short ? 2 : 10));
  const pace = paceOf(Number(values.ttl));
  const programs = findPrograms();
  if (Array.isArray(programs)) {
    return say(`left out: the Debian packages ${programs.join(', ')} are not installed`);
  }
  const cluster = await startCluster(programs, { pace, machines });
  await cluster.primary();
  await cluster.untilWhole();
  const receivers = await Promise.all(answersAfterMs.map(startReceiverThatTakes));
  const settings = {
    ...settingsOfAll,
    DATABASE_URL: cluster.url,
    DATA_FOLDER: temporaryFolder(),
    SECRET_KEY: randomUUID(),
  };
  // The first applies the migrations.
  const services = [await startService(settings)];
  services.push(...(await Promise.all([startService(settings), startService(settings)])));
  const urls = receivers.map((receiver) => receiver.url());
  const tenant = await makeTenant(() => services[0]?.port ?? 0, urls);
  const ledger = createLedger();
  const loads = services.map(({ port }) =>
    startLoad({ ...tenant, ledger, port: () => port, clients: clientsPerInstance, pauseMs }),
  );
  say(`ttl ${pace.ttl}, loop_wait ${pace.loop_wait}, retry_timeout ${pace.retry_timeout}`);
  const begun = performance.now();
  const kills: Kill[] = [];
  while (kills.length < wanted) {
    await sleep(randomInt(1_000, 4_000));
    kills.push(await killPrimary(cluster, { loads, ledger }));
    const last = kills.at(-1);
    if (last) say(`${kills.length} of ${wanted}: ${last.killed} killed, ${last.primary} leads`);
  }
  await sleep(1_000);
  await Promise.all(loads.map((load) => load.stop()));
  const seconds = (performance.now() - begun) / 1000;
  const totals = await total(cluster.url, {
    accountId: tenant.accountId,
    receivers,
    ledger,
    loads,
  });
  say(`\n${failoverTable(kills)}\n\n${summary(kills, totals)}`);
  say(`${seconds.toFixed(0)} s of load; load of the machine ${loadavg()[1]?.toFixed(1)}`);
  const problems = [...problemsOf(kills, totals), ...(await endedServices(services))];
  for (const problem of problems) say(`BEYOND ${problem}`);
  if (problems.length > 0) process.exitCode = 1;
  else say('ok: nothing that was acknowledged is lost');
}

async function startReceiverThatTakes(ms: number): Promise<Receiver> {
  const receiver = await startReceiver();
  receiver.answerAfter(ms);
  return receiver;
}

/** Kills the primary, and resolves once it is back behind another and all clients are answered. */
async function killPrimary(
  cluster: Cluster,
  { loads, ledger }: { loads: Load[]; ledger: Ledger },
): Promise<Kill> {
  const killed = await cluster.primary();
  const killedAt = performance.now();
  const since = () => (performance.now() - killedAt) / 1000;
  killed.kill();
  const primary = await cluster.primary(killed);
  const electedSeconds = since();
  const recoveries = await Promise.all(
    loads.map((load) => load.recovered(killedAt, recoveryTimeoutMs)),
  );
  await killed.startEtcd();
  await killed.startPatroni();
  await cluster.untilWhole();
  return {
    killed: killed.name,
    primary: primary.name,
    electedSeconds,
    unwritableSeconds: longestPause(ledger, killedAt),
    hasRecovered: recoveries.every((recovery) => recovery !== undefined),
    wholeSeconds: since(),
  };
}

/** The longest time, in seconds, without an acknowledged creation by anybody, that ended after `from`. */
function longestPause(ledger: Ledger, from: number): number {
  const times = [...ledger.kept.values()].map(({ answeredAt }) => answeredAt);
  times.push(performance.now());
  times.sort((a, b) => a - b);
  const pauses = times.map((time, at) => (time > from ? time - (times[at - 1] ?? from) : 0));
  return pauses.reduce((longest, pause) => Math.max(longest, pause), 0) / 1000;
}

async function total(
  url: string,
  of: { accountId: string; receivers: Receiver[]; ledger: Ledger; loads: Load[] },
): Promise<Totals> {
  const { accountId, receivers, ledger, loads } = of;
  const [quick] = receivers;
  if (!quick) throw new Error('There is nobody to deliver to');
  const missing = await undelivered(url, accountId, quick);
  const events = await committedEvents(url, accountId);
  const committed = new Set(events);
  const deliveries = receivers.flatMap(({ received }) => [...received]);
  const sum = (read: (counts: Load['counts']) => number) =>
    loads.reduce((all, { counts }) => all + read(counts), 0);
  const compared = await compare(url, accountId, ledger);
  return {
    acknowledged: ledger.kept.size,
    lostWrites: compared.lost,
    doubledWrites: compared.doubled,
    wrong: compared.wrong + sum(({ wrong }) => wrong),
    events: events.length,
    undelivered: missing,
    uncommitted: deliveries.filter(([name]) => !committed.has(name.split(' ')[1] ?? '')).length,
    doubledAtOnce: receivers.reduce((all, receiver) => all + receiver.doubled(), 0),
    sentAgain: deliveries.filter(([, { cameAt }]) => cameAt.length > 1).length,
    requests: sum(({ requests }) => requests),
    serverErrors: sum(({ serverErrors }) => serverErrors),
    unanswered: sum(({ unanswered }) => unanswered),
  };
}

async function endedServices(services: Service[]): Promise<string[]> {
  const ended = await Promise.all(
    services.map((service) => Promise.race([service.ended, sleep(0)])),
  );
  return ended.flatMap((exit) => (exit ? [`an instance ended: ${exit.said.slice(-2_000)}`] : []));
}

runProgram(main, () => {
  for (const machine of machines) machine.kill();
});
