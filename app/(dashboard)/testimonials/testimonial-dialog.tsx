'use client';
import { Button, Group, InputBase, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef } from 'react';
import { type Action, ButtonMenu } from '@/src/ui/action-menu';
import { Dialog, DialogActions } from '@/src/ui/dialog';
import { ErrorNote } from '@/src/ui/error-note';
import { Check, Pencil, SquareTerminal, Trash2, X } from '@/src/ui/icons';
import { Instant } from '@/src/ui/instant';
import { ToneBadge } from '@/src/ui/tone-badge';
import { useTRPC } from '@/src/ui/trpc';
import { useCopy } from '@/src/ui/use-copy';
import { type ApiRequest, curlOf, deletionRequest, statusRequest } from './api-requests';
import { Avatar } from './avatar';
import type { Testimonial } from './decisions';
import { rowId } from './inbox-row';
import { SpaceName } from './space-name';
import { statusNames, statusTones } from './status-words';
import { replaceRows } from './use-decisions';
import { Video } from './video';
import { type Status, statuses } from './view';

/** A testimonial whole: to read, to see, to correct, to delete. */
export function TestimonialDialog(props: {
  testimonial: Testimonial;
  status: Status;
  onDecide: (status: Status) => void;
  onDelete: () => void;
  onClose: () => void;
}) {
  const { testimonial, status } = props;
  const from = [testimonial.submitter_role, testimonial.submitter_company].filter(Boolean);
  return (
    <Dialog title="Testimonial" size={640} opener={rowId(testimonial.id)} onClose={props.onClose}>
      <Stack gap="lg">
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <Avatar name={testimonial.submitter_name} url={testimonial.submitter_avatar_url} />
          <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            <Text fw={600}>
              <bdi>{testimonial.submitter_name}</bdi>{' '}
              <ToneBadge tone={statusTones[status]}>{statusNames[status]}</ToneBadge>
            </Text>
            <Text size="sm" c="dimmed" component="div">
              {from.length > 0 && <bdi>{from.join(', ')}</bdi>}
              {from.length > 0 && ' · '}
              <bdi>{testimonial.submitter_email}</bdi>
            </Text>
            <Text size="sm" c="dimmed" component="div">
              <SpaceName id={testimonial.space_id} /> · <Instant at={testimonial.created_at} />
            </Text>
          </div>
        </Group>
        <Group gap="xs">
          {statuses
            .filter((wish) => wish !== status)
            .map((wish) => (
              <Button key={wish} size="xs" variant="default" onClick={() => props.onDecide(wish)}>
                {decisionWords[wish]}
              </Button>
            ))}
          <Button
            size="xs"
            variant="default"
            c="var(--mantine-color-error)"
            onClick={props.onDelete}
          >
            Delete…
          </Button>
        </Group>
        {testimonial.video_url && <Video testimonial={testimonial} />}
        <EditForm testimonial={testimonial} onClose={props.onClose} />
      </Stack>
    </Dialog>
  );
}

const decisionWords: Record<Status, string> = {
  approved: 'Approve',
  rejected: 'Reject',
  pending: 'Back to pending',
};

type Changes = {
  text_content?: string;
  rating?: number;
  submitter_role?: string;
  submitter_company?: string;
};

/** What the form has that the testimonial has not. */
function changesOf(form: FormData, testimonial: Testimonial): Changes {
  const changes: Changes = {};
  for (const name of ['text_content', 'submitter_role', 'submitter_company'] as const) {
    // A browser writes line ends in a form's way.
    const value = String(form.get(name)).replaceAll('\r\n', '\n');
    if (value !== (testimonial[name] ?? '')) changes[name] = value;
  }
  const rating = Number(form.get('rating'));
  if (rating > 0 && rating !== testimonial.rating) changes.rating = rating;
  return changes;
}

function EditForm({ testimonial, onClose }: { testimonial: Testimonial; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const update = useMutation(
    trpc.testimonials.update.mutationOptions({
      onSuccess: ({ data }) => {
        replaceRows({ queryClient, trpc }, [data], []);
        onClose();
      },
    }),
  );

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const changes = changesOf(new FormData(event.currentTarget), testimonial);
    if (Object.keys(changes).length === 0) onClose();
    else update.mutate({ id: testimonial.id, ...changes });
  }

  return (
    <form ref={form} onSubmit={submit}>
      <Stack gap="md">
        <InputBase
          component="textarea"
          name="text_content"
          label="Text"
          multiline
          rows={6}
          dir="auto"
          defaultValue={testimonial.text_content ?? ''}
          styles={{ input: { resize: 'vertical', lineHeight: 1.5, paddingBlock: 8 } }}
        />
        <Group align="flex-start" gap="sm">
          <TextInput
            name="submitter_role"
            flex="1 1 160px"
            label="Role"
            maxLength={100}
            dir="auto"
            defaultValue={testimonial.submitter_role ?? ''}
          />
          <TextInput
            name="submitter_company"
            flex="1 1 160px"
            label="Company"
            maxLength={100}
            dir="auto"
            defaultValue={testimonial.submitter_company ?? ''}
          />
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
        <ErrorNote error={update.error} />
        <Group justify="space-between" gap="sm">
          <ApiRequests
            testimonial={testimonial}
            changes={() => (form.current ? changesOf(new FormData(form.current), testimonial) : {})}
          />
          <DialogActions onCancel={onClose}>
            <Button type="submit" loading={update.isPending}>
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
  const { copy, isCopied } = useCopy();
  const path = `/testimonials/${id}`;
  const edit = () => {
    const changes = props.changes();
    const body = Object.keys(changes).length > 0 ? changes : { text_content: text_content ?? '' };
    return { method: 'PATCH' as const, path, body };
  };
  const action = (label: string, icon: ReactNode, request: () => ApiRequest): Action => ({
    label,
    icon,
    onClick: () => copy(curlOf(request(), window.location.origin)),
  });
  return (
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
        {isCopied ? 'Copied' : 'Copy as API request'}
      </Button>
    </ButtonMenu>
  );
}
