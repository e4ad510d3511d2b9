import { singleton } from '../singleton';

/** Below this, an answer counts for nothing: it is not more than its connection takes anyway. */
export const smallAnswerBytes = 32 * 1024;

/** Of all answers of a process that their clients have not taken yet. */
const totalBytes = 64 * 1024 ** 2;

type Answer = { client: string; bytes: number; cut: () => void };

/**
 * Keeps what is to be sent within bounds, however slowly it is taken: where there is more than
 * `totalBytes`, connections are cut, of the client (an account) that has most on its way, the oldest
 * first. So who takes little is never cut for the sake of others.
 */
export function createUnsent(options: { totalBytes: number }) {
  const answers = new Set<Answer>();

  const heaviestClient = (): string => {
    const byClient = new Map<string, number>();
    for (const { client, bytes } of answers) {
      byClient.set(client, (byClient.get(client) ?? 0) + bytes);
    }
    const [first] = [...byClient].sort(([, a], [, b]) => b - a);
    return first?.[0] ?? '';
  };

  let total = 0;
  const remove = (answer: Answer) => {
    if (answers.delete(answer)) total -= answer.bytes;
  };

  return {
    /** Counts an answer until what it returns is called. An answer alone may be as large as it is. */
    hold(client: string, bytes: number, cut: () => void): () => void {
      const answer = { client, bytes, cut };
      answers.add(answer);
      total += bytes;
      while (total > options.totalBytes && answers.size > 1) {
        const most = heaviestClient();
        const oldest = [...answers].find((one) => one.client === most);
        if (!oldest) break;
        remove(oldest);
        oldest.cut();
      }
      return () => remove(answer);
    },
  };
}

export function unsent() {
  return singleton('unsent-answers', () => createUnsent({ totalBytes }));
}
