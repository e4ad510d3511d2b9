import { EventEmitter } from 'node:events';
import { keepHandedOver } from '@/src/service/workers/handed-over';
import { startService } from '../database/processes';
import { fakeWorker } from './fake-worker';

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

test('what a worker has taken is given to nobody else when it ends', () => {
  const child = Object.assign(new EventEmitter(), { send: () => true });
  const life = new EventEmitter();
  const { worker } = fakeWorker();
  Object.assign(worker, { process: child, once: life.once.bind(life) });
  keepHandedOver(worker, () => true);
  const heard: unknown[] = [];
  const send: (message: object) => boolean = child.send;
  for (const seq of [1, 2]) send({ cmd: 'NODE_CLUSTER', act: 'newconn', seq });
  child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: 1, accepted: true });
  child.on('internalMessage', (message) => heard.push(message));
  life.emit('exit');
  expect(heard).toEqual([{ cmd: 'NODE_CLUSTER', ack: 2, accepted: false }]);
});
