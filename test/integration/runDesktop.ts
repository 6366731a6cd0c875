// Runs the same suite in a desktop VS Code, which @vscode/test-electron downloads.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runTests } from '@vscode/test-electron';

const folder = mkdtempSync(join(tmpdir(), 'svc-desktop-'));
mkdirSync(join(folder, 'workspace'));

await runTests({
  version: process.argv[2] ?? 'stable',
  extensionDevelopmentPath: [resolve('.'), resolve('test/integration/otherExtension')],
  extensionTestsPath: resolve('dist/test/integration.cjs'),
  extensionTestsEnv: { SVC_TEST_POLICY_FILE: join(folder, 'policy.json') },
  launchArgs: [join(folder, 'workspace'), '--disable-extensions', '--disable-workspace-trust'],
});
