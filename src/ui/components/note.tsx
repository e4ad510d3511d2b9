import type { ReactNode } from 'react';
import type { Tone } from './tone-badge';
import classes from './tones.module.css';

/** A sentence that must not be missed. What appears after an action has a `role`, to be read out. */
export function Note(props: { tone: Tone; role?: 'alert' | 'status'; children: ReactNode }) {
  return (
    <div className={`${classes.note} ${classes[props.tone]}`} role={props.role}>
      {props.children}
    </div>
  );
}
