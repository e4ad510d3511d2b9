import { type Tone, ToneBadge } from '@/src/ui/components/tone-badge';
import type { DeliveryState } from './deliveries-view';

export const stateNames: Record<DeliveryState, string> = {
  pending: 'Pending',
  succeeded: 'Succeeded',
  failed: 'Failed',
};

const tones: Record<DeliveryState, Tone> = { pending: 'warning', succeeded: 'good', failed: 'bad' };

export function DeliveryStateBadge({ state }: { state: DeliveryState }) {
  return <ToneBadge tone={tones[state]}>{stateNames[state]}</ToneBadge>;
}
