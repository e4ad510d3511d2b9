import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** What a process holds; undefined where the system does not tell. */
export function figuresOf(pid: number): { residentBytes: number; descriptors: number } | undefined {
  const folder = `/proc/${pid}`;
  if (!existsSync(folder)) return undefined;
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`${folder}/status`, 'utf8')) ?? [];
  return {
    residentBytes: Number(kilobytes) * 1024,
    descriptors: readdirSync(`${folder}/fd`).length,
  };
}
