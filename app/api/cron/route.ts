import { handleCronRequest } from '@/src/background/cron';

export const dynamic = 'force-dynamic';
export const maxDuration = 60;

export { handleCronRequest as GET };
