'use client';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTRPC } from '@/src/ui/trpc';
import classes from './inbox.module.css';
import { spacesInput } from './spaces-input';
import {
  day,
  type InboxView,
  isNarrowed,
  type SortingName,
  sortingNameOf,
  sortingNames,
} from './view';

/** The id of the search field, which a key leads to. */
export const searchId = 'search-testimonials';

type Change = (changes: Partial<InboxView>) => void;

/** What narrows and sorts the list; on narrow screens all but the search is folded away. */
export function Filters({ view, onChange }: { view: InboxView; onChange: Change }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <search className={classes.filters} data-open={isOpen || undefined}>
      <SearchField view={view} onChange={onChange} />
      <Button
        className={classes.filtersToggle}
        variant="default"
        size="xs"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isNarrowed({ ...view, search: undefined }) ? 'Filters (on)' : 'Filters'}
      </Button>
      <SpaceSelect view={view} onChange={onChange} />
      <NativeSelect
        size="xs"
        aria-label="Type"
        value={view.type ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ type: value === 'text' || value === 'video' ? value : undefined })
        }
        data={[
          { value: '', label: 'Any type' },
          { value: 'text', label: 'Text' },
          { value: 'video', label: 'Video' },
        ]}
      />
      <NativeSelect
        size="xs"
        aria-label="Rating"
        value={view.rating ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ rating: value ? Number(value) : undefined })
        }
        data={[
          { value: '', label: 'Any rating' },
          ...[5, 4, 3, 2, 1].map((stars) => ({
            value: String(stars),
            label: `${stars} ${stars === 1 ? 'star' : 'stars'}`,
          })),
        ]}
      />
      {(['from', 'to'] as const).map((end) => (
        <TextInput
          key={end}
          type="date"
          size="xs"
          aria-label={end === 'from' ? 'From day (UTC)' : 'To day (UTC)'}
          title={end === 'from' ? 'From day (UTC)' : 'To day (UTC)'}
          value={view[end] ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ [end]: day(value) })}
        />
      ))}
      <NativeSelect
        size="xs"
        aria-label="Order"
        value={view.sort}
        onChange={({ currentTarget: { value } }) => onChange({ sort: sortingNameOf(value) })}
        data={(Object.keys(sortingNames) as SortingName[]).map((name) => ({
          value: name,
          label: sortingNames[name],
        }))}
      />
    </search>
  );
}

const typingPauseMs = 300;

/** Searches once one stops typing. */
function SearchField({ view, onChange }: { view: InboxView; onChange: Change }) {
  const [text, setText] = useState(view.search ?? '');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The address may change otherwise: by "Clear filters".
  useEffect(() => setText(view.search ?? ''), [view.search]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <TextInput
      id={searchId}
      type="search"
      size="xs"
      aria-label="Search in the texts"
      placeholder="Search in the texts"
      maxLength={1000}
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onChange({ search: value || undefined }), typingPauseMs);
      }}
      onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
    />
  );
}

function SpaceSelect({ view, onChange }: { view: InboxView; onChange: Change }) {
  const trpc = useTRPC();
  const spaces = useQuery(trpc.spaces.list.queryOptions(spacesInput));
  const known = spaces.data?.data ?? [];
  const isUnknown = view.space !== undefined && !known.some(({ id }) => id === view.space);
  const asked = useQuery(
    trpc.spaces.get.queryOptions(
      { id: view.space ?? '' },
      { enabled: spaces.data !== undefined && isUnknown },
    ),
  );
  const other = isUnknown
    ? [{ value: view.space ?? '', label: asked.data?.data.name ?? 'A space' }]
    : [];
  return (
    <NativeSelect
      size="xs"
      aria-label="Space"
      value={view.space ?? ''}
      onChange={({ currentTarget: { value } }) => onChange({ space: value || undefined })}
      data={[
        { value: '', label: 'Every space' },
        ...other,
        ...known.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
