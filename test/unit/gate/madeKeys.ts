import { createHash } from 'node:crypto';

/** Bytes that look random, and are the same for the same seed. */
function bytesOf(seed: string, count: number): Buffer {
  const parts = Array.from({ length: Math.ceil(count / 64) }, (_, at) =>
    createHash('sha512').update(`${seed}:${at}`).digest(),
  );
  return Buffer.concat(parts).subarray(0, count);
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** A positive integer of this many bytes. */
function integer(seed: string, count: number): Buffer {
  const bytes = bytesOf(seed, count);
  bytes[0] = (bytes[0] ?? 0) | 0x80;
  return der(2, Buffer.concat([Buffer.from([0]), bytes]));
}

/** The form of an RSA key of 2048 bits, with numbers that make no key: the same for the same seed. */
export function madeKey(type: 'pkcs1' | 'pkcs8', seed: number): string {
  const numbers = [256, 0, 256, 128, 128, 128, 128, 128].map((count, at) =>
    count === 0 ? der(2, Buffer.from([1, 0, 1])) : integer(`${seed}:${at}`, count),
  );
  const key = der(0x30, Buffer.concat([der(2, Buffer.from([0])), ...numbers]));
  const rsa = der(0x30, Buffer.concat([der(6, Buffer.from('2a864886f70d010101', 'hex')), der(5, Buffer.alloc(0))]));
  const whole = type === 'pkcs1' ? key : der(0x30, Buffer.concat([der(2, Buffer.from([0])), rsa, der(4, key)]));
  const label = type === 'pkcs1' ? 'RSA PRIVATE KEY' : 'PRIVATE KEY';
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
