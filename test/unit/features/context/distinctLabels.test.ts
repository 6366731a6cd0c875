import assert from 'node:assert/strict';
import { distinctLabels } from '../../../../src/features/context/vscode/distinctLabels.ts';

const labels = (...files: readonly (readonly [path: string, label: string])[]): readonly string[] =>
  distinctLabels(files.map(([path, label]) => ({ path, label })));

describe('labels of files in workspace folders', () => {
  it('stay as they are if they differ', () => {
    assert.deepEqual(labels(), []);
    assert.deepEqual(labels(['/w/a/AGENTS.md', 'a/AGENTS.md'], ['/w/..x/AGENTS.md', '..x/AGENTS.md']), [
      'a/AGENTS.md',
      '..x/AGENTS.md',
    ]);
  });

  it('have as many names of the folders above as it takes', () => {
    assert.deepEqual(
      labels(
        ['/w/one/app/AGENTS.md', 'app/AGENTS.md'],
        ['/w/two/app/AGENTS.md', 'app/AGENTS.md'],
        ['/v/two/app/AGENTS.md', 'app/AGENTS.md'],
        ['/w/other/AGENTS.md', 'other/AGENTS.md'],
      ),
      ['one/app/AGENTS.md', 'w/two/app/AGENTS.md', 'v/two/app/AGENTS.md', 'other/AGENTS.md'],
    );
  });

  it('end with the whole path if only the machine differs', () => {
    assert.deepEqual(labels(['/app/AGENTS.md', 'app/AGENTS.md'], ['/app/AGENTS.md', 'app/AGENTS.md']), [
      'app/AGENTS.md',
      'app/AGENTS.md',
    ]);
  });
});
