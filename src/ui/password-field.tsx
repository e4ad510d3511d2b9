import { PasswordInput } from '@mantine/core';

/** The limits are those of the sign-in service. */
export function PasswordField(props: {
  name: string;
  label: string;
  isNew: boolean;
  description?: string;
  /** Where a dialog begins. */
  isFocused?: boolean;
}) {
  return (
    <PasswordInput
      name={props.name}
      label={props.label}
      description={props.description}
      data-autofocus={props.isFocused || undefined}
      autoComplete={props.isNew ? 'new-password' : 'current-password'}
      minLength={props.isNew ? 8 : undefined}
      maxLength={128}
      required
      withAsterisk={false}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
    />
  );
}
