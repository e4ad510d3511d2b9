import { crc32, deflateSync } from 'node:zlib';

export type Colour = readonly [red: number, green: number, blue: number];

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** A disc on a ground that darkens downwards, as a PNG: something to see where a picture belongs. */
export function samplePicture(width: number, height: number, ground: Colour, disc: Colour): Buffer {
  const radius = Math.min(width, height) * 0.3;
  const lines = Array.from({ length: height }, (_, y) => {
    const shade = 1 - 0.4 * (y / height);
    const pixels = Array.from({ length: width }, (_, x) => {
      const isDisc = Math.hypot(x - width / 2, y - height / 2) < radius;
      return isDisc ? disc : ground.map((part) => Math.round(part * shade));
    });
    // Filter type 0: the line as it is.
    return [0, ...pixels.flat()];
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const data = deflateSync(Buffer.from(lines.flat()));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** PNG specification, section 5.3. */
function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(named, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
