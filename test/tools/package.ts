// Builds svc-coder.vsix and proves that it holds what it should: the checked-in list of files, and no more than
// 600 kB. `--accept` writes the list anew.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { withoutHash } from './packaging/contents.ts';
import { listedFiles, writeVsix } from './packaging/vsix.ts';

const vsix = 'svc-coder.vsix';
const listPath = 'test/tools/vsixFiles.txt';
const maximumBytes = 600_000;

// The names of chunks carry a hash of what is in them, and how many share code is the bundler's own affair.
const named = (await writeVsix(vsix, listedFiles())).map(withoutHash);
const files = [...new Set(named)].sort();
const list = `${files.join('\n')}\n`;
if (process.argv.includes('--accept')) writeFileSync(listPath, list);
const expected = readFileSync(listPath, 'utf8');
if (list !== expected) {
  const known = new Set(expected.trim().split('\n'));
  const added = files.filter((file) => !known.delete(file));
  throw new Error(`The VSIX differs from ${listPath}. Added: ${added.join(', ')}. Missing: ${[...known].join(', ')}.`);
}
const { size } = statSync(vsix);
if (size > maximumBytes) throw new Error(`${vsix} has ${size} bytes; at most ${maximumBytes} are allowed.`);
console.log(`${vsix}: ${named.length} files, ${(size / 1000).toFixed(0)} kB`);
