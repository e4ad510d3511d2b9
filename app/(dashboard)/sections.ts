import { Folder, Inbox, KeyRound, ScrollText, Webhook } from '@/src/ui/components/icons';

/** What the navigation of the dashboard leads to; the account has a menu of its own. */
export const sections = [
  { href: '/testimonials', label: 'Inbox', Icon: Inbox },
  { href: '/spaces', label: 'Spaces', Icon: Folder },
  { href: '/api-keys', label: 'API keys', Icon: KeyRound },
  { href: '/requests', label: 'Requests', Icon: ScrollText },
  { href: '/webhooks', label: 'Webhooks', Icon: Webhook },
] as const;
