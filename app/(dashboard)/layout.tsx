import type { ReactNode } from 'react';
import { getAccount } from '@/src/accounts/accounts';
import { DataProvider } from '@/src/ui/providers';
import { currentPrincipal } from './data';
import { Shell } from './shell';

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const principal = await currentPrincipal();
  // The page below sends the person to sign in, and knows where to come back to.
  if (!principal) return children;
  const { email } = await getAccount(principal.accountId);
  return (
    <DataProvider>
      <Shell email={email}>{children}</Shell>
    </DataProvider>
  );
}
