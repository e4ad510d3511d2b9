import type { Metadata } from 'next';
import { Reference } from './reference';

export const metadata: Metadata = { title: 'API reference' };

export default function DocsPage() {
  return <Reference />;
}
