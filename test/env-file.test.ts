import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadEnvFile } from '@/src/env';

describe('.env', () => {
  const before = process.cwd();
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'env-'));
    process.chdir(folder);
  });

  afterEach(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });

  test('gives what the environment does not have', () => {
    process.env.FROM_BOTH = 'environment';
    writeFileSync('.env', 'FROM_BOTH=file\nFROM_FILE="a file"\n');
    loadEnvFile();
    expect([process.env.FROM_BOTH, process.env.FROM_FILE]).toEqual(['environment', 'a file']);
  });

  test('need not be there', () => {
    expect(loadEnvFile).not.toThrow();
  });

  test.each(['.env.local', '.env.test', '.env.test.local'])(
    'is the only one: %s, which Next would read later, is refused',
    (name) => {
      writeFileSync(name, 'PUBLIC_URL=https://example.com\n');
      expect(loadEnvFile).toThrow(`${name} is not read by all parts of the service`);
    },
  );

  test('may begin with the mark of UTF-8 that some editors write', () => {
    writeFileSync('.env', '\ufeffFROM_MARKED=yes\r\n');
    loadEnvFile();
    expect(process.env.FROM_MARKED).toBe('yes');
  });

  test.each(['SIGN_UP closed', 'SIGN_UP: closed'])('names a line that sets nothing: %s', (line) => {
    for (const text of [`# A = b\n\n${line}\nFROM_REST=1\n`, `A_TEXT="b\nc"\n${line}`]) {
      writeFileSync('.env', text);
      expect(loadEnvFile).toThrow('.env, line 3: it is neither NAME=value nor a comment');
    }
    expect(process.env.FROM_REST).toBeUndefined();
  });

  test('is refused in UTF-16, of which nothing would be set', () => {
    const text = Buffer.from('\ufeffFROM_WIDE=yes\r\nFROM_REST=1', 'utf16le');
    for (const bytes of [text, Buffer.from(text).swap16()]) {
      writeFileSync('.env', bytes);
      expect(loadEnvFile).toThrow('.env is not in UTF-8');
    }
  });

  // A file of somebody else's is the usual case, which a test that runs as root cannot make.
  test('that cannot be read is named', () => {
    mkdirSync('.env');
    expect(loadEnvFile).toThrow('.env cannot be read: EISDIR');
  });
});
