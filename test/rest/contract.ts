import { randomUUID } from 'node:crypto';
import type { Scope } from '@/src/api/scopes';
import { minimalTestimonial, type Tenant } from '../helpers/accounts';
import { send } from '../helpers/client';
import { addedOperations } from './added-operations';
import { type ApiOperation, testimonialOf } from './operation';

export const contractOperations: ApiOperation[] = [
  {
    method: 'GET',
    template: '/testimonials',
    scope: 'read',
    success: 200,
    cors: true,
    prepare: async () => ({ path: '/testimonials' }),
  },
  {
    method: 'POST',
    template: '/testimonials',
    scope: 'write',
    success: 201,
    cors: true,
    prepare: async (tenant) => ({
      path: '/testimonials',
      json: minimalTestimonial((await tenant.space()).id),
    }),
  },
  {
    method: 'GET',
    template: '/testimonials/{id}',
    scope: 'read',
    success: 200,
    cors: true,
    prepare: async (tenant) => ({ path: `/testimonials/${await testimonialOf(tenant)}` }),
  },
  {
    method: 'PATCH',
    template: '/testimonials/{id}',
    scope: 'write',
    success: 200,
    cors: true,
    prepare: async (tenant) => ({
      path: `/testimonials/${await testimonialOf(tenant)}`,
      json: { status: 'approved' },
    }),
  },
  {
    method: 'DELETE',
    template: '/testimonials/{id}',
    scope: 'delete',
    success: 204,
    cors: true,
    prepare: async (tenant) => ({ path: `/testimonials/${await testimonialOf(tenant)}` }),
  },
  {
    method: 'POST',
    template: '/testimonials/batch/update',
    scope: 'write',
    success: 200,
    cors: false,
    prepare: async (tenant) => ({
      path: '/testimonials/batch/update',
      json: { testimonial_ids: [await testimonialOf(tenant)], status: 'rejected' },
    }),
  },
  {
    method: 'POST',
    template: '/testimonials/batch/delete',
    scope: 'delete',
    success: 200,
    cors: false,
    prepare: async (tenant) => ({
      path: '/testimonials/batch/delete',
      json: { testimonial_ids: [await testimonialOf(tenant)] },
    }),
  },
  {
    method: 'GET',
    template: '/spaces',
    scope: 'read',
    success: 200,
    cors: true,
    prepare: async () => ({ path: '/spaces' }),
  },
  {
    method: 'POST',
    template: '/spaces',
    scope: 'write',
    success: 201,
    cors: true,
    prepare: async () => ({ path: '/spaces', json: { name: 'A space' } }),
  },
  {
    method: 'GET',
    template: '/spaces/{id}',
    scope: 'read',
    success: 200,
    cors: false,
    prepare: async (tenant) => ({ path: `/spaces/${(await tenant.space()).id}` }),
  },
  {
    method: 'PATCH',
    template: '/spaces/{id}',
    scope: 'write',
    success: 200,
    cors: false,
    prepare: async (tenant) => ({
      path: `/spaces/${(await tenant.space()).id}`,
      json: { name: 'Renamed' },
    }),
  },
  {
    method: 'DELETE',
    template: '/spaces/{id}',
    scope: 'delete',
    success: 204,
    cors: false,
    prepare: async (tenant) => ({ path: `/spaces/${(await tenant.space()).id}` }),
  },
];

/** The scopes that an operation needs together. */
export function neededScopes({ scope }: ApiOperation): readonly Scope[] {
  return typeof scope === 'string' ? [scope] : scope;
}

/** All that are mounted. */
export const allOperations = [...contractOperations, ...addedOperations];

/** Mounted too, and open to every key: what is tested of scopes does not hold for it. */
export const scopelessOperations = ['GET /me'];

/** For `test.each`: the name, and the operation. */
export const operationCases = allOperations.map(
  (operation) => [`${operation.method} ${operation.template}`, operation] as const,
);

/** Those that change testimonials or spaces, and with them what reads that have a tag answer. */
export const changingCases = operationCases.filter(
  ([, { method, template }]) => method !== 'GET' && !template.startsWith('/webhook-'),
);

/** The paths, each with its methods and whether browsers may call it. */
export const contractPaths = [...new Set(allOperations.map(({ template }) => template))].map(
  (template) => {
    const operations = allOperations.filter((operation) => operation.template === template);
    return {
      template,
      /** With some id where the template has one. */
      path: template.replace('{id}', randomUUID()),
      methods: operations.map(({ method }) => method),
      cors: operations.every(({ cors }) => cors),
    };
  },
);

/** Prepares the operation in the account and sends it with the key. */
export async function perform(operation: ApiOperation, tenant: Tenant, key: string) {
  const { path, json } = await operation.prepare(tenant);
  return send(operation.method, path, json === undefined ? { key } : { key, json });
}
