'use client';
import { useCallback, useRef, useState } from 'react';

export type FormInput = ReturnType<typeof useFormInput>;

/**
 * Whether a form has something that it had not when it was opened: in its named fields, to which
 * `attributes` of the element listen, or in `others`, which is compared as JSON.
 */
export function useFormInput(others: unknown = null) {
  const opened = useRef<string>(undefined);
  const [isTyped, setIsTyped] = useState(false);
  const [before] = useState(() => JSON.stringify(others));
  const ref = useCallback((form: HTMLFormElement | null) => {
    if (form) opened.current ??= writtenIn(form);
  }, []);
  return {
    hasInput: isTyped || JSON.stringify(others) !== before,
    attributes: {
      ref,
      onChange: ({ currentTarget }: { currentTarget: HTMLFormElement }) =>
        setIsTyped(writtenIn(currentTarget) !== opened.current),
    },
  };
}

function writtenIn(form: HTMLFormElement): string {
  return JSON.stringify([...new FormData(form)]);
}
