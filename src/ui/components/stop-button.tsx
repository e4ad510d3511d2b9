'use client';
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { focusOnceDrawn } from '../browser/use-focus-return';

/**
 * Ends what a dialog has begun and goes on with. It stands where the button was that began it: it has
 * the focus of that one, and a double click is no second wish. Once it is pressed it says so: what is
 * on its way is still waited for.
 */
export function StopButton({ onStop }: { onStop: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isStopping, setIsStopping] = useState(false);
  useEffect(() => focusOnceDrawn([button.current]), []);
  return (
    <Button
      ref={button}
      variant="default"
      style={{ alignSelf: 'end' }}
      aria-busy={isStopping}
      onClick={({ detail }) => {
        if (detail > 1) return;
        setIsStopping(true);
        onStop();
      }}
    >
      {isStopping ? 'Stopping…' : 'Stop'}
    </Button>
  );
}
