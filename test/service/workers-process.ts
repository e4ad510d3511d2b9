/**
 * A primary process, by its argument:
 * - "hanging": the second of its two workers hangs once it has begun; the signal by which it ends is
 *   printed, and that another answers.
 * - "failing": the second of its two workers ends as it starts, and so does the next; printed is that
 *   the one after those answers.
 * - "broken": it is told to replace its one worker by one that ends as it starts, and then by another.
 * - "dying": its one worker is killed as the next one starts, which takes its place; printed is how many
 *   were started.
 * - "dying-out": the same, but the next one ends as it starts; printed is that another answers.
 * - "unforked": its one worker is killed as no process can be made, for a moment; printed is that another
 *   answers.
 * - "unforked-next": it is told to replace its one worker as no process can be made, and then once more.
 * - "restarting": it is told to replace its one worker, three times at once.
 * - "leaving": its one worker hangs, and it ends without waiting for it.
 * - "crowded": its one worker greets who connects, and then hangs; printed is how many of ten greeted
 *   one after the other, and, once as many more have been let in or closed as came, how many wait.
 * - "crowded-by-one": the same, where there is more room than one address gets; how many wait is printed
 *   once more after others have come from an address that is not bounded.
 * But for the last three, once "stop" is read, prints whether all have ended in order, as JSON.
 */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { mock } from 'node:test';
import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { provideEnv } from '../../src/env';
import { startWorkers } from '../../src/service/workers/primary';

/** Longer than a test has. */
const noPulseMs = 100_000;

const mode = process.argv[2];
const isCrowd = mode === 'crowded' || mode === 'crowded-by-one';
const print = (line: string) => process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  cluster.setupPrimary({ exec: join(__dirname, 'workers-worker.cjs'), execArgv: [] });
  if (isCrowd) return crowd();
  const beats: (() => void)[] = [];
  if (mode === 'hanging') {
    mock.method(globalThis, 'setInterval', (beat: () => void) => void beats.push(beat));
  }
  const { stop } = await startWorkers(mode === 'hanging' || mode === 'failing' ? 2 : 1);
  if (mode === 'hanging') {
    const [answering, hanging] = Object.values(cluster.workers ?? {});
    if (!answering || !hanging) throw new Error('There are not two workers');
    cluster.once('exit', (_worker, _code, signal: string) => print(signal));
    await once(hanging, 'message');
    const replaced = anotherAnswers();
    // Both are asked as soon as the one has answered. By the clock one that is merely late is killed too.
    while (!hanging.isDead()) {
      const answer = once(answering, 'message');
      for (const beat of beats) beat();
      await answer;
    }
    await replaced;
  } else if (mode === 'failing') {
    for (let times = 0; times < 2; times += 1) await once(cluster, 'exit');
    await anotherAnswers();
  } else if (mode === 'broken') {
    process.env.IS_BROKEN = 'yes';
    process.emit('SIGHUP');
    await once(cluster, 'exit');
    delete process.env.IS_BROKEN;
    process.emit('SIGHUP');
  } else if (mode === 'dying' || mode === 'dying-out') {
    if (mode === 'dying-out') process.env.IS_BROKEN = 'yes';
    const [before] = Object.values(cluster.workers ?? {});
    let started = 1;
    cluster.on('fork', () => {
      started += 1;
    });
    process.emit('SIGHUP');
    const [next] = await once(cluster, 'fork');
    delete process.env.IS_BROKEN;
    before?.process.kill('SIGKILL');
    if (mode === 'dying-out') await anotherAnswers();
    else {
      await once(next, 'message');
      // Behind what it says of the end of it.
      await turnOfEventLoop();
      print(`${started} started`);
    }
  } else if (mode === 'unforked') {
    await withoutProcesses(async () => {
      const [before] = Object.values(cluster.workers ?? {});
      before?.process.kill('SIGKILL');
      await once(cluster, 'fork');
    });
    await anotherAnswers();
  } else if (mode === 'unforked-next') {
    await withoutProcesses(async () => {
      process.emit('SIGHUP');
      await once(cluster, 'fork');
    });
    process.emit('SIGHUP');
  } else if (mode === 'restarting') {
    for (let times = 0; times < 3; times += 1) process.emit('SIGHUP');
  } else {
    void stop();
    print('leaving');
    process.exit(1);
  }
  await once(process.stdin, 'data');
  print(JSON.stringify(await stop()));
  process.exit(0);
}

/** Meanwhile none is started, as where the system has no more processes or descriptors. */
async function withoutProcesses(task: () => Promise<void>): Promise<void> {
  cluster.setupPrimary({ cwd: '/no/such/folder' });
  await task();
  cluster.setupPrimary({ cwd: process.cwd() });
}

/** From here on workers begin as they should; waits for the next. */
async function anotherAnswers(): Promise<void> {
  process.env.IS_MENDED = 'yes';
  const [next] = await once(cluster, 'fork');
  await once(next, 'message');
  print('another answers');
}

async function crowd(): Promise<void> {
  const ofOne = mode === 'crowded-by-one';
  const fromProxy = () => provideEnv({ TRUSTED_PROXIES: '127.0.0.1' });
  if (!ofOne) fromProxy();
  const { port, stop } = await startWorkers(1, {
    pulseMs: noPulseMs,
    waiting: ofOne
      ? { connections: 5, connectionsPerAddress: 2 }
      : { connections: 3, connectionsPerAddress: 1 },
  });
  const open = async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
  let greeted = 0;
  for (let times = 0; times < 10; times += 1) {
    const socket = await open();
    await once(socket, 'data');
    greeted += 1;
    if (times < 9) continue;
    socket.write('hang');
    await once(socket, 'data');
  }
  print(`${greeted} greeted`);
  const waiting: Socket[] = [];
  const fill = async (count: number) => {
    for (let times = 0; times < count; times += 1) waiting.push(await open());
    for (let times = 0; times < 3; times += 1) await once((await open()).resume(), 'close');
    print(`${waiting.filter(({ destroyed }) => !destroyed).length} wait`);
  };
  await fill(ofOne ? 2 : 3);
  if (ofOne) {
    fromProxy();
    await fill(3);
  }
  void stop();
  process.exit(1);
}

void main();
