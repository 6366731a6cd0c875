import { splitImports } from './placing/imports.ts';
import type { AnswerBlock } from './reading/answer.ts';
import { candidatesFor, isExample, isSameFile } from './reading/candidates.ts';
import { fileInComment } from './reading/fileName.ts';
import { Code } from './text/units.ts';

/**
 * Returns the lines of a new file: the one block of an answer that can be the file, with the imports of another block
 * at its top.
 */
export function newFileLines(
  blocks: readonly AnswerBlock[],
  languageId: string,
  path: string | undefined,
): readonly string[] | 'none' | 'unclear' {
  const { candidates } = candidatesFor(blocks, { languageId, ...(path === undefined ? {} : { file: path }) });
  const code = candidates.filter(({ changes }) => changes === undefined || isAllNew(changes.changes));
  if (candidates.length === 0) return 'none';
  const named = code.filter(({ file }) => file !== undefined && path !== undefined && isSameFile(file, path));
  const all = named.length > 0 ? named : code;
  const imports = all.filter((block) => splitImports(new Code(block.lines, languageId)).rest.length === 0);
  const rest = all.filter((block) => !imports.includes(block));
  const [only, ...more] = rest.length > 1 ? rest.filter((block) => !isExample(block)) : rest;
  if (more.length > 0) return 'unclear';
  if (only === undefined)
    return imports[0] === undefined || imports.length > 1 ? 'unclear' : ended(linesIn(imports[0], path));
  const first = imports.flatMap((block) => linesIn(block, path));
  return ended([...first, ...(first.length > 0 ? [''] : []), ...linesIn(only, path)]);
}

function isAllNew(changes: readonly { readonly old: readonly string[] }[]): boolean {
  return changes.length === 1 && changes[0]?.old.every((line) => line.trim() === '') === true;
}

function linesIn({ lines, changes, file }: AnswerBlock, path: string | undefined): readonly string[] {
  if (changes !== undefined) return changes.changes.flatMap(({ replacement }) => replacement);
  const inside = fileInComment(lines[0] ?? '');
  // A first line that only names the file states where the code goes.
  const isName = inside !== undefined && path !== undefined && inside === file && isSameFile(inside, path);
  return isName ? lines.slice(1) : lines;
}

function ended(lines: readonly string[]): readonly string[] {
  return [...lines, ''];
}
