import assert from 'node:assert/strict';
import { offerKinds } from '../../../src/features/context/vscode/attachments/kinds.ts';
import { diffSource } from '../../../src/features/context/vscode/gitDiff.ts';
import { gitState } from '../../../src/platform/git/api.ts';
import { isServiceError } from '../../../src/util/errors.ts';

// The git extension keeps repositories that were deleted, and other suites create some.
describe('a workspace without a repository', () => {
  it('offers no diff as an attachment, and shows the reason', async () => {
    assert.deepEqual(await gitState(), { is: 'no-repository' });
    await assert.rejects(
      diffSource('all').read(),
      (error: unknown) => isServiceError(error) && error.code === 'no-repository',
    );
    const offered = (await offerKinds('diff')).map(({ detail, isBlocked }) => [detail, isBlocked]);
    assert.deepEqual(offered, [
      ['no Git repository', true],
      ['no Git repository', true],
    ]);
  });
});
