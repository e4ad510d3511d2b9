'use client';
import { ActionIcon } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';

const confirmationMs = 2000;

/** Puts the text on the clipboard, and shows for a moment that it did. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), confirmationMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <>
      <ActionIcon
        variant="default"
        size={28}
        aria-label={label}
        title={label}
        onClick={() => void copy(text).then(setIsCopied)}
      >
        {isCopied ? <Check size={15} /> : <Copy size={15} />}
      </ActionIcon>
      <span role="status" className="visually-hidden">
        {isCopied ? 'Copied' : ''}
      </span>
    </>
  );
}

/** Whether the text is on the clipboard now. */
async function copy(text: string): Promise<boolean> {
  // Browsers offer the clipboard on https and localhost only.
  if (!navigator.clipboard) return copyBySelection(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copyBySelection(text),
  );
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  // Inside the dialog where there is one: it keeps the focus from leaving.
  const parent = document.activeElement?.closest('[role="dialog"]') ?? document.body;
  parent.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  return isCopied;
}
