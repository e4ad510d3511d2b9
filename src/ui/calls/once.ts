'use client';
import type { TRPCLink } from '@trpc/client';
import { tap } from '@trpc/server/observable';
import { useState } from 'react';
import type { AppRouter } from '@/src/router';

const keyBytes = 16;

/** What is to be done once, however often it is sent until an answer says that it is done. */
class Once {
  #key: string | undefined;

  get key(): string {
    // `randomUUID` is there on https and localhost only.
    this.#key ??= crypto
      .getRandomValues(new Uint8Array(keyBytes))
      .reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), '');
    return this.#key;
  }

  renew(): void {
    this.#key = undefined;
  }
}

/**
 * The context of calls by which a thing is made: where the answer to one was lost, the same sent again
 * is told what it was, and something else is refused. Once it has gone well, the next makes another.
 */
export function useOnce() {
  const [context] = useState(() => ({ once: new Once() }));
  return context;
}

/** What a call carries as its Idempotency-Key. */
export function idempotencyKeyOf(context: Record<string, unknown>): string | undefined {
  return context.once instanceof Once ? context.once.key : undefined;
}

export const renewOnce: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) => {
    const { once } = op.context;
    if (!(once instanceof Once)) return next(op);
    return next(op).pipe(tap({ next: () => once.renew() }));
  };
