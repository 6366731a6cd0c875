import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';

/**
 * The uses of Node's file system that platform/ and features/ may have, with reasons. Files of the user are written only through
 * vscode.workspace, because they may be on another machine or on no disk, and read only by `readBytes`.
 */
const allowed: Readonly<Record<string, string>> = {
  // Whether an ignore file exists and has changed. It is read through VS Code.
  'src/platform/files/disk.ts': "import { promises, statSync } from 'node:fs';",
  // The text of excluded files, of which there may be tens of thousands. Pipes and links are refused before they are opened.
  'src/platform/excludedContent/readExcluded.ts':
    "import { closeSync, constants, fstatSync, lstatSync, openSync, promises, readSync } from 'node:fs';",
  // Reads a file of this machine, which may be a pipe in its place; others are read through VS Code.
  'src/platform/files/readBytes.ts':
    "import { constants } from 'node:fs';\nimport { open, stat } from 'node:fs/promises';",
  // The other names of a file on this machine. No file is opened.
  'src/platform/files/hardLinks.ts':
    "import type { BigIntStats, Dirent } from 'node:fs';\nimport { lstat, readdir } from 'node:fs/promises';",
  // Whether git could read its list of excluded files. It is not opened.
  'src/platform/git/excludesFile.ts': "import { stat } from 'node:fs/promises';",
  // The target of a link, for a file on this machine: its name decides whether it may leave. Nothing is opened.
  'src/platform/files/links.ts': "import { realpath } from 'node:fs/promises';",
  // Whether a folder has an ignore file, and which of its entries are links. No file is opened.
  'src/platform/files/listings.ts': "import { type Dirent, opendirSync, promises, statSync } from 'node:fs';",
  // The same for the file that an answer names. Nothing is opened.
  'src/features/edits/vscode/placing/answerFile.ts': "import { lstat, realpath } from 'node:fs/promises';",
  // Whether a file on this machine is writable, also by its mode: VS Code reports this only for other file systems.
  'src/features/edits/vscode/target.ts': "import { access, constants, stat } from 'node:fs/promises';",
  // The permissions of a file on this machine, which VS Code cannot set: a deleted script is restored as one. Nothing is opened.
  'src/features/edits/vscode/writing/workspaceFiles.ts': "import { chmod, stat } from 'node:fs/promises';",
  // Whether the home folder exists, in which a credential helper is started. Nothing is opened.
  'src/platform/keys/helper/runHelper.ts': "import { existsSync } from 'node:fs';",
  // The extension's own folders in its global storage.
  'src/features/chat/vscode/history/history.ts': "import { readdir } from 'node:fs/promises';",
};

describe('platform/ and features/', () => {
  it('opens files of the user only through VS Code', () => {
    for (const path of [...globSync('src/{platform,features}/**/*.ts'), 'src/extension.ts']) {
      const file = path.replaceAll('\\', '/');
      const imports = readFileSync(file, 'utf8').match(/^.*(?:node:|')fs(?:\/promises)?'.*$/gm) ?? [];
      assert.deepEqual(imports, allowed[file]?.split('\n') ?? [], file);
    }
  });
});
