import { shellWord } from './shell-word';

/** A request to the API, as a person is shown it. */
export type ApiCall = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`. */
  path: string;
  body?: unknown;
};

/** Where the API is, and the key as it is to stand in the code. */
type Sender = { origin: string; key: string };

export const languages = ['curl', 'fetch', 'Python', 'PHP'] as const;

export type Language = (typeof languages)[number];

/** The request as code to paste and run as it is; it prints the status and the answer. */
export function snippetOf(language: Language, call: ApiCall, sender: Sender): string {
  return writers[language](call, `${sender.origin}/api/v1${call.path}`, sender.key);
}

/**
 * Of a POST without one, where a client does not say so by itself (RFC 9110, section 8.6): some proxies,
 * as lighttpd, answer 411 to one that says no length.
 */
const noBody = 'Content-Length: 0';

type Writer = (call: ApiCall, url: string, key: string) => string;

const writers: Record<Language, Writer> = {
  curl: ({ method, body }, url, key) => {
    const lines = [
      // The answer to a deletion has no body to show.
      `curl ${method === 'DELETE' ? '-i ' : ''}${method === 'GET' ? '' : `-X ${method} `}${url}`,
      `  -H "Authorization: Bearer ${key}"`,
    ];
    if (body !== undefined) {
      lines.push(
        '  -H "Content-Type: application/json"',
        `  -d ${shellWord(JSON.stringify(body))}`,
      );
    } else if (method === 'POST') {
      lines.push(`  -H "${noBody}"`);
    }
    return lines.join(' \\\n');
  },

  fetch: ({ method, body }, url, key) =>
    [
      '// Node.js 20 or newer: save as first.mjs, run "node first.mjs".',
      `const response = await fetch(${quoted(url)}, {`,
      ...(method === 'GET' ? [] : [`  method: '${method}',`]),
      '  headers: {',
      `    Authorization: ${quoted(`Bearer ${key}`)},`,
      ...(body === undefined ? [] : ["    'Content-Type': 'application/json',"]),
      '  },',
      ...(body === undefined ? [] : [`  body: JSON.stringify(${literal(body, asJs, 1)}),`]),
      '});',
      'console.log(response.status, await response.text());',
    ].join('\n'),

  Python: ({ method, body }, url, key) =>
    [
      '# pip install requests',
      'import requests',
      '',
      `response = requests.${method.toLowerCase()}(`,
      `    ${JSON.stringify(url)},`,
      `    headers={"Authorization": ${JSON.stringify(`Bearer ${key}`)}},`,
      ...(body === undefined ? [] : [`    json=${literal(body, asPython, 1)},`]),
      ')',
      'print(response.status_code, response.text)',
    ].join('\n'),

  PHP: ({ method, body }, url, key) =>
    [
      '<?php // With the extension curl.',
      `$request = curl_init(${quoted(url)});`,
      'curl_setopt_array($request, [',
      '    CURLOPT_RETURNTRANSFER => true,',
      `    CURLOPT_CUSTOMREQUEST => '${method}',`,
      '    CURLOPT_HTTPHEADER => [',
      `        ${quoted(`Authorization: Bearer ${key}`)},`,
      ...(body === undefined ? [] : ["        'Content-Type: application/json',"]),
      ...(body === undefined && method === 'POST' ? [`        '${noBody}',`] : []),
      '    ],',
      ...(body === undefined
        ? []
        : [`    CURLOPT_POSTFIELDS => json_encode(${literal(body, asPhp, 1)}),`]),
      ']);',
      '$answer = curl_exec($request);',
      "echo curl_getinfo($request, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;",
    ].join('\n'),
};

/** How a language writes what JSON can say. */
type Notation = {
  indent: number;
  text: (value: string) => string;
  open: [list: string, object: string];
  close: [list: string, object: string];
  field: (name: string) => string;
  words: Record<'true' | 'false' | 'null', string>;
};

const asJs: Notation = {
  indent: 2,
  text: quoted,
  open: ['[', '{'],
  close: [']', '}'],
  field: (name) => `${/^[a-z_]\w*$/i.test(name) ? name : quoted(name)}: `,
  words: { true: 'true', false: 'false', null: 'null' },
};

const asPython: Notation = {
  indent: 4,
  text: (value) => JSON.stringify(value),
  open: ['[', '{'],
  close: [']', '}'],
  field: (name) => `${JSON.stringify(name)}: `,
  words: { true: 'True', false: 'False', null: 'None' },
};

const asPhp: Notation = {
  indent: 4,
  text: quoted,
  open: ['[', '['],
  close: [']', ']'],
  field: (name) => `${quoted(name)} => `,
  words: { true: 'true', false: 'false', null: 'null' },
};

/** Values one to a line, as deep within the code as `depth` says. */
function literal(value: unknown, notation: Notation, depth: number): string {
  if (typeof value === 'string') return notation.text(value);
  if (value === null || typeof value === 'boolean') {
    return notation.words[`${value}`];
  }
  if (typeof value !== 'object') return String(value);
  const kind = Array.isArray(value) ? 0 : 1;
  const items = Array.isArray(value)
    ? value.map((item: unknown) => literal(item, notation, depth + 1))
    : Object.entries(value).map(
        ([name, item]) => notation.field(name) + literal(item, notation, depth + 1),
      );
  const margin = ' '.repeat(notation.indent * depth);
  const inner = margin + ' '.repeat(notation.indent);
  const lines = items.map((item) => `${inner}${item},\n`).join('');
  return `${notation.open[kind]}\n${lines}${margin}${notation.close[kind]}`;
}

/**
 * Text between single quotes, the same in JavaScript and PHP where it is one line. A line break would
 * be one in PHP and an error in JavaScript: what is shown here has none.
 */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
