import { newCodeIn } from '../../../src/edits/placing/placeNew.ts';
import { fileText } from '../../../src/edits/placing/region.ts';
import { Code } from '../../../src/edits/text/units.ts';
import { called, type Readers, text } from './reader.ts';

const fence = ['```a\n', '~~~', '    ```\n', '> ```\n', '- ```\n', '`````', '```ts title="a.ts"\n', '**`a.ts`**:\n'];
const code = [
  'function a() {\n',
  '}\n',
  '  return a;\n',
  '// ... existing code ...\n',
  'import { a } from "a";\n',
  '/** a\n',
  ' */\n',
  '@a(\n',
  '`${a',
  '"""\n',
  '/[',
];
const changes = [
  '<<<<<<< SEARCH\n',
  '=======\n',
  '>>>>>>> REPLACE\n',
  '@@ -1 +1 @@\n',
  '--- a\n+++ b\n',
  '-a\n',
  '+b\n',
  '<old>\n',
  '</old>\n',
];
const thinking = ['<think>', '</think>\n', '<thinking>\n', '</reasoning>'];
const names = ['a/b.ts', ':10-20', 'title="', '`a.ts`', '**', '### '];
const languages = ['typescript', 'python', 'yaml', 'sql', 'csharp', 'go'];
const half = (given: string): readonly [readonly string[], readonly string[]] => {
  const lines = given.split('\n');
  return [lines.slice(0, lines.length / 2), lines.slice(lines.length / 2)];
};
const inEach = (read: (lines: readonly string[], languageId: string) => unknown, given: string): unknown =>
  languages.map((languageId) => read(given.slice(0, given.length / languages.length).split('\n'), languageId));
const regionOf = (lines: readonly string[]) => ({ start: 0, end: lines.length, isAsked: true });

