import { type Space, space as spaceSchema } from '@/src/spaces/schema';
import { type Testimonial, testimonial as testimonialSchema } from '@/src/testimonials/schema';
import { createKey, createTenant, type Tenant } from '../helpers/accounts';
import type { Answer } from '../helpers/client';
import { sendDescribed } from './conformance';
import { applyToEndpoints, type KnownEndpoints, known } from './fuzz-endpoints';
import type { FuzzRequest, Reference } from './fuzz-requests';
import { formOf, isValid, type Sent } from './fuzz-validity';

/** Rows of another account, which nothing may reach. */
type Foreign = { space: string; testimonial: string; endpoint: string };

/** What an account must hold, kept beside the service and told by its answers. */
type Model = {
  tenant: Tenant;
  key: string;
  foreign: Foreign;
  spaces: Map<string, Space>;
  testimonials: Map<string, Testimonial>;
  endpoints: KnownEndpoints;
  events: [type: string, resourceId: string][];
};

/** A new account with one space and one testimonial, known to the model. */
export async function createModel(foreign: Foreign): Promise<Model> {
  const tenant = await createTenant();
  const key = await createKey(tenant.accountId);
  const model: Model = {
    tenant,
    key,
    foreign,
    spaces: new Map(),
    testimonials: new Map(),
    endpoints: new Map(),
    events: [],
  };
  const space = spaceSchema.parse(await tenant.space());
  model.spaces.set(space.id, space);
  const testimonial = testimonialSchema.parse(await tenant.testimonial(space.id));
  model.testimonials.set(testimonial.id, testimonial);
  model.events.push(['testimonial.created', testimonial.id]);
  return model;
}

/** Sends a request, checks the answer, and brings the model up to date. */
export async function step(model: Model, request: FuzzRequest): Promise<void> {
  const sent = concrete(model, request);
  const options = { key: model.key, ...(sent.raw !== undefined && { raw: sent.raw }) };
  const answer = await sendDescribed(sent.method, sent.path, options);
  const { status } = answer;
  const isJson = sent.raw === undefined || formOf(sent.raw) !== 'no JSON';
  expect({ ...sent, is500: status === 500 }).toEqual({ ...sent, is500: !isJson });
  if (!isJson) return;
  expect({ ...sent, is400: status === 400 }).toEqual({ ...sent, is400: !isValid(sent) });
  if (status !== 400) apply(model, sent, answer);
}

/** Compares everything the account holds, and every event it had, with the model. */
export async function expectStored(model: Model): Promise<void> {
  const { api } = model.tenant;
  for (const [path, rows] of [
    ['/testimonials', model.testimonials],
    ['/spaces', model.spaces],
  ] as const) {
    const { body } = await api.get(`${path}?limit=100`);
    expect(byId(body.data)).toEqual(byId([...rows.values()]));
  }
  const { body } = await api.get('/webhook-endpoints');
  expect(byId(body.data.map(known))).toEqual(byId([...model.endpoints.values()]));
  const events = await model.tenant.events();
  const stored = events.map(({ type, resourceId }) => `${resourceId} ${type}`);
  expect(stored.sort()).toEqual(model.events.map(([type, id]) => `${id} ${type}`).sort());
}

const byId = (rows: { id: string }[]) => [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));

/** The request with the ids that its references name now. */
function concrete(model: Model, request: FuzzRequest): Sent {
  const { method, template, body } = request;
  const id = idOf(model, request.id, kindOf(template));
  const query = request.query.map(([name, value]): [string, string] => [
    name,
    name === 'space_id' ? idOf(model, request.spaceId, 'space') : value,
  ]);
  const search = new URLSearchParams(query).toString();
  const path = template.replace('{id}', id) + (search ? `?${search}` : '');
  const sent = { method, template, id, path, query };
  if (method !== 'POST' && method !== 'PATCH') return sent;
  if (body.form === 'text') return { ...sent, raw: body.text };
  const fields = {
    ...body.fields,
    ...(template === '/testimonials' && { space_id: idOf(model, body.spaceId, 'space') }),
    ...(template.includes('/batch/') && {
      testimonial_ids: body.ids.map((reference) => idOf(model, reference, 'testimonial')),
    }),
  };
  return { ...sent, raw: JSON.stringify(fields) };
}

const missing = '11111111-1111-4111-8111-111111111111';

function idOf(model: Model, reference: Reference, kind: keyof Foreign): string {
  if (reference.to === 'foreign') return model.foreign[kind];
  if (reference.to === 'nothing') return reference.text;
  if (reference.to === 'missing') return missing;
  const rows = { space: model.spaces, testimonial: model.testimonials, endpoint: model.endpoints };
  const ids = [...rows[kind].keys()];
  return ids[reference.index % ids.length] ?? missing;
}

/** Of what the id in a path is. */
function kindOf(template: string): keyof Foreign {
  if (template.startsWith('/webhook-endpoints')) return 'endpoint';
  return template.startsWith('/spaces') ? 'space' : 'testimonial';
}

