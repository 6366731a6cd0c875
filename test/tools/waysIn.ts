/**
 * Every file that puts workspace content into a request, and how. A unit test compares the files with the sources, and
 * the suite in the extension host tests each way with each kind of file that may not leave.
 */
export const waysIn = {
  'src/host/context/fileSource.ts': ['attached file', 'attached selection', 'attached notebook', 'dropped file'],
  'src/host/context/currentFile.ts': ['current file'],
  'src/host/context/instructions.ts': ['project instructions'],
  'src/host/context/symbolSource.ts': ['symbol'],
  'src/host/context/openEditors.ts': ['open editors'],
  'src/host/context/problems.ts': ['problems', 'tool get_problems'],
  'src/host/context/folderSource.ts': ['folder listing', 'tool list_files'],
  'src/host/attachments/promptFiles.ts': ['prompt file'],
  'src/host/attachments/question.ts': ['slash command'],
  'src/host/tools/own/readFile.ts': ['tool read_file'],
  'src/host/tools/own/searchText.ts': ['tool search_text'],
  'src/host/tools/own/findSymbols.ts': ['tool find_symbols'],
  // It is used by the attached diff, the tool git_diff, commit messages and reviews of changes.
  'src/host/git/fileDiff.ts': ['git diff'],
  'src/host/review/targets.ts': ['review of a file', 'review of the workspace'],
  'src/host/review/quickFixes.ts': ['explanation of a finding'],
  'src/host/commands/chat.ts': ['explain'],
  'src/host/commands/generate.ts': ['generate'],
  'src/host/commands/edit.ts': ['edit', 'fix of a finding'],
  'src/host/commands/generateTests.ts': ['tests'],
  'src/host/edits/placing/askWholeFile.ts': ['file of unplaced code'],
  'src/host/edits/placing/related.ts': ['related files', 'imported file'],
  'src/host/inlineCompletions/inlineCompletions.ts': ['inline completion'],
  'src/host/participant/question.ts': ['participant file', 'participant location'],
} as const;

export type Way = (typeof waysIn)[keyof typeof waysIn][number];

/** Text without a file: it is scanned as a fragment, and the settings of all folders apply to it. */
export const nameless = [
  'src/host/commands/terminal.ts',
  'src/host/context/terminal.ts',
  'src/host/participant/question.ts',
] as const;
