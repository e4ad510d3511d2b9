'use client';
import { UnstyledButton } from '@mantine/core';
import Link from 'next/link';
import { usePathname, useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import { ButtonMenu } from '@/src/ui/action-menu';
import { finishBeforeSignOut } from '@/src/ui/before-sign-out';
import { BookOpen, ChevronsUpDown, LogOut, UserRound } from '@/src/ui/icons';
import { Logo } from '@/src/ui/logo';
import { useMode } from '@/src/ui/shown-mode';
import { signOut } from '@/src/ui/sign-in';
import { ModeOfAddress } from './mode/mode-of-address';
import { ModeSwitch } from './mode/mode-switch';
import { TestBand } from './mode/test-band';
import { sections } from './sections';
import classes from './shell.module.css';

/** Navigation beside the page, or above it on narrow screens. */
export function Shell({ email, children }: { email: string; children: ReactNode }) {
  const path = usePathname();
  const mode = useMode();
  return (
    <div className={classes.root} data-mode={mode}>
      <a href="#content" className={classes.skip}>
        Skip to the content
      </a>
      <header className={classes.bar}>
        <Link href="/api-keys" className={classes.brand}>
          <Logo size={24} />
          <span>Testimonials</span>
        </Link>
        <nav className={classes.nav} aria-label="Main">
          {sections.map(({ href, label, Icon }) => (
            <Link
              key={href}
              href={href}
              className={classes.link}
              aria-current={path.startsWith(href) ? 'page' : undefined}
            >
              <Icon size={16} aria-hidden />
              {label}
            </Link>
          ))}
          {/* A page of its own kind, with its own styles: loaded whole. */}
          <a href="/docs" className={classes.link}>
            <BookOpen size={16} aria-hidden />
            API reference
          </a>
        </nav>
        <div className={classes.mode}>
          <ModeSwitch />
        </div>
        <div className={classes.account}>
          <AccountMenu email={email} />
        </div>
      </header>
      <div>
        {mode === 'test' && <TestBand />}
        <main id="content" className={classes.content} tabIndex={-1}>
          <ModeOfAddress>{children}</ModeOfAddress>
        </main>
      </div>
    </div>
  );
}

function AccountMenu({ email }: { email: string }) {
  const router = useRouter();
  return (
    <ButtonMenu
      id="account-menu"
      position="top-start"
      actions={[
        {
          label: 'Account',
          icon: <UserRound size={15} />,
          onClick: () => router.push('/account'),
        },
        { label: 'Sign out', icon: <LogOut size={15} />, onClick: () => void leave() },
      ]}
    >
      {/* Its skeleton is to be there at once. */}
      <UnstyledButton
        className={classes.accountButton}
        onPointerEnter={() => router.prefetch('/account')}
        onFocus={() => router.prefetch('/account')}
      >
        <span className="visually-hidden">Account</span>
        <span className={classes.initial} aria-hidden>
          {email.slice(0, 1).toUpperCase()}
        </span>
        <span className={classes.email}>
          <bdi>{email}</bdi>
        </span>
        <ChevronsUpDown size={14} aria-hidden className={classes.chevron} />
      </UnstyledButton>
    </ButtonMenu>
  );
}

/** Loads the page anew, so that nothing of the account stays in this tab's memory. */
async function leave() {
  await finishBeforeSignOut();
  await signOut();
  window.location.assign('/sign-in');
}
