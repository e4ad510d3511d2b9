'use client';
import { useCallback, useRef, useState } from 'react';

export type FormInput = ReturnType<typeof useFormInput>;

/**
 * Whether a form has something that it had not when it was opened: in its named fields, to which
 * `attributes` of the element listen, or in `others`, which is compared as JSON. A browser may hold
 * other line ends than it was given, and none in a field of one line: what was changed is told by
 * `opened`, what stood in the form at first, and never by what it was filled with.
 */
export function useFormInput(others: unknown = null) {
  const form = useRef<HTMLFormElement>(null);
  const opened = useRef<FormData>(undefined);
  const [isTyped, setIsTyped] = useState(false);
  const [before] = useState(() => JSON.stringify(others));
  const ref = useCallback((element: HTMLFormElement | null) => {
    form.current = element;
    if (element) opened.current ??= new FormData(element);
  }, []);
  const now = () => (form.current ? new FormData(form.current) : new FormData());
  return {
    hasInput: isTyped || JSON.stringify(others) !== before,
    opened: () => opened.current ?? now(),
    now,
    attributes: {
      ref,
      onChange: () => setIsTyped(writtenIn(now()) !== writtenIn(opened.current ?? now())),
    },
  };
}

function writtenIn(form: FormData): string {
  return JSON.stringify([...form]);
}
