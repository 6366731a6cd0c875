import type { JsonObject } from '../../../../client/answer/answerShape.ts';
import { findSymbols } from './findSymbols.ts';
import { getProblems } from './getProblems.ts';
import { gitDiff } from './gitDiff.ts';
import { listFiles } from './listFiles.ts';
import { locate } from './place.ts';
import { readFile } from './readFile.ts';
import { searchText } from './searchText.ts';
import type { OwnTool } from './tool.ts';

/** The extension's own tools by their names. These tools only read. */
export const ownTools: ReadonlyMap<string, OwnTool> = new Map(
  [readFile, listFiles, searchText, findSymbols, getProblems, gitDiff].map((tool) => [tool.definition.name, tool]),
);

/** Rejects a path that must not be sent, before the user is asked. Throws a ToolRefusal. */
export async function checkPlace({ path }: JsonObject): Promise<void> {
  if (typeof path === 'string' && !/^(\.\/?)?$/.test(path)) await locate(path);
}
