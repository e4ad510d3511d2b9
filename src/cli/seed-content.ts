/** What a seeded account holds: made up, plausible, and the same for the same choices. */
import type { CreateSpaceInput } from '../spaces/schema';
import type { Testimonial } from '../testimonials/schema';
import {
  companies,
  firstNames,
  lastNames,
  roles,
  type Theme,
  themes,
  wordings,
} from './seed-words';

export type SeedSpace = Required<CreateSpaceInput> & { ageDays: number };

/** All that does not depend on the account and the time. */
type SeedTestimonial = Omit<
  Testimonial,
  'id' | 'space_id' | 'user_id' | 'created_at' | 'updated_at'
> & {
  /** Which of the seeded spaces it belongs to, from 0. */
  spaceIndex: number;
  ageSeconds: number;
};

const secondsPerDay = 86_400;

/** How far back testimonials go; spaces are older than all of theirs. */
const oldestDays = 365;

export function seedSpaces(count: number): SeedSpace[] {
  return Array.from({ length: count }, (_, index) => {
    const { name, description, colour, questions } = themeOf(index);
    const round = Math.floor(index / themes.length) + 1;
    return {
      name: round > 1 ? `${name} ${round}` : name,
      description,
      logo_url: `https://media.example.com/logos/${new Choices(index).hex(12)}.png`,
      primary_color: colour,
      custom_questions: questions,
      ageDays: oldestDays + 5 + index,
    };
  });
}

/** The testimonials `from` to `to`, the latter excluded, spread over `spaceCount` spaces. */
export function seedTestimonials(from: number, to: number, spaceCount: number): SeedTestimonial[] {
  return Array.from({ length: to - from }, (_, index) => {
    const choices = new Choices(from + index);
    // The first spaces are the busy ones.
    const spaceIndex = Math.floor(choices.next() ** 2 * spaceCount);
    return seedTestimonial(choices, spaceIndex, themeOf(spaceIndex));
  });
}

function seedTestimonial(choices: Choices, spaceIndex: number, theme: Theme): SeedTestimonial {
  const ageSeconds = Math.floor(choices.next() * oldestDays * secondsPerDay);
  const rating = choices.weighted<number | null>([
    [5, 52],
    [4, 24],
    [3, 8],
    [2, 4],
    [1, 3],
    [null, 9],
  ]);
  const status = choices.weighted<Testimonial['status']>([
    // What is new has mostly not been looked at, and what is bad is mostly not shown.
    ['pending', ageSeconds < 14 * secondsPerDay ? 70 : 8],
    ['approved', (rating ?? 5) > 2 ? 80 : 15],
    ['rejected', (rating ?? 5) > 2 ? 4 : 60],
  ]);
  const isVideo = choices.chance(0.15);
  const text = wording(choices, theme, rating);
  const file = `https://media.example.com/testimonials/${choices.hex(12)}`;
  return {
    spaceIndex,
    ageSeconds,
    type: isVideo ? 'video' : 'text',
    status,
    ...submitter(choices),
    text_content: text,
    video_url: isVideo ? `${file}.mp4` : null,
    video_thumbnail_url: isVideo ? `${file}.jpg` : null,
    rating,
    ai_transcript: isVideo ? text : null,
    shares: status === 'approved' && choices.chance(0.3) ? Math.floor(choices.next() ** 3 * 60) : 0,
  };
}

function submitter(choices: Choices) {
  const first = choices.pick(firstNames);
  const last = choices.pick(lastNames);
  const company = choices.chance(0.8) ? choices.pick(companies) : null;
  const address = `${first}.${last}`.normalize('NFKD').replace(/[^A-Za-z.]/g, '');
  const host = company?.toLowerCase().replace(/[^a-z]+/g, '') ?? 'mail';
  return {
    submitter_name: `${first} ${last}`,
    submitter_email: `${address.toLowerCase()}@${host}.example.com`,
    submitter_company: company,
    submitter_role: company && choices.chance(0.85) ? choices.pick(roles) : null,
    submitter_avatar_url: choices.chance(0.4)
      ? `https://media.example.com/avatars/${choices.hex(12)}.jpg`
      : null,
  };
}

function wording(choices: Choices, theme: Theme, rating: number | null): string {
  const { openings, middles, endings } =
    rating === null || rating >= 4 ? wordings.glad : rating === 3 ? wordings.mixed : wordings.sorry;
  const parts = [choices.pick(openings)];
  if (choices.chance(0.75)) parts.push(choices.pick(middles));
  if (choices.chance(0.6)) parts.push(choices.pick(endings));
  return parts
    .join(' ')
    .replaceAll('{thing}', theme.thing)
    .replaceAll('{gain}', () => choices.pick(theme.gains))
    .replaceAll('{n}', () => String(2 + Math.floor(choices.next() * 18)));
}

function themeOf(spaceIndex: number): Theme {
  const theme = themes[spaceIndex % themes.length];
  if (!theme) throw new Error('There are no themes');
  return theme;
}

/** A source of choices that repeats itself for the same number (mulberry32). */
class Choices {
  #state: number;

  constructor(number: number) {
    // Neighbouring numbers would begin alike.
    this.#state = Math.imul(number + 1, 0x9e3779b1);
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[Math.floor(this.next() * items.length)] ?? items[0];
  }

  weighted<T>(items: [[T, number], ...[T, number][]]): T {
    let rest = this.next() * items.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [item, weight] of items) {
      rest -= weight;
      if (rest < 0) return item;
    }
    return items[0][0];
  }

  hex(digits: number): string {
    return Array.from({ length: digits }, () => Math.floor(this.next() * 16).toString(16)).join('');
  }
}
