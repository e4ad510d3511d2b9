import { startService } from '../database/processes';

test('a connection that the last worker was handed as it was killed is closed, and not kept waiting', async () => {
  const script = startService('../service/handing-process.ts', 'alone');
  try {
    const outcomes: unknown = JSON.parse((await script.nextLine()) ?? '[]');
    expect(outcomes).toEqual(Array.from({ length: 20 }, () => expect.stringContaining('Error')));
  } finally {
    await script.kill();
  }
});

test('a connection that a killed worker was handed and had not taken goes to another', async () => {
  const script = startService('../service/handing-process.ts');
  try {
    const outcomes: unknown = JSON.parse((await script.nextLine()) ?? '[]');
    expect(outcomes).toEqual(Array.from({ length: 20 }, () => 'answered'));
  } finally {
    await script.kill();
  }
});
