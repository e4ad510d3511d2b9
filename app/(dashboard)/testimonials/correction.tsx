'use client';
import { Button, Group, InputBase, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { useTRPC, useTRPCClient } from '@/src/ui/calls/trpc';
import { CopyNote, CopyWords } from '@/src/ui/code/copy-button';
import type { ApiCall } from '@/src/ui/code/snippets';
import { useCopy } from '@/src/ui/code/use-copy';
import { Check, Pencil, SquareTerminal, Trash2, X } from '@/src/ui/components/icons';
import {
  type FieldWords,
  NotSaved,
  type Others,
  useSaveUnlessChanged,
} from '@/src/ui/forms/changed-meanwhile';
import { ownDirection } from '@/src/ui/forms/own-direction';
import { type FormInput, useFormInput } from '@/src/ui/forms/use-form-input';
import { ButtonMenu } from '@/src/ui/overlays/action-menu';
import { DialogActions } from '@/src/ui/overlays/dialog';
import type { Action } from '@/src/ui/overlays/opened-menu';
import { curlOf, deletionRequest, statusRequest } from './api-requests';
import type { Testimonial } from './decisions';
import { replaceRows } from './use-decisions';

type Changes = {
  text_content?: string;
  rating?: number;
  submitter_role?: string;
  submitter_company?: string;
};

/** What a person may correct, and what the form calls it. */
const words: FieldWords<Pick<Testimonial, keyof Changes>> = {
  text_content: { label: 'Text' },
  submitter_role: { label: 'Role' },
  submitter_company: { label: 'Company' },
  rating: { label: 'Rating' },
};

/** What the form has by now that it had not when it was opened. */
function changesOf({ opened, now }: FormInput): Changes {
  const before = opened();
  const form = now();
  const changes: Changes = {};
  for (const name of ['text_content', 'submitter_role', 'submitter_company'] as const) {
    const value = form.get(name);
    // A browser writes line ends in a form's way.
    if (value !== before.get(name)) changes[name] = String(value).replaceAll('\r\n', '\n');
  }
  const rating = form.get('rating');
  if (rating && rating !== before.get('rating')) changes.rating = Number(rating);
  return changes;
}

type Correction = {
  /** Of the form. */
  attributes: FormInput['attributes'];
  isThere: boolean;
  isSaving: boolean;
  error: Error | null;
  /** What kept it from being saved: it would be replaced. */
  others: Others | undefined;
  changes: () => Changes;
  /** Saves it, where there is one; `next` follows only what was saved. */
  saveThen: (next: (saved: Testimonial) => void) => void;
};

/** What stands in the form, and how to save it. */
export function useCorrection(testimonial: Testimonial): Correction {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const input = useFormInput();
  const { id } = testimonial;
  const saving = useSaveUnlessChanged({
    words,
    shown: testimonial,
    read: async () => (await client.testimonials.get.query({ id })).data,
    write: async (made: Changes) => (await client.testimonials.update.mutate({ id, ...made })).data,
    onRow: (row) => replaceRows({ queryClient, trpc }, [row], []),
  });
  const changes = () => changesOf(input);

  return {
    attributes: input.attributes,
    isThere: input.hasInput,
    isSaving: saving.isPending,
    error: saving.error,
    others: saving.others,
    changes,
    saveThen(next) {
      const made = changes();
      if (Object.keys(made).length === 0) return next(testimonial);
      saving.save(made, next);
    },
  };
}

/** What can be corrected; `question` stands where it is about to be lost. */
export function EditForm(props: {
  testimonial: Testimonial;
  correction: Correction;
  question: ReactNode;
  onSaved: () => void;
  onClose: () => void;
}) {
  const { testimonial, correction } = props;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    correction.saveThen(props.onSaved);
  }

  return (
    <form {...correction.attributes} onSubmit={submit}>
      <Stack gap="md">
        <InputBase
          component="textarea"
          name="text_content"
          label="Text"
          multiline
          rows={6}
          attributes={ownDirection}
          defaultValue={testimonial.text_content ?? ''}
          styles={{ input: { resize: 'vertical', lineHeight: 1.5, paddingBlock: 8 } }}
        />
        <Group align="flex-start" gap="sm">
          {(['submitter_role', 'submitter_company'] as const).map((name) => (
            <TextInput
              key={name}
              name={name}
              flex="1 1 10rem"
              label={words[name].label}
              maxLength={100}
              attributes={ownDirection}
              defaultValue={testimonial[name] ?? ''}
            />
          ))}
          <NativeSelect
            name="rating"
            w={90}
            label="Rating"
            defaultValue={testimonial.rating ?? ''}
            data={[
              ...(testimonial.rating === null ? [{ value: '', label: 'None' }] : []),
              ...['5', '4', '3', '2', '1'],
            ]}
          />
        </Group>
        <NotSaved error={correction.error} others={correction.others} />
        {props.question}
        <Group justify="space-between" gap="sm">
          <ApiRequests testimonial={testimonial} changes={correction.changes} />
          <DialogActions onCancel={props.onClose}>
            <Button type="submit" loading={correction.isSaving}>
              Save
            </Button>
          </DialogActions>
        </Group>
      </Stack>
    </form>
  );
}

/** Each thing that can be done here, as a command. */
function ApiRequests(props: { testimonial: Testimonial; changes: () => Changes }) {
  const { id, text_content } = props.testimonial;
  const copying = useCopy();
  const path = `/testimonials/${id}`;
  const edit = (): ApiCall => {
    const changes = props.changes();
    const body = Object.keys(changes).length > 0 ? changes : { text_content: text_content ?? '' };
    return { method: 'PATCH', path, body };
  };
  const action = (label: string, icon: ReactNode, request: () => ApiCall): Action => ({
    label,
    icon,
    onClick: () => copying.copy(curlOf(request(), window.location.origin)),
  });
  return (
    <Stack gap={6} align="flex-start">
      <ButtonMenu
        id="copy-request"
        position="top-start"
        actions={[
          action('Approve', <Check size={15} />, () => statusRequest([id], 'approved')),
          action('Reject', <X size={15} />, () => statusRequest([id], 'rejected')),
          action('Edit', <Pencil size={15} />, edit),
          action('Delete', <Trash2 size={15} />, () => deletionRequest([id])),
        ]}
      >
        <Button size="xs" variant="default" leftSection={<SquareTerminal size={14} />}>
          <CopyWords copying={copying}>Copy as API request</CopyWords>
        </Button>
      </ButtonMenu>
      <CopyNote copying={copying} isOutOfSight />
    </Stack>
  );
}
