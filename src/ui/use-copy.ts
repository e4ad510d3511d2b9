'use client';
import { useEffect, useState } from 'react';

const confirmationMs = 2000;

/** Puts text on the clipboard; `isCopied` is true for a moment after it worked. */
export function useCopy(): { isCopied: boolean; copy: (text: string) => void } {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), confirmationMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return { isCopied, copy: (text) => void toClipboard(text).then(setIsCopied) };
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
