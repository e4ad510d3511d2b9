'use client';
import { Dialog } from '@/src/ui/overlays/dialog';
import { History } from '../history/history';
import type { ApiKey } from './key-table';
import { keyButtonId } from './openers';

/** Who made and changed the key, and when. */
export function KeyHistory({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  return (
    <Dialog
      title={
        <>
          History of “<bdi>{apiKey.name}</bdi>”
        </>
      }
      size={560}
      opener={keyButtonId(apiKey)}
      onClose={onClose}
    >
      <History subjectId={apiKey.id} isFresh />
    </Dialog>
  );
}
