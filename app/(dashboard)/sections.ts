import { KeyRound, Webhook } from '@/src/ui/icons';

/** What the navigation of the dashboard leads to; the account has a menu of its own. */
export const sections = [
  { href: '/api-keys', label: 'API keys', Icon: KeyRound },
  { href: '/webhooks', label: 'Webhooks', Icon: Webhook },
] as const;
