'use client';
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import classes from './filters.module.css';
import { SpaceSelect } from './space-select';
import { day, type InboxView, isNarrowed, sortingChoices, sortingNameOf } from './view';

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
        className={classes.toggle}
        variant="default"
        size="xs"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isNarrowed({ ...view, search: undefined }) ? 'Filters (on)' : 'Filters'}
      </Button>
      <SpaceSelect view={view} onChange={onChange} />
      {/* Not by Choice: this page is the heaviest, and would load one more script for it. */}
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
        <DayField
          key={end}
          end={end === 'from' ? 'From' : 'To'}
          value={view[end]}
          onChange={(value) => onChange({ [end]: value })}
        />
      ))}
      <NativeSelect
        size="xs"
        aria-label="Order"
        value={view.sort}
        onChange={({ currentTarget: { value } }) => onChange({ sort: sortingNameOf(value) })}
        data={sortingChoices}
      />
    </search>
  );
}

const typingPauseMs = 300;

/**
 * The text of a field, and what to call when one types: `onChange` follows once one stops. Nothing
 * but a value from elsewhere, as of "Clear filters", takes the place of what was typed.
 */
function useTyped(
  value: string | undefined,
  parse: (text: string) => string | undefined,
  onChange: (value: string | undefined) => void,
): [string, (text: string) => void] {
  const [text, setText] = useState(value ?? '');
  const said = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (said.current === value) return;
    said.current = value;
    clearTimeout(timer.current);
    setText(value ?? '');
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return [
    text,
    (typed) => {
      setText(typed);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        said.current = parse(typed);
        onChange(said.current);
      }, typingPauseMs);
    },
  ];
}

/** A day, typed in parts: the year is a day of its own after each of its digits. */
function DayField(props: {
  end: 'From' | 'To';
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const [text, type] = useTyped(props.value, day, props.onChange);
  const label = `${props.end} day (UTC)`;
  return (
    <TextInput
      type="date"
      size="xs"
      // With it a year has four digits.
      max="9999-12-31"
      aria-label={label}
      title={label}
      leftSection={<span className={classes.end}>{props.end}</span>}
      leftSectionWidth={props.end === 'From' ? 42 : 28}
      value={text}
      onChange={({ currentTarget: { value } }) => type(value)}
    />
  );
}

function SearchField({ view, onChange }: { view: InboxView; onChange: Change }) {
  const [text, type] = useTyped(
    view.search,
    (typed) => typed || undefined,
    (search) => onChange({ search }),
  );
  return (
    <TextInput
      id={searchId}
      type="search"
      size="xs"
      aria-label="Search in the texts"
      placeholder="Search in the texts"
      maxLength={1000}
      value={text}
      onChange={({ currentTarget: { value } }) => type(value)}
      onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
    />
  );
}
