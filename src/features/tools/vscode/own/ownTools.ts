import type { JsonObject } from '../../../../client/answer/answerShape.ts';
import { deleteFile } from './deleteFile.ts';
import { editFile } from './editFile.ts';
import { findSymbols } from './findSymbols.ts';
import { getProblems } from './getProblems.ts';
import { gitDiff } from './gitDiff.ts';
import { listFiles } from './listFiles.ts';
import { locate } from './place.ts';
import { readFile } from './readFile.ts';
import { renameFile } from './renameFile.ts';
import { runTask } from './runTask.ts';
import { searchText } from './searchText.ts';
import type { OwnTool } from './tool.ts';
import { writeFile } from './writeFile.ts';

/** The extension's own tools that only read, by their names. */
export const readingTools = byName([readFile, listFiles, searchText, findSymbols, getProblems, gitDiff]);

/** All own tools by their names: those that read, those that propose what the user decides about, and one that runs tasks. */
export const ownTools: ReadonlyMap<string, OwnTool> = new Map([
  ...readingTools,
  ...byName([editFile, writeFile, deleteFile, renameFile, runTask]),
]);

function byName(tools: readonly OwnTool[]): ReadonlyMap<string, OwnTool> {
  return new Map(tools.map((tool) => [tool.definition.name, tool]));
}

/** Rejects a path that must not be sent, before the user is asked. Throws a ToolRefusal. */
export async function checkPlace({ path }: JsonObject): Promise<void> {
  if (typeof path === 'string' && !/^(\.\/?)?$/.test(path)) await locate(path);
}
