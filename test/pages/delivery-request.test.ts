import { execFileSync } from 'node:child_process';
import {
  requestAsCurl,
  requestHead,
  sentTo,
} from '@/app/(dashboard)/webhooks/[endpointId]/delivery-request';

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

test('a request is shown with where it went last, wherever the endpoint is by now', () => {
  const [last, now] = ['https://two.example/a?b=c', 'https://three.example/'];
  const attempts = [{ url: 'https://one.example/' }, { url: last }];
  expect(sentTo({ attempts }, now)).toBe(last);
  expect(sentTo({ attempts: [] }, now)).toBe(now);
  const head = requestHead({ payload: '{}', request_headers: [['x-name', 'it']] }, last);
  expect(head.split('\n').slice(0, 3)).toEqual(['POST /a?b=c', 'host: two.example', 'x-name: it']);
});
