'use client';
import { Button, Group, Input, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { maxPictureBytes } from '@/src/storage/limits';
import { tellDone } from '@/src/ui/browser/tell-done';
import { useKeptFocus } from '@/src/ui/browser/use-kept-focus';
import { codeOf, SpokenError } from '@/src/ui/calls/errors';
import { useTRPC } from '@/src/ui/calls/trpc';
import { ErrorNote } from '@/src/ui/components/error-note';
import { SpaceLogo } from './space-logo';

const contentTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const maxMegabytes = maxPictureBytes / 1024 / 1024;

/** Uploads a picture as soon as it is chosen, and gives its address. */
export function LogoField(props: {
  url: string | undefined;
  color: string | null;
  onChange: (url: string) => void;
  onBusy: (isBusy: boolean) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState<SpokenError>();
  const upload = useMutation(
    useTRPC().uploads.logo.mutationOptions({
      onMutate: () => props.onBusy(true),
      onSettled: () => props.onBusy(false),
      onSuccess: ({ url }) => {
        props.onChange(url);
        tellDone('The logo is uploaded');
      },
    }),
  );
  const keepFocus = useKeptFocus(upload.isPending);

  function choose(file: File) {
    const refused = refusalOf(file);
    setRefusal(refused);
    upload.reset();
    if (refused) return;
    keepFocus();
    upload.mutate(file);
  }

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
          PNG, JPEG, WebP or GIF, at most {maxMegabytes} MB.
        </Text>
      </Group>
      <input
        ref={field}
        type="file"
        aria-label="Logo"
        accept={contentTypes.join(',')}
        hidden
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          // The same file can be chosen again.
          currentTarget.value = '';
          if (file) choose(file);
        }}
      />
      <ErrorNote error={refusal ?? spoken(upload.error)} />
    </Stack>
  );
}

/** What the service would refuse it for, as far as the browser knows the file. */
function refusalOf({ type, size }: File): SpokenError | undefined {
  if (type && !contentTypes.includes(type)) {
    return new SpokenError('This file is no PNG, JPEG, WebP or GIF.');
  }
  if (size > maxPictureBytes)
    return new SpokenError(`This file is larger than ${maxMegabytes} MB.`);
  return undefined;
}

/** What is not valid is the file, and the service's words on it are for whoever uploads it. */
function spoken(error: unknown): unknown {
  const isOfFile = codeOf(error) === 'VALIDATION_ERROR' && error instanceof Error;
  return isOfFile ? new SpokenError(error.message) : error;
}
