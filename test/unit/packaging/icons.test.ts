import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import subsetFont from 'subset-font';
import { fontOf, iconCharacters, usedIcons } from '../../../esbuild.mjs';

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
    assert.match(usedIcons(), /@font-face[\s\S]*codicon\.woff2[\s\S]*\.codicon\[class\*='codicon-'\]/);
  });
});

describe('the font of the icons', () => {
  const css = usedIcons();

  it('has the outline of every icon of the style sheet, as the whole font has it, and of no other', async () => {
    const whole = readFileSync('node_modules/@vscode/codicons/dist/codicon.ttf');
    const shipped = await fontOf(css);
    for (const character of iconCharacters(css)) {
      const alone = await subsetFont(whole, character, { targetFormat: 'sfnt' });
      const again = await subsetFont(shipped, character, { targetFormat: 'sfnt' });
      assert.deepEqual(tableOf(again, 'glyf'), tableOf(alone, 'glyf'), character);
      assert.ok(tableOf(alone, 'glyf').length > 0, character);
    }
    assert.ok(shipped.length < whole.length / 5, `${shipped.length} bytes`);
  });

  it('has the same bytes each time', async () => {
    assert.deepEqual(await fontOf(css), await fontOf(css));
  });
});

/** The bytes of a table of a TrueType font. */
function tableOf(font: Buffer, tag: string): Buffer {
  const count = font.readUInt16BE(4);
  for (let entry = 12; entry < 12 + count * 16; entry += 16) {
    if (font.toString('latin1', entry, entry + 4) !== tag) continue;
    const start = font.readUInt32BE(entry + 8);
    return font.subarray(start, start + font.readUInt32BE(entry + 12));
  }
  throw new Error(`no table ${tag}`);
}
