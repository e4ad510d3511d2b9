'use client';
import { NativeSelect } from '@mantine/core';

/** What narrows or sorts a list: one of the choices, or `all`, where there is that, for none of them. */
export function Choice<Value extends string>(props: {
  id?: string;
  label: string;
  all?: string;
  value: Value | undefined;
  choices: { value: Value; label: string }[];
  onChange: (value: Value | undefined) => void;
}) {
  const { all, value = '', choices } = props;
  const isOffered = value === '' || choices.some((choice) => choice.value === value);
  return (
    <NativeSelect
      id={props.id}
      size="xs"
      aria-label={props.label}
      value={value}
      onChange={({ currentTarget }) =>
        props.onChange(choices.find((choice) => choice.value === currentTarget.value)?.value)
      }
      data={[
        ...(all === undefined ? [] : [{ value: '', label: all }]),
        ...choices,
        // As of an address that names a deleted key.
        ...(isOffered ? [] : [{ value, label: value }]),
      ]}
    />
  );
}
