'use client';
import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useNow } from '@/src/ui/time/instant';
import { KeyFilters } from './key-filters';
import { type KeysView, viewKeys } from './key-list';
import { type ApiKey, type KeyAction, KeyTable } from './key-table';

/** Rows are what a page of many keys costs. */
const pageSize = 50;

/** So few are seen at once. */
const filteredFrom = 10;

/** The keys, and where there are many the means to find one among them. */
export function KeySection(props: {
  keys: ApiKey[];
  onAction: (action: KeyAction, apiKey: ApiKey) => void;
}) {
  const { keys, onAction } = props;
  const now = useNow();
  const [view, setView] = useState<KeysView>({ search: '', status: 'all', order: 'created' });
  const [shown, setShown] = useState(pageSize);
  const found = viewKeys(keys, view, now);
  const isNarrowed = view.search !== '' || view.status !== 'all';
  return (
    <Stack gap="md">
      {keys.length >= filteredFrom && (
        <>
          <KeyFilters
            view={view}
            onChange={(changed) => {
              setView(changed);
              setShown(pageSize);
            }}
          />
          <div className="visually-hidden" aria-live="polite">
            {isNarrowed && found.length > 0 && `${found.length} of ${keys.length} keys`}
          </div>
        </>
      )}
      {found.length === 0 ? (
        <Text size="sm" c="dimmed" role="status">
          No key matches. Search for another name, or choose another status.
        </Text>
      ) : (
        <KeyTable keys={found.slice(0, shown)} all={keys} now={now} onAction={onAction} />
      )}
      {found.length > shown && (
        <Button variant="default" onClick={() => setShown(shown + pageSize)}>
          Show more ({found.length - shown} left)
        </Button>
      )}
    </Stack>
  );
}
