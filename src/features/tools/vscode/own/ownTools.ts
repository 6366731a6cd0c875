import type { JsonObject } from '../../../../client/answer/answerShape.ts';
import { ownText } from '../../../../session/tools/ownText.ts';
import type { ToolOutput } from '../../../../session/tools/toolStep.ts';
import { diffSource } from '../../../context/vscode/gitDiff.ts';
import { type ToolName, toolInputs } from '../definitions.ts';
import { findSymbols } from './findSymbols.ts';
import { getProblems } from './getProblems.ts';
import { listFiles } from './listFiles.ts';
import { locate } from './place.ts';
import { readFile } from './readFile.ts';
import { searchText } from './searchText.ts';

/** Runs one of our tools with a validated input. The tools only read. */
export async function runOwnTool(name: ToolName, input: JsonObject, signal: AbortSignal): Promise<ToolOutput> {
  switch (name) {
    case 'read_file':
      return readFile(toolInputs.read_file.parse(input));
    case 'list_files':
      return listFiles(toolInputs.list_files.parse(input));
    case 'search_text':
      return searchText(toolInputs.search_text.parse(input), signal);
    case 'find_symbols':
      return findSymbols(toolInputs.find_symbols.parse(input));
    case 'get_problems':
      return getProblems(toolInputs.get_problems.parse(input));
    case 'git_diff': {
      const { staged } = toolInputs.git_diff.parse(input);
      const { attachments } = await diffSource(staged === true ? 'staged' : 'all').read();
      return { text: ownText``, attachments };
    }
  }
}

/** Rejects a path that may not leave, before the user is asked. Throws a ToolRefusal. */
export async function checkPlace({ path }: JsonObject): Promise<void> {
  if (typeof path === 'string' && !/^(\.\/?)?$/.test(path)) await locate(path);
}
