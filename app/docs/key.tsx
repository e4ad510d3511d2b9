'use client';
import { PasswordInput } from '@mantine/core';
import { createContext, type ReactNode, use, useEffect, useRef, useState } from 'react';
import classes from './docs.module.css';

const KeyContext = createContext({ key: '', setKey: (_key: string) => {} });

/** Holds the key that requests are tried with. In memory only: it is gone with the page. */
export function KeyProvider({ children }: { children: ReactNode }) {
  const [key, setKey] = useState('');
  return <KeyContext value={{ key, setKey }}>{children}</KeyContext>;
}

/** The key that was typed in, without the spaces around it; empty where none was. */
export function useKey(): string {
  return use(KeyContext).key.trim();
}

/** Its value is its own: one that it is given would take the place of what was typed before the page listened. */
export function KeyField() {
  const { setKey } = use(KeyContext);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => setKey(field.current?.value ?? ''), [setKey]);
  return (
    <PasswordInput
      ref={field}
      className={classes.key}
      label="API key"
      description="To try requests out on this page; it is kept nowhere. They are real, so use a key with the scopes you need and no more."
      placeholder="sk_live_…"
      autoComplete="off"
      spellCheck={false}
      maxLength={200}
      onChange={(event) => setKey(event.currentTarget.value)}
      visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
    />
  );
}
