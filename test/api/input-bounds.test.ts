import { z } from 'zod';
import { atMost, email, text, uri, utcInstant } from '@/src/api/fields';
import { importedTestimonial } from '@/src/imports/schema';
import { appRouter } from '@/src/router';
import { emoji } from '../helpers/values';

/** These take a stream of bytes, which is counted as it is stored. */
const streaming = /^uploads\./;

type Node = {
  /** One that may be null as well is a list of both, or stands in `anyOf`. */
  type?: string | string[];
  maxLength?: number;
  maxItems?: number;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  properties?: Record<string, Node>;
  additionalProperties?: boolean | Node;
  items?: Node;
  anyOf?: Node[];
};

function inputsOf(procedure: unknown): unknown[] {
  const { _def } = z.custom<{ _def: { inputs: unknown[] } }>().parse(procedure);
  return _def.inputs;
}

const inputs: [string, z.ZodType][] = Object.entries(appRouter._def.procedures)
  .filter(([name]) => !streaming.test(name))
  .flatMap(([name, procedure]) =>
    inputsOf(procedure).map((input): [string, z.ZodType] => {
      if (!(input instanceof z.ZodType)) throw new Error(`${name} has an input of an unknown kind`);
      return [name, input];
    }),
  );

function jsonSchema(input: z.ZodType): Node {
  const schema = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema: node }) => {
      if (zodSchema._zod.def.type === 'date') Object.assign(node, { type: 'integer' });
    },
  });
  // What has a name of its own in the document stands apart.
  const { $defs = {}, ...whole } = schema;
  const inPlace = (_name: string, node: unknown) => {
    const reference = node && Reflect.get(Object(node), '$ref');
    return typeof reference === 'string' ? $defs[reference.slice('#/$defs/'.length)] : node;
  };
  return z.custom<Node>().parse(JSON.parse(JSON.stringify(whole), inPlace));
}

/** The places in an input where a client may send as much as it likes. */
function unbounded(node: Node, path: string): string[] {
  const { type, properties = {}, items, anyOf, additionalProperties } = node;
  if (anyOf) return anyOf.flatMap((choice) => unbounded(choice, path));
  if (Array.isArray(type)) return type.flatMap((one) => unbounded({ ...node, type: one }, path));
  if (node.enum || 'const' in node) return [];
  if (type === 'object') {
    if (additionalProperties) return [`${path}: any fields`];
    return Object.entries(properties).flatMap(([name, field]) =>
      unbounded(field, `${path}.${name}`),
    );
  }
  if (type === 'array') {
    const inItems = items ? unbounded(items, `${path}[]`) : [`${path}[]: anything`];
    return node.maxItems === undefined ? [`${path}: any number of items`, ...inItems] : inItems;
  }
  if (type === 'string') {
    const hasEnd = node.maxLength !== undefined || (node.pattern && !isEndless(node.pattern));
    return hasEnd ? [] : [`${path}: any length`];
  }
  return type === undefined ? [`${path}: anything`] : [];
}

/** Whether a pattern matches texts of any length: it repeats something without an end, or has none. */
function isEndless(pattern: string): boolean {
  const bare = pattern.replace(/\\./g, '_').replace(/\[[^\]]*\]/g, '_');
  return !/^\^.*\$$/.test(pattern) || /[*+]|\{\d+,\}/.test(bare);
}

test('the walk sees what has no bound, wherever it is', () => {
  const input = z.object({
    text: z.string(),
    nullable: z.string().trim().nullish(),
    list: z.array(z.object({ inner: z.string().optional() })).max(5),
    endless: z.array(text(0, 5)).nullish(),
    record: z.record(z.string(), z.string()),
    unknown: z.unknown(),
    pattern: z.string().regex(/^a+$/),
    bounded: z.union([text(1, 5), z.int(), z.uuid(), z.enum(['a']), z.array(uri).max(5)]),
  });
  expect(unbounded(jsonSchema(input), '')).toEqual([
    '.text: any length',
    '.nullable: any length',
    '.list[].inner: any length',
    '.endless: any number of items',
    '.record: any fields',
    '.unknown: anything',
    '.pattern: any length',
  ]);
});

