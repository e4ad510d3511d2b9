/**
 * For bench/transcription.ts, in a process of its own: serves a video of the size in its first
 * argument (MB), and answers as a speech-to-text service. Prints its port.
 */
import { createServer } from 'node:http';
import { listen } from '../test/helpers/listening';
import { makeMedia } from '../test/transcription/media';

const seconds = 240;

async function main(megabytes: number): Promise<void> {
  const videoFrameBytes = Math.round((megabytes * 1024 * 1024) / (seconds * 25));
  const media = await makeMedia({ format: 'mp4', audio: 'aac', seconds, videoFrameBytes });
  const server = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': media.length });
      response.end(media);
      return;
    }
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ text: 'We love it.' }));
    });
  });
  process.stdout.write(`${await listen(server)} ${media.length}\n`);
  process.stdin.resume().on('end', () => process.exit(0));
}

void main(Number(process.argv[2]));
