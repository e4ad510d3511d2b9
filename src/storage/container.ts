/** The media containers that are recognised, by the names of their usual endings. */
export type Container =
  | 'mp4'
  | 'mov'
  | '3gp'
  | 'webm'
  | 'mkv'
  | 'ts'
  | 'avi'
  | 'flv'
  | 'ogg'
  | 'mp3'
  | 'wav';

/** How many first bytes `detectContainer` looks at. */
export const containerProbeBytes = 1024;

const tsPacketBytes = 188;
const tsSync = 0x47;

/**
 * The media container that begins with these bytes, undefined for anything else. An ending or a
 * content type is a claim; this is what the file is.
 */
export function detectContainer(bytes: Uint8Array): Container | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const box = text.slice(4, 8);
  if (box === 'ftyp') return isoContainer(text.slice(8, 12));
  // QuickTime files from before the ftyp box.
  if (box === 'moov' || box === 'mdat' || box === 'wide') return 'mov';
  // EBML; the document type stands within the first few dozen bytes.
  if (text.startsWith('\x1a\x45\xdf\xa3')) {
    return text.slice(0, 64).includes('webm') ? 'webm' : 'mkv';
  }
  if (text.startsWith('RIFF')) return riffContainer(text.slice(8, 12));
  if (text.startsWith('FLV\x01')) return 'flv';
  if (text.startsWith('OggS')) return 'ogg';
  if (text.startsWith('ID3') || isMp3Frame(bytes)) return 'mp3';
  if (isTransportStream(bytes)) return 'ts';
  return undefined;
}

/** ISO 14496-12: the brand tells movies from the still images that share the container. */
function isoContainer(brand: string): Container | undefined {
  if (/^(avi[fs]|hei[cfmsx]|hev[cx]|mif1|msf1)$/.test(brand)) return undefined;
  if (brand === 'qt  ') return 'mov';
  return brand.startsWith('3g') ? '3gp' : 'mp4';
}

function riffContainer(form: string): Container | undefined {
  if (form === 'AVI ') return 'avi';
  return form === 'WAVE' ? 'wav' : undefined;
}

/** Two sync bytes a packet apart, and a third where the bytes reach that far. */
function isTransportStream(bytes: Uint8Array): boolean {
  return (
    bytes[0] === tsSync &&
    bytes[tsPacketBytes] === tsSync &&
    (bytes.length <= 2 * tsPacketBytes || bytes[2 * tsPacketBytes] === tsSync)
  );
}

/** An MPEG audio frame header of layer III with no reserved value in it. ISO 11172-3. */
function isMp3Frame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  const hasSync = first === 0xff && (second & 0xe0) === 0xe0;
  const version = (second >> 3) & 3;
  const layer = (second >> 1) & 3;
  const bitrate = third >> 4;
  const sampleRate = (third >> 2) & 3;
  return hasSync && version !== 1 && layer === 1 && bitrate !== 15 && sampleRate !== 3;
}
