'use client';
import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { contractEventTypes, type EventType, eventTypes } from '@/src/outbox/event-types';
import { DialogActions } from '@/src/ui/dialog';
import { ErrorNote } from '@/src/ui/error-note';
import { eventDescriptions } from './events';

export type EndpointFields = { url: string; description: string | null; event_types: EventType[] };

/** The fields of an endpoint, new or known. The service says what is wrong with the URL. */
export function EndpointForm(props: {
  initial?: EndpointFields;
  action: string;
  isBusy: boolean;
  error: unknown;
  onSubmit: (fields: EndpointFields) => void;
  onCancel: () => void;
}) {
  const [chosen, setChosen] = useState<EventType[]>(
    props.initial?.event_types ?? [...contractEventTypes],
  );

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    props.onSubmit({
      url: String(form.get('url')).trim(),
      description: String(form.get('description')).trim() || null,
      event_types: chosen,
    });
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <TextInput
          name="url"
          type="url"
          label="URL"
          description="Answers with a status from 200 to 299 within 15 seconds, without a redirect."
          placeholder="https://example.com/webhooks"
          defaultValue={props.initial?.url}
          maxLength={2048}
          required
          withAsterisk={false}
          data-autofocus
        />
        <TextInput
          name="description"
          label="Description (optional)"
          placeholder="Rebuilds the website"
          defaultValue={props.initial?.description ?? ''}
          maxLength={500}
        />
        <Checkbox.Group
          label="Events"
          value={chosen}
          onChange={(values) => setChosen(eventTypes.filter((type) => values.includes(type)))}
        >
          <Stack gap="xs" mt={8}>
            {eventTypes.map((type) => (
              <Checkbox
                key={type}
                value={type}
                label={type}
                description={eventDescriptions[type]}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <ErrorNote error={props.error} />
        <DialogActions onCancel={props.onCancel}>
          <Button type="submit" loading={props.isBusy} disabled={chosen.length === 0}>
            {props.action}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}
