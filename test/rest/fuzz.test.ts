import fc from 'fast-check';
import { createTenant } from '../helpers/accounts';
import { digestOfAccount } from '../helpers/digest';
import { createEndpoint } from '../helpers/endpoints';
import { createModel, expectStored, step } from './fuzz-model';
import { aRequest } from './fuzz-requests';

/** FUZZ_FACTOR=50 runs fifty times as many; FUZZ_SEED repeats what a failure printed. */
const factor = Number(process.env.FUZZ_FACTOR ?? 1);
const seed = process.env.FUZZ_SEED;

test(
  'whatever is sent, answers are the documented ones, true to what is stored, and of this account',
  async () => {
    const other = await createTenant();
    const { id: space } = await other.space();
    const { id: testimonial } = await other.testimonial(space);
    const endpoint = await createEndpoint(other.accountId, ['testimonial.created']);
    const untouched = await digestOfAccount(other.accountId);
    const requests = fc.array(aRequest, { minLength: 20, maxLength: 40, size: 'max' });
    await fc.assert(
      fc.asyncProperty(requests, async (sequence) => {
        const model = await createModel({ space, testimonial, endpoint });
        for (const request of sequence) await step(model, request);
        await expectStored(model);
        expect(await digestOfAccount(other.accountId)).toBe(untouched);
      }),
      {
        numRuns: 20 * factor,
        ...(seed && { seed: Number(seed) }),
        interruptAfterTimeLimit: 60_000 * factor,
      },
    );
  },
  120_000 * factor,
);
