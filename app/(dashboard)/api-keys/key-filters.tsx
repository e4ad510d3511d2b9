import { Group, TextInput } from '@mantine/core';
import { Choice } from '@/src/ui/forms/choice';
import {
  type KeyOrder,
  type KeysView,
  keyOrders,
  type StatusFilter,
  statusFilters,
} from './key-list';

const statusNames: Record<StatusFilter, string> = {
  all: 'Every status',
  active: 'Active',
  ending: 'Expires soon',
  off: 'Off or expired',
};

const orderNames: Record<KeyOrder, string> = {
  created: 'Newest first',
  used: 'Last used first',
  name: 'By name',
  expiry: 'Expires first',
};

/** What to look for among many keys, and in which order. */
export function KeyFilters(props: { view: KeysView; onChange: (view: KeysView) => void }) {
  const { view, onChange } = props;
  return (
    <Group gap="xs">
      <TextInput
        size="xs"
        type="search"
        aria-label="Search"
        placeholder="Name or last characters"
        maxLength={100}
        value={view.search}
        onChange={(event) => onChange({ ...view, search: event.currentTarget.value })}
        style={{ flex: '1 1 11.25rem' }}
      />
      <Choice
        label="Status"
        value={view.status}
        choices={statusFilters.map((value) => ({ value, label: statusNames[value] }))}
        onChange={(status) => status && onChange({ ...view, status })}
      />
      <Choice
        label="Order"
        value={view.order}
        choices={keyOrders.map((value) => ({ value, label: orderNames[value] }))}
        onChange={(order) => order && onChange({ ...view, order })}
      />
    </Group>
  );
}
