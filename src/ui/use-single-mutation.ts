'use client';
import { type DefaultError, type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';

/**
 * A mutation that is not begun again while it runs. `isPending` alone would let the second click of
 * two through: it is told a moment late, when both are made. For what has one button; what is asked
 * of one thing while another is under way would be lost.
 */
export function useSingleMutation<
  Data = unknown,
  Failure = DefaultError,
  Variables = void,
  Context = unknown,
>(options: UseMutationOptions<Data, Failure, Variables, Context>) {
  const { mutateAsync: _, ...mutation } = useMutation(options);
  const isRunning = useRef(false);
  // Once what came of it is on the page, which may have no such button any more.
  useLayoutEffect(() => {
    if (!mutation.isPending) isRunning.current = false;
  });
  return {
    ...mutation,
    mutate(variables: Variables) {
      if (isRunning.current) return;
      isRunning.current = true;
      mutation.mutate(variables);
    },
  };
}
