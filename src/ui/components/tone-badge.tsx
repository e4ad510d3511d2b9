import type { ReactNode } from 'react';
import classes from './tones.module.css';

export type Tone = 'good' | 'warning' | 'bad' | 'over';

/** A state in a word; the colour only repeats what the word says. */
export function ToneBadge(props: { id?: string; tone: Tone; children: ReactNode }) {
  return (
    <span id={props.id} className={`${classes.badge} ${classes[props.tone]}`}>
      {props.children}
    </span>
  );
}
