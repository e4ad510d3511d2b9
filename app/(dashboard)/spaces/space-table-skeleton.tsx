import { TableSkeleton } from '@/src/ui/components/table';

export const spaceColumns = ['Name', 'ID', 'Slug', 'Questions', 'Created'];

/** Apart from the table, whose script every other page would load with this one, to be ready. */
export function SpaceTableSkeleton() {
  return <TableSkeleton columns={spaceColumns} />;
}
