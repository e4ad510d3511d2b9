'use client';
import classes from './code-block.module.css';
import { CodeText } from './code-text';
import { CopyIcon, CopyNote } from './copy-button';
import { useCopy } from './use-copy';

/** Text to copy as it is: a key, a command, a few lines of code. */
export function CodeBlock(props: { text: string; label: string; copyId?: string }) {
  const { text, label } = props;
  const copying = useCopy();
  return (
    <div>
      <div className={classes.root}>
        <CodeText text={text} label={label} isSelected={copying.refused !== undefined} />
        <div className={classes.copy}>
          <CopyIcon id={props.copyId} text={text} label={`Copy ${label}`} copying={copying} />
        </div>
      </div>
      <CopyNote copying={copying} />
    </div>
  );
}
