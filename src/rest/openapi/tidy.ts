/**
 * Makes every schema of a document say what holds, in the form that generators of clients know
 * best. Changes the document in place.
 */
export function tidySchemas(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  joinNull(node);
  constAsEnum(node);
  openObject(node);
  dropSafeBounds(node);
  describeParameter(node);
  for (const child of Object.values(node)) tidySchemas(child);
}

/** Unknown input is ignored, and answers may gain fields (contract, section 9). */
function openObject(node: object): void {
  if ('additionalProperties' in node) delete node.additionalProperties;
}

/**
 * The bounds of JavaScript's exact integers are no rule of the API. That of an offset is one, and its
 * description has it: a `maximum` would not fit the 32 bits in which many a generator keeps an integer.
 */
function dropSafeBounds(node: object): void {
  if ('minimum' in node && node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
  if ('maximum' in node && node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
}

/**
 * `anyOf: [{ type: T, … }, { type: 'null' }]` as `type: [T, 'null'], …`, one type and no union. Not
 * of an enum: the null that would have to stand in its list is dropped by some generators, and is
 * a type error or the text "null" to others.
 */
function joinNull(node: object): void {
  if (!('anyOf' in node) || !Array.isArray(node.anyOf)) return;
  const alternatives: unknown[] = node.anyOf;
  const [schema, other] = alternatives;
  if (alternatives.length !== 2 || !isTyped(schema) || !isTyped(other)) return;
  if (other.type !== 'null' || 'enum' in schema) return;
  delete node.anyOf;
  Object.assign(node, schema, { type: [schema.type, 'null'] });
}

/** `const` as an enum of one, which generators from before it know too. */
function constAsEnum(node: object): void {
  if (!('const' in node && 'type' in node)) return;
  Object.assign(node, { enum: [node.const] });
  delete node.const;
}

function isTyped(node: unknown): node is { type: string } {
  return (
    typeof node === 'object' && node !== null && 'type' in node && typeof node.type === 'string'
  );
}

/** What a parameter is for, where readers of the document look for it. */
function describeParameter(node: object): void {
  if (!('in' in node && 'schema' in node)) return;
  const { schema } = node;
  if (typeof schema !== 'object' || schema === null || !('description' in schema)) return;
  Object.assign(node, { description: schema.description });
  delete schema.description;
}
