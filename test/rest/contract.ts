import { randomUUID } from 'node:crypto';
import type { Scope } from '@/src/api/scopes';
import { database } from '@/src/database/client';
import { minimalTestimonial, type Tenant } from '../helpers/accounts';
import { send } from '../helpers/client';
import { createEndpoint } from '../helpers/endpoints';

/** One operation as the contract lists it (section 4), told apart from the code under test. */
export type ContractOperation = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  template: string;
  /** One, or several together. */
  scope: Scope | readonly Scope[];
  success: 200 | 201 | 204;
  cors: boolean;
  /** Where there may be no body, although it is a POST. */
  isBodyOptional?: true;
  /** False where it is allowed in a full account, although it writes. */
  needsRoom?: false;
  /** Makes the rows it needs and returns a request that succeeds. */
  prepare(tenant: Tenant): Promise<{ path: string; json?: unknown }>;
};

const testimonialOf = async (tenant: Tenant) =>
  (await tenant.testimonial((await tenant.space()).id)).id;

/** A new endpoint. */
async function endpointOf(tenant: Tenant): Promise<string> {
  await makeRoom(tenant);
  return createEndpoint(tenant.accountId, ['testimonial.created']);
}

/** Of the ten endpoints that an account may have, leaves it a few: those that were made last. */
async function makeRoom({ accountId }: Tenant) {
  const old = await database().webhookEndpoint.findMany({
    where: { userId: accountId },
    orderBy: { createdAt: 'desc' },
    skip: 3,
  });
  await database().webhookEndpoint.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } });
}

export const contractOperations: ContractOperation[] = [
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

/** Ours, beside the contract. */
const addedOperations: ContractOperation[] = [
  {
    method: 'GET',
    template: '/events',
    scope: 'read',
    success: 200,
    cors: false,
    prepare: async (tenant) => {
      await testimonialOf(tenant);
      return { path: '/events' };
    },
  },
  {
    method: 'GET',
    template: '/events/{id}',
    scope: 'read',
    success: 200,
    cors: false,
    prepare: async (tenant) => {
      await tenant.space();
      return { path: `/events/${(await tenant.events('everything'))[0]?.id}` };
    },
  },
  {
    method: 'GET',
    template: '/webhook-endpoints',
    scope: 'read',
    success: 200,
    cors: false,
    prepare: async (tenant) => {
      await endpointOf(tenant);
      return { path: '/webhook-endpoints' };
    },
  },
  {
    method: 'POST',
    template: '/webhook-endpoints',
    scope: ['read', 'write'],
    needsRoom: false,
    success: 201,
    cors: false,
    prepare: async (tenant) => {
      await makeRoom(tenant);
      return {
        path: '/webhook-endpoints',
        json: { url: 'https://receiver.example/', event_types: ['testimonial.created'] },
      };
    },
  },
  {
    method: 'GET',
    template: '/webhook-endpoints/{id}',
    scope: 'read',
    success: 200,
    cors: false,
    prepare: async (tenant) => ({ path: `/webhook-endpoints/${await endpointOf(tenant)}` }),
  },
  {
    method: 'PATCH',
    template: '/webhook-endpoints/{id}',
    scope: ['read', 'write'],
    needsRoom: false,
    success: 200,
    cors: false,
    prepare: async (tenant) => ({
      path: `/webhook-endpoints/${await endpointOf(tenant)}`,
      json: { enabled: false },
    }),
  },
  {
    method: 'DELETE',
    template: '/webhook-endpoints/{id}',
    scope: 'delete',
    success: 204,
    cors: false,
    prepare: async (tenant) => ({ path: `/webhook-endpoints/${await endpointOf(tenant)}` }),
  },
  {
    method: 'POST',
    template: '/webhook-endpoints/{id}/test',
    scope: ['read', 'write'],
    isBodyOptional: true,
    success: 201,
    cors: false,
    prepare: async (tenant) => ({
      path: `/webhook-endpoints/${await endpointOf(tenant)}/test`,
      json: {},
    }),
  },
  {
    method: 'POST',
    template: '/webhook-endpoints/{id}/rotate-secret',
    scope: ['read', 'write'],
    isBodyOptional: true,
    needsRoom: false,
    success: 200,
    cors: false,
    prepare: async (tenant) => ({
      path: `/webhook-endpoints/${await endpointOf(tenant)}/rotate-secret`,
      json: {},
    }),
  },
  {
    method: 'GET',
    template: '/webhook-deliveries/{id}',
    scope: 'read',
    success: 200,
    cors: false,
    prepare: async (tenant) => {
      const endpointId = await endpointOf(tenant);
      await testimonialOf(tenant);
      const { id } = await database().webhookDelivery.findFirstOrThrow({ where: { endpointId } });
      return { path: `/webhook-deliveries/${id}` };
    },
  },
  {
    method: 'POST',
    template: '/imports',
    scope: 'write',
    success: 200,
    cors: false,
    prepare: async (tenant) => ({
      path: '/imports',
      json: { testimonials: [minimalTestimonial((await tenant.space()).id)] },
    }),
  },
];

/** The scopes that an operation needs together. */
export function neededScopes({ scope }: ContractOperation): readonly Scope[] {
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
export async function perform(operation: ContractOperation, tenant: Tenant, key: string) {
  const { path, json } = await operation.prepare(tenant);
  return send(operation.method, path, json === undefined ? { key } : { key, json });
}
