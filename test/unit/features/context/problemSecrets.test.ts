import assert from 'node:assert/strict';
import type { ContextSource } from '../../../../src/features/context/vscode/source.ts';
import { maskText, scanText } from '../../../../src/gate/secrets/scanner.ts';
import { maskedIn } from '../../../../src/platform/sources/scans.ts';
import { MemoryWorkspace, moduleIn } from '../../platform/excludedContent/stage.ts';
import { Uri } from '../../platform/excludedContent/vscodeFiles.ts';

// Assembled here so that nothing in this file looks like a secret.
const value = ['q7Rt2mZx', '9LbV4kWp', '8NcY3hJd'].join('');
const text = `const password = '${value}';\nif (password === 'x') throw 0;\n`;
const message = `The types '"${value}"' and '"x"' have no overlap.`;

class Workspace extends MemoryWorkspace {
  readonly problems = [message];
}

describe('a message that quotes a secret without its name', () => {
  it('has it masked in the problems of a file', async () => {
    const workspace = new Workspace();
    workspace.files.set('/one/a.ts', text);
    const { problemsSource } = await moduleIn<{ problemsSource: (uri: Uri) => ContextSource }>(
      workspace,
      'src/features/context/vscode/problems.ts',
    );
    const { attachments } = await problemsSource(new Uri('memory', '/one/a.ts')).read();
    const problems = attachments[0] ?? assert.fail();
    assert.ok(problems.text.includes(value));
    const sent = await maskText(problems.text, await scanText(problems.text, { known: problems.marks ?? [] }));
    assert.match(sent, /^a\.ts:1:1 .*The types '"\[masked: generic-secret \w+\]"' and '"x"' have no overlap\./);
  });

  it('has it masked in a request to fix it', async () => {
    const masked = await maskedIn(text, `Fix this: ${message}`);
    assert.match(masked, /^Fix this: The types '"\[masked: generic-secret \w+\]"' and '"x"' have no overlap\.$/);
    assert.equal(await maskedIn('const limit = 3;', message), message);
  });
});
