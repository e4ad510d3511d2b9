'use client';
import { Button, Stack, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { TextLink } from '@/app/text-link';
import { ProblemNote } from '@/src/ui/components/problem-note';
import { PasswordField } from '@/src/ui/forms/password-field';
import { useSubmit } from '@/src/ui/forms/use-submit';
import { shownMode } from '@/src/ui/session/shown-account';
import { addressTaken, signIn, signUp } from '@/src/ui/session/sign-in';
import { inMode } from './next-path';

/**
 * E-mail and password, to sign in or to make an account; then on to `next`. An address that has an
 * account is taken along to sign in behind the `#`, which browsers keep to themselves.
 */
export function CredentialsForm(props: { purpose: 'sign-in' | 'sign-up'; next: string }) {
  const isNew = props.purpose === 'sign-up';
  const element = useRef<HTMLFormElement>(null);
  const [sent, setSent] = useState('');
  useEffect(() => {
    const email = new URLSearchParams(window.location.hash.slice(1)).get('email');
    const [emailField, passwordField] = element.current?.querySelectorAll('input') ?? [];
    if (isNew || !email || !emailField) return;
    emailField.value = email;
    passwordField?.focus();
  }, [isNew]);
  const form = useSubmit(
    (fields) => {
      const input = {
        email: String(fields.get('email')),
        password: String(fields.get('password')),
      };
      setSent(input.email);
      return isNew ? signUp(input) : signIn(input);
    },
    // Loaded whole, so that this tab forgets what it knew of another account. Busy until then. A link that
    // was followed among test data says nothing of that.
    () => window.location.replace(isNew ? props.next : inMode(props.next, shownMode())),
  );
  return (
    <form ref={element} {...form.attributes}>
      <Stack gap="md">
        <ProblemNote problem={form.problem}>
          {form.problem === addressTaken && (
            <TextLink href={`/sign-in#email=${encodeURIComponent(sent)}`}>Sign in instead</TextLink>
          )}
        </ProblemNote>
        <TextInput
          name="email"
          type="email"
          label="E-mail"
          placeholder="you@example.com"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
        />
        <PasswordField name="password" label="Password" isNew={isNew} />
        <Button type="submit" loading={form.isBusy || form.done !== undefined} fullWidth mt="xs">
          {isNew ? 'Create account' : 'Sign in'}
        </Button>
      </Stack>
    </form>
  );
}
