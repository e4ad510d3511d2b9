/** Postgres under Patroni in three places of this machine, and the HAProxy that leads to the primary. */
import { chmodSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readRows } from '../chaos/ledger';
import { findPostgresProgram, findProgram, startProgram, temporaryFolder } from '../chaos/servers';
import { type Machine, makeMachine, type Programs } from './machine';
import { haproxySettings, type Pace, type Place, patroniSettings } from './settings';

const machineCount = 3;
const primaryTimeoutMs = 60_000;
const wholeTimeoutMs = 180_000;
const pollMs = 100;

export type Cluster = {
  /** To the primary, whichever it is. */
  url: string;
  machines: Machine[];
  /** Resolves once another than `before` is the primary; throws with what Patroni said where none is in time. */
  primary(before?: Machine): Promise<Machine>;
  /** Resolves once all machines follow the primary, and one of them has what it acknowledges. */
  untilWhole(): Promise<void>;
};

/** The programs, or the Debian packages that are missing. */
export function findPrograms(): Programs | string[] {
  const found = {
    postgres: findPostgresProgram('initdb'),
    patroni: findProgram('patroni'),
    'etcd-server': findProgram('etcd'),
    haproxy: findProgram('haproxy'),
  };
  const { postgres, patroni, 'etcd-server': etcd, haproxy } = found;
  if (postgres && patroni && etcd && haproxy) {
    return { postgres: dirname(postgres), patroni, etcd, haproxy };
  }
  return Object.entries(found).flatMap(([name, file]) => {
    if (file) return [];
    return [name === 'postgres' ? 'postgresql' : name];
  });
}

/** `machines` is given each as soon as something may run there, for whoever has to end it. */
export async function startCluster(
  programs: Programs,
  { pace, machines }: { pace: Pace; machines: Machine[] },
): Promise<Cluster> {
  const [front = 0, ...ports] = await lowPorts(1 + 4 * machineCount);
  const places = Array.from({ length: machineCount }, (_, at): Place => {
    const [etcd = 0, etcdPeer = 0, patroni = 0, postgres = 0] = ports.slice(4 * at);
    const folder = realpathSync(temporaryFolder());
    return { name: `node${at + 1}`, folder, ports: { etcd, etcdPeer, patroni, postgres } };
  });
  for (const place of places) {
    const settings = patroniSettings(place, { places, pace, programs: programs.postgres });
    writeReadable(join(place.folder, 'patroni.json'), settings);
    machines.push(makeMachine(place, places, programs));
  }
  const folder = temporaryFolder();
  const settings = join(folder, 'haproxy.cfg');
  writeReadable(settings, haproxySettings(front, places));
  await Promise.all(machines.map((machine) => machine.startEtcd()));
  await Promise.all(machines.map((machine) => machine.startPatroni()));
  await startProgram(programs.haproxy, ['-db', '-f', settings], front, folder);
  const url = `postgresql://postgres@127.0.0.1:${front}/postgres`;

  const primary = (before?: Machine) =>
    until(machines, { what: 'a primary', timeoutMs: primaryTimeoutMs }, async () => {
      const others = machines.filter((machine) => machine !== before);
      const are = await Promise.all(others.map((machine) => machine.isPrimary()));
      return others[are.indexOf(true)];
    });
  return {
    url,
    machines,
    primary,
    untilWhole: async () => {
      await until(machines, { what: 'the cluster whole', timeoutMs: wholeTimeoutMs }, () =>
        isWhole(machines, url),
      );
    },
  };
}

/** By what etcd tells, which decides who may become primary, and by what the primary tells. */
async function isWhole(machines: Machine[], url: string): Promise<true | undefined> {
  const told = await Promise.all(machines.map((machine) => machine.members()));
  for (const members of told) {
    const roles = (members ?? [])
      .filter(({ state }) => state === 'running' || state === 'streaming')
      .map(({ role }) => role)
      .sort();
    if (roles.join() !== 'leader,replica,sync_standby') return undefined;
  }
  const sql = `SELECT count(*) FILTER (WHERE state = 'streaming')::int AS streaming
               FROM pg_stat_replication`;
  try {
    const [row] = await readRows(url, sql);
    return row.streaming === machines.length - 1 || undefined;
  } catch {
    // HAProxy has not yet seen who the primary is.
    return undefined;
  }
}

async function until<T>(
  machines: Machine[],
  { what, timeoutMs }: { what: string; timeoutMs: number },
  look: () => Promise<T | undefined>,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (performance.now() > deadline) {
      const told = machines.map((machine) => `${machine.name}:\n${machine.told()}`);
      throw new Error(`Not ${what} within ${timeoutMs / 1000} s\n${told.join('\n')}`);
    }
    await sleep(pollMs);
  }
}

function writeReadable(file: string, text: string): void {
  writeFileSync(file, text);
  chmodSync(file, 0o644);
}

/**
 * Ports below those that the system hands out: while a machine is dead, another's connection must not
 * get one of its ports.
 */
async function lowPorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let port = 20_000 + (process.pid % 100) * 100; ports.length < count; port += 1) {
    if (port >= 32_000) throw new Error('No free ports');
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
