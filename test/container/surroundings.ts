/** What a service speaks to, as one server on the loopback interface. */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../helpers/listening';
import { makeMedia } from '../transcription/media';

type Delivery = { headers: Record<string, string>; body: string };

export type Surroundings = {
  /** Of a video. */
  videoUrl: string;
  /** Of a speech-to-text service that hears `transcript`. */
  speechToTextUrl: string;
  /** Of a receiver of webhooks. */
  receiverUrl: string;
  /** The first that was received, once it is. */
  delivery: Promise<Delivery>;
  close(): void;
};

export const transcript = 'Heard in a container.';

export async function openSurroundings(): Promise<Surroundings> {
  const video = await makeMedia({ format: 'mp4', audio: 'aac' });
  let receive: (delivery: Delivery) => void = () => {};
  const delivery = new Promise<Delivery>((resolve) => {
    receive = resolve;
  });
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    if (request.url === '/video.mp4') {
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': video.length });
      response.end(video);
    } else if (request.url === '/v1/audio/transcriptions') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ text: transcript }));
    } else {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      receive({ headers: Object.fromEntries(headers), body: body.toString() });
      response.writeHead(204).end();
    }
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  return {
    videoUrl: `${url}/video.mp4`,
    speechToTextUrl: `${url}/v1`,
    receiverUrl: `${url}/in`,
    delivery,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
