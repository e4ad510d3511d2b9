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

/** Of those that are permitted. */
let underWay = 0;

/**
 * Runs what may read as much as it likes. Whoever calls it has made room. Before Node 24 a storage in
 * use costs every promise of the process, so it is switched off again.
 */
export async function readingLarge<T>(run: () => Promise<T>): Promise<T> {
  underWay += 1;
  try {
    return await permitted.run(true, run);
  } finally {
    underWay -= 1;
    if (underWay === 0) permitted.disable();
  }
}

/** @throws LargeReadError where that many characters need room, and none was made */
export function requireSmall(characters: number): void {
  if (characters > largeReadCharacters && !permitted.getStore()) {
    throw new LargeReadError(characters);
  }
}

type TypeParser = (text: string) => unknown;

/** Of which none is long. */
const { BOOL, INT2, INT4, INT8, FLOAT4, FLOAT8, TIMESTAMPTZ } = types.builtins;
const shortTypes = new Set<number>([BOOL, INT2, INT4, INT8, FLOAT4, FLOAT8, TIMESTAMPTZ]);

const asText: TypeParser = types.getTypeParser(types.builtins.TEXT);

/**
 * Counts what one statement answers, as the driver reads it, and lets go of what is beyond the bound:
 * it goes into the statement as its `types`, and is asked to `check` after it.
 */
export class MeteredRead {
  readonly #isPermitted = permitted.getStore() ?? false;
  #characters = 0;

  getTypeParser(oid: number, format?: 'text' | 'binary'): TypeParser {
    const parse: TypeParser = types.getTypeParser(oid, format);
    if (parse === asText) return this.#text;
    return shortTypes.has(oid) ? parse : (text) => (this.#isKept(text) ? parse(text) : null);
  }

  /** @throws LargeReadError */
  check(): void {
    // It may outlive what permitted it, where that has failed meanwhile.
    if (!this.#isPermitted) requireSmall(this.#characters);
  }

  /** One for all columns. */
  readonly #text = (text: string) => (this.#isKept(text) ? text : null);

  #isKept(text: string): boolean {
    this.#characters += text.length;
    return this.#isPermitted || this.#characters <= largeReadCharacters;
  }
}
