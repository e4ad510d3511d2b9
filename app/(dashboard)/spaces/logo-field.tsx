'use client';
import { Button, Group, Input, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { ErrorNote } from '@/src/ui/error-note';
import { useTRPC } from '@/src/ui/trpc';
import { SpaceLogo } from './space-logo';

/** Uploads a picture as soon as it is chosen, and gives its address. */
export function LogoField(props: {
  url: string | undefined;
  color: string | null;
  onChange: (url: string) => void;
  onBusy: (isBusy: boolean) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const upload = useMutation(
    useTRPC().uploads.logo.mutationOptions({
      onMutate: () => props.onBusy(true),
      onSettled: () => props.onBusy(false),
      onSuccess: ({ url }) => props.onChange(url),
    }),
  );
  return (
    <Stack gap={6}>
      <Input.Label labelElement="div">Logo (optional)</Input.Label>
      <Group gap="sm">
        <SpaceLogo url={props.url ?? null} color={props.color} />
        <Button
          size="xs"
          variant="default"
          loading={upload.isPending}
          onClick={() => field.current?.click()}
        >
          {props.url ? 'Choose another' : 'Choose a file'}
        </Button>
        <Text size="xs" c="dimmed">
          PNG, JPEG, WebP or GIF, at most 5 MB.
        </Text>
      </Group>
      <input
        ref={field}
        type="file"
        aria-label="Logo"
        accept="image/png,image/jpeg,image/webp,image/gif"
        hidden
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          // The same file can be chosen again.
          currentTarget.value = '';
          if (file) upload.mutate(file);
        }}
      />
      <ErrorNote error={upload.error} />
    </Stack>
  );
}
