/**
 * A receiver in a process of its own, so that it takes no time from the one that sends. Run as a
 * script it is that process: it answers every request and prints the id and time of each.
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { listen } from '../test/helpers/listening';

type Receipt = { id: string; at: number };

/** `received` resolves to the receipts since it was last asked, once they are so many; `at` in milliseconds since 1970. */
export async function startReceiver(): Promise<{
  url: string;
  received(count: number): Promise<Receipt[]>;
  close(): void;
}> {
  const child = spawn(process.execPath, ['--import', 'tsx', __filename], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const receipts: Receipt[] = [];
  const url = await new Promise<string>((resolve) => {
    const lines = createInterface({ input: child.stdout });
    lines.once('line', (first) => {
      resolve(first);
      lines.on('line', (line) => {
        const [id = '', at] = line.split(' ');
        receipts.push({ id, at: Number(at) });
      });
    });
  });
  return {
    url,
    async received(count) {
      while (receipts.length < count) await new Promise((done) => setTimeout(done, 10));
      return receipts.splice(0);
    },
    close: () => child.kill(),
  };
}

async function receive(): Promise<void> {
  const server = createServer((request, response) => {
    const at = performance.timeOrigin + performance.now();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(204).end();
      const { data } = JSON.parse(Buffer.concat(chunks).toString());
      process.stdout.write(`${data.id} ${at}\n`);
    });
  });
  process.stdout.write(`http://127.0.0.1:${await listen(server)}/\n`);
  process.stdin.resume().on('end', () => process.exit(0));
}

if (require.main === module) void receive();
