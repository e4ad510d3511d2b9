/**
 * Whoever attacks, in a process of its own, so that it takes no time from those who measure. Run as
 * a script it is that process.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, constants, setPriority } from 'node:os';
import { z } from 'zod';
import { provisional, receivers, videos } from './outbound';
import { arrays, batches, dashboard } from './requests';
import { bodies, garbage, pipelined, slow } from './sockets';

const targetSchema = z.object({ port: z.number(), seconds: z.number() });
const reportSchema = z.object({ note: z.string(), problems: z.array(z.string()) });

export type Target = z.infer<typeof targetSchema>;
export type Report = z.infer<typeof reportSchema>;

const known = {
  bodies,
  garbage,
  slow,
  pipelined,
  arrays,
  batches,
  dashboard,
  videos,
  receivers,
  provisional,
};

export type AttackName = keyof typeof known;

/** An attack that takes no end is ended. */
const timeoutMs = 150_000;

export function startAttacker(name: AttackName, target: Target): { ended: Promise<Report> } {
  const [file = '', ...args] = [
    ...onOneProcessor(),
    process.execPath,
    ...['--import', 'tsx', __filename, name, JSON.stringify(target)],
  ];
  const child = spawn(file, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  return {
    ended: once(child, 'close').then(() => {
      if (printed) return reportSchema.parse(JSON.parse(printed));
      return { note: '', problems: ['the attack came to no end'] };
    }),
  };
}

/**
 * A real attacker has a machine of its own; here it is kept to one processor, the last, where the
 * system can do so (`taskset`, util-linux) and there is another one.
 */
function onOneProcessor(): string[] {
  const processors = availableParallelism();
  const isKnown = spawnSync('taskset', ['--version']).status === 0;
  return processors > 1 && isKnown ? ['taskset', '--cpu-list', `${processors - 1}`] : [];
}

async function attack(name = '', target = ''): Promise<void> {
  const found = Object.entries(known).find(([one]) => one === name);
  if (!found) throw new Error(`There is no attack "${name}"`);
  // It gets what the service and whoever measures leave, as from another machine.
  setPriority(constants.priority.PRIORITY_LOW);
  const report = await found[1](targetSchema.parse(JSON.parse(target)));
  process.stdout.write(JSON.stringify(report), () => process.exit());
}

if (require.main === module) {
  // Nobody is left to report to.
  process.stdin.resume().on('end', () => process.exit(1));
  void attack(...process.argv.slice(2));
}
