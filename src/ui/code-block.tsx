'use client';
import classes from './code-block.module.css';
import { CopyIcon, CopyNote } from './copy-button';
import { useCopy } from './use-copy';

/** Text to copy as it is: a key, a command, a few lines of code. */
export function CodeBlock({ text, label }: { text: string; label: string }) {
  const copying = useCopy();
  return (
    <div>
      <div className={classes.root}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
        <section className={classes.scroll} tabIndex={0} aria-label={label}>
          <pre className={classes.text}>{text}</pre>
        </section>
        <div className={classes.copy}>
          <CopyIcon text={text} label={`Copy ${label}`} copying={copying} />
        </div>
      </div>
      <CopyNote copying={copying} />
    </div>
  );
}
