import {
  createDecisions,
  graceMs,
  type Testimonial,
} from '@/app/(dashboard)/testimonials/decisions';
import { exampleTestimonial } from '@/src/testimonials/schema';

type Sent = { ids: string[]; status: string };

/** Decisions on a clock and a service of the test's own. */
function setUp() {
  const clock = { ms: 1_000 };
  const sent: Sent[] = [];
  const saved: string[][] = [];
  const service = { isDown: false, missing: [] as string[] };
  const decisions = createDecisions({
    now: () => clock.ms,
    send: async (ids, status) => {
      sent.push({ ids, status });
      if (service.isDown) throw new Error('down');
      return ids
        .filter((id) => !service.missing.includes(id))
        .map((id) => ({ ...row(id), status }));
    },
    onSaved: ({ updated }) => saved.push(updated.map(({ id }) => id)),
  });
  return { clock, sent, saved, service, decisions };
}

function row(id: string): Testimonial {
  return { ...exampleTestimonial, status: 'pending', id };
}

const rows = (count: number) => Array.from({ length: count }, (_, index) => row(`id-${index}`));

test('a decision is sent once its time is over, and not before', async () => {
  const { clock, sent, decisions } = setUp();
  decisions.decide([row('a')], 'approved');
  clock.ms += graceMs - 1;
  await decisions.sendDue();
  expect(sent).toEqual([]);
  clock.ms += 1;
  await decisions.sendDue();
  expect(sent).toEqual([{ ids: ['a'], status: 'approved' }]);
  expect(decisions.getState()).toEqual({ decisions: [], failures: [], gone: [] });
});

test('each decision has a time of its own', async () => {
  const { clock, sent, decisions } = setUp();
  decisions.decide([row('a')], 'approved');
  clock.ms += graceMs / 2;
  decisions.decide([row('b')], 'approved');
  clock.ms += graceMs / 2;
  await decisions.sendDue();
  expect(sent).toEqual([{ ids: ['a'], status: 'approved' }]);
  clock.ms += graceMs / 2;
  await decisions.sendDue();
  expect(sent[1]).toEqual({ ids: ['b'], status: 'approved' });
});

test('what is due together goes in one request for each status, of at most a hundred', async () => {
  const { sent, decisions } = setUp();
  for (const one of rows(101)) decisions.decide([one], 'approved');
  decisions.decide([row('other')], 'rejected');
  await decisions.sendAll();
  expect(sent.map(({ ids, status }) => [ids.length, status])).toEqual([
    [100, 'approved'],
    [1, 'approved'],
    [1, 'rejected'],
  ]);
});

test('whoever leaves has sent everything when the call returns', () => {
  const { sent, decisions } = setUp();
  decisions.decide([row('a')], 'approved');
  void decisions.sendAll();
  expect(sent).toHaveLength(1);
});

test('whoever waits for everything to be sent waits for what was on its way as well', async () => {
  let fail = () => {};
  const answer = new Promise<Testimonial[]>((_, reject) => {
    fail = () => reject(new Error('down'));
  });
  const send = async ([id]: string[]) => (id === 'a' ? answer : []);
  const decisions = createDecisions({ now: () => 0, send, onSaved: () => {} });
  for (const id of ['a', 'b']) {
    decisions.decide([row(id)], 'approved');
    void decisions.sendAll();
  }
  const failures = decisions.sendAll().then(() => decisions.getState().failures);
  // By then a wait for nothing would be over.
  setImmediate(fail);
  expect(await failures).toHaveLength(1);
});

test('what is taken back is never sent, the last decision first', async () => {
  const { clock, sent, decisions } = setUp();
  decisions.decide([row('a')], 'approved');
  decisions.decide([row('b'), row('c')], 'rejected');
  expect(decisions.undo()?.testimonials.map(({ id }) => id)).toEqual(['b', 'c']);
  expect(decisions.undo()?.status).toBe('approved');
  expect(decisions.undo()).toBeUndefined();
  clock.ms += graceMs;
  await decisions.sendDue();
  expect(sent).toEqual([]);
});

test('what is sent cannot be taken back', () => {
  const { decisions } = setUp();
  decisions.decide([row('a')], 'approved');
  void decisions.sendAll();
  expect(decisions.undo()).toBeUndefined();
});

test('a later decision takes the place of one that waits', async () => {
  const { sent, decisions } = setUp();
  decisions.decide([row('a'), row('b')], 'approved');
  decisions.decide([row('a')], 'rejected');
  await decisions.sendAll();
  expect(sent).toEqual([
    { ids: ['b'], status: 'approved' },
    { ids: ['a'], status: 'rejected' },
  ]);
});

test('a decision for what it is already sends nothing, unless another is on its way', async () => {
  const { sent, decisions } = setUp();
  decisions.decide([row('a')], 'approved');
  decisions.decide([row('a')], 'pending');
  await decisions.sendAll();
  expect(sent).toEqual([]);
  decisions.decide([row('b')], 'approved');
  const first = decisions.sendAll();
  decisions.decide([row('b')], 'pending');
  await Promise.all([first, decisions.sendAll()]);
  expect(sent.map(({ status }) => status)).toEqual(['approved', 'pending']);
});

