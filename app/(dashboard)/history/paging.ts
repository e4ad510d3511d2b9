import type { AuditPage } from '@/src/audit/schema';

/** The same for the server's first paint and for the browser, or it would be asked twice. */
export function historyInput(subjectId?: string) {
  return { limit: 10, ...(subjectId && { subject_id: subjectId }) };
}

/** How to ask for the page after this one. */
export const historyPaging = { getNextPageParam: (page: AuditPage) => page.next_cursor };
