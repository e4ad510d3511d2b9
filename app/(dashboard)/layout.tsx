import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { NeedsScript } from '@/app/needs-script';
import { getAccount } from '@/src/accounts/accounts';
import { modeOf, ownerOf } from '@/src/api/principal';
import { doneId } from '@/src/ui/browser/tell-done';
import { DataProvider } from '@/src/ui/providers';
import { currentPrincipal, requireSession } from './data';
import { ModeChanged } from './mode/mode-changed';
import { OfflineNotice } from './offline-notice';
import { Shell } from './shell';
import { SignInAgain } from './sign-in-again';

/** Tabs can be told apart by their titles. */
export async function generateMetadata(): Promise<Metadata> {
  // What fails is said by the page, which is to have a title even so.
  const principal = await currentPrincipal().catch(() => undefined);
  if (!principal || modeOf(principal) === 'live') return {};
  return { title: { default: 'Testimonials', template: '%s · Test data · Testimonials' } };
}

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const principal = await requireSession();
  const account = ownerOf(principal);
  const { email } = await getAccount(account);
  return (
    <DataProvider mode={modeOf(principal)} account={account} renderedMs={Date.now()}>
      <NeedsScript />
      <Shell email={email}>{children}</Shell>
      <div id={doneId} className="visually-hidden" aria-live="polite" />
      <OfflineNotice />
      <SignInAgain email={email} account={account} />
      <ModeChanged />
    </DataProvider>
  );
}
