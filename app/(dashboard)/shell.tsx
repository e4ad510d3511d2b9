'use client';
import { Loader, UnstyledButton } from '@mantine/core';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { usePathname, useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useRef } from 'react';
import { SpokenError } from '@/src/ui/calls/errors';
import { useSingleMutation } from '@/src/ui/calls/use-single-mutation';
import { ErrorNote } from '@/src/ui/components/error-note';
import { BookOpen, ChevronsUpDown, LogOut, UserRound } from '@/src/ui/components/icons';
import { initialOf } from '@/src/ui/components/initial';
import { Logo } from '@/src/ui/components/logo';
import { SkipLink } from '@/src/ui/components/skip-link';
import { ButtonMenu } from '@/src/ui/overlays/action-menu';
import { finishBeforeSignOut } from '@/src/ui/session/before-sign-out';
import { useEmail, useMode } from '@/src/ui/session/shown-mode';
import { signOut } from '@/src/ui/session/sign-out';
import { ModeOfAddress } from './mode/mode-of-address';
import { ModeSwitch } from './mode/mode-switch';
import { canOpenPages } from './offline-notice';
import { sections } from './sections';
import classes from './shell.module.css';

// What is live is shown without it.
const TestBand = dynamic(() => import('./mode/test-band').then((file) => file.TestBand));

/** Navigation beside the page, or above it on narrow screens. */
export function Shell({ email, children }: { email: string; children: ReactNode }) {
  const path = usePathname();
  const mode = useMode();
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another link
  useEffect(() => showCurrent(nav.current), [path]);
  return (
    <div className={classes.root} data-mode={mode}>
      <SkipLink />
      <header className={classes.bar}>
        <Link href="/api-keys" className={classes.brand}>
          <Logo size={24} />
          <span>Testimonials</span>
        </Link>
        {/* Where a link is partly in view, a browser finds that enough for the focus. */}
        <nav
          ref={nav}
          className={classes.nav}
          aria-label="Main"
          onFocus={({ target }) => target.scrollIntoView({ block: 'nearest', inline: 'nearest' })}
        >
          {sections.map(({ href, label, Icon }) => (
            <Link
              key={href}
              href={href}
              className={classes.link}
              aria-current={path.startsWith(href) ? 'page' : undefined}
            >
              <Icon size={16} />
              {label}
            </Link>
          ))}
          {/* A page of its own kind, with its own styles: loaded whole. */}
          <a href="/docs" className={classes.link}>
            <BookOpen size={16} />
            API reference
          </a>
        </nav>
        <div className={classes.mode}>
          <ModeSwitch />
        </div>
        <AccountMenu email={email} />
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

/** On narrow screens the links are a strip that scrolls; nothing else is to move. */
function showCurrent(nav: HTMLElement | null): void {
  const link = nav?.querySelector('[aria-current]')?.getBoundingClientRect();
  if (!nav || !link) return;
  const strip = nav.getBoundingClientRect();
  nav.scrollLeft += link.left + link.width / 2 - (strip.left + strip.width / 2);
}

function AccountMenu(props: { email: string }) {
  const email = useEmail(props.email);
  const router = useRouter();
  const leaving = useSingleMutation({ mutationFn: leave });
  const isLeaving = leaving.isPending || leaving.isSuccess;
  return (
    <>
      <div>
        <ButtonMenu
          id="account-menu"
          position="top-start"
          actions={[
            {
              label: 'Account',
              icon: <UserRound size={15} />,
              onClick: () => canOpenPages() && router.push('/account'),
            },
            { label: 'Sign out', icon: <LogOut size={15} />, onClick: () => leaving.mutate() },
          ]}
        >
          {/* Its skeleton is to be there at once. */}
          <UnstyledButton
            className={classes.accountButton}
            aria-busy={isLeaving}
            onPointerEnter={() => router.prefetch('/account')}
            onFocus={() => router.prefetch('/account')}
          >
            <span className="visually-hidden">Account</span>
            <span className={classes.initial} aria-hidden>
              {isLeaving ? (
                <Loader size={14} color="var(--mantine-color-dimmed)" />
              ) : (
                initialOf(email)
              )}
            </span>
            <span className={classes.email}>{isLeaving ? 'Signing out…' : <bdi>{email}</bdi>}</span>
            <ChevronsUpDown size={14} className={classes.chevron} />
          </UnstyledButton>
        </ButtonMenu>
        <span className="visually-hidden" aria-live="polite">
          {isLeaving && 'Signing out…'}
        </span>
      </div>
      {leaving.error && (
        <div className={classes.failure}>
          <ErrorNote error={leaving.error} />
        </div>
      )}
    </>
  );
}

/**
 * Loads the page anew, so that nothing of the account stays in this tab's memory, and in the place of
 * this one: browsers may show a page that one goes back to as it was, Safari over plain http.
 */
async function leave(): Promise<void> {
  await finishBeforeSignOut();
  const { problem } = await signOut();
  if (problem) throw new SpokenError(problem);
  window.location.replace('/sign-in');
}
