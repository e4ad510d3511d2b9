/** What another account notices of an attack, and what the attack leaves in the process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { freshDatabase } from '../../smoke/databases';
import type { Load } from '../load';
import { percentile, type Result } from '../report';
import { inScene, type Scene } from '../scene';
import { type AttackName, startAttacker } from './attacker';
import { figuresOf } from './process-figures';

const mebibyte = 1024 ** 2;

const memoryBoundBytes = 100 * mebibyte;
/**
 * As on a machine with 1 GB. With more, V8 lets garbage lie for longer, so that what a large machine
 * shows is how much it can afford, and not how much is needed.
 */
const smallHeap = '--max-old-space-size=512';
/**
 * How many times the quiet p99 another account's may be, or how long where that is more: below, the
 * machine's noise is larger than what is measured. The short form runs on machines with other work.
 */
const p99Bounds = { long: { factor: 3, floorMs: 150 }, short: { factor: 10, floorMs: 500 } };
/** Kept connections and the pool may differ a little. */
const spareDescriptors = 16;
/** How long connections may take to be ended after the attack. */
const descriptorTimeoutMs = 15_000;
/** What the service writes about an attack. */
const logBoundBytes = 10 * mebibyte;

type Probe = (scene: Scene) => Promise<void>;

const trials: { attack: AttackName; title: string; isLong?: boolean; probe?: Probe }[] = [
  { attack: 'bodies', title: 'bodies without end' },
  { attack: 'garbage', title: 'sockets with garbage that stay', isLong: true },
  { attack: 'slow', title: 'slow headers, slow bodies, answers that nobody takes', isLong: true },
  { attack: 'pipelined', title: 'many requests in one piece', isLong: true },
  { attack: 'arrays', title: 'arrays of a megabyte', isLong: true },
  { attack: 'batches', title: 'batches of large rows', isLong: true },
  { attack: 'videos', title: 'videos that drip', isLong: true, probe: createVideo },
  { attack: 'receivers', title: 'receivers that answer late', isLong: true, probe: delivered },
  { attack: 'provisional', title: 'receivers whose answers do not end', isLong: true },
  { attack: 'dashboard', title: 'batches and uploads of a session', isLong: true },
];

export const attacks = trials.map((trial) => ({
  name: trial.title,
  isLong: trial.isLong ?? false,
  run: async (server: string | undefined, isShort: boolean): Promise<Result> => {
    const database = await freshDatabase(server);
    // Nobody is there, and nobody is to be reached.
    const settings = {
      ...database.settings,
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      NODE_OPTIONS: smallHeap,
    };
    const { DATABASE_URL: directUrl } = database.settings;
    try {
      const options = { settings, ...(directUrl !== undefined && { directUrl }) };
      return await inScene(options, (scene) => measure(scene, trial, isShort));
    } finally {
      await database.remove();
    }
  },
}));

async function measure(
  scene: Scene,
  { attack, title, probe }: (typeof trials)[number],
  isShort: boolean,
): Promise<Result> {
  const seconds = isShort ? 3 : 10;
  const { factor, floorMs } = isShort ? p99Bounds.short : p99Bounds.long;
  const { pid, port } = scene.service;
  const load = scene.load({ clients: 3, pauseMs: 20 });
  await sleep(3_000);
  const quiet = await p99While(load, scene, sleep(Math.min(seconds, 5) * 1000), probe);
  const before = figuresOf(pid);
  const loggedBefore = loggedBytes(scene);
  let peakBytes = 0;
  const sampling = setInterval(() => {
    peakBytes = Math.max(peakBytes, figuresOf(pid)?.residentBytes ?? 0);
  }, 50);
  const attacker = startAttacker(attack, { port, seconds });
  const during = await p99While(load, scene, attacker.ended, probe);
  clearInterval(sampling);
  const told = await attacker.ended;
  const recoverySeconds = await load.recovered(performance.now());
  const extra = before && (await descriptorsLeft(pid, before.descriptors));
  const grownBytes = before ? peakBytes - before.residentBytes : 0;
  const logged = loggedBytes(scene) - loggedBefore;
  const bound = Math.max(floorMs, quiet.p99 * factor);
  return scene.finish({
    name: title,
    recoverySeconds,
    note: [
      told.note,
      `p99 ${milliseconds(quiet.p99)} → ${milliseconds(during.p99)}`,
      probe && `${probe.name} ${milliseconds(quiet.probed)} → ${milliseconds(during.probed)}`,
      before ? `memory +${Math.round(grownBytes / mebibyte)} MB` : 'memory unknown here',
      extra !== undefined && `descriptors ${extra > 0 ? `+${extra}` : 'back'}`,
    ]
      .filter(Boolean)
      .join('; '),
    problems: [
      ...told.problems,
      ...(during.p99 > bound ? [`p99 above ${milliseconds(bound)}`] : []),
      ...(grownBytes > memoryBoundBytes ? ['memory grew by more than 100 MB'] : []),
      ...((extra ?? 0) > 0 ? ['descriptors were kept'] : []),
      ...(logged > logBoundBytes ? [`${Math.round(logged / mebibyte)} MB of log`] : []),
    ],
  });
}

/** Of the account's requests until then, and the slowest of the probes. */
async function p99While(load: Load, scene: Scene, until: Promise<unknown>, probe?: Probe) {
  load.latencies.length = 0;
  let isOver = false;
  const over = until.then(() => {
    isOver = true;
  });
  let probed = 0;
  while (probe && !isOver) {
    const begun = performance.now();
    await probe(scene);
    probed = Math.max(probed, performance.now() - begun);
    await Promise.race([over, sleep(200)]);
  }
  await over;
  return { p99: percentile(load.latencies, 0.99), probed };
}

/** More than there were, once connections had time to be ended. */
async function descriptorsLeft(pid: number, before: number): Promise<number> {
  const deadline = performance.now() + descriptorTimeoutMs;
  for (;;) {
    const more = (figuresOf(pid)?.descriptors ?? 0) - before - spareDescriptors;
    if (more <= 0 || performance.now() > deadline) return Math.max(0, more);
    await sleep(250);
  }
}

function loggedBytes({ service }: Scene): number {
  const { printed, said } = service.output();
  return printed.length + said.length;
}

/** One video that is not there, so that the answer waits for nothing but a place to look for it. */
async function createVideo(scene: Scene): Promise<void> {
  const type = 'video';
  await create(scene, { type, video_url: scene.receiver.url() });
}

/** From the request to the receipt of the event. */
async function delivered(scene: Scene): Promise<void> {
  const { receiver } = scene;
  const before = receiver.received.size;
  await create(scene, { type: 'text', text_content: 'probe' });
  const deadline = performance.now() + 30_000;
  while (receiver.received.size === before && performance.now() < deadline) await sleep(5);
}

async function create({ service, tenant, ledger }: Scene, fields: object): Promise<void> {
  // The ledger knows a row by its text.
  const marker = crypto.randomUUID();
  ledger.sent.add(marker);
  const response = await fetch(`${service.url}/api/v1/testimonials`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      space_id: tenant.space,
      submitter_name: 'Chaos',
      submitter_email: 'chaos@example.com',
      ...fields,
      text_content: marker,
    }),
    signal: AbortSignal.timeout(60_000),
  });
  await response.text();
  if (response.status !== 201) throw new Error(`A probe was answered ${response.status}`);
}

function milliseconds(value: number): string {
  return `${value.toFixed(0)} ms`;
}
