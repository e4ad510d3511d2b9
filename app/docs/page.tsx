import type { Metadata } from 'next';
import { devDependencies } from '@/package.json';
import { Reference } from './reference';

export const metadata: Metadata = { title: 'API reference' };

export default function DocsPage() {
  return <Reference script={`/docs/reference.js?v=${devDependencies['@scalar/api-reference']}`} />;
}