test.each(inputs)('every text and list in the input of %s has a bound', (name, input) => {
  expect(unbounded(jsonSchema(input), name)).toEqual([]);
});

test.each(inputs)(
  'a list too long in the input of %s is one issue, whatever is in it',
  (_, input) => {
    const lists = Object.entries(jsonSchema(input).properties ?? {}).filter(
      ([, { type }]) => type === 'array',
    );
    for (const [name, { maxItems = 0 }] of lists) {
      const { error } = input.safeParse({ [name]: Array(maxItems + 1).fill(null) });
      expect(error?.issues.filter(({ path }) => path[0] === name)).toHaveLength(1);
    }
  },
);

/** The endless patterns of strings within an input that are tried however long the text is. */
function triedOnAnyLength(input: z.ZodType): string[] {
  const tried: string[] = [];
  z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema }) => {
      if (!(zodSchema instanceof z.ZodString || zodSchema instanceof z.ZodStringFormat)) return;
      const { def } = zodSchema._zod;
      const own = zodSchema instanceof z.ZodStringFormat ? [zodSchema] : [];
      let isBounded = false;
      for (const check of [...own, ...(def.checks ?? [])]) {
        const { abort, pattern } = checkDefinition.parse(check._zod.def);
        const isLength = check._zod.def.check === 'max_length';
        isBounded ||= isLength && abort === true;
        if (!isBounded && pattern && isEndless(pattern.source)) tried.push(pattern.source);
      }
    },
  });
  return tried;
}

const checkDefinition = z.object({
  abort: z.boolean().optional(),
  pattern: z.instanceof(RegExp).optional(),
});

test.each([
  ['alone', z.email(), 1],
  ['before the bound', z.object({ text: z.email().max(5).optional() }), 1],
  ['after a bound that goes on', z.array(z.string().max(5).regex(/^a+$/)), 1],
  ['after a bound that ends it', atMost(5).check(z.email()), 0],
  ['of one length', z.string().regex(/^a{3}$/), 0],
])('the walk sees a pattern that is tried on any length: %s', (_, input, count) => {
  expect(new Set(triedOnAnyLength(input)).size).toBe(count);
});

test.each([...inputs, ['an item of an import', importedTestimonial] as const])(
  'no endless pattern in the input of %s is tried on a text that is too long',
  (_, input) => {
    expect(triedOnAnyLength(input)).toEqual([]);
  },
);

test.each([
  ['an e-mail address', email, 'a.'],
  ['a URI', uri, 'a.'],
  ['an instant', utcInstant, '1'],
  ['an instant of an import', importedTestimonial.shape.created_at, '1'],
])('%s of 7 MB is refused, however patterns are tried', (_name, schema, piece) => {
  const long = piece.repeat((7 * 1024 ** 2) / piece.length);
  for (const start of ['a@', 'https://', '2020-01-01T00:00:00.']) {
    expect(schema.safeParse(`${start}${long}co`).success).toBe(false);
  }
});

test('no item of a list that is too long is looked at', () => {
  let looks = 0;
  const item = z.unknown().refine(() => {
    looks += 1;
    return true;
  });
  const list = z.array(item).max(3);
  expect(list.safeParse(Array(100_000).fill(1)).error?.issues).toHaveLength(1);
  expect(looks).toBe(0);
});

test.each([
  ['text', text(2, 5), (length: number) => 'a'.repeat(length), 5],
  ['text of emoji', text(2, 5), (length: number) => emoji.repeat(length), 5],
  ['a URI', uri, (length: number) => 'https://example.com/'.padEnd(length, 'a'), 2048],
  ['an e-mail address', email, (length: number) => 'a@example.com'.padEnd(length, 'm'), 320],
])('%s may be as long as the document says, and no longer', (_name, schema, make, max) => {
  expect(jsonSchema(schema).maxLength).toBe(max);
  expect(schema.safeParse(make(max)).success).toBe(true);
  expect(schema.safeParse(make(max + 1)).success).toBe(false);
});
