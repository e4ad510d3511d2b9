// `npm run test:browser`: the pages in a real browser, against a real build and a real database.
// Without a browser it says so and succeeds: nothing else depends on one.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const executable = process.env.CHROMIUM ?? '/usr/bin/chromium';

if (!existsSync(executable)) {
  process.stdout.write(
    `Browser tests skipped: no browser at ${executable} (apt-get install chromium, or set CHROMIUM).\n`,
  );
  process.exit(0);
}

// SKIP_BUILD=1 tests the build that is there, while one writes tests.
if (!process.env.SKIP_BUILD) run('next/dist/bin/next', 'build');
run('jest/bin/jest.js', '--config', 'jest.browser.config.js', ...process.argv.slice(2));

function run(binary, ...args) {
  const { status } = spawnSync(process.execPath, [join('node_modules', binary), ...args], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, CHROMIUM: executable, NEXT_TELEMETRY_DISABLED: '1' },
  });
  if (status !== 0) process.exit(status ?? 1);
}
