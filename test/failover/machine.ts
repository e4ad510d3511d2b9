/** A place of the cluster with what runs in it, which can lose its power and be switched on again. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, sep } from 'node:path';
import { z } from 'zod';
import { killIfThere, startProgram } from '../chaos/servers';
import { etcdArguments, type Place } from './settings';

const answerTimeoutMs = 3_000;
const dyingTimeoutMs = 10_000;

/** Of what Patroni has written, where it has to be looked at. */
const toldCharacters = 3_000;

export type Programs = { etcd: string; patroni: string; haproxy: string; postgres: string };

export type Machine = {
  name: string;
  startEtcd(): Promise<void>;
  /** Patroni then starts Postgres by itself, and has it join the others. */
  startPatroni(): Promise<void>;
  /** Ends all that runs there, at once and without a goodbye: etcd, Patroni, Postgres and its children. */
  kill(): void;
  /** Whether it holds the leader's key, and its Postgres takes writes. */
  isPrimary(): Promise<boolean>;
  /** All machines as etcd tells of them; undefined where it does not answer. */
  members(): Promise<Member[] | undefined>;
  /** The end of what Patroni has written. */
  told(): string;
};

const cluster = z.object({
  members: z.array(z.object({ name: z.string(), role: z.string(), state: z.string() })),
});

type Member = z.infer<typeof cluster>['members'][number];

export function makeMachine(place: Place, places: Place[], programs: Programs): Machine {
  const { name, folder, ports } = place;
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${ports.patroni}${path}`, {
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
  return {
    name,
    startEtcd: async () => {
      await startProgram(programs.etcd, etcdArguments(place, places), ports.etcd, folder);
    },
    startPatroni: async () => {
      const settings = join(folder, 'patroni.json');
      await startProgram(programs.patroni, [settings], ports.patroni, folder);
    },
    kill: () => killAllIn(folder),
    isPrimary: async () => {
      try {
        return (await ask('/primary')).status === 200;
      } catch {
        return false;
      }
    },
    members: async () => {
      try {
        return cluster.parse(await (await ask('/cluster')).json()).members;
      } catch {
        return undefined;
      }
    },
    told: () => {
      try {
        return readFileSync(join(folder, 'patroni.log'), 'utf8').slice(-toldCharacters);
      } catch {
        return '';
      }
    },
  };
}

/**
 * Postgres is no child of the Patroni that has started it. But all of them work in the folder of their
 * machine, and nobody else does.
 */
function killAllIn(folder: string): void {
  const deadline = performance.now() + dyingTimeoutMs;
  for (let pids = workingIn(folder); pids.length > 0; pids = workingIn(folder)) {
    if (performance.now() > deadline) throw new Error(`${pids.join(', ')} cannot be killed`);
    for (const pid of pids) killIfThere(pid);
  }
}

/** Of Linux, where processes are told by /proc. */
function workingIn(folder: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => `${workingFolder(pid)}${sep}`.startsWith(folder + sep));
}

/** Empty of one that has ended, and of one that may not be looked at. */
function workingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}
