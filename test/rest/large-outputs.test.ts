import { createLargeOutputs } from '@/src/rest/large-outputs';

const encoder = new TextEncoder();

test('each output stands in its own place, in whichever order they were done', async () => {
  const outputs = createLargeOutputs();
  const first = { data: ['first'] };
  const last = { data: ['last'] };
  const whole = JSON.stringify([first, 'between', last]);
  await outputs.take(last);
  await outputs.take(first);
  const body = encoder.encode(JSON.stringify([first, 'between', last]));
  expect(Buffer.concat(outputs.setInto(body)).toString()).toBe(whole);
});

test('an output that was left out after all takes nothing from the others', async () => {
  const outputs = createLargeOutputs();
  const kept = { data: ['kept'] };
  const whole = JSON.stringify([kept, { error: 'failed' }]);
  await outputs.take({ data: ['left out'] });
  await outputs.take(kept);
  const body = encoder.encode(JSON.stringify([kept, { error: 'failed' }]));
  expect(Buffer.concat(outputs.setInto(body)).toString()).toBe(whole);
});
