'use client';
import {
  type DefaultError,
  type MutateOptions,
  type UseMutationOptions,
  useMutation,
} from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';
import { focusOnceDrawn } from '../browser/use-focus-return';

/**
 * A mutation that is not begun again while it runs. `isPending` alone would let the second click of
 * two through: it is told a moment late, when both are made. For what has one button, or several that
 * are all busy meanwhile; what is asked of one thing while another is under way would be lost. The
 * focus, which a button loses while it is busy, goes back to it; where it is gone by then, to the
 * element with the id `next`, or the page.
 */
export function useSingleMutation<
  Data = unknown,
  Failure = DefaultError,
  Variables = void,
  Context = unknown,
>(options: UseMutationOptions<Data, Failure, Variables, Context>, next?: string) {
  const { mutateAsync: _, ...mutation } = useMutation(options);
  // Set while it runs: where the focus goes afterwards.
  const focus = useRef<(Element | string | null | undefined)[]>(undefined);
  // Once what came of it is on the page, which may have no such button any more.
  useLayoutEffect(() => {
    if (mutation.isPending || !focus.current) return;
    focusOnceDrawn(focus.current);
    focus.current = undefined;
  });
  return {
    ...mutation,
    mutate(variables: Variables, after?: MutateOptions<Data, Failure, Variables, Context>) {
      if (focus.current) return;
      focus.current = [document.activeElement, next];
      mutation.mutate(variables, after);
    },
    reset() {
      focus.current = undefined;
      mutation.reset();
    },
  };
}
