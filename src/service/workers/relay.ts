import type { Worker } from 'node:cluster';
import { lastingCounts, type ProcessCounts } from '../../metrics/metrics';
import { type FromWorker, tellWorker } from './messages';

/** How long the counts of the others are waited for; of who is busy for longer, the last are told. */
const countsMs = 2_000;

type Asked = {
  by: Worker;
  question: number;
  awaited: Set<Worker>;
  late: NodeJS.Timeout;
};

/** What workers tell each other, by way of the primary process. */
export function createRelay(live: () => Worker[]): {
  hear(from: Worker, message: FromWorker): void;
} {
  const open = new Map<number, Asked>();
  let lastQuestion = 0;

  const othersOf = (worker: Worker) => live().filter((other) => other !== worker);

  /** What each has told last. */
  const told = new Map<Worker, ProcessCounts>();
  let ofEnded: ProcessCounts = [];

  const countsBeside = (asking: Worker): ProcessCounts[] => {
    for (const [worker, counts] of told) {
      if (worker.isConnected()) continue;
      ofEnded = lastingCounts([ofEnded, counts]);
      told.delete(worker);
    }
    const ofOthers = [...told].filter(([worker]) => worker !== asking);
    return [ofEnded, ...ofOthers.map(([, counts]) => counts)];
  };

  const answer = (number: number, { by, question, late }: Asked) => {
    clearTimeout(late);
    open.delete(number);
    tellWorker(by, { kind: 'counts-of-others', question, counts: countsBeside(by) });
  };

  /** Answers once all others have told their counts, or are late. */
  const askOthers = (by: Worker, question: number) => {
    lastQuestion += 1;
    const number = lastQuestion;
    const awaited = new Set(othersOf(by));
    const late = setTimeout(() => answer(number, asked), countsMs);
    const asked: Asked = { by, question, awaited, late };
    open.set(number, asked);
    for (const other of awaited) {
      tellWorker(other, { kind: 'counts-wanted', question: number });
    }
    if (awaited.size === 0) answer(number, asked);
  };

  return {
    hear(from, message) {
      switch (message.kind) {
        case 'due':
          for (const other of othersOf(from)) tellWorker(other, message);
          return;
        case 'counts-wanted':
          told.set(from, message.counts);
          askOthers(from, message.question);
          return;
        case 'counts': {
          told.set(from, message.counts);
          const asked = open.get(message.question);
          if (!asked?.awaited.delete(from)) return;
          if (asked.awaited.size === 0) answer(message.question, asked);
          return;
        }
        default:
      }
    },
  };
}
