import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

interface Picture {
  readonly width: number;
  readonly height: number;
  /** Three bytes per pixel, row by row. */
  readonly rgb: Uint8Array;
}

/** The same picture in 256 colors, about a third of the size. A window has few colors, and its edges are gray. */
export function smaller(png: Uint8Array): Uint8Array {
  const picture = decode(Buffer.from(png));
  const colors = palette(picture.rgb);
  return encode(picture, colors, nearest(picture.rgb, colors));
}

/** Reads a PNG of Chromium: 8 bits per channel, not interlaced. Transparency is ignored. */
function decode(png: Buffer): Picture {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const channels = { 2: 3, 6: 4 }[png[25] ?? 0];
  if (!png.subarray(0, 8).equals(signature) || png[24] !== 8 || channels === undefined || png[28] !== 0) {
    throw new Error('This is not a PNG as a browser makes it.');
  }
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') {
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
    }
  }
  const data = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const rgb = new Uint8Array(width * height * 3);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    const row = new Uint8Array(data.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    unfilter(data[y * (stride + 1)] ?? 0, row, above, channels);
    for (let x = 0; x < width; x++) rgb.set(row.subarray(x * channels, x * channels + 3), (y * width + x) * 3);
    above = row;
  }
  return { width, height, rgb };
}

/** https://www.w3.org/TR/png-3/#9Filters */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, channels: number): void {
  for (let i = 0; i < row.length; i++) {
    const a = row[i - channels] ?? 0;
    const b = above[i] ?? 0;
    const c = i < channels ? 0 : (above[i - channels] ?? 0);
    const guess = [0, a, b, (a + b) >> 1, paeth(a, b, c)][filter] ?? 0;
    row[i] = (row[i] ?? 0) + guess;
  }
}

function paeth(a: number, b: number, c: number): number {
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
  if (pa <= pb && pa <= pc) return a;
  return pb <= pc ? b : c;
}

/** The most frequent colors, without those within a few steps of a more frequent one. */
function palette(rgb: Uint8Array): readonly number[] {
  const counts = new Map<number, number>();
  for (let i = 0; i < rgb.length; i += 3) {
    const color = colorAt(rgb, i);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  const frequent = [...counts].sort((one, other) => other[1] - one[1]).map(([color]) => color);
  const chosen: number[] = [];
  for (const color of frequent) {
    if (chosen.length === 256) break;
    if (chosen.length < 16 || chosen.every((other) => distance(color, other) > 48)) chosen.push(color);
  }
  return chosen;
}

function nearest(rgb: Uint8Array, colors: readonly number[]): Uint8Array {
  const known = new Map<number, number>();
  const indexes = new Uint8Array(rgb.length / 3);
  for (let i = 0; i < indexes.length; i++) {
    const color = colorAt(rgb, i * 3);
    let index = known.get(color);
    if (index === undefined) {
      const distances = colors.map((other) => distance(color, other));
      index = distances.indexOf(Math.min(...distances));
      known.set(color, index);
    }
    indexes[i] = index;
  }
  return indexes;
}

function colorAt(rgb: Uint8Array, at: number): number {
  return ((rgb[at] ?? 0) << 16) | ((rgb[at + 1] ?? 0) << 8) | (rgb[at + 2] ?? 0);
}

function distance(one: number, other: number): number {
  const [r, g, b] = [
    (one >> 16) - (other >> 16),
    ((one >> 8) & 255) - ((other >> 8) & 255),
    (one & 255) - (other & 255),
  ];
  return r * r + g * g + b * b;
}

function encode({ width, height }: Picture, colors: readonly number[], indexes: Uint8Array): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(indexes.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colors.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
