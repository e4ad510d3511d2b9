import type { ReactNode } from 'react';
import classes from './tones.module.css';

export type Tone = 'good' | 'warning' | 'bad' | 'over';

/** A state in a word; the colour only repeats what the word says. */
export function ToneBadge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <span className={`${classes.badge} ${classes[tone]}`}>{children}</span>;
}
