import { eitherSignal } from '@/src/ui/browser/either-signal';

const { any } = AbortSignal;

afterEach(() => {
  Object.assign(AbortSignal, { any });
});

describe.each([true, false])('where the browser has it: %p', (hasAny) => {
  beforeEach(() => {
    if (!hasAny) Reflect.deleteProperty(AbortSignal, 'any');
  });

  test('ends with whichever is first, for its reason', () => {
    for (const isFirst of [true, false]) {
      const [one, other] = [new AbortController(), new AbortController()];
      const either = eitherSignal(one.signal, other.signal);
      expect(either.aborted).toBe(false);
      (isFirst ? one : other).abort('first');
      (isFirst ? other : one).abort('second');
      expect([either.aborted, either.reason]).toEqual([true, 'first']);
    }
  });

  test('has ended where one had', () => {
    const running = new AbortController().signal;
    for (const either of [
      eitherSignal(AbortSignal.abort('before'), running),
      eitherSignal(running, AbortSignal.abort('before')),
    ]) {
      expect([either.aborted, either.reason]).toEqual([true, 'before']);
    }
  });
});
