'use client';
import { Button, Group, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FocusHeir } from '@/src/ui/browser/focus-heir';
import { tellDone } from '@/src/ui/browser/tell-done';
import { useTRPC } from '@/src/ui/calls/trpc';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { EmptyState } from '@/src/ui/components/empty-state';
import { ErrorNote } from '@/src/ui/components/error-note';
import { KeyRound, Lock, Plus } from '@/src/ui/components/icons';
import { Note } from '@/src/ui/components/note';
import { shownLater } from '@/src/ui/overlays/shown-later';
import { ApiKeysHeader } from './header';
import { KeySection } from './key-section';
import { type ApiKey, type KeyAction, KeyTableSkeleton } from './key-table';
import { createKeyId, keyButtonId } from './openers';
import { Usage } from './usage';

const CreateKey = shownLater(async () => (await import('./create-key')).CreateKey);
const EditKey = shownLater(async () => (await import('./edit-key')).EditKey);
const SwitchOffKey = shownLater(async () => (await import('./switch-off-key')).SwitchOffKey);
const RotateKey = shownLater(async () => (await import('./rotate-key')).RotateKey);
const KeyHistory = shownLater(async () => (await import('./key-history')).KeyHistory);
const DeleteKey = shownLater(async () => (await import('./delete-key')).DeleteKey);

type Open = { dialog: 'create' } | { dialog: KeyAction; apiKey: ApiKey };

export function ApiKeys() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const keys = useQuery(trpc.apiKeys.list.queryOptions());
  const account = useQuery(trpc.account.get.queryOptions());
  const [open, setOpen] = useState<Open>();
  const [switchedOffId, setSwitchedOffId] = useState<string>();
  // Nothing is said any more of one that was switched on, or deleted, in another tab.
  const switchedOff = keys.data?.find(({ id, enabled }) => id === switchedOffId && !enabled);
  const [failed, setFailed] = useState<{ name: string; error: unknown }>();
  const switchOn = useSingleMutation(
    trpc.apiKeys.update.mutationOptions({
      // Also of one that was left for another action meanwhile.
      onError: (error, { id }) =>
        setFailed({ name: keys.data?.find((key) => key.id === id)?.name ?? id, error }),
      onSuccess: (changed) => {
        setSwitchedOffId((id) => (id === changed.id ? undefined : id));
        tellDone(`${changed.name} is switched on`);
        return noteChanged(changed);
      },
    }),
    switchedOff && keyButtonId(switchedOff),
  );
  /** The list may be a long time in coming, or not come. */
  function noteChanged(changed: ApiKey) {
    queryClient.setQueryData(trpc.apiKeys.list.queryKey(), (rows) =>
      rows?.map((row) => (row.id === changed.id ? changed : row)),
    );
    return queryClient.invalidateQueries(trpc.apiKeys.list.queryFilter());
  }

  const isFree = account.data?.plan === 'free';
  const create = (
    <Button
      id={createKeyId}
      leftSection={<Plus size={16} />}
      onClick={() => setOpen({ dialog: 'create' })}
    >
      Create key
    </Button>
  );

  function act(action: KeyAction, apiKey: ApiKey) {
    // What was said of the last change is of no use with the next.
    switchOn.reset();
    setFailed(undefined);
    setSwitchedOffId(undefined);
    if (action === 'switch' && !apiKey.enabled) switchOn.mutate({ id: apiKey.id, enabled: true });
    else setOpen({ dialog: action, apiKey });
  }

  const close = () => setOpen(undefined);
  const isEmpty = keys.data?.length === 0;
  return (
    <>
      <ApiKeysHeader action={isFree || isEmpty || !keys.data ? undefined : create} />
      <Stack gap="md">
        <Usage />
        {switchedOff && (
          <Note tone="over" role="status">
            <Group justify="space-between" gap="sm">
              <span>
                “<bdi>{switchedOff.name}</bdi>” is switched off: requests with it are refused.
              </span>
              <FocusHeir id={keyButtonId(switchedOff)} />
              <Button
                size="xs"
                variant="default"
                loading={switchOn.isPending}
                onClick={() => {
                  setFailed(undefined);
                  switchOn.mutate({ id: switchedOff.id, enabled: true });
                }}
              >
                Switch on again
              </Button>
            </Group>
          </Note>
        )}
        <ErrorNote about={failed?.name} error={failed?.error} />
        {keys.isPending && <KeyTableSkeleton />}
        {!keys.data && <ErrorNote error={keys.error} retry={() => void keys.refetch()} />}
        {isFree && <FreePlan />}
        {isEmpty && !isFree && (
          <EmptyState icon={<KeyRound size={20} />} title="Create your first key" action={create}>
            Your site or app sends a key with each request, to show approved testimonials, to add
            new ones, or to moderate them. You choose what each key may do.
          </EmptyState>
        )}
        {keys.data && !isEmpty && <KeySection keys={keys.data} onAction={act} />}
      </Stack>
      {open?.dialog === 'create' && <CreateKey isFirst={isEmpty} onClose={close} />}
      {open?.dialog === 'edit' && <EditKey apiKey={open.apiKey} onClose={close} />}
      {open?.dialog === 'switch' && (
        <SwitchOffKey
          apiKey={open.apiKey}
          onDone={(changed) => {
            setSwitchedOffId(changed.id);
            return noteChanged(changed);
          }}
          onClose={close}
        />
      )}
      {open?.dialog === 'rotate' && <RotateKey apiKey={open.apiKey} onClose={close} />}
      {open?.dialog === 'history' && <KeyHistory apiKey={open.apiKey} onClose={close} />}
      {open?.dialog === 'delete' && <DeleteKey apiKey={open.apiKey} onClose={close} />}
    </>
  );
}

function FreePlan() {
  return (
    <EmptyState icon={<Lock size={20} />} title="API keys are part of the paid plan">
      This account is on the free plan: keys cannot be created, and requests with existing ones are
      refused. Ask whoever runs the service to change the plan.
    </EmptyState>
  );
}
