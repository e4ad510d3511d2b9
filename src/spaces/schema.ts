import { z } from 'zod';
import { changesAnything, text, uri, uuid, wireId, wireInstant } from '../api/fields';
import { beginsOnce, pageInput, pagination } from '../api/pagination';

const fields = z.object({
  id: wireId,
  user_id: wireId.meta({ description: 'The account that owns the space.' }),
  name: z.string(),
  slug: z.string().meta({ description: 'Made of the name, once. Unique in the service.' }),
  description: z.string().nullable(),
  logo_url: z.string().nullable(),
  primary_color: z.string().nullable(),
  custom_questions: z.array(z.string()).nullable(),
  created_at: wireInstant,
  updated_at: wireInstant,
});

export type Space = z.infer<typeof fields>;

/** For the published document and test events. */
export const exampleSpace = {
  id: '0d9b7a34-6f5e-4c3b-8a21-9f8e7d6c5b4a',
  user_id: '5b1f2e3d-4c5b-4a69-8877-665544332211',
  name: 'Northwind Support',
  slug: 'northwind-support',
  description: 'What customers say about our support desk.',
  logo_url: 'https://northwind.example/logo.png',
  primary_color: '#1A73E8',
  custom_questions: ['What changed for your team?'],
  created_at: '2026-01-15T10:30:00.123456+00:00',
  updated_at: '2026-01-15T10:30:00.123456+00:00',
} satisfies Space;

/** A space on the wire. Contract, section 2. */
export const space = fields.meta({ id: 'Space', examples: [exampleSpace] });

const spaceId = uuid.meta({ description: 'The id of the space.' });

export const spaceIdInput = z.object({ id: spaceId });

export const listSpacesInput = z
  .object(pageInput)
  .refine(beginsOnce, 'Expected offset or cursor, not both');

export type ListSpacesInput = z.output<typeof listSpacesInput>;

export const spacePage = z.object({ data: z.array(space).max(100), pagination }).meta({
  examples: [
    { data: [exampleSpace], pagination: { total: 1, limit: 50, offset: 0, has_more: false } },
  ],
});

const optionalFields = {
  description: text(0, 500).optional(),
  logo_url: uri.optional(),
  primary_color: z
    .string()
    .regex(/^#[0-9A-Fa-f]{6}$/)
    .meta({ description: 'A hex colour with six digits.' })
    .optional(),
  custom_questions: z
    .array(text(1, 500))
    .max(100)
    .meta({ description: 'Kept with the space, for forms of your own.' })
    .optional(),
};

export const createSpaceInput = z.object({ name: text(1, 100), ...optionalFields }).meta({
  examples: [
    {
      name: exampleSpace.name,
      description: exampleSpace.description,
      primary_color: exampleSpace.primary_color,
    },
  ],
});

export type CreateSpaceInput = z.output<typeof createSpaceInput>;

export const updateSpaceInput = z
  .object({ id: spaceId, name: text(1, 100).optional(), ...optionalFields })
  .refine(changesAnything, 'Expected at least one field')
  .meta({ examples: [{ description: exampleSpace.description }] });

export type SpaceChanges = Omit<z.output<typeof updateSpaceInput>, 'id'>;

export const spaceAnswer = z.object({ data: space }).meta({ examples: [{ data: exampleSpace }] });
