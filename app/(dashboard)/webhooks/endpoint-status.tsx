import type { Outputs } from '@/src/ui/calls/trpc';
import { type Tone, ToneBadge } from '@/src/ui/components/tone-badge';

export type Endpoint = Outputs['webhooks']['endpoints']['get'];

const states: Record<Endpoint['status'], { text: string; tone: Tone }> = {
  enabled: { text: 'Enabled', tone: 'good' },
  paused: { text: 'Paused', tone: 'over' },
  switched_off: { text: 'Switched off', tone: 'bad' },
};

export function EndpointStatus({ status }: { status: Endpoint['status'] }) {
  return <ToneBadge tone={states[status].tone}>{states[status].text}</ToneBadge>;
}

/** Why the service switched the endpoint off; undefined where it did not. */
export function switchOffReason(endpoint: Endpoint): string | undefined {
  switch (endpoint.disabled_reason) {
    case 'gone':
      return 'It answered 410 Gone, which asks us to stop.';
    case 'failing':
      return `For days it did nothing but fail: ${endpoint.failure_count} attempts without a success.`;
    case null:
      return undefined;
  }
}
