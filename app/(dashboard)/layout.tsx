import type { ReactNode } from 'react';
import { getAccount } from '@/src/accounts/accounts';
import { DataProvider } from '@/src/ui/providers';
import { requireSession } from './data';
import { Shell } from './shell';

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const { accountId } = await requireSession('/api-keys');
  const { email } = await getAccount(accountId);
  return (
    <DataProvider>
      <Shell email={email}>{children}</Shell>
    </DataProvider>
  );
}
