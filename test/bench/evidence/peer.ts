// The peer of a verification, in a process of its own: reads the files and hashes each line. Less is not possible.
// Prints the seconds of processor time.
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../../src/evidence/sha256.ts';

const [folder = ''] = process.argv.slice(2);
const before = process.cpuUsage();
for (const { parentPath, name } of readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
  entry.isFile(),
)) {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(join(parentPath, name), { highWaterMark: 262_144 })) {
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    let start = 0;
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, start)) {
      sha256(bytes.subarray(start, at));
      start = at + 1;
    }
    rest = bytes.subarray(start);
  }
}
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1e6);
