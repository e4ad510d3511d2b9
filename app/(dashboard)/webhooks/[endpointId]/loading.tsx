import { Skeleton } from '@mantine/core';
import { DeliveryTableSkeleton } from './delivery-table';

export default function Loading() {
  return (
    <>
      <Skeleton height={14} width={80} mb="md" />
      <Skeleton height={24} width={320} mb={10} />
      <Skeleton height={14} width={220} mb={44} />
      <DeliveryTableSkeleton />
    </>
  );
}
