'use client';
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Outcome } from './sign-in';
import { focusOnceDrawn } from './use-focus-return';

/**
 * A form that is sent by a call: what came of it, and whether it is on its way. The focus, which its
 * button loses meanwhile, goes back to it.
 */
export function useSubmit(
  send: (fields: FormData) => Promise<Outcome>,
  onDone?: (outcome: Outcome, form: HTMLFormElement) => void,
) {
  const [outcome, setOutcome] = useState<Outcome>();
  const [isBusy, setIsBusy] = useState(false);
  // Set while it is on its way.
  const focus = useRef<Element | null>(undefined);
  // Known at once, where `isBusy` is told once all is drawn: what fills forms in may send them twice.
  const isSending = useRef(false);
  useLayoutEffect(() => {
    if (isBusy || focus.current === undefined) return;
    focusOnceDrawn([focus.current]);
    focus.current = undefined;
  }, [isBusy]);

  async function run(form: HTMLFormElement) {
    if (isSending.current) return;
    isSending.current = true;
    focus.current = document.activeElement;
    setIsBusy(true);
    setOutcome(undefined);
    const answer = await send(new FormData(form));
    isSending.current = false;
    setIsBusy(false);
    setOutcome(answer);
    if (!answer.problem) onDone?.(answer, form);
  }

  return {
    isBusy,
    problem: outcome?.problem,
    /** Set once it went well. */
    done: outcome && !outcome.problem ? outcome : undefined,
    /**
     * Of the element. By its method it does nothing when it is sent before the page listens, where
     * any other would put what was typed into the address or load the page without it.
     */
    attributes: {
      method: 'dialog',
      onSubmit: (event: FormEvent<HTMLFormElement>) => {
        event.preventDefault();
        void run(event.currentTarget);
      },
    },
  };
}