function apply(model: Model, sent: Sent, answer: Answer): void {
  const { method, template, id, query } = sent;
  const input: Record<string, unknown> = sent.raw ? JSON.parse(sent.raw) : {};
  if (kindOf(template) === 'endpoint') {
    applyToEndpoints(model.endpoints, sent, input, answer);
    return;
  }
  const name = `${method} ${template}`;
  const { body, status } = answer;
  const rows: Map<string, Space | Testimonial> = template.startsWith('/spaces')
    ? model.spaces
    : model.testimonials;
  const existing = rows.get(id);
  switch (name) {
    case 'GET /testimonials':
      expectList(answer, [...model.testimonials.values()].filter(matches(query)), query);
      return;
    case 'GET /spaces':
      expectList(answer, [...model.spaces.values()], query);
      return;
    case 'POST /testimonials':
      expect(status).toBe(model.spaces.has(String(input.space_id).toLowerCase()) ? 201 : 404);
      if (status === 404) return;
      expect(body.data).toMatchObject(picked(input, body.data));
      expect(body.data.status).toBe(input.status ?? 'pending');
      model.testimonials.set(body.data.id, body.data);
      model.events.push(['testimonial.created', body.data.id]);
      return;
    case 'POST /spaces':
      expect(status).toBe(201);
      expect(body.data).toMatchObject(picked(input, body.data));
      model.spaces.set(body.data.id, body.data);
      return;
    case 'GET /testimonials/{id}':
    case 'GET /spaces/{id}':
      expect(status).toBe(existing ? 200 : 404);
      if (existing) expect(body.data).toEqual(existing);
      return;
    case 'PATCH /testimonials/{id}':
    case 'PATCH /spaces/{id}': {
      expect(status).toBe(existing ? 200 : 404);
      if (!existing) return;
      const changes = name === 'PATCH /spaces/{id}' ? spaceChanges : testimonialChanges;
      expectChanged(existing, body.data, only(input, changes));
      rows.set(id, body.data);
      if (rows === model.testimonials) noteChange(model, id, input.status);
      return;
    }
    case 'DELETE /testimonials/{id}':
      expect(status).toBe(existing ? 204 : 404);
      if (model.testimonials.delete(id)) model.events.push(['testimonial.deleted', id]);
      return;
    case 'DELETE /spaces/{id}':
      expect(status).toBe(204);
      if (!model.spaces.delete(id)) return;
      for (const testimonial of [...model.testimonials.values()]) {
        if (testimonial.space_id === id) model.testimonials.delete(testimonial.id);
      }
      return;
    default:
      applyBatch(model, input, answer, name);
  }
}

function applyBatch(
  model: Model,
  input: Record<string, unknown>,
  { status, body }: Answer,
  name: string,
): void {
  expect(status).toBe(200);
  const listed = Array.isArray(input.testimonial_ids) ? input.testimonial_ids.map(String) : [];
  const ids = [...new Set(listed)].filter((id) => model.testimonials.has(id));
  if (name === 'POST /testimonials/batch/delete') {
    expect(body).toEqual({ deleted: ids.length });
    for (const id of ids) {
      model.testimonials.delete(id);
      model.events.push(['testimonial.deleted', id]);
    }
    return;
  }
  expect(body.updated).toBe(ids.length);
  expect(body.data.map((row: Testimonial) => row.id)).toEqual(ids);
  for (const row of body.data) {
    expectChanged(model.testimonials.get(row.id), row, { status: input.status });
    model.testimonials.set(row.id, row);
    noteChange(model, row.id, input.status);
  }
}

const spaceChanges = ['name', 'description', 'logo_url', 'primary_color', 'custom_questions'];
const testimonialChanges = [
  'status',
  'text_content',
  'rating',
  'submitter_company',
  'submitter_role',
];

function only(input: Record<string, unknown>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([name]) => names.includes(name)));
}

/** The fields of an input that a created row has as they were sent. */
function picked(input: Record<string, unknown>, row: object): Record<string, unknown> {
  const ours = ['id', 'user_id', 'created_at', 'updated_at', 'shares', 'slug'];
  return Object.fromEntries(
    Object.entries(input).filter(([name]) => Object.hasOwn(row, name) && !ours.includes(name)),
  );
}

function expectChanged(
  before: Space | Testimonial | undefined,
  after: Space | Testimonial,
  changes: Record<string, unknown>,
): void {
  expect(after).toEqual({ ...before, ...changes, updated_at: after.updated_at });
  expect(after.updated_at > (before?.updated_at ?? '')).toBe(true);
}

function noteChange(model: Model, id: string, status: unknown): void {
  const isDecided = status === 'approved' || status === 'rejected';
  model.events.push([`testimonial.${isDecided ? status : 'updated'}`, id]);
}

function matches(query: [string, string][]) {
  const { space_id, status, type, rating, search, date_from, date_to } = Object.fromEntries(query);
  return (row: Testimonial): boolean =>
    (space_id === undefined || row.space_id === space_id) &&
    (status === undefined || row.status === status) &&
    (type === undefined || row.type === type) &&
    (rating === undefined || row.rating === Number(rating)) &&
    (!search || (row.text_content?.toLowerCase().includes(search.toLowerCase()) ?? false)) &&
    (date_from === undefined || instantOf(row.created_at) >= instantOf(date_from)) &&
    (date_to === undefined || instantOf(row.created_at) <= instantOf(date_to));
}

const instantOf = (text: string) => new Date(text).getTime();

/** The page of these rows that was asked for: how many, which, and in which order. */
function expectList(answer: Answer, rows: { id: string }[], query: [string, string][]): void {
  const parameters: Record<string, string> = Object.fromEntries(query);
  const { limit = '50', offset = '0', sort_by: key = 'created_at', sort_order } = parameters;
  expect(answer.body.pagination).toEqual({
    total: rows.length,
    limit: Number(limit),
    offset: Number(offset),
    has_more: Number(offset) + Number(limit) < rows.length,
  });
  const page: Record<string, unknown>[] = answer.body.data;
  expect(page).toHaveLength(Math.max(0, Math.min(Number(limit), rows.length - Number(offset))));
  for (const row of page) expect(rows).toContainEqual(row);
  const sorted = page
    .map((row) => row[key])
    .filter((value) => value !== null && value !== undefined);
  const ascending = [...sorted].sort((a, b) => Number(a > b) || -Number(a < b));
  expect(sorted).toEqual(sort_order === 'asc' ? ascending : ascending.reverse());
}
