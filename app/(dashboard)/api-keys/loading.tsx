import { ApiKeysHeader } from './header';
import { KeyTableSkeleton } from './key-table';
import { UsageSkeleton } from './usage';

export default function Loading() {
  return (
    <>
      <ApiKeysHeader />
      <UsageSkeleton />
      <KeyTableSkeleton />
    </>
  );
}
