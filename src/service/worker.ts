/** One of several processes that share a listener: it answers requests, and does the jobs. */
import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import { prepareClient } from '../database/open';
import type { Env } from '../env';
import type { ProcessCounts } from '../metrics/metrics';
import { hearDue, setRelay } from '../outbox/due';
import { startTracing } from '../tracing/start';
import { type FromWorker, readMessage, toWorkerSchema } from './messages';
import { type Serving, serve } from './serve';
import { onStopSignal } from './signals';

/** Accounts that were written for are told to the other workers together. */
const relayMs = 20;
const maxRelayed = 1_000;

/** The primary process answers sooner, whoever else does not. */
const countsMs = 3_000;

/** Serves until it is told to stop. The primary process has opened the database. */
export async function runWorker(settings: Env, embeddedFolder: string | undefined): Promise<void> {
  let serving: Serving | undefined;
  let stopTracing = async () => {};
  const questions = new Map<number, (counts: ProcessCounts[]) => void>();
  let lastQuestion = 0;

  const stop = onStopSignal(async () => {
    await serving?.stop();
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
      case 'stop':
        return stop();
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
        questions.get(message.question)?.(message.counts);
    }
  });

  stopTracing = await startTracing(settings);
  await prepareClient();
  relayDue();
  serving = await serve({
    isDevelopment: false,
    isAlone: false,
    embeddedFolder,
    countsOfOthers: () =>
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
        tell({ kind: 'counts-wanted', question });
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

function tell(message: FromWorker): void {
  // Without the primary process this one is about to end.
  if (process.connected) process.send?.(message);
}
