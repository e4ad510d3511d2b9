import { redirect } from 'next/navigation';
import { currentPrincipal } from './(dashboard)/data';

export default async function StartPage() {
  redirect((await currentPrincipal()) ? '/api-keys' : '/sign-in');
}
