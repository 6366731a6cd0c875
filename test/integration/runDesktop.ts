// Runs the same suite in a desktop VS Code, which @vscode/test-electron downloads.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runTests } from '@vscode/test-electron';

await runTests({
  version: process.argv[2] ?? 'stable',
  extensionDevelopmentPath: resolve('.'),
  extensionTestsPath: resolve('dist/test/integration.cjs'),
  launchArgs: [mkdtempSync(join(tmpdir(), 'svc-desktop-')), '--disable-extensions', '--disable-workspace-trust'],
});
