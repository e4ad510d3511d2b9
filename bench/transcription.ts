/**
 * How a video of 100 MB is transcribed: MB/s from the request of the file to the saved transcript,
 * memory above idle, and how long the event loop was blocked. The file and the speech-to-text
 * service, which answers at once, are on loopback, in another process; so is the database.
 *
 *   npm run bench:transcription
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { database, disconnect } from '../src/database/client';
import { provideEnv } from '../src/env';
import { transcriptionEnds } from '../src/testimonials/transcripts';
import { makeFirstTry } from '../src/transcription/first-try';
import { openTestDatabase } from '../test/helpers/test-database';

const megabytes = 100;
const runs = 5;

async function main(): Promise<void> {
  const db = await openTestDatabase();
  const { child, url, bytes } = await startMediaServer();
  provideEnv({
    DATABASE_URL: db.url,
    OPENAI_BASE_URL: `${url}/v1`,
    ALLOW_PRIVATE_NETWORK: 'true',
    LOG_LEVEL: 'warn',
  });
  const video = await createTestimonial(`${url}/video.mp4`);
  await sleep(1000);

  // Before the first run: what it loads counts.
  const idleRss = process.memoryUsage().rss;
  const others = children();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let peakRss = 0;
  let peakExtractionRss = 0;
  const sampling = setInterval(() => {
    peakRss = Math.max(peakRss, process.memoryUsage().rss);
    for (const pid of children()) {
      if (!others.includes(pid)) peakExtractionRss = Math.max(peakExtractionRss, rssOf(pid));
    }
  }, 5);
  await makeFirstTry(video, randomUUID(), transcriptionEnds);
  delay.enable();
  const durationsMs: number[] = [];
  for (let run = 0; run < runs; run++) {
    await database().testimonial.update({
      where: { id: video.id },
      data: { transcription: 'pending' },
    });
    const startedAt = performance.now();
    await makeFirstTry(video, randomUUID(), transcriptionEnds);
    durationsMs.push(performance.now() - startedAt);
  }
  delay.disable();
  clearInterval(sampling);

  const { ai_transcript } = await database().testimonial.findUniqueOrThrow({
    where: { id: video.id },
  });
  if (ai_transcript !== 'We love it.') throw new Error('The video was not transcribed');
  const median = durationsMs.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? 0;
  const lines = [
    `file            ${(bytes / 1024 / 1024).toFixed(1)} MB, ${runs} runs after one to warm up`,
    `end to end      ${(bytes / 1024 / 1024 / (median / 1000)).toFixed(0)} MB/s (median; ${median.toFixed(0)} ms)`,
    `memory          ${((peakRss - idleRss) / 1024 / 1024).toFixed(0)} MB above idle at most; ${(peakExtractionRss / 1024 / 1024).toFixed(0)} MB in the process of the extraction`,
    `event loop      blocked for ${(delay.max / 1e6).toFixed(0)} ms at most, p99 ${(delay.percentile(99) / 1e6).toFixed(1)} ms`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  child.stdin?.end();
  await disconnect();
  await db.close();
}

/** Processes that this one has started; none where the system does not tell in /proc. */
function children(): string[] {
  return readProc(`/proc/self/task/${process.pid}/children`).trim().split(' ');
}

function rssOf(pid: string): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+) kB/.exec(readProc(`/proc/${pid}/status`)) ?? [];
  return Number(kilobytes) * 1024;
}

function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

async function startMediaServer(): Promise<{ child: ChildProcess; url: string; bytes: number }> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(__dirname, 'media-server.ts'), String(megabytes)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const [line]: string[] = await once(createInterface({ input: child.stdout }), 'line');
  const [port, bytes] = (line ?? '').split(' ');
  return { child, url: `http://127.0.0.1:${port}`, bytes: Number(bytes) };
}

async function createTestimonial(url: string) {
  const user = await database().user.create({
    data: { name: 'Bench', email: 'bench@example.com' },
  });
  const space = await database().space.create({
    data: { user_id: user.id, name: 'Bench', slug: 'bench' },
  });
  return database().testimonial.create({
    data: {
      user_id: user.id,
      space_id: space.id,
      type: 'video',
      submitter_name: 'Bench',
      video_url: url,
      transcription: 'pending',
    },
  });
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
