import { AsyncLocalStorage } from 'node:async_hooks';
import { types } from 'pg';

/** What one read may bring unasked, in characters: a hundred rows of five thousand. */
export const largeReadCharacters = 512 * 1024;

/** A read that was not kept, for it brought more than may be in memory beside everybody else's. */
export class LargeReadError extends Error {
  override name = 'LargeReadError';

  constructor(readonly characters: number) {
    super(
      `The rows have ${characters} characters: they are to be read when there is room for them`,
    );
  }
}

const permitted = new AsyncLocalStorage<true>();

/** Runs what may read as much as it likes. Whoever calls it has made room. */
export function readingLarge<T>(run: () => Promise<T>): Promise<T> {
  return permitted.run(true, run);
}

/** @throws LargeReadError where that many characters need room, and none was made */
export function requireSmall(characters: number): void {
  if (characters > largeReadCharacters && !permitted.getStore()) {
    throw new LargeReadError(characters);
  }
}

type TypeParser = (text: string) => unknown;

/**
 * Counts what one statement answers, as the driver reads it, and lets go of what is beyond the
 * bound: `types` goes into the statement, `check` throws after it.
 */
export function meterRead() {
  const isPermitted = permitted.getStore() ?? false;
  let characters = 0;
  const metered = (parse: TypeParser) => (text: string) => {
    characters += text.length;
    return isPermitted || characters <= largeReadCharacters ? parse(text) : null;
  };
  return {
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        metered(types.getTypeParser(oid, format)),
    },
    /** @throws LargeReadError */
    check: () => {
      if (!isPermitted && characters > largeReadCharacters) throw new LargeReadError(characters);
    },
  };
}
