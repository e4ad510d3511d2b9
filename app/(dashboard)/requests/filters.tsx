'use client';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTRPC } from '@/src/ui/calls/trpc';
import { Search } from '@/src/ui/components/icons';
import { Choice } from '@/src/ui/forms/choice';
import classes from './requests.module.css';
import { parseRequestId, type RequestsView, statusClasses, times } from './requests-view';

const statusNames = {
  '2xx': '2xx succeeded',
  '3xx': '3xx unchanged',
  '4xx': '4xx refused',
  '5xx': '5xx failed',
};
const timeNames = { '1h': 'Last hour', '24h': 'Last 24 hours' };

/** The id of the choice of a time, which an hour of the chart takes the place of. */
export const timeId = 'requests-time';

/** `routes` are method and template, as the API has them. */
export function Filters(props: {
  routes: string[];
  view: RequestsView;
  change: (changes: Partial<RequestsView>) => void;
}) {
  const { view, change } = props;
  const keys = useQuery(useTRPC().requests.keys.queryOptions());
  const keyChoices = (keys.data ?? []).map(({ id, name, hint }) => ({
    value: id,
    label: `${isolated(name)} ${hint}`,
  }));
  return (
    <div className={classes.filters}>
      <Choice
        label="Status"
        all="Every status"
        value={view.status}
        choices={statusClasses.map((status) => ({ value: status, label: statusNames[status] }))}
        onChange={(status) => change({ status })}
      />
      <Choice
        label="Route"
        all="Every route"
        value={view.route}
        choices={props.routes.map((route) => ({ value: route, label: route }))}
        onChange={(route) => change({ route })}
      />
      <Choice
        label="Key"
        all="Every key"
        value={view.key}
        choices={keyChoices}
        onChange={(key) => change({ key })}
      />
      <Choice
        id={timeId}
        label="Time"
        all={view.hour ? 'One hour' : 'Last 7 days'}
        value={view.time}
        choices={times.map((time) => ({ value: time, label: timeNames[time] }))}
        onChange={(time) => change({ time, hour: undefined })}
      />
      <Find onFound={(request) => change({ request })} />
    </div>
  );
}

function Find({ onFound }: { onFound: (id: string) => void }) {
  const [error, setError] = useState<string>();
  function find(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const text = new FormData(event.currentTarget).get('request');
    const id = parseRequestId(typeof text === 'string' ? text : '');
    setError(id ? undefined : 'Paste the whole X-Request-Id: 36 characters.');
    if (id) onFound(id);
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a form that searches, and is sent
    <form className={classes.find} role="search" method="dialog" onSubmit={find}>
      <TextInput
        size="xs"
        name="request"
        aria-label="X-Request-Id"
        placeholder="X-Request-Id"
        autoComplete="off"
        spellCheck={false}
        maxLength={60}
        error={error}
        errorProps={{ role: 'alert' }}
      />
      <Button size="xs" type="submit" variant="default" leftSection={<Search size={14} />}>
        Find
      </Button>
    </form>
  );
}

/** A name within a text, whatever direction its letters have: an option holds no markup. */
function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}

/** As they will be; nothing can be chosen yet. */
export function FiltersSkeleton() {
  return (
    <div className={classes.filters} inert>
      {['Every status', 'Every route', 'Every key', 'Last 7 days'].map((label) => (
        <NativeSelect key={label} size="xs" aria-label={label} data={[label]} disabled />
      ))}
      <Find onFound={() => {}} />
    </div>
  );
}
