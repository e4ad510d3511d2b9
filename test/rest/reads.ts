import { routes } from '@/src/operations';
import { createTenant } from '../helpers/accounts';
import { type Answer, send } from '../helpers/client';

/** The templates of every GET that has a tag, so that a new one cannot be forgotten. */
export const readTemplates = routes.flatMap(({ template, operations }) =>
  operations.get('GET')?.isConditional ? [template] : [],
);

/** An account with a row of each kind, and the address of every GET that answers 200 to it. */
export async function createReader() {
  const tenant = await createTenant();
  const space = await tenant.space();
  const testimonial = await tenant.testimonial(space.id, { rating: 5, text_content: 'Text' });
  const address = (template: string) =>
    template.replace('{id}', template.startsWith('/spaces/') ? space.id : testimonial.id);
  const addresses = readTemplates.map(address);
  const tagOf = async (path: string) => {
    const { status, headers } = await tenant.api.get(path);
    const tag = headers.get('etag');
    if (status !== 200 || tag === null) throw new Error(`${path}: ${status}, tag ${tag}`);
    return tag;
  };
  return {
    tenant,
    key: tenant.api.key,
    space,
    testimonial,
    addresses,
    address,
    tagOf,
    /** The tag of every address, in their order. */
    tags: () => Promise.all(addresses.map(tagOf)),
    ask: (path: string, ifNoneMatch: string, method = 'GET') =>
      askWith(tenant.api.key, path, ifNoneMatch, method),
  };
}

export type Reader = Awaited<ReturnType<typeof createReader>>;

/** Sends a request with If-None-Match. */
export function askWith(
  key: string,
  path: string,
  ifNoneMatch: string,
  method = 'GET',
): Promise<Answer> {
  return send(method, path, { key, headers: { 'if-none-match': ifNoneMatch } });
}
