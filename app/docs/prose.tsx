import { Fragment } from 'react';
import classes from './docs.module.css';

/** A description: paragraphs, lists of `- ` lines, and code between backticks; no other Markdown. */
export function Prose({ text }: { text: string }) {
  return text.split(/\n{2,}/).map((block) => {
    const lines = block.split('\n');
    if (!lines.every((line) => line.startsWith('- '))) {
      return (
        <p key={block}>
          <Inline text={block} />
        </p>
      );
    }
    return (
      <ul key={block}>
        {lines.map((line) => (
          <li key={line}>
            <Inline text={line.slice(2)} />
          </li>
        ))}
      </ul>
    );
  });
}

/** Text with code between backticks. */
export function Inline({ text }: { text: string }) {
  return text.split('`').map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text that never changes
    <Fragment key={index}>
      {index % 2 ? <code className={classes.code}>{part}</code> : part}
    </Fragment>
  ));
}
