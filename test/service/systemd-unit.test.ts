import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stopTimeoutMs } from '@/src/service/signals';
import { scripts } from '../../package.json';

const operations = readFileSync(join(__dirname, '../../docs/operations.md'), 'utf8');
const unit = /```ini\n(# \/etc\/systemd\/system\/.*?)```/s.exec(operations)?.[1] ?? '';
const sections = new Map(
  unit.split(/^\[(?=\w+\]$)/m).map((section) => [section.split(']')[0], section.split('\n')]),
);

function valuesOf(section: string, name: string): string[] {
  const lines = sections.get(section) ?? [];
  return lines
    .filter((line) => line.startsWith(`${name}=`))
    .map((line) => line.slice(name.length + 1));
}

test('the unit starts what `npm start` starts, and waits for as long as that takes to stop', () => {
  const [environment, command] = scripts.start.split(' exec ');
  expect(valuesOf('Service', 'ExecStart')).toEqual([`/usr/bin/${command}`]);
  expect(valuesOf('Service', 'Environment')).toContain(environment);
  const [seconds] = valuesOf('Service', 'TimeoutStopSec').map(Number);
  expect(seconds).toBeGreaterThan(stopTimeoutMs / 1000);
});

// By itself systemd gives up after five starts within ten seconds, and a database that is away has
// the service end at once: how soon that is follows from the machine.
test('the unit starts it anew for as long as it takes', () => {
  expect(valuesOf('Unit', 'StartLimitIntervalSec')).toEqual(['0']);
  expect(valuesOf('Service', 'Restart')).toEqual(['always']);
});

test('temporary files lie in a private folder that is on the disk everywhere', () => {
  expect(valuesOf('Service', 'PrivateTmp')).toEqual(['true']);
  expect(valuesOf('Service', 'Environment')).toContain('TMPDIR=/var/tmp');
});
