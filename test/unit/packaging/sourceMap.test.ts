import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const map = readFileSync('src/README.md', 'utf8');

describe('src/README.md', () => {
  it('lists exactly the rooms of the tree', () => {
    const rooms = [...map.matchAll(/^\| `(\w+)\/` \|/gm)].map(([, room]) => room);
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    assert.deepEqual(rooms.toSorted(), folders.map(({ name }) => name).toSorted());
  });

  it('names only existing files', () => {
    const named = [...map.matchAll(/(?<![\w/.])((?:\w+\/)+[\w.-]+\.(?:tsx?|json)|\w+\.ts|package[\w.]*\.json)/g)];
    assert.ok(named.length > 30, `${named.length}`);
    // A room is often named before, so the end of a path is enough.
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
    const isThere = (path: string): boolean =>
      existsSync(path) || files.some((file) => file === path || file.endsWith(`/${path}`));
    const missing = named.map(([, path = '']) => path).filter((path) => !isThere(path));
    assert.deepEqual(missing, ['host/commands/x.ts']);
  });

  it('describes a command, a setting and a header in five lines each', () => {
    for (const thing of ['a command', 'a setting', 'a header']) {
      const [, lines = ''] = new RegExp(`^ {4}${thing}\\n((?: {4}\\d .+\\n)+)`, 'm').exec(map) ?? [];
      assert.equal(lines.trim().split('\n').length, 5, thing);
    }
  });
});
