'use client';
import { ActionIcon, Text } from '@mantine/core';
import { Check, Copy } from '../components/icons';
import { CodeText } from './code-text';
import { type Copying, useCopy } from './use-copy';

/** Copies the text, and says for a moment that it did, or that it could not. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const copying = useCopy();
  return (
    <>
      <CopyIcon text={text} label={label} copying={copying} />
      <CopyNote copying={copying} />
    </>
  );
}

export function CopyIcon(props: { id?: string; text: string; label: string; copying: Copying }) {
  const { text, label, copying } = props;
  return (
    <ActionIcon
      id={props.id}
      variant="default"
      size={28}
      aria-label={label}
      title={label}
      onClick={() => copying.copy(text)}
    >
      {copying.isCopied ? <Check size={15} /> : <Copy size={15} />}
    </ActionIcon>
  );
}

/**
 * The words of a button that copies, in whose place it stands for a moment that it did. Its name stays:
 * a screen reader would read that of what has the focus, when it changes, beside what `CopyNote` says.
 */
export function CopyWords({ copying, children }: { copying: Copying; children: string }) {
  if (!copying.isCopied) return children;
  return (
    <>
      <span aria-hidden>Copied</span>
      <span className="visually-hidden">{children}</span>
    </>
  );
}

/**
 * What became of copying, read out. Of a failure it says what to do, and shows the text where that is
 * out of sight.
 */
export function CopyNote(props: { copying: Copying; isOutOfSight?: boolean }) {
  const { isCopied, refused } = props.copying;
  const hasFailed = refused !== undefined;
  return (
    <>
      <Text
        span
        size="xs"
        c="var(--mantine-color-error)"
        aria-live="polite"
        className={hasFailed ? undefined : 'visually-hidden'}
      >
        {isCopied && 'Copied'}
        {hasFailed && 'Not copied. Select and copy it by hand.'}
      </Text>
      {hasFailed && props.isOutOfSight && (
        <CodeText text={refused} label="what was not copied" isSelected />
      )}
    </>
  );
}
