import { createReadStream } from 'node:fs';

/** The longest line that is read into memory; no line of ours is longer. */
const maxLine = 64 * 1024;

/** The lines of a file as bytes, without their end of line; the rest after the last one is not among them. */
export async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: 128 * 1024 }) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, from)) {
      yield bytes.subarray(from, end);
      from = end + 1;
    }
    rest = bytes.subarray(from);
    if (rest.length > maxLine) return;
  }
}
