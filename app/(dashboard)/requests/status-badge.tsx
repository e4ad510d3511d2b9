import { type Tone, ToneBadge } from '@/src/ui/components/tone-badge';

export function StatusBadge({ status }: { status: number }) {
  return <ToneBadge tone={toneOf(status)}>{status}</ToneBadge>;
}

function toneOf(status: number): Tone {
  if (status >= 500) return 'bad';
  if (status >= 400) return 'warning';
  return status >= 300 ? 'over' : 'good';
}
