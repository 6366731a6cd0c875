import assert from 'node:assert/strict';
import { deflateSync, inflateSync } from 'node:zlib';
import { smaller } from '../../tools/screenshots/png.ts';

const width = 5;
/** Five rows of gray values, one for each filter type of PNG. */
const rows = [
  [10, 20, 30, 40, 50],
  [10, 20, 30, 40, 50],
  [200, 0, 200, 0, 200],
  [7, 90, 180, 255, 0],
  [255, 255, 1, 128, 64],
];

function part(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, data, Buffer.alloc(4)]);
}

/** The rows as RGB, the first unfiltered, the others as differences to the previous and the upper pixel. */
function written(): Buffer {
  const lines = rows.map((row, filter) => {
    const bytes = row.flatMap((value) => [value, value, value]);
    const above = (rows[filter - 1] ?? row.map(() => 0)).flatMap((value) => [value, value, value]);
    const filtered = bytes.map((value, i) => {
      const [a, b, c] = [bytes[i - 3] ?? 0, above[i] ?? 0, i < 3 ? 0 : (above[i - 3] ?? 0)];
      const near = [a, b, c].toSorted((x, y) => Math.abs(a + b - c - x) - Math.abs(a + b - c - y))[0] ?? 0;
      return value - ([0, a, b, Math.floor((a + b) / 2), near][filter] ?? 0);
    });
    return Buffer.from([filter, ...filtered.map((value) => value & 255)]);
  });
  const header = Buffer.from([0, 0, 0, width, 0, 0, 0, rows.length, 8, 2, 0, 0, 0]);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, part('IHDR', header), part('IDAT', deflateSync(Buffer.concat(lines)))]);
}

describe('a picture in 256 colors', () => {
  it('has the same pixels as before', () => {
    const png = Buffer.from(smaller(written()));
    const found = (type: string): Buffer => {
      const at = png.indexOf(type, 0, 'latin1');
      return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
    };
    assert.deepEqual([...found('IHDR')], [0, 0, 0, width, 0, 0, 0, rows.length, 8, 3, 0, 0, 0]);
    const colors = found('PLTE');
    const pixels = inflateSync(found('IDAT'));
    const shown = rows.map((row, y) => row.map((_, x) => colors[(pixels[y * (width + 1) + 1 + x] ?? 0) * 3]));
    assert.deepEqual(shown, rows);
  });

  it('accepts only a browser’s PNG', () => {
    assert.throws(() => smaller(Buffer.from('GIF89a'.padEnd(64))), /no|not a PNG/);
  });
});
