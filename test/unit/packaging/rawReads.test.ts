import assert from 'node:assert/strict';
import { readSources } from '../../tools/rooms.ts';

/** Ways to read text that the maker has not checked. */
const rawRead =
  /\bfs\.readFile\b|\bfs\b[^;=]*\} = vscode\.workspace\b|\bopenTextDocument\b|\bopenNotebookDocument\b|\bcreateReadStream\b|\breadBytes\b|\bopenDocument\b|\bopenSync\b|from 'node:(fs|fs\/promises|child_process)'/;

/** The files that may do so, with the reason. None of them makes a request, and no tool is among them. */
const allowed: Readonly<Record<string, string>> = {
  'client/transport/certificates.ts': 'certificates that the settings name',
  'host/audit/auditService.ts': 'verify.mjs of the extension, for an export',
  'host/commands/generateTests.ts': 'opens a test file that exists; the maker makes what is sent',
  'host/config/settingsFiles.ts': 'settings files, for the policy',
  'host/confirm/readOnlyDocument.ts': 'opens our own pages',
  'host/edits/newFile.ts': 'opens a file that it has just written',
  'host/edits/openUntitled.ts': 'creates a document with accepted code',
  'host/edits/placing/answerFile.ts': 'resolves links of a target; reads no file',
  'host/edits/placing/notebookCells.ts': 'opens the notebook that is the target of an edit',
  'host/edits/shown/proposalTabs.ts': 'opens the sides of a diff',
  'host/edits/target.ts': 'opens the target of an edit; the maker makes what is sent',
  'host/edits/applyAll.ts': 'opens the targets of edits',
  'host/edits/useCode.ts': 'opens the target of an edit',
  'host/excludedContent/readExcluded.ts': 'excluded files, of which only hashes are kept',
  'host/git/excludesFile.ts': 'whether the file of rules is a file; reads no file',
  'host/git/versionText.ts': 'versions of files; called inside the maker',
  'host/history/history.ts': 'lists conversations',
  'host/review/targets.ts': 'called inside the maker',
  'host/sources/disk.ts': 'ignore files',
  'host/sources/hardLinks.ts': 'the other names of a file; reads no file',
  'host/sources/links.ts': 'resolves links; reads no file',
  'host/sources/listings.ts': 'lists folders; reads no file',
  'host/sources/open.ts': 'what the maker reads',
  'host/sources/readBytes.ts': 'reads a file of the workspace, for the maker',
  'util/git/childOutput.ts': 'the output of git',
  'util/git/startGit.ts': 'starts git; the maker makes content of its output',
};

/** The store reads its own files; the verifier is a program of its own. */
const others = /^(store|evidence)\//;

function rawReads(sources: ReadonlyMap<string, string>): readonly string[] {
  return [...sources].filter(([path, text]) => !others.test(path) && rawRead.test(text)).map(([path]) => path);
}

describe('text of the workspace', () => {
  it('is read only in files of a list, each with its reason', () => {
    assert.deepEqual([...rawReads(readSources('src'))].sort(), Object.keys(allowed).sort());
  });

  it('that a tool reads itself is found', () => {
    const planted = [
      'await vscode.workspace.fs.readFile(uri);',
      'const { fs } = vscode.workspace; const { readFile } = fs; await readFile(uri);',
      'await vscode.workspace.openTextDocument(uri);',
      'await readBytes(uri, 1_000);',
      'await openDocument(uri);',
      "import { promises } from 'node:fs';",
      "import { readFile } from 'node:fs/promises';",
      "import { execFile } from 'node:child_process';",
    ];
    const found = planted.filter((text) => rawReads(new Map([['host/tools/own/planted.ts', text]])).length === 1);
    assert.deepEqual(found, planted);
  });
});
