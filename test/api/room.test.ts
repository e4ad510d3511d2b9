import { z } from 'zod';
import { type Meta, needsRoom, whereThereIsRoom } from '@/src/api/trpc';
import { appRouter } from '@/src/router';

type Built = { _def: { meta?: NonNullable<Meta>; middlewares: unknown[] } };

const built = z.custom<Built>().transform(({ _def }) => _def);

test('every procedure that adds to what an account stores looks for room, also those of pages alone', () => {
  const [looksForRoom] = whereThereIsRoom._middlewares;
  const needing = Object.entries<unknown>(appRouter._def.procedures)
    .map(([name, procedure]) => ({ name, ...built.parse(procedure) }))
    .filter(({ meta }) => meta && needsRoom(meta));
  const without = needing.filter(({ middlewares }) => !middlewares.includes(looksForRoom));
  expect(without.map(({ name }) => name)).toEqual([]);
  expect(needing.length).toBeGreaterThan(5);
});
