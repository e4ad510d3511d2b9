import { PasswordInput } from '@mantine/core';
import { passwordLimits } from '@/src/accounts/limits';

const { min, max } = passwordLimits;

/** A new one says how long it has to be. */
export function PasswordField(props: {
  id?: string;
  name: string;
  label: string;
  isNew: boolean;
  /** What else is to be known of a new one. */
  description?: string;
  /** Where a dialog begins. */
  isFocused?: boolean;
}) {
  return (
    <PasswordInput
      id={props.id}
      name={props.name}
      label={props.label}
      description={props.isNew && `At least ${min} characters. ${props.description ?? ''}`}
      data-autofocus={props.isFocused || undefined}
      autoComplete={props.isNew ? 'new-password' : 'current-password'}
      minLength={props.isNew ? min : undefined}
      maxLength={max}
      required
      withAsterisk={false}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
    />
  );
}
