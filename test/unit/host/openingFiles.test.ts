import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';

/** The files of `host/` that open a file of a workspace themselves, and why each may: all others use `sources/`. */
const reasons: Readonly<Record<string, string>> = {
  'src/host/sources/readBytes.ts': 'the one reader',
  'src/host/sources/open.ts': 'opens a document after it is known to be a file',
  'src/host/excludedContent/readExcluded.ts': 'one of very many files, with the same checks',
  'src/host/edits/newFile.ts': 'a file that it has just written',
  'src/host/edits/openUntitled.ts': 'a new document without a file',
  'src/host/edits/shown/proposalTabs.ts': 'the sides of a diff, which are our own documents',
  'src/host/confirm/readOnlyDocument.ts': 'our own document',
  'src/host/audit/auditService.ts': 'a file of the extension',
};

describe('files of a workspace', () => {
  it('are opened where a pipe or a device is refused first', () => {
    const opens =
      /workspace\.fs\.readFile|workspace\.openTextDocument\(|readFileSync|createReadStream|import \{[^}]*\b(?:readFile|open|openSync)\b[^}]*\} from 'node:fs/;
    const found = globSync('src/host/**/*.ts')
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => opens.test(readFileSync(path, 'utf8')));
    assert.deepEqual(found.sort(), Object.keys(reasons).sort());
  });
});
