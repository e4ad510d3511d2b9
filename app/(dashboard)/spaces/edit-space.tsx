'use client';
import { Button, Group, InputBase, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { changedFields } from '@/src/ui/changed-fields';
import { Dialog, DialogActions } from '@/src/ui/dialog';
import { ErrorNote } from '@/src/ui/error-note';
import { useOnce } from '@/src/ui/once';
import { ownDirection } from '@/src/ui/own-direction';
import { useTRPC } from '@/src/ui/trpc';
import { useFormInput } from '@/src/ui/use-form-input';
import { useSingleMutation } from '@/src/ui/use-single-mutation';
import { LogoField } from './logo-field';
import { createSpaceId, spaceButtonId } from './openers';
import { QuestionsField } from './questions-field';
import type { Space } from './space-table';

const hexColor = /^#[0-9a-f]{6}$/i;

/** What is taken for one: `#abc` and `aabbcc` are `#aabbcc`. */
const looseColor = '#?([0-9A-Fa-f]{3}){1,2}';

function wholeColor(text: string): string {
  if (!new RegExp(`^${looseColor}$`).test(text)) return text;
  const digits = text.replace('#', '');
  return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`;
}

/** What is written in the fields with a name. */
function writtenIn(form: FormData) {
  return {
    name: String(form.get('name')).trim(),
    description: String(form.get('description')).replaceAll('\r\n', '\n').trim(),
  };
}

const asked = (questions: string[]) => questions.map((text) => text.trim()).filter(Boolean);

/** The fields of a space: a new one, or one that there is. */
export function EditSpace({ space, onClose }: { space?: Space; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const once = useOnce();
  const [color, setColor] = useState(space?.primary_color ?? '');
  const [logo, setLogo] = useState(space?.logo_url ?? undefined);
  const [isUploading, setIsUploading] = useState(false);
  const [questions, setQuestions] = useState(space?.custom_questions ?? []);
  const input = useFormInput({ color, logo, questions });
  const saved = {
    onSuccess: async () => {
      await queryClient.invalidateQueries(trpc.spaces.pathFilter());
      onClose();
    },
  };
  const create = useSingleMutation(
    trpc.spaces.create.mutationOptions({ ...saved, trpc: { context: once } }),
  );
  const update = useSingleMutation(trpc.spaces.update.mutationOptions(saved));

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = {
      ...writtenIn(input.now()),
      primary_color: wholeColor(color) || undefined,
      logo_url: logo,
      custom_questions: asked(questions),
    };
    if (!space) {
      create.mutate({ ...fields, description: fields.description || undefined });
      return;
    }
    const before = {
      ...space,
      ...writtenIn(input.opened()),
      custom_questions: asked(space.custom_questions ?? []),
    };
    const changed = changedFields(before, fields);
    if (changed) update.mutate({ id: space.id, ...changed });
    else onClose();
  }

  const change = space ? update : create;
  const hasColor = Boolean(space?.primary_color);
  return (
    <Dialog
      title={space ? 'Edit space' : 'Create a space'}
      size={560}
      opener={space ? spaceButtonId(space) : createSpaceId}
      hasInput={input.hasInput}
      onClose={onClose}
    >
      <form {...input.attributes} onSubmit={submit}>
        <Stack gap="lg">
          <TextInput
            name="name"
            label="Name"
            placeholder="Northwind"
            defaultValue={space?.name}
            maxLength={100}
            pattern=".*\S.*"
            title="At least one letter or digit"
            attributes={ownDirection}
            required
            withAsterisk={false}
            data-autofocus
          />
          <InputBase
            component="textarea"
            name="description"
            label="Description (optional)"
            multiline
            rows={3}
            maxLength={500}
            attributes={ownDirection}
            defaultValue={space?.description ?? ''}
            styles={{ input: { resize: 'vertical', lineHeight: 1.5, paddingBlock: '0.5rem' } }}
          />
          <Group align="flex-end" gap="sm">
            <TextInput
              label={hasColor ? 'Colour' : 'Colour (optional)'}
              description={hasColor && 'Can be changed, and not removed.'}
              placeholder="#1A73E8"
              pattern={looseColor}
              title="A # and six hex digits"
              required={hasColor}
              withAsterisk={false}
              value={color}
              onChange={({ currentTarget: { value } }) => setColor(value.trim())}
              onBlur={() => setColor(wholeColor)}
              w={hasColor ? 220 : 140}
            />
            <input
              type="color"
              aria-label="Pick the colour"
              value={hexColor.test(color) ? color : '#3b5bdb'}
              onChange={({ currentTarget: { value } }) => setColor(value)}
              style={{
                width: '2.75rem',
                height: '2.25rem',
                padding: 3,
                border: '1px solid var(--mantine-color-default-border)',
                borderRadius: 'var(--mantine-radius-md)',
                background: 'none',
              }}
            />
          </Group>
          <LogoField url={logo} color={color || null} onChange={setLogo} onBusy={setIsUploading} />
          <QuestionsField questions={questions} onChange={setQuestions} />
          {space && (
            <Text size="xs" c="dimmed">
              The slug stays: {space.slug}
            </Text>
          )}
          <ErrorNote error={change.error} />
          <DialogActions onCancel={onClose}>
            <Button type="submit" loading={change.isPending} disabled={isUploading}>
              {space ? 'Save' : 'Create space'}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}
