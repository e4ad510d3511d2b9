import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenError } from '@/src/service/listen-error';

const address = { HOST: '192.0.2.1', PORT: 81 };
const withCode = (code: string) => Object.assign(new Error(`listen ${code}`), { code });

test.each([
  ['EMFILE', 'No more files may be opened (EMFILE), and each connection is one. Raise the limit'],
  ['EADDRINUSE', 'Port 81 is in use. Set PORT'],
  ['EACCES', 'may not listen at port 81. Set PORT'],
  ['ENOTFOUND', '192.0.2.1 is no address of this machine (ENOTFOUND). Set HOST'],
  ['EAI_AGAIN', '192.0.2.1 is no address of this machine (EAI_AGAIN). Set HOST'],
])('%s says which variable to set', (code, words) => {
  expect(listenError(withCode(code), address).message).toContain(words);
});

test('an address of another machine is told by HOST', async () => {
  const server = createServer().listen(0, address.HOST);
  const [error] = await once(server, 'error');
  expect(listenError(error, address).message).toMatch(/^192\.0\.2\.1 is no address.*Set HOST/);
});

test('another error is as it was', () => {
  const error = withCode('ENOBUFS');
  expect(listenError(error, address)).toBe(error);
});
