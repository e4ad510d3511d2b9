import { handleDashboardRequest } from '@/src/api/dashboard';

export const dynamic = 'force-dynamic';

export { handleDashboardRequest as GET, handleDashboardRequest as POST };
