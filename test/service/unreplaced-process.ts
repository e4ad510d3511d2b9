/** A process without workers, which says what it hears: a SIGHUP before it knows, and one after. */
import '@/src/service/hangup';
import { once } from 'node:events';
import { passHangupOver } from '@/src/service/hangup';

async function hangUp(): Promise<void> {
  const heard = once(process, 'SIGHUP');
  process.kill(process.pid, 'SIGHUP');
  await heard;
}

async function main(): Promise<void> {
  // A signal that is on its way keeps no process alive.
  setInterval(() => {}, 1_000);
  await hangUp();
  passHangupOver(() => process.stdout.write('passed over\n'));
  await hangUp();
  process.exit(0);
}

void main();
