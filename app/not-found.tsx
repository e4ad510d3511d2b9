import type { Metadata } from 'next';
import { MissingPage } from '@/app/missing-page';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <main style={{ maxWidth: '35rem', margin: '15vh auto 0', padding: '1rem' }}>
      <MissingPage />
    </main>
  );
}
