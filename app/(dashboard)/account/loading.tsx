import { PageHeader } from '@/src/ui/components/page-header';
import { AccountSettingsSkeleton } from './account-settings';

export default function Loading() {
  return (
    <>
      <PageHeader title="Account" />
      <AccountSettingsSkeleton />
    </>
  );
}
