/** What a benchmark database holds: the same accounts, spaces and testimonials every time. */
import { createHash } from 'node:crypto';
import {
  companies,
  firstNames,
  lastNames,
  roles,
  themes,
  wordings,
} from '../../src/cli/seed-words';
import type { Testimonial } from '../../src/testimonials/schema';
import { Random } from './random';

/** Every fifth row is the big account's; the others share the rest, a few of them much of it. */
const bigAccountEvery = 5;
const rowsPerAccount = 1000;

/** The rare term stands in one of so many rows of the big account, and nowhere else. */
const rareTermEvery = 1000;
export const rareTerm = 'quokka';
/** Stands in about half of all texts. */
export const commonTerm = 'since';

const minTextLength = 50;
const maxTextLength = 1500;
const firstInstant = Date.UTC(2024, 10, 1);
const lastInstant = Date.UTC(2026, 10, 1);

/** Of whoever sends what a workload creates. */
export const createdEmail = 'created@example.com';

export type BenchAccount = { id: string; email: string; key: string; spaceIds: string[] };

/** The account with a fifth of all rows. */
export const bigAccount = account(0);

/** The accounts of a database with so many rows: the big one first, then from large to small. */
export function accounts(rows: number): BenchAccount[] {
  return Array.from({ length: Math.max(2, Math.round(rows / rowsPerAccount)) }, (_, index) =>
    account(index),
  );
}

function account(index: number): BenchAccount {
  const random = new Random(1_000_000_000 + index);
  return {
    id: random.uuid(),
    email: `account-${index}@example.com`,
    key: `sk_live_${createHash('sha256').update(`bench ${index}`).digest('hex')}`,
    spaceIds: Array.from({ length: 3 + (index % 6) }, () => random.uuid()),
  };
}

/** The rows `from` to `to`, the latter excluded, of a database with `rows`, oldest first. */
export function testimonials(
  owners: BenchAccount[],
  rows: number,
  from: number,
  to: number,
): (Testimonial & { event_sequence: number })[] {
  return Array.from({ length: to - from }, (_, index) => testimonial(owners, rows, from + index));
}

function testimonial(owners: BenchAccount[], rows: number, number: number) {
  const random = new Random(number);
  const id = random.uuid();
  const { id: userId, spaceIds } = ownerOf(owners, number, random);
  const isRare = number % (rareTermEvery * bigAccountEvery) === 0;
  const type = isRare
    ? 'text'
    : random.weighted<'text' | 'video'>([
        ['text', 85],
        ['video', 15],
      ]);
  const status = random.weighted<Testimonial['status']>([
    ['approved', 62],
    ['pending', 25],
    ['rejected', 13],
  ]);
  const rating = random.weighted<number | null>([
    [5, 52],
    [4, 21],
    [null, 12],
    [3, 8],
    [2, 4],
    [1, 3],
  ]);
  const [first, last] = [random.pick(firstNames), random.pick(lastNames)];
  const createdAt = instantOf(number, rows, random);
  const moderatedAfter = status === 'pending' ? 0 : random.below(5 * 86_400_000);
  const microseconds = random.below(1000);
  const isTranscribed = type === 'video' && random.share() < 0.8;
  const text = type === 'text' || isTranscribed ? textOf(random, isRare) : null;
  return {
    id,
    // The first spaces are the busy ones.
    space_id: spaceIds[Math.floor(random.share() ** 2 * spaceIds.length)] ?? '',
    user_id: userId,
    type,
    status,
    submitter_name: `${first} ${last}`,
    submitter_email: `submitter.${number}@example.com`,
    submitter_company: random.share() < 0.7 ? random.pick(companies) : null,
    submitter_role: random.share() < 0.6 ? random.pick(roles) : null,
    submitter_avatar_url:
      random.share() < 0.4 ? `https://images.example.com/avatars/${number}.png` : null,
    text_content: text,
    video_url: type === 'video' ? `https://videos.example.com/${number}.mp4` : null,
    video_thumbnail_url: type === 'video' ? `https://videos.example.com/${number}.jpg` : null,
    rating,
    ai_transcript: isTranscribed ? text : null,
    shares: random.share() < 0.7 ? 0 : Math.floor(random.share() ** 4 * 500),
    event_sequence: 1,
    created_at: wireInstant(createdAt, microseconds),
    updated_at: wireInstant(createdAt + moderatedAfter, microseconds),
  } as const;
}

/** In turns and at random, as real accounts write: no account's rows lie together. */
function ownerOf(owners: BenchAccount[], number: number, random: Random): BenchAccount {
  if (number % bigAccountEvery === 0) return bigAccount;
  return owners[1 + Math.floor(random.share() ** 1.5 * (owners.length - 1))] ?? bigAccount;
}

/** Milliseconds. Evenly over the two years, and a little out of order. */
function instantOf(number: number, rows: number, random: Random): number {
  const stepMs = (lastInstant - firstInstant) / (rows + 1);
  return Math.floor(firstInstant + (number + random.share()) * stepMs);
}

function wireInstant(ms: number, microseconds: number): string {
  const iso = new Date(ms).toISOString().slice(0, -1);
  return `${iso}${String(microseconds).padStart(3, '0')}+00:00`;
}

/** 50 to 1,500 characters, most of them short. */
function textOf(random: Random, isRare: boolean): string {
  let text = isRare ? `A ${rareTerm} smiled.` : random.pick(sentencePool);
  const length = minTextLength + random.share() ** 2 * (maxTextLength - minTextLength);
  while (text.length < length) text += ` ${random.pick(sentencePool)}`;
  if (random.share() < 0.3) text += ` Our order was ${random.bits().toString(16)}.`;
  return text.slice(0, maxTextLength);
}

/** Every sentence that the seed's wordings make, so that a row costs only a choice among them. */
const sentencePool = makeSentences();

function makeSentences(): [string, ...string[]] {
  const random = new Random(2_000_000_000);
  const templates = Object.values(wordings).flatMap(({ openings, middles, endings }) => [
    ...openings,
    ...middles,
    ...endings,
  ]);
  const sentences = Array.from({ length: 5000 }, () => {
    const theme = random.pick(themes);
    const template = templates[random.below(templates.length)] ?? '';
    const mention =
      random.share() < 0.2 ? ` ${random.pick(firstNames)} ${random.pick(lastNames)} helped.` : '';
    return (
      template
        .replaceAll('{thing}', theme.thing)
        .replaceAll('{gain}', random.pick(theme.gains))
        .replaceAll('{n}', String(2 + random.below(30))) + mention
    );
  });
  return [sentences[0] ?? '', ...sentences.slice(1)];
}
