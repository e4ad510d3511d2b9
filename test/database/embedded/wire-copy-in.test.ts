import { createCopyIn } from '@/src/database/embedded/wire-copy-in';
import { simpleQuery, WireProtocolError } from '@/src/database/embedded/wire-protocol';
import { message } from './frontend-messages';

const asMessage = (bytes: Buffer) => ({ type: bytes.toString('latin1', 0, 1), bytes });
const statement = asMessage(simpleQuery('COPY a FROM STDIN'));
const rows = (bytes: Buffer) => ({ type: 'd', bytes });
const done = asMessage(message('c'));

test.each([
  'COPY a FROM STDIN',
  ' copy "a b" (x, "y z") from stdin with (format text);\n',
  'COPY public.a(x) FROM STDIN;',
])('the rows of a client are awaited behind %p', (sql) => {
  expect(createCopyIn().begin(asMessage(simpleQuery(sql)))).toBe(true);
});

test.each([
  ['that gives rows', simpleQuery('COPY a TO STDOUT')],
  ['that reads a file', simpleQuery(`COPY a FROM 'STDIN'`)],
  ['with another behind it', simpleQuery('COPY a FROM STDIN; COPY b FROM STDIN')],
  ['behind another', simpleQuery('TRUNCATE a; COPY a FROM STDIN')],
  ['that is prepared', message('P', '', 'COPY a FROM STDIN', 0)],
])('a statement %s goes to the backend as it is', (_, bytes) => {
  const copyIn = createCopyIn();
  expect(copyIn.begin(asMessage(bytes))).toBe(false);
  expect(copyIn.isOpen()).toBe(false);
});

test.each([
  ['are all there', done],
  ['will not come', asMessage(message('f', 'no'))],
])('it goes to the backend with its rows once they %s', (_, last) => {
  const copyIn = createCopyIn();
  const row = rows(message('d', '1'));
  copyIn.begin(statement);
  expect(copyIn.isOpen()).toBe(true);
  expect(copyIn.add(row)).toBeUndefined();
  // What a client may send in between.
  for (const type of ['H', 'S']) expect(copyIn.add(asMessage(message(type)))).toBeUndefined();
  expect(copyIn.add(last)).toEqual([statement.bytes, row.bytes, last.bytes]);
  expect(copyIn.isOpen()).toBe(false);
});

test('another statement among the rows is none of them', () => {
  const copyIn = createCopyIn();
  copyIn.begin(statement);
  expect(() => copyIn.add(asMessage(simpleQuery('SELECT 1')))).toThrow(WireProtocolError);
});

test('a statement takes 64 MB of rows, and each as much as the one before', () => {
  const copyIn = createCopyIn();
  const part = rows(Buffer.alloc(31 * 1024 ** 2));
  for (let times = 0; times < 3; times += 1) {
    copyIn.begin(statement);
    copyIn.add(part);
    copyIn.add(part);
    expect(copyIn.add(done)).toHaveLength(4);
  }
  copyIn.begin(statement);
  copyIn.add(part);
  copyIn.add(part);
  expect(() => copyIn.add(part)).toThrow(/bytes here: send several/);
});
