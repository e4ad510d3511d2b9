'use client';
import { ActionIcon } from '@mantine/core';
import { Check, Copy } from './icons';
import { useCopy } from './use-copy';

/** Copies the text, and shows for a moment that it did. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { isCopied, copy } = useCopy();
  return (
    <>
      <ActionIcon
        variant="default"
        size={28}
        aria-label={label}
        title={label}
        onClick={() => copy(text)}
      >
        {isCopied ? <Check size={15} /> : <Copy size={15} />}
      </ActionIcon>
      <span role="status" className="visually-hidden">
        {isCopied ? 'Copied' : ''}
      </span>
    </>
  );
}
