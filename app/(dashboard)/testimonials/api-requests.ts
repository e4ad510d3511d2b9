import { type ApiCall, snippetOf } from '@/src/ui/code/snippets';

/** The request as a command of a shell that has the key as $API_KEY. */
export function curlOf(request: ApiCall, origin: string): string {
  return snippetOf('curl', request, { origin, key: '$API_KEY' });
}

/** Setting the status of these; one alone has an operation of its own. */
export function statusRequest(ids: string[], status: string): ApiCall {
  const [only, ...others] = ids;
  return others.length === 0
    ? { method: 'PATCH', path: `/testimonials/${only}`, body: { status } }
    : {
        method: 'POST',
        path: '/testimonials/batch/update',
        body: { testimonial_ids: ids, status },
      };
}

export function deletionRequest(ids: string[]): ApiCall {
  const [only, ...others] = ids;
  return others.length === 0
    ? { method: 'DELETE', path: `/testimonials/${only}` }
    : { method: 'POST', path: '/testimonials/batch/delete', body: { testimonial_ids: ids } };
}
