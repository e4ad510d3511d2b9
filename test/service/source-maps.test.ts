import { execFile } from 'node:child_process';
import module from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

test('an error of our code says its line, and maps of packages are not read', async () => {
  const script = join(__dirname, 'mapped-process.ts');
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script]);
  const { stack, isPackageMapped } = JSON.parse(stdout);
  expect(stack).toContain(`${script}:6:19`);
  // Older versions of Node read either all maps or none.
  expect(isPackageMapped).toBe(!('setSourceMapsSupport' in module));
});
