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

/** How long the deliveries of a killed process may rest until another makes them. */
const pauseBounds = { server: 10, embedded: 2 };

/**
 * kill -9 while every endpoint is busy with as many deliveries as it may have. On a server another
 * instance lives on, on the embedded database the same is started again.
 */
export async function killed(server: string | undefined): Promise<Result> {
  const database = await freshDatabase(server);
  try {
    return await inScene({ ...sceneOptions(database), endpoints: 4 }, async (scene) => {
      const { receiver } = scene;
      receiver.answerAfter(400);
      const load = scene.load();
      await sleep(2_500);
      const dying = scene.service;
      const other = server ? await startService(scene.settings) : undefined;
      if (other) scene.service = other;
      const killedAt = performance.now();
      await dying.end('SIGKILL');
      receiver.answerAfter(50);
      // Those of the other instance are answered by then.
      await sleep(600);
      const interrupted = cutOff(receiver, killedAt);
      if (!server) await scene.restart();
      const backAt = server ? killedAt : performance.now();
      const recoverySeconds = await load.recovered(backAt);
      await load.stop();
      const pause = await longestPause(receiver, interrupted, killedAt, backAt);
      const bound = server ? pauseBounds.server : pauseBounds.embedded;
      const result = await scene.finish({
        name: `kill -9 with busy endpoints, ${placeOf(server)}`,
        recoverySeconds,
        note: `${interrupted.length} deliveries cut off, sent again ${pause.toFixed(1)} s after ${server ? 'the kill' : 'the start'} at the latest`,
        problems: [
          ...(interrupted.length > 0 ? [] : ['no delivery was under way']),
          ...(pause <= bound ? [] : [`deliveries rested for more than ${bound} s`]),
        ],
      });
      if (other) await other.end('SIGKILL');
      return result;
    });
  } finally {
    await database.remove();
  }
}

function cutOff({ received }: Receiver, at: number): string[] {
  const ended = [...received].filter(
    ([, { answeredAt, cameAt }]) => answeredAt === undefined && (cameAt[0] ?? at) < at,
  );
  return ended.map(([name]) => name);
}

/** In seconds after `from`, until the last of them has come again. */
async function longestPause(
  { received }: Receiver,
  names: string[],
  killedAt: number,
  from: number,
): Promise<number> {
  const deadline = performance.now() + 30_000;
  const again = (name: string) => received.get(name)?.cameAt.find((at) => at > killedAt);
  while (names.some((name) => again(name) === undefined)) {
    if (performance.now() > deadline) return Number.POSITIVE_INFINITY;
    await sleep(100);
  }
  const pauses = names.map((name) => Math.max(0, (again(name) ?? from) - from));
  return Math.max(0, ...pauses) / 1000;
}

function sceneOptions({ settings }: FreshDatabase) {
  const { DATABASE_URL: directUrl } = settings;
  return { settings, ...(directUrl !== undefined && { directUrl }) };
}

function placeOf(server: string | undefined): string {
  return server ? 'server' : 'embedded database';
}
