import assert from 'node:assert/strict';
import { readSources } from '../../tools/rooms.ts';

/** Ways to read text that the maker has not checked. */
const rawRead =
  /\bfs\.readFile\b|\bfs\b[^;=]*\} = vscode\.workspace\b|\bopenTextDocument\b|\bopenNotebookDocument\b|\bcreateReadStream\b|\breadBytes\b|\bopenDocument\b|\bopenSync\b|from 'node:(fs|fs\/promises|child_process)'/;

/** The files that may do so, with the reason. None of them makes a request, and no tool is among them. */
const allowed: Readonly<Record<string, string>> = {
  'client/transport/certificates.ts': 'certificates that the settings name',
  'features/audit/vscode/auditService.ts': 'verify.mjs of the extension, for an export',
  'features/edits/vscode/commands/generateTests.ts': 'opens a test file that exists; the maker makes what is sent',
  'platform/settings/settingsFiles.ts': 'settings files, for the policy',
  'platform/confirm/readOnlyDocument.ts': 'opens our own pages',
  'features/edits/vscode/writing/newFile.ts': 'opens a file that it has just written',
  'features/edits/vscode/writing/openUntitled.ts': 'creates a document with accepted code',
  'features/edits/vscode/placing/answerFile.ts': 'resolves links of a target; reads no file',
  'features/edits/vscode/placing/notebookCells.ts': 'opens the notebook that is the target of an edit',
  'features/edits/vscode/shown/proposalTabs.ts': 'opens the sides of a diff',
  'features/edits/vscode/writing/targetFile.ts': 'shows a file that it has just written',
  'features/edits/vscode/writing/workspaceFiles.ts': 'keeps and writes the files of accepted changes',
  'features/edits/vscode/target.ts': 'opens the target of an edit; the maker makes what is sent',
  'features/edits/vscode/applyAll.ts': 'opens the targets of edits',
  'features/edits/vscode/useCode.ts': 'opens the target of an edit',
  'platform/excludedContent/readExcluded.ts': 'excluded files, of which only hashes are kept',
  'platform/git/excludesFile.ts': 'whether the file of rules is a file; reads no file',
  'platform/git/versionText.ts': 'versions of files; called inside the maker',
  'features/chat/vscode/history/history.ts': 'lists conversations',
  'features/tools/node/taskProcess.ts': 'runs a task that the user has allowed; the maker makes content of its output',
  'features/tools/vscode/tasks/findTask.ts': 'tasks.json, of which nothing is sent',
  'features/review/vscode/targets.ts': 'called inside the maker',
  'platform/files/disk.ts': 'ignore files',
  'platform/files/hardLinks.ts': 'the other names of a file; reads no file',
  'platform/files/links.ts': 'resolves links; reads no file',
  'platform/files/listings.ts': 'lists folders; reads no file',
  'platform/sources/open.ts': 'what the maker reads',
  'platform/files/readBytes.ts': 'reads a file of the workspace, for the maker',
  'platform/keys/helper/runHelper.ts':
    'starts a credential helper, whose output is a key; no request has any of it but the key',
  'util/git/childOutput.ts': 'the output of git',
  'util/git/startGit.ts': 'starts git; the maker makes content of its output',
  'util/processTree.ts': 'lists and ends processes; reads no file',
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

  it('text that a tool reads itself is found', () => {
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
    const found = planted.filter(
      (text) => rawReads(new Map([['features/tools/vscode/own/planted.ts', text]])).length === 1,
    );
    assert.deepEqual(found, planted);
  });
});
