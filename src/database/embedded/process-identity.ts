import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { codeOf } from '../../error-parts';
import { readProcessStat } from '../../process-stat';

/** What tells a process from a later one that got the same number. */
type ProcessIdentity = {
  pid: number;
  /** When it started, in whatever form the system tells; absent where it does not. */
  startedAt?: string | undefined;
};

/** Where the number of a process names one process, and who is there may be asked whether it lives. */
type Place = {
  host: string;
  /**
   * The start of the machine and the namespace of process numbers: containers may share the name of
   * their host, and each has a process 1. Absent where the system has no namespaces.
   */
  namespace?: string | undefined;
};

export function identifyPlace(): Place {
  return { host: hostname(), namespace: readNamespace() };
}

export function identifyProcess(pid: number): ProcessIdentity {
  return { pid, startedAt: readStart(pid) };
}

/**
 * Whether that very process still runs on this machine. Where the system does not tell when it
 * started, a process with the same number counts as the same.
 */
export function isRunning({ pid, startedAt }: ProcessIdentity): boolean {
  if (!hasPid(pid)) return false;
  const start = readStart(pid);
  if (start === 'zombie') return false;
  return start === undefined || startedAt === undefined || start === startedAt;
}

function hasPid(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be signalled, but it is there.
    return codeOf(error) === 'EPERM';
  }
}

function readStart(pid: number): string | undefined {
  if (process.platform === 'win32') return undefined;
  try {
    return process.platform === 'linux' ? readLinuxStart(pid) : askPs(pid);
  } catch {
    return undefined;
  }
}

function readLinuxStart(pid: number): string | undefined {
  const stat = readProcessStat(pid);
  const [state, startTicks] = [stat[0], stat[19]];
  if (state === 'Z') return 'zombie';
  return `${readBoot()} ${startTicks}`;
}

/** A namespace that is gone may leave its number to a later one, but not its processes. */
function readNamespace(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return `${readBoot()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return undefined;
  }
}

function readBoot(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

function askPs(pid: number): string | undefined {
  const start = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return start.trim() || undefined;
}
