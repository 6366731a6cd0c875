import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

describe('commands', () => {
  it('of the table are those of package.json', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
    const contributed: string[] = manifest.contributes.commands.map(({ command }: { command: string }) => command);
    // The table needs VS Code to be loaded, so it is read as a text.
    const table = [...readFileSync('src/commands.ts', 'utf8').matchAll(/^ {4}'(svc\.[\w.]+)':/gm)].map(
      ([, name]) => name,
    );
    assert.deepEqual(table.toSorted(), contributed.toSorted());
  });
});
