/**
 * Every file that puts workspace content into a request, and how. A unit test compares the files with the sources, and
 * the suite in the extension host tests each way with each kind of file that may not be sent.
 */
export const waysIn = {
  'src/features/context/vscode/fileSource.ts': [
    'attached file',
    'attached selection',
    'attached notebook',
    'dropped file',
  ],
  'src/features/context/vscode/currentFile.ts': ['current file'],
  'src/features/context/vscode/instructions.ts': ['project instructions'],
  'src/features/context/vscode/symbolSource.ts': ['symbol'],
  'src/features/context/vscode/openEditors.ts': ['open editors'],
  'src/features/context/vscode/problems.ts': ['problems', 'tool get_problems'],
  'src/features/context/vscode/folderSource.ts': ['folder listing', 'tool list_files'],
  'src/features/context/vscode/attachments/promptFiles.ts': ['prompt file'],
  'src/features/context/vscode/attachments/question.ts': ['slash command'],
  'src/features/tools/vscode/own/readFile.ts': ['tool read_file'],
  'src/features/edits/vscode/changes/proposedChanges.ts': ['tool edit_file'],
  'src/features/edits/vscode/changes/decisions.ts': ['decisions on changes', 'names of decided files'],
  'src/features/tools/vscode/own/searchText.ts': ['tool search_text'],
  'src/features/tools/vscode/own/proposedRows.ts': ['names of proposed files'],
  'src/features/tools/vscode/own/findSymbols.ts': ['tool find_symbols'],
  // It is used by the attached diff, the tool git_diff, commit messages and reviews of changes.
  'src/features/context/vscode/git/fileDiff.ts': ['git diff'],
  'src/features/review/vscode/targets.ts': ['review of a file', 'review of the workspace'],
  'src/features/review/vscode/quickFixes.ts': ['explanation of a finding'],
  'src/features/chat/vscode/commands/chat.ts': ['explain'],
  'src/features/edits/vscode/commands/generate.ts': ['generate'],
  'src/features/edits/vscode/commands/edit.ts': ['edit', 'fix of a finding'],
  'src/features/edits/vscode/commands/generateTests.ts': ['tests'],
  'src/features/edits/vscode/placing/askWholeFile.ts': ['file of unplaced code'],
  'src/features/edits/vscode/placing/related.ts': ['related files', 'imported file'],
  'src/features/inline/vscode/inlineCompletions.ts': ['inline completion'],
  'src/features/vscodeChat/vscode/participant/question.ts': ['participant file', 'participant location'],
} as const;

export type Way = (typeof waysIn)[keyof typeof waysIn][number];

/** The organization's instructions: no file of a workspace, and the settings of no folder apply because of them. */
export const ofOrganization = ['src/features/context/vscode/instructions.ts'] as const;

/** Text without a file: it is scanned as a fragment, and the settings of all folders apply to it. */
export const nameless = [
  'src/features/chat/vscode/commands/terminal.ts',
  'src/features/context/vscode/terminal.ts',
  'src/features/vscodeChat/vscode/participant/question.ts',
] as const;
