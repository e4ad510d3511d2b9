export type HeldLeases<Held> = {
  /** What is held now. */
  held: ReadonlySet<Held>;
  hold(one: Held): void;
  release(one: Held): void;
};

/**
 * Has the leases of what this process works at last anew for as long as it lives, all of them in one
 * call; what a dead process held runs out by itself. `renew` may not throw.
 */
export function createHeldLeases<Held>(options: {
  everyMs: number;
  renew: (held: ReadonlySet<Held>) => Promise<void>;
}): HeldLeases<Held> {
  const held = new Set<Held>();
  let timer: NodeJS.Timeout | undefined;
  let isRenewing = false;

  const renew = async () => {
    // A database that does not answer would collect them.
    if (isRenewing) return;
    isRenewing = true;
    await options.renew(held);
    isRenewing = false;
  };
  return {
    held,
    hold(one) {
      held.add(one);
      timer ??= setInterval(renew, options.everyMs);
    },
    release(one) {
      held.delete(one);
      if (held.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}

/** The tokens of leases that are held, each once. */
export function tokensOf(held: Iterable<{ token: string }>): string[] {
  return [...new Set([...held].map(({ token }) => token))];
}

/** How much of what is held is each account's, by their ids. */
export function byAccount(held: Iterable<{ accountId: string }>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { accountId } of held) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  return counts;
}