test('a failed send puts the rows back, says so, and can be tried again', async () => {
  const { sent, saved, service, decisions } = setUp();
  service.isDown = true;
  decisions.decide([row('a')], 'approved');
  await decisions.sendAll();
  const { decisions: left, failures } = decisions.getState();
  expect(left).toEqual([]);
  expect(failures).toEqual([
    { status: 'approved', testimonials: [row('a')], error: new Error('down') },
  ]);
  service.isDown = false;
  await decisions.retry();
  expect(sent).toHaveLength(2);
  expect(saved).toEqual([['a']]);
  expect(decisions.getState().failures).toEqual([]);
});

test('what is sent again leaves others their time, and can be chosen by why it failed', async () => {
  const { sent, service, decisions } = setUp();
  service.isDown = true;
  decisions.decide([row('a')], 'approved');
  await decisions.sendAll();
  service.isDown = false;
  decisions.decide([row('b')], 'approved');
  await decisions.retry(() => false);
  expect(sent).toHaveLength(1);
  await decisions.retry(({ error }) => error instanceof Error && error.message === 'down');
  expect(sent.map(({ ids }) => ids)).toEqual([['a'], ['a']]);
  expect(decisions.undo()?.testimonials).toEqual([row('b')]);
});

test('what was not saved is forgotten where something else is decided', async () => {
  const { sent, service, decisions } = setUp();
  service.isDown = true;
  decisions.decide([row('a'), row('b')], 'approved');
  await decisions.sendAll();
  service.isDown = false;
  decisions.decide([row('a')], 'rejected');
  await decisions.retry();
  await decisions.sendAll();
  expect(sent.slice(1)).toEqual([
    { ids: ['b'], status: 'approved' },
    { ids: ['a'], status: 'rejected' },
  ]);
});

test('what another page could not save is told like what this one could not', () => {
  const { decisions } = setUp();
  decisions.decide([row('b')], 'rejected');
  const error = new Error('left');
  decisions.noteUnsaved({ status: 'approved', testimonials: [row('a'), row('b')], error });
  decisions.noteUnsaved({ status: 'approved', testimonials: [row('b')], error });
  expect(decisions.getState().failures).toEqual([
    { status: 'approved', testimonials: [row('a')], error },
  ]);
});

test('rows that are gone from the service are told apart from those that were saved, and kept to be said', async () => {
  const { saved, service, decisions } = setUp();
  service.missing = ['b'];
  decisions.decide([row('a'), row('b')], 'approved');
  await decisions.sendAll();
  expect(saved).toEqual([['a']]);
  expect(decisions.getState()).toEqual({ decisions: [], failures: [], gone: [row('b')] });
  decisions.forgetGone();
  expect(decisions.getState().gone).toEqual([]);
});

describe('what is decided anew while an earlier decision is on its way', () => {
  /** An answer of the test's own to each send, the first of them by `end`. */
  function setUpSlow() {
    const sent: string[] = [];
    const clock = { ms: 0 };
    const moved: [string, string][] = [];
    let end = (_isSaved: boolean) => {};
    const decisions = createDecisions({
      now: () => clock.ms,
      send: async (ids, status) => {
        sent.push(status);
        if (sent.length === 1) {
          await new Promise<void>((resolve, reject) => {
            end = (isSaved) => (isSaved ? resolve() : reject(new Error('lost')));
          });
        }
        return ids.map((id) => ({ ...row(id), status }));
      },
      onSaved: ({ updated, before }) => {
        for (const [index, { status }] of updated.entries()) {
          moved.push([before[index]?.status ?? '', status]);
        }
      },
    });
    return { sent, clock, moved, decisions, end: (isSaved: boolean) => end(isSaved) };
  }

  async function decideTwice() {
    const slow = setUpSlow();
    slow.decisions.decide([row('a')], 'approved', 0);
    const first = slow.decisions.sendDue();
    slow.decisions.decide([row('a')], 'rejected');
    return { ...slow, first };
  }

  test('is not sent before that is answered, which could be done after it', async () => {
    const { sent, clock, decisions, end, first } = await decideTwice();
    decisions.decide([row('b')], 'pending', 0);
    clock.ms += graceMs;
    await decisions.sendDue();
    expect(sent).toEqual(['approved']);
    expect(decisions.getState().decisions).toHaveLength(2);
    end(true);
    await first;
    await decisions.sendDue();
    expect(sent).toEqual(['approved', 'rejected']);
  });

  test('is sent at once all the same where one leaves', async () => {
    const { sent, decisions, end } = await decideTwice();
    const all = decisions.sendAll();
    expect(sent).toEqual(['approved', 'rejected']);
    end(true);
    await all;
  });

  test('is not taken for undecided where that fails, nor overwritten by trying it again', async () => {
    const { sent, clock, decisions, end, first } = await decideTwice();
    end(false);
    await first;
    expect(decisions.getState().failures).toEqual([]);
    await decisions.retry();
    clock.ms += graceMs;
    await decisions.sendDue();
    expect(sent).toEqual(['approved', 'rejected']);
  });

  test.each([
    { how: 'saved', isSaved: true, before: 'approved' },
    { how: 'not saved', isSaved: false, before: 'pending' },
  ])('begins at what that made it where it was $how', async ({ isSaved, before }) => {
    const { clock, moved, decisions, end, first } = await decideTwice();
    const [, later] = decisions.getState().decisions;
    expect(later?.testimonials[0]?.status).toBe('approved');
    end(isSaved);
    await first;
    clock.ms += graceMs;
    await decisions.sendDue();
    expect(moved.at(-1)).toEqual([before, 'rejected']);
  });
});
