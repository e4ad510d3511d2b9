/** The process is told to stop, or killed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type FreshDatabase, freshDatabase } from '../../smoke/databases';
import { startService } from '../../smoke/processes';
import type { Load } from '../load';
import type { Receiver } from '../receiver';
import type { Result } from '../report';
import { inScene } from '../scene';

/** From the last answer to the end of the process. */
const exitBoundSeconds = 1;

/** SIGTERM while many clients ask without a pause over connections that they keep. */
export async function terminated(server: string | undefined): Promise<Result> {
  const database = await freshDatabase(server);
  try {
    return await inScene(sceneOptions(database), async (scene) => {
      const load = scene.load({ clients: 20, pauseMs: 0 });
      await sleep(2_000);
      const before = load.counts.requests;
      const toldAt = performance.now();
      const { code } = await scene.service.end('SIGTERM');
      const tookSeconds = (performance.now() - toldAt) / 1000;
      const exitSeconds = (performance.now() - load.lastAnswerAt()) / 1000;
      // Those answered after the signal.
      const after = load.counts.requests - load.counts.unanswered - before;
      await load.stop();
      const resets = resetsOf(load);
      await scene.restart();
      const next = scene.load();
      const recoverySeconds = await next.recovered(performance.now());
      return scene.finish({
        name: `SIGTERM under keep-alive load, ${placeOf(server)}`,
        recoverySeconds,
        note: `exit ${code} after ${tookSeconds.toFixed(1)} s and ${after} answers, ${exitSeconds.toFixed(1)} s after the last, ${resets} resets`,
        problems: [
          ...(code === 0 ? [] : [`exit code ${code}`]),
          ...(resets === 0 ? [] : [`${resets} resets: ${[...load.failures.keys()].join(', ')}`]),
          ...(exitSeconds <= exitBoundSeconds
            ? []
            : [`ended ${exitSeconds.toFixed(1)} s after the last answer`]),
        ],
      });
    });
  } finally {
    await database.remove();
  }
}

/** What a client may meet of a service that has stopped is that nobody listens. */
function resetsOf({ failures }: Load): number {
  let resets = 0;
  for (const [code, count] of failures) if (code !== 'ECONNREFUSED') resets += count;
  return resets;
}

const endpoints = 4;
/** Longer than another instance takes to start, shorter than a delivery may take. */
const busyMs = 12_000;

/** How long an endpoint may be sent nothing, in seconds: each is full of what the process had. */
const pauseBounds = { server: 10, embedded: 5 };

/**
 * kill -9 while every endpoint is busy with as many deliveries as it may have. On a server another
 * instance lives on, on the embedded database the same is started again.
 */
export async function killed(server: string | undefined): Promise<Result> {
  const database = await freshDatabase(server);
  try {
    return await inScene({ ...sceneOptions(database), endpoints }, async (scene) => {
      const { receiver } = scene;
      receiver.answerAfter(busyMs);
      const load = scene.load();
      await everyEndpointIsBusy(receiver);
      const dying = scene.service;
      const other = server ? await startService(scene.settings) : undefined;
      if (other) scene.service = other;
      const killedAt = performance.now();
      await dying.end('SIGKILL');
      receiver.answerAfter(50);
      if (!server) await scene.restart();
      const backAt = server ? killedAt : performance.now();
      const recoverySeconds = await load.recovered(backAt);
      await load.stop();
      const pause = await longestPause(receiver, killedAt, backAt);
      const interrupted = receiver.cutOffAt.filter((at) => at >= killedAt).length;
      const bound = server ? pauseBounds.server : pauseBounds.embedded;
      const result = await scene.finish({
        name: `kill -9 with busy endpoints, ${placeOf(server)}`,
        recoverySeconds,
        note: `${interrupted} deliveries cut off, every endpoint sent more ${pause.toFixed(1)} s after ${server ? 'the kill' : 'the start'}`,
        problems: [
          ...(interrupted > 0 ? [] : ['no delivery was under way']),
          ...(pause <= bound ? [] : [`deliveries rested for ${pause.toFixed(1)} s`]),
        ],
      });
      if (other) await other.end('SIGKILL');
      return result;
    });
  } finally {
    await database.remove();
  }
}

/** Resolves once every endpoint is sent as much at once as it may be. */
async function everyEndpointIsBusy(receiver: Receiver): Promise<void> {
  const deadline = performance.now() + busyMs;
  let sent = 0;
  while (performance.now() < deadline) {
    await sleep(500);
    const isResting = receiver.underWay() === sent;
    sent = receiver.underWay();
    if (isResting && sent >= endpoints) return;
  }
  throw new Error(`After ${busyMs} ms only ${sent} deliveries were under way`);
}

/** In seconds after `from`, until the last of the endpoints has been sent something again. */
async function longestPause(
  { received }: Receiver,
  killedAt: number,
  from: number,
): Promise<number> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const firsts = Array.from({ length: endpoints }, (_, endpoint) => {
      const ofEndpoint = [...received].filter(([name]) => name.startsWith(`/${endpoint} `));
      const times = ofEndpoint.flatMap(([, { cameAt }]) => cameAt.filter((at) => at > killedAt));
      return times.reduce((first, at) => Math.min(first, at), Number.POSITIVE_INFINITY);
    });
    const last = Math.max(...firsts);
    if (Number.isFinite(last)) return Math.max(0, last - from) / 1000;
    if (performance.now() > deadline) return Number.POSITIVE_INFINITY;
    await sleep(100);
  }
}

function sceneOptions({ settings }: FreshDatabase) {
  const { DATABASE_URL: directUrl } = settings;
  return { settings, ...(directUrl !== undefined && { directUrl }) };
}

function placeOf(server: string | undefined): string {
  return server ? 'server' : 'embedded database';
}
