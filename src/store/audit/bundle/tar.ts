import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

export interface TarEntry {
  /** The name of the file, with `/` between folders; at most 100 bytes of ASCII. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const block = 512;

/** Returns a tar file (POSIX.1-1988, ustar), packed with gzip, of entries that are read one after another. */
export async function tarGz(entries: AsyncIterable<TarEntry>, time: Date): Promise<Buffer> {
  const gzip = createGzip();
  const packed = buffer(gzip);
  await pipeline(Readable.from(blocksOf(entries, time)), gzip);
  return packed;
}

async function* blocksOf(entries: AsyncIterable<TarEntry>, time: Date): AsyncGenerator<Uint8Array> {
  for await (const { name, bytes } of entries) {
    yield headerOf(name, bytes.length, time);
    yield bytes;
    yield Buffer.alloc((block - (bytes.length % block)) % block);
  }
  yield Buffer.alloc(2 * block);
}

function headerOf(name: string, size: number, time: Date): Buffer {
  if (Buffer.byteLength(name) > 100) throw new RangeError('The name is too long for a tar file.');
  const header = Buffer.alloc(block);
  header.write(name, 0);
  header.write(octal(0o644, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(Math.floor(time.getTime() / 1000), 12), 136);
  header.write('        0', 148);
  header.write('ustar\0', 257);
  header.write('00', 263);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 7)} `, 148);
  return header;
}

/** The value in octal with `length` characters, the last of which is NUL. */
function octal(value: number, length: number): string {
  const digits = value.toString(8).padStart(length - 1, '0');
  if (digits.length > length - 1) throw new RangeError('The file is too large for a tar file.');
  return `${digits}\0`;
}
