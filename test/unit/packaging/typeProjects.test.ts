import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { typeProjects } from '../../tools/typeProjects.ts';

describe('the types', () => {
  it('are checked in every TypeScript project, once or with each change', () => {
    const configs = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.split(/[\\/]/).at(-1) === 'tsconfig.json')
      .map((file) => dirname(join('src', file)).replaceAll('\\', '/'));
    assert.ok(configs.length >= 5);
    assert.deepEqual([...typeProjects()].sort(), ['.', ...configs].sort());
    // The watch takes the same list, and names no project itself.
    assert.match(readFileSync('test/tools/watch.ts', 'utf8'), /typeProjects\(\)\.map/);
    assert.doesNotMatch(readFileSync('test/tools/watch.ts', 'utf8'), /tsconfig/);
  });
});
