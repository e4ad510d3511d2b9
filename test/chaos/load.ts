/** Clients that write and read without a pause to speak of, and keep the books of what they are told. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Answer, type Client, createClient, type RequestOptions } from './client';
import type { KeptRow, Ledger } from './ledger';

export type Load = {
  counts: { requests: number; wrong: number; serverErrors: number; unanswered: number };
  /** Of the answers with success, in milliseconds, since it was last emptied. */
  latencies: number[];
  /** When an answer last came. */
  lastAnswerAt(): number;
  /** By code, of what got no answer. */
  failures: Map<string, number>;
  /**
   * Resolves to the seconds after `at` from which on every client has had its requests answered
   * rightly and soon; undefined where that did not come in time.
   */
  recovered(at: number, timeoutMs?: number): Promise<number | undefined>;
  stop(): Promise<void>;
};

export type LoadOptions = {
  port: () => number;
  key: string;
  space: string;
  ledger: Ledger;
  clients: number;
  /** Between two requests of a client. */
  pauseMs: number;
  timeoutMs?: number;
  /** Of a testimonial; as many as its marker has unless told otherwise. */
  textCharacters?: number;
};

/** So many answers in a row count as recovered, each within so much time. */
const streakLength = 20;
const soonMs = 2_000;
const pollMs = 50;

const single = z.object({
  data: z.object({ id: z.string(), text_content: z.string().nullable(), status: z.string() }),
});
const page = z.object({
  data: z.array(z.object({ space_id: z.string() })),
  pagination: z.object({ total: z.number() }),
});

type Runner = { streak: number[] };

export function startLoad(options: LoadOptions): Load {
  const counts = { requests: 0, wrong: 0, serverErrors: 0, unanswered: 0 };
  const latencies: number[] = [];
  const failures = new Map<string, number>();
  let isStopping = false;
  let lastAnswerAt = Number.NaN;

  const run = async (client: Client, runner: Runner) => {
    const send = async (request: RequestOptions, isRight: (answer: Answer) => boolean) => {
      const authorization = `Bearer ${options.key}`;
      const answer = await client.send({
        ...request,
        headers: { authorization },
        timeoutMs: options.timeoutMs,
      });
      counts.requests += 1;
      const isGood = answer.status >= 200 && answer.status < 300 && isRight(answer);
      if (answer.status > 0) lastAnswerAt = answer.endedAt;
      const tookMs = answer.endedAt - answer.startedAt;
      if (isGood) latencies.push(tookMs);
      else if (answer.status >= 500) counts.serverErrors += 1;
      else if (answer.status > 0) counts.wrong += 1;
      else {
        counts.unanswered += 1;
        const code = answer.failure ?? '';
        failures.set(code, (failures.get(code) ?? 0) + 1);
        // Nobody listens: as a client does, it does not ask again at once.
        await sleep(pollMs);
      }
      if (isGood && tookMs <= soonMs) runner.streak.push(answer.startedAt);
      else runner.streak = [];
      return isGood ? answer : undefined;
    };
    while (!isStopping) {
      await writeAndRead(send, options);
      await send({ path: `/api/v1/testimonials?limit=5&space_id=${options.space}` }, (answer) =>
        isPageOf(answer, options.space),
      );
      if (options.pauseMs > 0) await sleep(options.pauseMs);
    }
  };

  const runners: Runner[] = Array.from({ length: options.clients }, () => ({ streak: [] }));
  const clients = runners.map(() => createClient(options.port));
  const running = clients.map((client, at) => run(client, runners[at] ?? { streak: [] }));

  return {
    counts,
    latencies,
    lastAnswerAt: () => lastAnswerAt,
    failures,
    recovered: async (at, timeoutMs = 30_000) => {
      const deadline = performance.now() + timeoutMs;
      for (;;) {
        const starts = runners.map(({ streak }) => streak.filter((start) => start >= at));
        if (starts.every(({ length }) => length >= streakLength)) {
          return Math.max(...starts.map(([first = at]) => first - at)) / 1000;
        }
        if (performance.now() > deadline) return undefined;
        await sleep(pollMs);
      }
    },
    stop: async () => {
      isStopping = true;
      await Promise.all(running);
      for (const client of clients) client.close();
    },
  };
}

type Send = (
  request: RequestOptions,
  isRight: (answer: Answer) => boolean,
) => Promise<Answer | undefined>;

/** One testimonial: created, read, approved and read again. */
async function writeAndRead(send: Send, options: LoadOptions): Promise<void> {
  const { space, ledger, textCharacters = 0 } = options;
  const marker = randomUUID() + noise(textCharacters);
  ledger.sent.add(marker);
  const body = { space_id: space, type: 'text', submitter_name: 'Chaos', text_content: marker };
  const created = await send(
    { method: 'POST', path: '/api/v1/testimonials', body: { ...body, ...submitter } },
    (answer) => answer.status === 201 && rowOf(answer)?.text_content === marker,
  );
  const id = created && rowOf(created)?.id;
  if (!id) return;
  const statuses = new Set(['pending']);
  const row: KeptRow = { id, marker, statuses, answeredAt: created.endedAt };
  ledger.kept.set(id, row);
  const path = `/api/v1/testimonials/${id}`;
  await send({ path }, (answer) => isRow(answer, row));
  row.statuses.add('approved');
  const isApproved = (answer: Answer) => rowOf(answer)?.status === 'approved';
  const changed = await send({ method: 'PATCH', path, body: { status: 'approved' } }, isApproved);
  if (!changed) return;
  row.statuses.delete('pending');
  await send({ path }, (answer) => isRow(answer, row));
}

/** That cannot be compressed. */
function noise(characters: number): string {
  return randomBytes(Math.ceil(characters / 2)).toString('hex');
}

const submitter = { submitter_email: 'chaos@example.com', rating: 5 };

function rowOf({ text }: Answer) {
  return single.safeParse(parsed(text)).data?.data;
}

function isRow(answer: Answer, { id, marker, statuses }: KeptRow): boolean {
  const row = rowOf(answer);
  return row?.id === id && row.text_content === marker && statuses.has(row.status);
}

function isPageOf({ text }: Answer, space: string): boolean {
  const { data } = page.safeParse(parsed(text));
  return data?.data.every(({ space_id }) => space_id === space) ?? false;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
