import { Note } from './note';

/** What is wrong with what was just sent, in a sentence, read out at once; nothing where all is well. */
export function ProblemNote({ problem }: { problem: string | undefined }) {
  if (!problem) return null;
  return (
    <Note tone="bad" role="alert">
      {problem}
    </Note>
  );
}
