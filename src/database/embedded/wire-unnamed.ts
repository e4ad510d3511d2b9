/**
 * The unnamed statement, which is a connection's own on a server, from one Parse to the next or to a
 * simple query. In the one session that all share, others make theirs in between: a client that comes
 * back to its own would run theirs. So it is made anew.
 */
import { closeUnnamedStatement, type FrontendMessage } from './wire-protocol';

/** What a turn begins with, and the type of the backend's answer to it, which the client has had. */
export type Remake = { message: Buffer; answerType: string };

type UnnamedStatement = {
  /** Is told each message of the client, in order. */
  note(message: FrontendMessage): void;
  /** What makes the statement that those noted since the last call refer to, if not to one of their own. */
  takeRemake(): Remake | undefined;
};

const gone: Remake = { message: closeUnnamedStatement, answerType: '3' };

export function createUnnamedStatement(): UnnamedStatement {
  let current = gone;
  let remake: Remake | undefined;
  let isOwn = false;

  function become(next: Remake): void {
    current = next;
    isOwn = true;
  }

  return {
    note: (message) => {
      if (message.type === 'Q') become(gone);
      if (!isUnnamed(message)) return;
      // A copy: the bytes are a view of all that came with them.
      if (message.type === 'P') become({ message: Buffer.from(message.bytes), answerType: '1' });
      else if (message.type === 'C') become(gone);
      else if (!isOwn) remake ??= current;
    },
    takeRemake: () => {
      const taken = remake;
      remake = undefined;
      isOwn = false;
      return taken;
    },
  };
}

/** Whether the message is about a statement, and that has no name. */
function isUnnamed({ type, bytes }: FrontendMessage): boolean {
  switch (type) {
    case 'P':
      return bytes[5] === 0;
    case 'B':
      // Behind the name of the portal.
      return bytes[bytes.indexOf(0, 5) + 1] === 0;
    case 'C':
    case 'D':
      return bytes[5] === 0x53 && bytes[6] === 0;
    default:
      return false;
  }
}
