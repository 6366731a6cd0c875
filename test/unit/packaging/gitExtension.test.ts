import assert from 'node:assert/strict';
import { isOfGitExtension } from '../../integration/gitExtension.ts';

describe('an error that no test of an extension host has caught', () => {
  const error = (...frames: readonly string[]): Error =>
    Object.assign(new Error('write EPIPE'), {
      stack: ['Error: write EPIPE', ...frames.map((frame) => `    at ${frame}`)].join('\n'),
    });
  const ofNode = 'afterWriteDispatched (node:internal/stream_base_commons:159:15)';
  const ofGit = 'ar.run (.vscode-test/1.139.1/node_modules/code-server/lib/vscode/extensions/git/dist/main.js:66:1561)';

  it('is that of the Git extension if all of its stack is', () => {
    assert.ok(isOfGitExtension(error(ofNode, ofGit, 'new Promise (<anonymous>)')));
    assert.ok(isOfGitExtension(error('C:\\vscode\\extensions\\git\\dist\\main.js:1:1')));
  });

  it('is ours if any of it is, or if it has no stack', () => {
    assert.ok(!isOfGitExtension(error(ofGit, 'send (/home/mia/.vscode/extensions/svc/dist/host/chunk.js:1:1)')));
    assert.ok(
      !isOfGitExtension(error(ofNode, 'send (file:///home/mia/svc/test/integration/suite/stage.ts:1:1)', ofGit)),
    );
    assert.ok(!isOfGitExtension(error(ofNode)));
    assert.ok(!isOfGitExtension(Object.assign(new Error('write EPIPE'), { stack: undefined })));
  });
});
