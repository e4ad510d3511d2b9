'use client';
import { useState } from 'react';
import { useStay } from '../browser/use-stay';
import { Note } from '../components/note';

/** Of the button that copies the thing, which is to have the focus once it is there. */
export const copyOnceId = 'copy-once';

/** In a dialog: says that the thing, `key`, can be seen now and never again, and keeps the page until it is done. */
export function ShownOnce({ thing }: { thing: string }) {
  const [wasLeft, setWasLeft] = useState(false);
  useStay(true, () => setWasLeft(true));
  return (
    <>
      {/* The dialog was there before, with a form: of its own new words nothing is said. */}
      <Note tone="warning" role="status">
        Copy the {thing} now and keep it like a password. It is shown only this once, and this
        window stays until you press Done.
      </Note>
      {wasLeft && (
        <Note tone="bad" role="alert">
          You are still here: going back would lose the {thing}. Copy it, and press Done first.
        </Note>
      )}
    </>
  );
}
