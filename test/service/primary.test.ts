import { type ScriptProcess, startScript, startService } from '../database/processes';

let script: ScriptProcess;

afterEach(() => script.kill());

/** Tells the script to stop, which says whether all of its processes have ended in order. */
async function expectOrderlyStop(): Promise<void> {
  script.write('stop');
  expect(await script.nextLine()).toBe('true');
}

test('a worker that has not begun to serve is not waited for when all are to stop', async () => {
  script = startService('../service/starting-process.ts');
  expect(await script.nextLine()).toBe('ready');
  await expectOrderlyStop();
});

test('a worker that hangs is killed, and another started', async () => {
  script = startScript('../service/workers-process.ts', 'hanging');
  expect(await script.nextLine()).toBe('SIGKILL');
  expect(await script.nextLine()).toBe('another answers');
  await expectOrderlyStop();
});

test('a worker that ends as it starts is started again, until it answers', async () => {
  script = startScript('../service/workers-process.ts', 'failing');
  expect(await script.nextLine()).toBe('another answers');
  await expectOrderlyStop();
});

test('where the system makes no process, a worker is started once it does', async () => {
  script = startScript('../service/workers-process.ts', 'unforked');
  expect(await script.nextLine()).toBe('another answers');
  await expectOrderlyStop();
});

test.each([
  {
    rule: 'where the system makes no process for a new worker, the one before goes on too',
    mode: 'unforked-next',
    lines: ['Replacing the workers …', 'Replacing the workers …', 'The workers are replaced.'],
  },
  {
    rule: 'where a new worker does not start, the one before goes on, and may be replaced later',
    mode: 'broken',
    lines: ['Replacing the workers …', 'Replacing the workers …', 'The workers are replaced.'],
  },
  {
    rule: 'a worker that dies while the next one starts is replaced by that one alone',
    mode: 'dying',
    lines: ['Replacing the workers …', 'The workers are replaced.', '2 started'],
  },
  {
    rule: 'and where that one does not start, by another',
    mode: 'dying-out',
    lines: ['Replacing the workers …', 'another answers'],
  },
])('$rule', async ({ mode, lines }) => {
  script = startScript('../service/workers-process.ts', mode);
  for (const line of lines) expect(await script.nextLine()).toBe(line);
  await expectOrderlyStop();
});

test('restarts that are asked for while one is under way become one', async () => {
  script = startScript('../service/workers-process.ts', 'restarting');
  for (let times = 0; times < 2; times += 1) {
    expect(await script.nextLine()).toBe('Replacing the workers …');
    expect(await script.nextLine()).toBe('The workers are replaced.');
  }
  await expectOrderlyStop();
});

test('a worker that hangs does not outlast a primary process that has waited long enough', async () => {
  script = startScript('../service/workers-process.ts', 'leaving');
  expect(await script.nextLine()).toBe('leaving');
  // The worker writes to the same pipe, which is closed when both are gone.
  expect(await script.nextLine()).toBeUndefined();
});

test('no more connections wait for a worker than may, and those that are taken make room', async () => {
  script = startScript('../service/workers-process.ts', 'crowded');
  expect(await script.nextLine()).toBe('10 greeted');
  expect(await script.nextLine()).toBe('3 wait');
  // As above: with the pipe, the worker that hangs is gone too.
  expect(await script.nextLine()).toBeUndefined();
});

test('of the connections that wait for a worker, one address has no more than its share', async () => {
  script = startScript('../service/workers-process.ts', 'crowded-by-one');
  expect(await script.nextLine()).toBe('10 greeted');
  expect(await script.nextLine()).toBe('2 wait');
  expect(await script.nextLine()).toBe('5 wait');
  expect(await script.nextLine()).toBeUndefined();
});
