import { Note } from '@/src/ui/components/note';

/** On pages that do nothing without scripts, for those who have switched them off. */
export function NeedsScript() {
  return (
    <noscript>
      <Note tone="warning">
        Without JavaScript nothing here can be used. Allow it for this site, and load the page
        again.
      </Note>
    </noscript>
  );
}
