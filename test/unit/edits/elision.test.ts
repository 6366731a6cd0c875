import assert from 'node:assert/strict';
import { holdsElision, isElision } from '../../../src/edits/placing/elision.ts';

describe('a line for omitted code', () => {
  it('is dots or words in the comments of any language', () => {
    for (const line of [
      ...['// ... existing code ...', '// ...', '# ... rest of the code unchanged', '/* ... existing code ... */'],
      ...['<!-- ... existing markup ... -->', '-- …', '; ... (unchanged) ...', '% ... remaining lines', '...', '…'],
      ...['{/* ... existing code ... */}', '(* ... *)', "' ... existing code ...", '[... rest of the file ...]'],
      ...['// rest of the code remains the same', '# (unchanged)', '// existing code here', '  // ...existing imports'],
      ...[
        '// ... imports',
        '// ... other methods',
        '// rest of the method',
        '// (existing code)',
        '// --- existing code ---',
      ],
      ...[
        '# remaining steps unchanged',
        '// Existing validation logic',
        '// other methods...',
        '// unchanged',
        '# snip',
      ],
      ...[
        '// code omitted for brevity',
        '/* rest of the component */',
        '-- other columns',
        '// ... bestehender Code ...',
      ],
      ...[
        '// Rest bleibt unverändert',
        '// The rest of the class stays the same',
        '# ... same as before',
        '// [existing code]',
      ],
    ])
      assert.equal(isElision(line), true, line);
  });

  it('is a note of what stays as it is, with no code of its own below it', () => {
    for (const line of [
      '# worker stays the same',
      '// validateUser(), login() — unchanged',
      '{/* header stays the same */}',
      '// keep validateUser as is',
      '// existing reducers',
      '// Konstruktor bleibt gleich',
    ]) {
      assert.equal(isElision(line, '', ''), true, line);
      assert.equal(isElision(line, '{', '}'), true, line);
      assert.equal(isElision(line, 'f();', 'g();'), false, line);
      assert.equal(isElision(line, '} catch {', '}'), false, line);
    }
    for (const line of [
      '// skip if unchanged',
      '// keep the connection open',
      '## The API is unchanged',
      'x is unchanged',
    ])
      assert.equal(isElision(line, '', ''), false, line);
  });

  it('is not similar text', () => {
    for (const line of [
      '...values,',
      'f(...args);',
      '// and so on...',
      '// 1...9',
      '"..."',
      '// the same is true of x',
      '# TODO: other cases',
      '// ...rest',
      '// remaining = total - used;',
      '// Return the rest',
      '// other',
    ])
      assert.equal(isElision(line), false, line);
    assert.equal(isElision('    ...', 'def f():'), false);
    assert.equal(holdsElision('const { a, ...rest } = b; // the rest'), false);
    assert.equal(holdsElision('function a() { ... }'), true);
    assert.equal(holdsElision('function a() { /* ... */ }'), true);
    assert.equal(holdsElision('function a() { // ... existing code'), true);
  });
});
