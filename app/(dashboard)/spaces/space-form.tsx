'use client';
import { Button, Group, InputBase, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { NotSaved, type Others } from '@/src/ui/forms/changed-meanwhile';
import { NameField } from '@/src/ui/forms/name-field';
import { ownDirection } from '@/src/ui/forms/own-direction';
import { useFormInput } from '@/src/ui/forms/use-form-input';
import { Dialog, DialogActions } from '@/src/ui/overlays/dialog';
import { LogoField } from './logo-field';
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

/** What the form has of a space; what is undefined is left as it is. */
export type SpaceFields = {
  name: string;
  description: string;
  primary_color: string | undefined;
  logo_url: string | undefined;
  custom_questions: string[];
};

/** The fields of a space in a dialog: of a new one, or of one that there is. */
export function SpaceForm(props: {
  space?: Space;
  title: string;
  action: string;
  opener: string;
  isBusy: boolean;
  error: unknown;
  others?: Others;
  /** With what stood in the form at first. */
  onSubmit: (fields: SpaceFields, before: SpaceFields) => void;
  onClose: () => void;
}) {
  const { space, onClose } = props;
  const [color, setColor] = useState(space?.primary_color ?? '');
  const [logo, setLogo] = useState(space?.logo_url ?? undefined);
  const [isUploading, setIsUploading] = useState(false);
  const [questions, setQuestions] = useState(space?.custom_questions ?? []);
  const input = useFormInput({ color, logo, questions });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = {
      ...writtenIn(input.now()),
      primary_color: wholeColor(color) || undefined,
      logo_url: logo,
      custom_questions: asked(questions),
    };
    props.onSubmit(fields, {
      ...writtenIn(input.opened()),
      primary_color: space?.primary_color ?? undefined,
      logo_url: space?.logo_url ?? undefined,
      custom_questions: asked(space?.custom_questions ?? []),
    });
  }

  const hasColor = Boolean(space?.primary_color);
  return (
    <Dialog
      title={props.title}
      size={560}
      opener={props.opener}
      hasInput={input.hasInput}
      onClose={onClose}
    >
      <form {...input.attributes} onSubmit={submit}>
        <Stack gap="lg">
          <NameField
            placeholder="Northwind"
            defaultValue={space?.name}
            pattern=".*\S.*"
            title="At least one letter or digit"
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
          <NotSaved error={props.error} others={props.others} />
          <DialogActions onCancel={onClose}>
            <Button type="submit" loading={props.isBusy} disabled={isUploading}>
              {props.action}
            </Button>
          </DialogActions>
        </Stack>
      </form>
    </Dialog>
  );
}
