'use client';
import { TextInput, type TextInputProps } from '@mantine/core';
import { ownDirection } from './own-direction';

/** The first field of a dialog, what a thing is called; `props` beside what all such fields have. */
export function NameField(props: TextInputProps) {
  return (
    <TextInput
      name="name"
      label="Name"
      maxLength={100}
      attributes={ownDirection}
      required
      withAsterisk={false}
      data-autofocus
      {...props}
    />
  );
}
