import { detectContainer } from '@/src/storage/container';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const packets = Buffer.alloc(600, 0);
for (const at of [0, 188, 376, 564]) packets[at] = 0x47;

test.each([
  ['mp4', bytes('\0\0\0\x18ftypisom'), 'mp4'],
  ['m4a', bytes('\0\0\0\x18ftypM4A '), 'mp4'],
  ['mov', bytes('\0\0\0\x14ftypqt  '), 'mov'],
  ['an old mov', bytes('\0\0\0\x14moov'), 'mov'],
  ['an old mov with its media first', bytes('\0\0\0\x14mdat'), 'mov'],
  ['an old mov with room at its begin', bytes('\0\0\0\x08wide'), 'mov'],
  ['3gp', bytes('\0\0\0\x14ftyp3gp5'), '3gp'],
  ['webm', bytes('\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm'), 'webm'],
  ['mkv', bytes('\x1a\x45\xdf\xa3\x9f\x42\x82\x88matroska'), 'mkv'],
  ['ts', packets, 'ts'],
  ['avi', bytes('RIFF\x10\0\0\0AVI LIST'), 'avi'],
  ['wav', bytes('RIFF\x10\0\0\0WAVEfmt '), 'wav'],
  ['flv', bytes('FLV\x01\x05'), 'flv'],
  ['ogg', bytes('OggS\0'), 'ogg'],
  ['mp3 with tags', bytes('ID3\x04'), 'mp3'],
  ['mp3', bytes('\xff\xfb\x90\x64'), 'mp3'],
  ['a photo in a movie container', bytes('\0\0\0\x18ftypheic'), undefined],
  ['another one', bytes('\0\0\0\x18ftypavif'), undefined],
  ['a photo', bytes('\xff\xd8\xff\xe0'), undefined],
  ['a picture', bytes('RIFF\x10\0\0\0WEBPVP8 '), undefined],
  ['a playlist', bytes('#EXTM3U\n#EXT-X-VERSION:3'), undefined],
  ['a page', bytes('<!doctype html>'), undefined],
  ['JSON', bytes('{"url":"video.mp4"}'), undefined],
  ['XML', bytes('<?xml version="1.0"?><MPD/>'), undefined],
  ['a text that begins with G', bytes('GIF or not'), undefined],
  [
    'two marks of a packet, and no third',
    Buffer.concat([packets.subarray(0, 376), bytes('\0')]),
    undefined,
  ],
  ['nothing', bytes(''), undefined],
])('%s', (_, start, container) => {
  expect(detectContainer(start)).toBe(container);
});
