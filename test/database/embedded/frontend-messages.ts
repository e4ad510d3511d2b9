/** Frames a frontend message; strings in `parts` are null-terminated, numbers are int16. */
export function message(type: string, ...parts: (string | number)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : int16(part))),
  );
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function int16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 255]);
}

/** Big-endian, as everywhere in the protocol. */
export function int32(value: number): Buffer {
  return Buffer.concat([int16(value >>> 16), int16(value & 65_535)]);
}

/** The StartupMessage of the user postgres. */
export function startup(): Buffer {
  const body = Buffer.concat([int16(3), int16(0), Buffer.from('user\0postgres\0\0')]);
  return Buffer.concat([int32(body.length + 4), body]);
}
