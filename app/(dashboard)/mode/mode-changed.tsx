'use client';
import { shownLater } from '@/src/ui/overlays/shown-later';
import { modeChanged } from '@/src/ui/session/shown-mode';

const ModeDialog = shownLater(async () => (await import('./mode-dialog')).ModeDialog);

/**
 * Over a page whose session is in the other mode by now, because of another tab. Nothing that it asks
 * for is answered, so nothing can be mixed up; and what was filled in is not lost.
 */
export function ModeChanged() {
  return modeChanged.use() ? <ModeDialog /> : null;
}
