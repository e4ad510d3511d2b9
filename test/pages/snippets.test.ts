import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiCall, type Language, languages, snippetOf } from '@/src/ui/code/snippets';
import { listen } from '../helpers/listening';

type Arrived = {
  method: string | undefined;
  url: string | undefined;
  authorization: string | undefined;
  type: string | undefined;
  length: string | undefined;
  body: string;
};

let server: Server;
let origin: string;
let arrived: Arrived[] = [];
const folder = mkdtempSync(join(tmpdir(), 'snippets-'));

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const { method, url, headers } = request;
      const { authorization, 'content-type': type, 'content-length': length } = headers;
      arrived.push({ method, url, authorization, type, length, body });
      response.writeHead(200, { connection: 'close' }).end('{"data":[]}');
    });
  });
  origin = `http://127.0.0.1:${await listen(server)}`;
  if (!isThere('python3', '-c', 'import requests')) {
    writeFileSync(join(folder, 'requests.py'), requestsOfPython);
  }
});

beforeEach(() => {
  arrived = [];
});

afterAll(async () => {
  await new Promise((done) => server.close(done));
  rmSync(folder, { recursive: true });
});

/** Without the package, as much of it as the snippet uses. */
const requestsOfPython = `
import json as codec, urllib.request
class Response:
    def __init__(self, answer):
        self.status_code, self.text = answer.status, answer.read().decode()
def send(method):
    def call(url, headers, json=None):
        if json is not None: headers = {**headers, "Content-Type": "application/json"}
        data = None if json is None else codec.dumps(json).encode()
        return Response(urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)))
    return call
get, post, patch, delete = map(send, ["GET", "POST", "PATCH", "DELETE"])
`;

const isThere = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

/** How each is run, and whether it can be here. */
const runtimes: Record<Language, { canRun: () => boolean; command: (file: string) => string[] }> = {
  curl: { canRun: () => isThere('curl', '--version'), command: (file) => ['sh', file] },
  fetch: { canRun: () => true, command: (file) => [process.execPath, file] },
  Python: { canRun: () => isThere('python3', '--version'), command: (file) => ['python3', file] },
  PHP: {
    canRun: () => isThere('php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);'),
    command: (file) => ['php', file],
  },
};

const endings: Record<Language, string> = {
  curl: 'sh',
  fetch: 'mjs',
  Python: 'py',
  PHP: 'php',
};

/** What the snippet prints. */
function run(language: Language, code: string): Promise<string> {
  const file = join(folder, `snippet.${endings[language]}`);
  writeFileSync(file, code);
  const [program = '', ...args] = runtimes[language].command(file);
  return new Promise((resolve, reject) => {
    execFile(program, args, { timeout: 30_000 }, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    );
  });
}

const key = 'sk_live_0123456789abcdef';

const calls: [string, ApiCall][] = [
  ['a read', { method: 'GET', path: '/testimonials' }],
  [
    'a write',
    {
      method: 'POST',
      path: '/testimonials',
      body: {
        space_id: '3f2b8c1e-9a54-4c61-8f0e-2b7d6a5c4e3d',
        submitter_name: 'O’Neil "Ada" \\ $HOME `id` D\'Arcy {$x} 😀',
        rating: 5,
        is_new: true,
        is_old: false,
        video_url: null,
        'odd name': ['a', { b: [] }],
      },
    },
  ],
  ['a write without a body', { method: 'POST', path: '/webhook-endpoints/1/test' }],
  ['a deletion', { method: 'DELETE', path: '/spaces/1' }],
];

describe.each(languages)('in %s', (language) => {
  const { canRun } = runtimes[language];
  const here = canRun() ? test : test.skip;

  here.each(calls)('%s is sent as it stands, and its answer shown', async (_name, call) => {
    const printed = await run(language, snippetOf(language, call, { origin, key }));
    expect(printed).toContain('{"data":[]}');
    if (language !== 'curl') expect(printed).toContain('200');
    const length = arrived[0]?.length;
    expect(arrived).toEqual([
      {
        method: call.method,
        url: `/api/v1${call.path}`,
        authorization: `Bearer ${key}`,
        type: call.body === undefined ? undefined : 'application/json',
        // Some proxies answer 411 to a POST that says none, also where there is nothing to send.
        length: call.method === 'POST' ? expect.stringMatching(/^\d+$/) : length,
        body: expect.any(String),
      },
    ]);
    const body = arrived[0]?.body ?? '';
    if (call.body === undefined) expect(body).toBe('');
    else expect(JSON.parse(body)).toEqual(call.body);
  });

  test('is the same request to the letter, also where nothing can run it', () => {
    const call: ApiCall = {
      method: 'POST',
      path: '/testimonials',
      body: { type: 'text', rating: 5, tags: ['a'] },
    };
    const sender = { origin: 'https://example.com', key: 'KEY' };
    expect(snippetOf(language, call, sender)).toBe(expected[language]);
  });
});

const expected: Record<Language, string> = {
  curl: `curl -X POST https://example.com/api/v1/testimonials \\
  -H "Authorization: Bearer KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"type":"text","rating":5,"tags":["a"]}'`,
  fetch: `// Node.js 20 or newer: save as first.mjs, run "node first.mjs".
const response = await fetch('https://example.com/api/v1/testimonials', {
  method: 'POST',
  headers: {
    Authorization: 'Bearer KEY',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    type: 'text',
    rating: 5,
    tags: [
      'a',
    ],
  }),
});
console.log(response.status, await response.text());`,
  Python: `# pip install requests
import requests

response = requests.post(
    "https://example.com/api/v1/testimonials",
    headers={"Authorization": "Bearer KEY"},
    json={
        "type": "text",
        "rating": 5,
        "tags": [
            "a",
        ],
    },
)
print(response.status_code, response.text)`,
  PHP: `<?php // With the extension curl.
$request = curl_init('https://example.com/api/v1/testimonials');
curl_setopt_array($request, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_CUSTOMREQUEST => 'POST',
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer KEY',
        'Content-Type: application/json',
    ],
    CURLOPT_POSTFIELDS => json_encode([
        'type' => 'text',
        'rating' => 5,
        'tags' => [
            'a',
        ],
    ]),
]);
$answer = curl_exec($request);
echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;`,
};
