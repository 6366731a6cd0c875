import assert from 'node:assert/strict';
import { usedIcons } from '../../../esbuild.mjs';

describe('the style sheet of the icons', () => {
  const names = [...usedIcons().matchAll(/^\.codicon-([\w-]+):before/gm)].map(([, name]) => name);

  it('has those that pages and the host name, and no others', () => {
    for (const name of ['send', 'stop-circle', 'warning', 'error', 'info', 'file-code', 'selection', 'loading']) {
      assert.ok(names.includes(name), name);
    }
    for (const name of ['squirrel', 'vm-pending']) assert.ok(!names.includes(name), name);
    assert.ok(names.length < 150, `${names.length} icons`);
  });

  it('keeps the font and what all icons have in common', () => {
    assert.match(usedIcons(), /@font-face[\s\S]*codicon\.ttf[\s\S]*\.codicon\[class\*='codicon-'\]/);
  });
});
