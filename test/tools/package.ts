// Builds svc-coder.vsix and checks it against the checked-in list of files and the limit of 1 MB. `--accept` rewrites
// the list.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { withoutHash } from './packaging/contents.ts';
import { listedFiles, writeVsix } from './packaging/vsix.ts';

const vsix = 'svc-coder.vsix';
const listPath = 'test/tools/vsixFiles.txt';
const maximumBytes = 1_000_000;

// The names of chunks contain a hash of their content, and the bundler decides how many chunks of shared code there
// are.
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
