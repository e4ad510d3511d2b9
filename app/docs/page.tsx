import type { Metadata } from 'next';
import { dependencies } from '@/package.json';
import { Reference } from './reference';

export const metadata: Metadata = { title: 'API reference' };

export default function DocsPage() {
  return <Reference script={`/docs/reference.js?v=${dependencies['@scalar/api-reference']}`} />;
}