/** The room `edits`. */
export const edits: Readers = {
  'edits/newFile.ts': {
    newFileLines: called(
      (read, given) => read([{ language: 'ts', lines: given.split('\n'), intro: given }], 'typescript', 'a.ts'),
      ...code,
    ),
  },
  'edits/begunLine.ts': {
    begunLineAt: called(
      (read, given) => read(given.split('\n'), 'typescript', { line: 0, character: given.length }),
      ...code,
    ),
    completedLines: called(
      (read, given) => read(given.split('\n'), 'typescript', { before: `  a = ${given.slice(0, 200)}`, rest: ');' }),
      ...code,
    ),
  },
  'edits/importedPaths.ts': {
    supportsImports: text('typescript'),
    importedPaths: called(
      (read, given) =>
        ['typescript', 'python', 'java', 'go', 'csharp'].map((languageId) =>
          read(given.split('\n'), languageId, `${'a/'.repeat(60)}c.x`, 'a example.com/a'),
        ),
      ...['import ', 'from ', '.', "'./", '/', 'require(', '\n', 'package a.b', 'using A.', '"example.com/a/', ';'],
      ...['a.', 'a,', 'from a import b,', '\nfrom a.b import '],
    ),
  },
  'edits/block.ts': {
    blockAt: called(
      (read, given) => {
        const lines = given.split('\n');
        return ['typescript', 'python', 'plaintext'].map((languageId) => read(lines, languageId, lines.length >> 1));
      },
      ...code,
    ),
  },
  'edits/enclosing.ts': {
    enclosingOf: called((read, given) => read(given.split('\n'), 'typescript', { start: 1, end: 2 }), ...code),
  },
  'edits/keptAsides.ts': {
    startFor: called(
      (read, given) => {
        const [file, own] = half(given);
        return read(new Code(file, 'typescript'), { start: 0, end: file.length, head: 1 }, own);
      },
      ...code,
    ),
    headOf: called((read, given) => read(given.split('\n'), 'typescript', { start: 0, end: 9_999 }), ...code),
  },
  'edits/placing/anchored.ts': {
    anchoredPatch: called(
      (read, given) => {
        const [file, own] = half(given);
        return read(fileText(file, 'typescript'), regionOf(file), own);
      },
      ...code,
    ),
  },
  'edits/placing/asides.ts': {
    mergedAsides: called((read, given) => read(...half(given), 'typescript'), '/** a */\n', '@a\n', '// a\n'),
  },
  'edits/placing/elision.ts': {
    isElision: text('// ...', '...', 'existing', ' rest of ', '/* ', ' */'),
    holdsElision: text('// ...', '{ ... }', ' existing', '/* ', ' */'),
  },
  'edits/placing/exactFit.ts': {
    exactFit: called(
      (read, given) => {
        const [file, own] = half(given);
        return read(file, { old: own, replacement: file });
      },
      ...code,
      'a\n',
      '  a\n',
    ),
    mayStandAt: called(
      (read, given) => read(given, given.length >> 1, { old: given.slice(given.length >> 1), now: given }),
      'a\n',
      '  ',
    ),
    shiftOf: called((read, given) => read(...half(given)), '  a\n', '\ta\n'),
    plain: text('\u201c', '\u00a0', '\u2014'),
  },
  'edits/placing/matchEdit.ts': {
    matchEdit: called(
      (read, given) => {
        const [file, own] = half(given);
        const edit = { old: own.join('\n'), now: given };
        return ['typescript', 'python'].map((id) => [
          read(file, edit, id),
          read(file, { ...edit, isForAll: true }, id),
        ]);
      },
      ...code,
      'a\n',
      '  a\n',
      '‘a’ – b\n',
    ),
  },
  'edits/placing/nearest.ts': {
    nearest: called((read, given) => read(...half(given)), 'a\n', '  b\n', '}\n'),
  },
  'edits/placing/indent.ts': {
    indentedLike: called(
      (read, given) => {
        const [own, old] = half(given);
        return read(own, old, { languageId: 'typescript', step: '  ', indent: '' });
      },
      ...code,
    ),
  },
  'edits/placing/importOrder.ts': {
    keyOf: called(
      (read, given) => languages.map((id) => read(given.split('\n'), id)),
      'from a import b\n',
      'using System.\n',
      '"',
    ),
  },
  'edits/placing/importStatement.ts': {
    familyOf: text(),
    parsed: called(
      (read, given) => read(given.split('\n'), 'typescript'),
      "import { a } from 'b';\n",
      'import ',
      '{',
      '}',
    ),
    withNames: called((read, given) => read(given.split('\n'), ['c']), "import { a } from 'b';\n", '{\n', '}', ',\n'),
  },
  'edits/placing/imports.ts': {
    namedImports: called((read, given) => read(given.split('\n'), 'go'), '"fmt"\n', 'import "a"\n'),
  },
  'edits/placing/placeHeader.ts': {
    placeHeader: called(
      (read, given) => {
        const [file, own] = half(given);
        const block = { language: 'ts', intro: `Add this at the top of the file: ${given}`, lines: own };
        return read(fileText(file, 'typescript'), regionOf(file), block, own);
      },
      ...code,
      'at the end of the file ',
    ),
  },
  'edits/placing/occurrences.ts': { occurrences: called((read, given) => read(...half(given)), 'a\n', 'b\n') },
  'edits/placing/placeCode.ts': {
    placeCode: called(
      (read, given) => {
        const [file, own] = half(given);
        return read(fileText(file, 'typescript'), regionOf(file), own);
      },
      ...code,
    ),
  },
  'edits/placing/separators.ts': {
    withComma: called((read, given) => read(...half(given)), ',\n', 'a'),
    withSeparators: called(
      (read, given) => {
        const lines = given.split('\n');
        return read(lines, [{ start: 0, end: lines.length, lines }], 'json');
      },
      ...['"a"', '"\\"', ',\n', '\n', ' ', '{\n', ']', '// a\n'],
    ),
  },
  'edits/placing/changesIn.ts': {
    changesIn: called(
      (read, given) => {
        const [file, lines] = half(given);
        return read(file, { start: 0, end: file.length, lines });
      },
      'a\n',
      '}\n',
    ),
  },
  'edits/placing/packageComment.ts': {
    packageComment: called(
      (read, given) => {
        const [file, own] = half(given);
        return read(fileText(file, 'go'), regionOf(file), own);
      },
      'package a\n',
      '// a\n',
      ...code,
    ),
  },
  'edits/placing/placeNew.ts': {
    namedPlace: text('after the ', 'after `a` ', 'end of ', '`', '('),
    newCodeIn: called(
      (read, given) => {
        const [file, own] = half(given);
        return read(fileText(file, 'typescript'), own);
      },
      ...code,
    ),
    placeBeside: called(
      (read, given) => {
        const [file, own] = half(given);
        return read(fileText(file, 'typescript'), regionOf(file), 'Add this after `a`:', own);
      },
      ...code,
      'class a {\n',
    ),
    placeInside: called(
      (read, given) => {
        const [lines, own] = half(given);
        const file = fileText([...lines, 'class A {', '  a() {}', '}'], 'typescript');
        const newCode = newCodeIn(file, [...own, 'b() {', '}']);
        return newCode === null ? null : read(file, { ...regionOf(lines), isAsked: false }, `to the ${given}`, newCode);
      },
      'to the ',
      '`A` ',
      'class ',
      ...code,
    ),
    placeAtEnd: called(
      (read, given) => {
        const [file, own] = half(given);
        return read(fileText(file, 'java'), regionOf(file), own);
      },
      ...code,
      'class a {\n',
      'void b() {}\n',
    ),
  },
  'edits/placing/placeInsert.ts': {
    placeInsert: called(
      (read, given) => {
        const [file, own] = half(given);
        return read(fileText(file, 'typescript'), { start: 1, end: 1, indent: '' }, own);
      },
      ...code,
    ),
  },
  'edits/placing/region.ts': {
    fileText: called(inEach, ...code),
    countText: called((read, given) => read(given.split('\n'))),
  },
  'edits/placing/renamed.ts': { isRenaming: called((read, given) => read(...half(given))) },
  'edits/placing/whole.ts': {
    isFramed: called((read, given) => read(...half(given))),
    wholePatch: called(
      (read, given) => {
        const [file, own] = half(given);
        return read(fileText(file, 'typescript'), regionOf(file), own);
      },
      ...code,
    ),
    isShort: called((read, given) => read(...half(given))),
  },
  'edits/reading/answer.ts': {
    readAnswer: text(...fence, ...changes, ...thinking, ...code),
    isProse: called((read, given) => read(given.split('\n')), 'One two three four.\n', 'a, '),
    withTexts: called((read, given) => read([{ language: '', intro: '', lines: [] }], [given])),
  },
  'edits/reading/candidates.ts': {
    languageIdOf: text('ts', 'bash'),
    candidatesFor: called(
      (read, given) => {
        const blocks = given.split('\n').map((line) => ({ language: line, lines: [line], intro: line, file: line }));
        return read(blocks, { languageId: 'typescript', file: 'a.ts' });
      },
      ...names,
    ),
    isSameFile: called((read, given) => read(given, given.slice(1)), ...names),
  },
  'edits/reading/cells.ts': { readCells: text('[cell 1, python]\n', '# [output of cell 1]\n', ...fence) },
  'edits/reading/changes.ts': {
    hasSearch: called((read, given) => read(given.split('\n')), ...changes),
    beginsSearch: called((read, given) => read(given.split('\n')), ...changes),
    readSearch: called((read, given) => read(given.split('\n'), () => undefined), ...changes),
    readTagged: called((read, given) => read(given.split('\n')), ...changes, '<search>\n', '</search>\n'),
    isDiff: called((read, given) => read(given.split('\n'), 'ts'), ...changes),
    readDiff: called((read, given) => read(given.split('\n')), ...changes),
  },
  'edits/reading/fileName.ts': {
    readFenceInfo: text(...names, 'ts '),
    cleanFile: text(...names),
    isPath: text(...names),
    fileInHeading: text(...names),
    fileInComment: text('// ', ...names),
    filesIn: text('a.ts:1 ', ...names),
  },
  'edits/reading/soFar.ts': { codesSoFar: called((read, given) => read(given, 2), ...fence, ...thinking) },
  'edits/reading/lineNumbers.ts': {
    withoutLineNumbers: called((read, given) => read(given.split('\n')), '1| ', '\n2| ', ' '),
  },
  'edits/reading/thinking.ts': { withoutThinking: text(...thinking, ...fence) },
  'edits/text/directives.ts': { isDirective: text('#if', ' ', '#endif') },
  'edits/text/lines.ts': {
    indentOf: text(' ', '\t'),
    isBlank: text(' '),
    trimLines: called((read, given) => read(given.split('\n')), '\n', ' '),
    isDistinctive: text('{'),
  },
  'edits/text/names.ts': {
    nameOf: called(
      (read, given) => [...languages, 'java'].map((languageId) => read(given, languageId, 'members')),
      'public ',
      'a<',
      'b.',
      '(',
      'create ',
    ),
  },
  'edits/text/header.ts': {
    headerEnd: called((read, given) => read(given.split('\n')), '/* a */\n', '// (c) 1\n', '# -- ;', '<!-- '),
  },
  'edits/text/owner.ts': {
    ownerOf: called((read, given) => read(given.split('\n'), 'typescript', { start: 1, end: 2 })),
  },
  'edits/text/scan.ts': {
    scan: called((read, given) => read(given.split('\n'), new Code([], 'typescript').language), ...code),
  },
  'edits/text/asideLines.ts': {
    isAsideLine: called((read, given) => read(given, 'typescript'), '@a(', '// '),
    isDecorator: called((read, given) => read(given, 'csharp'), '[A(', '] '),
    afterDecorators: called((read, given) => read(given, 'typescript'), '@a(', ') '),
    isCommentLine: called((read, given) => read(given, 'sql'), '-- ', '/*'),
  },
  'edits/placing/applied.ts': {
    applied: called((read, given) => read(given.split('\n'), [{ start: 0, end: 1, lines: given.split('\n') }])),
  },
};
