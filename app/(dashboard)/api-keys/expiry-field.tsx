import { Group, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { dayMs } from '@/src/ui/time/durations';
import { serviceNow } from '@/src/ui/time/service-clock';

/** Its end has a year of four digits in UTC too, wherever one is. */
const lastDate = '9999-12-30';

/**
 * When the key ends; read the form with `expiryInstant`. Of a key that there is already, `present`
 * is when it ends as things are, which can be left so.
 */
export function ExpiryField({ present }: { present?: string | null }) {
  const [choice, setChoice] = useState(present ? 'present' : 'never');
  return (
    <Group align="flex-end" gap="sm" grow>
      <NativeSelect
        name="expiry"
        label="Expires"
        value={choice}
        onChange={(event) => setChoice(event.currentTarget.value)}
        data={[
          ...(present ? [{ value: 'present', label: `As it is: ${lastDay(present)}` }] : []),
          { value: 'never', label: 'Never' },
          { value: '30', label: 'In 30 days' },
          { value: '90', label: 'In 90 days' },
          { value: 'date', label: 'On a date' },
        ]}
      />
      {choice === 'date' && (
        <TextInput
          type="date"
          name="expiry-date"
          label="Last day"
          min={localDate(new Date(serviceNow()))}
          max={lastDate}
          required
          withAsterisk={false}
        />
      )}
    </Group>
  );
}

/**
 * The instant that the form's expiry stands for; null for never, undefined for no other than there
 * is. A date counts to its end, here; days count from `nowMs`, so that the same form, sent again, may
 * stand for the same.
 */
export function expiryInstant(form: FormData, nowMs = serviceNow()): string | null | undefined {
  const choice = String(form.get('expiry'));
  if (choice === 'present') return undefined;
  if (choice === 'never') return null;
  if (choice === 'date') return new Date(`${form.get('expiry-date')}T23:59:59`).toISOString();
  return new Date(nowMs + Number(choice) * dayMs).toISOString();
}

/** To the minute: a rotation ends a key at once, or within hours. */
export function expiryInWords(instant: string | null): string {
  if (instant === null) return 'never';
  return new Date(instant).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });
}

function lastDay(instant: string): string {
  return new Date(instant).toLocaleDateString('en', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
}

function localDate(instant: Date): string {
  const month = String(instant.getMonth() + 1).padStart(2, '0');
  return `${instant.getFullYear()}-${month}-${String(instant.getDate()).padStart(2, '0')}`;
}
