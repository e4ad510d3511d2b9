import { startService } from '../database/processes';

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
