/** One of several processes that share a listener: it answers requests, and does the jobs. */
import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { prepareClient } from '../../database/open';
import type { Env } from '../../env';
import type { Listeners } from '../../http/stop-listening';
import type { ProcessCounts } from '../../metrics/metrics';
import { hearDue, setRelay } from '../../outbox/due';
import { startTracing } from '../../tracing/start';
import { type Serving, serve } from '../serve';
import { onStopSignal } from '../signals';
import { type FromWorker, readMessage, type ToWorker, toWorkerSchema } from './messages';

/** Accounts that were written for are told to the other workers together. */
const relayMs = 20;
const maxRelayed = 1_000;

/** The primary process answers sooner, whoever else does not. */
const countsMs = 3_000;

/** How long a worker that stops waits for the others that stop too. */
const farewellMs = 5_000;

/** What the primary process answers to a worker that is about to stop. */
type Answer = Extract<ToWorker['kind'], 'turn-over' | 'none-listens'>;

/** Serves until it is told to stop. The primary process has opened the database. */
export async function runWorker(settings: Env, embeddedFolder: string | undefined): Promise<void> {
  let serving: Serving | undefined;
  let stopTracing = async () => {};
  const questions = new Map<number, (counts: ProcessCounts[]) => void>();
  let lastQuestion = 0;
  const siblings = listenersWithUs();

  onStopSignal(async () => {
    await serving?.stop(siblings.listeners);
    await stopTracing();
    // What was just said to the primary process goes out.
    await turnOfEventLoop();
    return true;
  });
  // The primary process replaces its workers; to one alone it means nothing.
  process.on('SIGHUP', () => {});
  process.on('message', async (sent: unknown) => {
    const message = readMessage(toWorkerSchema, sent);
    switch (message?.kind) {
      case 'pulse-wanted':
        return tell({ kind: 'pulse' });
      case 'due':
        return message.accountIds.forEach(hearDue);
      case 'counts-wanted':
        if (!serving) return;
        return tell({
          kind: 'counts',
          question: message.question,
          counts: await serving.ownCounts(),
        });
      case 'counts-of-others':
        return questions.get(message.question)?.(message.counts);
      case 'turn-over':
      case 'none-listens':
        siblings.hear(message.kind);
    }
  });

  stopTracing = await startTracing(settings);
  await prepareClient();
  relayDue();
  serving = await serve({
    isDevelopment: false,
    isAlone: false,
    embeddedFolder,
    countsOfOthers: (own) =>
      new Promise((resolve) => {
        lastQuestion += 1;
        const question = lastQuestion;
        const settle = (counts: ProcessCounts[]) => {
          clearTimeout(late);
          questions.delete(question);
          resolve(counts);
        };
        const late = setTimeout(() => settle([]), countsMs);
        questions.set(question, settle);
        tell({ kind: 'counts-wanted', question, counts: own });
      }),
  });
  tell({ kind: 'ready', port: serving.port });
}

/** Tells the other workers of which accounts this one has written something. */
function relayDue(): void {
  const waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const send = () => {
    clearTimeout(timer);
    timer = undefined;
    tell({ kind: 'due', accountIds: [...waiting] });
    waiting.clear();
  };
  setRelay((accountId) => {
    waiting.add(accountId);
    if (waiting.size >= maxRelayed) send();
    else timer ??= setTimeout(send, relayMs);
  });
}

/** The workers that listen at the same port, as the primary process knows of them. */
function listenersWithUs(): { listeners: Listeners; hear(answer: Answer): void } {
  const waiting = new Map<Answer, () => void>();
  const ask = (kind: 'turn-wanted' | 'not-listening', answer: Answer) =>
    new Promise<void>((resolve) => {
      waiting.set(answer, resolve);
      setTimeout(resolve, farewellMs);
      tell({ kind });
    });
  return {
    listeners: {
      turn: () => ask('turn-wanted', 'turn-over'),
      haveStopped: () => ask('not-listening', 'none-listens'),
    },
    hear: (answer) => waiting.get(answer)?.(),
  };
}

function tell(message: FromWorker): void {
  // Without the primary process this one is about to end, and may be told of that only by what fails here.
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
