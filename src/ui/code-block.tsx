'use client';
import classes from './code-block.module.css';
import { CopyButton } from './copy-button';

/** Text to copy as it is: a key, a command, a few lines of code. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className={classes.root}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <section className={classes.scroll} tabIndex={0} aria-label={label}>
        <pre className={classes.text}>{text}</pre>
      </section>
      <div className={classes.copy}>
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
    </div>
  );
}
