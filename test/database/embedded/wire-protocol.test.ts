import {
  createFrontendReader,
  type FrontendReader,
  fatalError,
  isIdle,
  readPassword,
  readyForQueryIdle,
  simpleQuery,
  WireProtocolError,
} from '../../../src/database/embedded/wire-protocol';

function startupPacket(code: number, body = ''): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + Buffer.byteLength(body), 0);
  header.writeUInt32BE(code, 4);
  return Buffer.concat([header, Buffer.from(body)]);
}

describe('the reader of what a client sends', () => {
  test('reads the same packets wherever the bytes are cut', () => {
    const startup = startupPacket(196_608, 'user\0ada\0database\0shop\0\0');
    const password = Buffer.from([0x70, 0, 0, 0, 7, 0x70, 0x77, 0]);
    const bytes = Buffer.concat([startup, password, simpleQuery('SELECT 1'), simpleQuery('é')]);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const reader = createFrontendReader();
      const seen: unknown[] = [];
      const readAll = () => {
        if (seen.length === 0) {
          const packet = reader.readStartup();
          if (packet) seen.push(packet);
        }
        for (let message = seen.length > 0 && reader.readMessage(); message; ) {
          seen.push(message.type === 'p' ? readPassword(message) : message.bytes.toString());
          message = reader.readMessage();
        }
      };
      reader.push(bytes.subarray(0, cut));
      readAll();
      reader.push(bytes.subarray(cut));
      readAll();
      expect(seen).toEqual([
        { kind: 'startup', parameters: new Map(Object.entries({ user: 'ada', database: 'shop' })) },
        'pw',
        simpleQuery('SELECT 1').toString(),
        simpleQuery('é').toString(),
      ]);
    }
  });

  test.each([
    ['SSLRequest', 80_877_103, { kind: 'encryption-request' }],
    ['GSSENCRequest', 80_877_104, { kind: 'encryption-request' }],
    ['CancelRequest', 80_877_102, { kind: 'cancel-request' }],
  ])('knows a %s', (_name, code, expected) => {
    const reader = createFrontendReader();
    reader.push(startupPacket(code));
    expect(reader.readStartup()).toEqual(expected);
  });

  test('refuses what no client would send', () => {
    const refused = (bytes: Buffer, read: (reader: FrontendReader) => unknown) => {
      const reader = createFrontendReader();
      reader.push(bytes);
      expect(() => read(reader)).toThrow(WireProtocolError);
    };
    refused(Buffer.from('GET / HTTP/1.1\r\n\r\n'), (reader) => reader.readStartup());
    refused(startupPacket(0x0002_0000), (reader) => reader.readStartup());
    refused(Buffer.from([0x51, 0, 0, 0, 3]), (reader) => reader.readMessage());
    refused(simpleQuery('a'.repeat(100)), (reader) => reader.readMessage(50));
  });
});

test('whether the backend is idle is read from the end of the output', () => {
  const ready = (status: string) =>
    Buffer.concat([fatalError('00000', 'before'), Buffer.from('Z\0\0\0\x05'), Buffer.from(status)]);
  expect(isIdle(readyForQueryIdle)).toBe(true);
  expect(isIdle(ready('I'))).toBe(true);
  expect(isIdle(ready('T'))).toBe(false);
  expect(isIdle(ready('E'))).toBe(false);
  expect(isIdle(fatalError('00000', 'nothing after'))).toBe(false);
  expect(isIdle(Buffer.alloc(0))).toBe(false);
});
