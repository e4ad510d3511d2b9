import { execFileSync } from 'node:child_process';
import { requestAsCurl } from '@/app/(dashboard)/webhooks/[endpointId]/delivery-request';

test('a request copied for a shell arrives there byte for byte, and runs nothing', () => {
  const payload = `{"text":"It's \`id\` $(id) \\\\ \\"ok\\" \\n !x"}`;
  const url = "https://example.com/a?b='c'&d=$HOME";
  const command = requestAsCurl({ payload, request_headers: [['x-name', "it's"]] }, url);
  const script = command.replace(/^curl/, "printf '%s\\0'");
  const words = execFileSync('/bin/sh', ['-c', script]).toString().split('\0').slice(0, -1);
  expect(words[1]).toBe(url);
  expect(words.slice(2, 4)).toEqual(['-H', "x-name: it's"]);
  expect(words.at(-1)).toBe(payload);
});
