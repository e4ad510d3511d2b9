import { startScript, startService } from '../database/processes';

test('a worker that has not begun to serve is not waited for when all are to stop', async () => {
  const script = startService('../service/starting-process.ts');
  try {
    expect(await script.nextLine()).toBe('ready');
    script.write('stop');
    expect(await script.nextLine()).toBe('true');
  } finally {
    await script.kill();
  }
});

test('a worker that hangs is killed, and another started', async () => {
  const script = startScript('../service/workers-process.ts', 'hanging');
  try {
    expect(await script.nextLine()).toBe('SIGKILL');
    expect(await script.nextLine()).toBe('another answers');
    script.write('stop');
    expect(await script.nextLine()).toBe('true');
  } finally {
    await script.kill();
  }
});

test('restarts that are asked for while one is under way become one', async () => {
  const script = startScript('../service/workers-process.ts', 'restarting');
  try {
    for (let times = 0; times < 2; times += 1) {
      expect(await script.nextLine()).toBe('Replacing the workers …');
      expect(await script.nextLine()).toBe('The workers are replaced.');
    }
    script.write('stop');
    expect(await script.nextLine()).toBe('true');
  } finally {
    await script.kill();
  }
});

test('a worker that hangs does not outlast a primary process that has waited long enough', async () => {
  const script = startScript('../service/workers-process.ts', 'leaving');
  try {
    expect(await script.nextLine()).toBe('leaving');
    // The worker writes to the same pipe, which is closed when both are gone.
    expect(await script.nextLine()).toBeUndefined();
  } finally {
    await script.kill();
  }
});
