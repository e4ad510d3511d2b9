'use client';
import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { contractEventTypes, type EventType, eventTypes } from '@/src/outbox/event-types';
import { codeOf, describeError } from '@/src/ui/calls/errors';
import { NotSaved, type Others } from '@/src/ui/forms/changed-meanwhile';
import { ownDirection } from '@/src/ui/forms/own-direction';
import type { FormInput } from '@/src/ui/forms/use-form-input';
import { DialogActions } from '@/src/ui/overlays/dialog';
import { eventDescriptions } from './events';

export type EndpointFields = { url: string; description: string | null; event_types: EventType[] };

/** What is written in the form, beside the events that are chosen. */
export function endpointFields(form: FormData, eventTypes: EventType[]): EndpointFields {
  return {
    url: String(form.get('url')).trim(),
    description: String(form.get('description')).trim() || null,
    event_types: eventTypes,
  };
}

/** The fields of an endpoint, new or known. The service says what is wrong with the URL. */
export function EndpointForm(props: {
  initial?: EndpointFields;
  input: FormInput;
  action: string;
  isBusy: boolean;
  error: unknown;
  others?: Others;
  onSubmit: (fields: EndpointFields) => void;
  onCancel: () => void;
}) {
  const [chosen, setChosen] = useState<EventType[]>(
    props.initial?.event_types ?? [...contractEventTypes],
  );

  const url = useRef<HTMLInputElement>(null);
  const isOfUrl = codeOf(props.error) === 'INVALID_WEBHOOK_URL';
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that it is refused
  useEffect(() => {
    if (isOfUrl) url.current?.focus();
  }, [isOfUrl, props.error]);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    props.onSubmit(endpointFields(props.input.now(), chosen));
  }

  return (
    <form {...props.input.attributes} onSubmit={submit}>
      <Stack gap="lg">
        <TextInput
          ref={url}
          name="url"
          error={isOfUrl && describeError(props.error)}
          // Who has pressed Enter is in the field already, and is told nothing by the focus.
          errorProps={{ role: 'alert' }}
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
          attributes={ownDirection}
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
                name="event_types"
                value={type}
                label={type}
                description={eventDescriptions[type]}
              />
            ))}
          </Stack>
        </Checkbox.Group>
        <NotSaved error={isOfUrl ? undefined : props.error} others={props.others} />
        <DialogActions onCancel={props.onCancel}>
          <Button type="submit" loading={props.isBusy} disabled={chosen.length === 0}>
            {props.action}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}
