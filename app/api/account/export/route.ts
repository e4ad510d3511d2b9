import { handleExportRequest } from '@/src/account-export';

export const dynamic = 'force-dynamic';
export const maxDuration = 300;

export { handleExportRequest as GET };
