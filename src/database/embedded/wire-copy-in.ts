/**
 * COPY … FROM STDIN over a backend that takes what it is given whole: the client is asked for its
 * rows first, and the backend gets the statement and all of them at once. Simple queries of that one
 * statement alone; elsewhere a COPY FROM STDIN fails.
 */
import { type FrontendMessage, WireProtocolError } from './wire-protocol';

/** Both this process and the backend hold the rows of a statement. */
const maxBytes = 64 * 1024 ** 2;

/** A table, and perhaps its columns; names with parentheses are not told apart, and not served. */
const copyFromStdin =
  /^\s*COPY\s+(?:[\w.]|"[^"()]*")+\s*(?:\([^()]*\)\s*)?FROM\s+STDIN\b[^;]*;?\s*$/i;

type CopyIn = {
  /** Whether rows of a client are awaited. */
  isOpen(): boolean;
  /** True where the message is such a statement: what follows is its rows, for `add`. */
  begin(message: FrontendMessage): boolean;
  /**
   * Resolves to all messages of the statement once it has its last.
   * @throws WireProtocolError where they are none of a COPY, or too large
   */
  add(message: FrontendMessage): Buffer[] | undefined;
};

export function createCopyIn(): CopyIn {
  let gathered: Buffer[] = [];
  let gatheredBytes = 0;

  return {
    isOpen: () => gathered.length > 0,
    begin: ({ type, bytes }) => {
      if (type !== 'Q' || !copyFromStdin.test(bytes.toString('utf8', 5, bytes.length - 1))) {
        return false;
      }
      gathered = [bytes];
      gatheredBytes = bytes.length;
      return true;
    },
    add: ({ type, bytes }) => {
      // A client may flush and sync in between, which says nothing.
      if (type === 'H' || type === 'S') return undefined;
      if (type !== 'd' && type !== 'c' && type !== 'f') {
        throw new WireProtocolError('rows of a COPY were expected');
      }
      gatheredBytes += bytes.length;
      if (gatheredBytes > maxBytes) {
        throw new WireProtocolError(`a COPY takes ${maxBytes} bytes here: send several`);
      }
      gathered.push(bytes);
      if (type === 'd') return undefined;
      const statement = gathered;
      gathered = [];
      return statement;
    },
  };
}
