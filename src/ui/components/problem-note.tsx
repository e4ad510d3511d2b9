import type { ReactNode } from 'react';
import { Note } from './note';

/**
 * What is wrong with what was just sent, in a sentence, read out at once; nothing where all is well. What
 * leads further follows it.
 */
export function ProblemNote(props: { problem: string | undefined; children?: ReactNode }) {
  if (!props.problem) return null;
  return (
    <Note tone="bad" role="alert">
      {props.problem} {props.children}
    </Note>
  );
}
