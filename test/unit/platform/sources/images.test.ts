import assert from 'node:assert/strict';
import { isImageName } from '../../../../src/platform/sources/images.ts';

describe('images, by their names', () => {
  it('are known in any letter case, and SVG is text', () => {
    for (const name of ['a.png', 'src/[ä].JPG', '/x/y.webp', 'a.b.gif']) assert.equal(isImageName(name), true, name);
    for (const name of ['a.svg', 'png', 'a.png.ts', '.gitignore', 'a.', ''])
      assert.equal(isImageName(name), false, name);
  });
});
