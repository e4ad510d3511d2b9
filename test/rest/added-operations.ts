import { database } from '@/src/database/client';
import { minimalTestimonial, type Tenant } from '../helpers/accounts';
import { createEndpoint } from '../helpers/endpoints';
import { type ApiOperation, testimonialOf } from './operation';

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

/** Ours, beside those of the contract. */
export const addedOperations: ApiOperation[] = [
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
