'use client';
import { Button, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { EmptyState } from '@/src/ui/empty-state';
import { ErrorNote } from '@/src/ui/error-note';
import { KeyRound, Lock, Plus } from '@/src/ui/icons';
import { useTRPC } from '@/src/ui/trpc';
import { ApiKeysHeader } from './header';
import { type ApiKey, type KeyAction, KeyTable, KeyTableSkeleton } from './key-table';
import { createKeyId } from './openers';
import { Usage } from './usage';

// Loaded when first opened: nobody waits for them to see the keys.
const CreateKey = dynamic(() => import('./create-key').then((file) => file.CreateKey));
const RenameKey = dynamic(() => import('./rename-key').then((file) => file.RenameKey));
const RotateKey = dynamic(() => import('./rotate-key').then((file) => file.RotateKey));
const DeleteKey = dynamic(() => import('./delete-key').then((file) => file.DeleteKey));

type Open = { dialog: 'create' } | { dialog: 'rename' | 'rotate' | 'delete'; apiKey: ApiKey };

export function ApiKeys() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const keys = useQuery(trpc.apiKeys.list.queryOptions());
  const account = useQuery(trpc.account.get.queryOptions());
  const [open, setOpen] = useState<Open>();
  const update = useMutation(
    trpc.apiKeys.update.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.apiKeys.list.queryFilter()),
    }),
  );
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
    if (action === 'switch') update.mutate({ id: apiKey.id, enabled: !apiKey.enabled });
    else setOpen({ dialog: action, apiKey });
  }

  const close = () => setOpen(undefined);
  const isEmpty = keys.data?.length === 0;
  return (
    <>
      <ApiKeysHeader action={isFree || isEmpty || !keys.data ? undefined : create} />
      <Stack gap="md">
        <Usage />
        <ErrorNote error={update.error} />
        {keys.isPending && <KeyTableSkeleton />}
        {!keys.data && <ErrorNote error={keys.error} retry={() => void keys.refetch()} />}
        {isFree && <FreePlan />}
        {isEmpty && !isFree && (
          <EmptyState icon={<KeyRound size={20} />} title="Create your first key" action={create}>
            Your site or app sends a key with each request, to show approved testimonials, to add
            new ones, or to moderate them. You choose what each key may do.
          </EmptyState>
        )}
        {keys.data && !isEmpty && <KeyTable keys={keys.data} onAction={act} />}
      </Stack>
      {open?.dialog === 'create' && <CreateKey onClose={close} />}
      {open?.dialog === 'rename' && <RenameKey apiKey={open.apiKey} onClose={close} />}
      {open?.dialog === 'rotate' && <RotateKey apiKey={open.apiKey} onClose={close} />}
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
