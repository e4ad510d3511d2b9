'use client';
import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';

/**
 * Ends what a dialog has begun and goes on with. It stands where the button was that began it: it has
 * the focus of that one, and a double click is no second wish.
 */
export function StopButton({ onStop }: { onStop: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) button.current?.focus();
  }, []);
  return (
    <Button
      ref={button}
      variant="default"
      style={{ alignSelf: 'end' }}
      onClick={({ detail }) => detail < 2 && onStop()}
    >
      Stop
    </Button>
  );
}
