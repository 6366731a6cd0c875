import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { nameless, ofOrganization, waysIn } from '../../tools/waysIn.ts';

const sources = new Map(
  globSync('src/**/*.{ts,tsx}').map((path) => [path.replaceAll('\\', '/'), readFileSync(path, 'utf8')] as const),
);

/** The files that import one of these names in any form, except as types. */
function importersOf(names: readonly string[]): readonly string[] {
  return [...sources]
    .filter(([, text]) =>
      [...text.matchAll(/^(?:import|export) (?:\{([^}]*)\}|\*) ?(?:as \w+ )?from '([^']*)';/gms)].some(
        ([, list = '', from = '']) =>
          list.split(',').some((name) => names.includes(name.trim().replace(/ as .*$/, ''))) ||
          // A whole module: its names cannot be told apart.
          (list === '' && /(?:gate\/content|sources\/\w+)\.ts$/.test(from)),
      ),
    )
    .map(([path]) => path)
    .sort();
}

describe('content of the workspace', () => {
  it('is created only in maker.ts; the store restores earlier content', () => {
    assert.deepEqual(importersOf(['madeContent']), ['src/platform/sources/maker.ts']);
    assert.deepEqual(importersOf(['asMade']), [
      'src/platform/sources/maker.ts',
      'src/store/conversations/conversationShape.ts',
    ]);
    const casts = [...sources].filter(([, text]) =>
      /\bas (?:unknown as )?(?:MadeText|Content|Attachment)\b/.test(text),
    );
    assert.deepEqual(
      casts.map(([path]) => path),
      ['src/gate/content.ts'],
    );
  });

  it('enters only through the listed modules, each of which is tested with content that may not be sent', () => {
    const makers = [
      'makeContent',
      'documentContent',
      'attachRange',
      'attachFile',
      'attachCode',
      'attachWhole',
      'attachNotebook',
      'attachText',
    ];
    const importers = importersOf(makers).filter((path) => !path.startsWith('src/platform/sources/'));
    assert.deepEqual(importers, Object.keys(waysIn).sort());
  });

  it('is joined with our own text only in the listed modules, because joinOf() does not check plain strings', () => {
    assert.deepEqual(importersOf(['joinOf']), [
      'src/features/context/vscode/folderSource.ts',
      'src/features/context/vscode/git/fileDiff.ts',
      'src/features/context/vscode/gitDiff.ts',
      'src/features/edits/vscode/changes/decisions.ts',
      'src/features/edits/vscode/commands/generate.ts',
      'src/features/inline/vscode/inlineCompletions.ts',
      'src/features/tools/vscode/own/rows.ts',
      'src/features/tools/vscode/own/searchText.ts',
      // The number of each line.
      'src/gate/numbered.ts',
      // The lines of a diff, and the text for a file without any.
      'src/gate/unifiedDiff.ts',
      // Marks in place of what is left out.
      'src/send/excludedContent.ts',
      'src/session/conversation/maskedExport.ts',
      'src/session/conversation/summarize.ts',
    ]);
  });

  it('content without a file enters only through the listed modules', () => {
    assert.deepEqual(importersOf(['namelessText']), [...nameless].sort());
    assert.deepEqual(importersOf(['organizationText']), [...ofOrganization]);
  });
});
