import { shellWord } from '@/src/ui/code/shell-word';

/** What of an operation its requests are made of. */
type Callable = {
  method: string;
  path: string;
  parameters: { name: string; in: string }[];
};

export type Call = { method: string; url: string; headers: [string, string][]; body?: string };

/** The request with these values. A parameter without a value is left out, in the path it stays. */
export function makeCall(
  base: string,
  operation: Callable,
  values: Record<string, string>,
  { key, body }: { key: string; body?: string },
): Call {
  const given = operation.parameters.flatMap((parameter) => {
    const value = values[parameter.name];
    return value ? [{ ...parameter, value }] : [];
  });
  let path = operation.path;
  const query = new URLSearchParams();
  const headers: [string, string][] = [['Authorization', `Bearer ${key}`]];
  if (body !== undefined) headers.push(['Content-Type', 'application/json']);
  for (const { name, in: place, value } of given) {
    if (place === 'path') path = path.replace(`{${name}}`, encodeInPath(value));
    else if (place === 'query') query.set(name, value);
    else headers.push([name, value]);
  }
  const search = query.size > 0 ? `?${query}` : '';
  return { method: operation.method, url: `${base}${path}${search}`, headers, body };
}

/** Half of a pair of code units, as a key may leave it, is sent as what a query sends of it. */
const encodeInPath = (value: string) =>
  encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, '\uFFFD'));

/** For a shell that has the key as $KEY, so that it stands in no history. */
export function callAsCurl({ method, url, headers, body }: Call): string {
  return [
    `curl ${method === 'GET' || (method === 'POST' && body) ? '' : `-X ${method} `}${shellWord(url)}`,
    '-H "Authorization: Bearer $KEY"',
    ...headers
      .filter(([name]) => name !== 'Authorization')
      .map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${shellWord(body)}`]),
  ].join(' \\\n  ');
}
