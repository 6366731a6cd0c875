import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { nameless, waysIn } from '../../tools/waysIn.ts';

const sources = new Map(
  globSync('src/**/*.{ts,tsx}').map((path) => [path.replaceAll('\\', '/'), readFileSync(path, 'utf8')] as const),
);

/** The files that import one of these names, in whatever way, types aside. */
function importersOf(names: readonly string[]): readonly string[] {
  return [...sources]
    .filter(([, text]) =>
      [...text.matchAll(/^(?:import|export) (?:\{([^}]*)\}|\*) ?(?:as \w+ )?from '([^']*)';/gms)].some(
        ([, list = '', from = '']) =>
          list.split(',').some((name) => names.includes(name.trim().replace(/ as .*$/, ''))) ||
          // All of a module at once could not be told apart.
          (list === '' && /(?:gate\/content|sources\/\w+)\.ts$/.test(from)),
      ),
    )
    .map(([path]) => path)
    .sort();
}

describe('content of the workspace', () => {
  it('is made by the maker alone; the store restores what was made before', () => {
    assert.deepEqual(importersOf(['madeContent']), ['src/host/sources/maker.ts']);
    assert.deepEqual(importersOf(['asMade']), [
      'src/host/sources/maker.ts',
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

  it('comes in by the ways that are listed, each of which is tried with what may not leave', () => {
    const makers = ['makeContent', 'documentContent', 'attachRange', 'attachFile', 'attachCode'];
    const importers = importersOf(makers).filter((path) => !path.startsWith('src/host/sources/'));
    assert.deepEqual(importers, Object.keys(waysIn).sort());
  });

  it('is joined with our own words in the places that are listed: a word that is given to joinOf() is not asked about', () => {
    assert.deepEqual(importersOf(['joinOf']), [
      // The lines of a diff, and what is said of a file without any.
      'src/gate/unifiedDiff.ts',
      'src/host/commands/generate.ts',
      'src/host/context/folderSource.ts',
      'src/host/context/gitDiff.ts',
      'src/host/git/fileDiff.ts',
      'src/host/inlineCompletions/inlineCompletions.ts',
      'src/host/tools/rows.ts',
      'src/host/tools/searchText.ts',
    ]);
  });

  it('without a file comes in by the ways that are listed', () => {
    assert.deepEqual(importersOf(['namelessText']), [...nameless].sort());
  });
});
