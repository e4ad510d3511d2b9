'use client';
import { useEffect, useState } from 'react';

const confirmationMs = 2000;

export type Copying = {
  isCopied: boolean;
  /** What was to be copied, and was not. */
  refused: string | undefined;
  copy: (text: string) => void;
};

/**
 * Puts text on the clipboard. `isCopied` is true for a moment after it worked, `refused` is there after
 * it did not, until it is tried again.
 */
export function useCopy(): Copying {
  const [isCopied, setIsCopied] = useState(false);
  const [refused, setRefused] = useState<string>();
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), confirmationMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  function copy(text: string) {
    setIsCopied(false);
    setRefused(undefined);
    void toClipboard(text).then((isDone) => (isDone ? setIsCopied(true) : setRefused(text)));
  }
  return { isCopied, refused, copy };
}

async function toClipboard(text: string): Promise<boolean> {
  // Browsers offer the clipboard on https and localhost only.
  if (!navigator.clipboard) return copyBySelection(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copyBySelection(text),
  );
}

function copyBySelection(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  // Inside the dialog where there is one: it keeps the focus from leaving.
  const parent = before?.closest('[role="dialog"]') ?? document.body;
  parent.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  // It went to the field, and would be lost with it.
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return isCopied;
}
