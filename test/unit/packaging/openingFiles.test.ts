import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';

/** The files of `platform/` and `features/` that open a file of a workspace themselves, and why each may: all others use `platform/sources/`. */
const reasons: Readonly<Record<string, string>> = {
  'src/platform/files/readBytes.ts': 'the one reader',
  'src/platform/sources/open.ts': 'opens a document after it is known to be a file',
  'src/platform/excludedContent/readExcluded.ts': 'one of very many files, with the same checks',
  'src/features/edits/vscode/writing/newFile.ts': 'a file that it has just written',
  'src/features/edits/vscode/writing/openUntitled.ts': 'a new document without a file',
  'src/features/edits/vscode/shown/proposalTabs.ts': 'the sides of a diff, which are our own documents',
  'src/platform/confirm/readOnlyDocument.ts': 'our own document',
  'src/features/audit/vscode/auditService.ts': 'a file of the extension',
};

describe('files of a workspace', () => {
  it('are opened where a pipe or a device is refused first', () => {
    const opens =
      /workspace\.fs\.readFile|workspace\.openTextDocument\(|readFileSync|createReadStream|import \{[^}]*\b(?:readFile|open|openSync)\b[^}]*\} from 'node:fs/;
    const found = globSync('src/{platform,features}/**/*.ts')
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => opens.test(readFileSync(path, 'utf8')));
    assert.deepEqual(found.sort(), Object.keys(reasons).sort());
  });
});
