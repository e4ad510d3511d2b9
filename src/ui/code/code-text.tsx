'use client';
import { useEffect, useRef } from 'react';
import classes from './code-block.module.css';

/**
 * Text as it is, which scrolls where it is long. `isSelected` marks all of it, once, so that nothing
 * but a key is needed to copy it; the focus stays where it is.
 */
export function CodeText(props: { text: string; label: string; isSelected: boolean }) {
  const { text, label, isSelected } = props;
  const whole = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (isSelected && whole.current) window.getSelection()?.selectAllChildren(whole.current);
  }, [isSelected]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <section className={classes.scroll} tabIndex={0} aria-label={label}>
      <pre ref={whole} className={classes.text}>
        {text}
      </pre>
    </section>
  );
}
