'use client';
import { type FormEvent, useRef, useState } from 'react';
import { useKeptFocus } from '../browser/use-kept-focus';
import type { Outcome } from '../session/call-sign-in';

/**
 * A form that is sent by a call: what came of it, and whether it is on its way. The focus, which its
 * button loses meanwhile, goes back to it. `onDone` is called where it went well, `onUncertain` where
 * nobody knows.
 */
export function useSubmit(
  send: (fields: FormData) => Promise<Outcome>,
  onDone?: (outcome: Outcome, form: HTMLFormElement) => void,
  onUncertain?: () => void,
) {
  const [outcome, setOutcome] = useState<Outcome>();
  const [isBusy, setIsBusy] = useState(false);
  const keepFocus = useKeptFocus(isBusy);
  // Known at once, where `isBusy` is told once all is drawn: what fills forms in may send them twice.
  const isSending = useRef(false);

  async function run(form: HTMLFormElement) {
    if (isSending.current) return;
    isSending.current = true;
    keepFocus();
    setIsBusy(true);
    setOutcome(undefined);
    const answer = await send(new FormData(form));
    isSending.current = false;
    setIsBusy(false);
    // What was not answered may have ended the session: that says nothing new of what it has done.
    setOutcome(answer.isSignedOut && outcome?.mayBeDone ? outcome : answer);
    if (!answer.problem) onDone?.(answer, form);
    if (answer.mayBeDone) onUncertain?.();
  }

  return {
    isBusy,
    problem: outcome?.problem,
    /** Set once it went well. */
    done: outcome && !outcome.problem ? outcome : undefined,
    /**
     * Of the element. By its method it does nothing when it is sent before the page listens, where
     * any other would put what was typed into the address or load the page without it; it is sent once the
     * page does.
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
