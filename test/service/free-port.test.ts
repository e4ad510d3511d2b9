import { once } from 'node:events';
import { createServer } from 'node:net';
import { requireFreePort } from '@/src/service/free-port';
import { listen } from '../helpers/listening';

test('a port is free again at once after it was looked at, and one that somebody has is told', async () => {
  const other = createServer();
  const PORT = await listen(other);
  const address = { HOST: '127.0.0.1', PORT };
  try {
    await expect(requireFreePort(address)).rejects.toThrow(`Port ${PORT} is in use. Set PORT`);
  } finally {
    other.close();
  }
  await once(other, 'close');
  await requireFreePort(address);
  await requireFreePort(address);
});
