import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asText } from '../../../../src/platform/messages/asText.ts';

const source = join(import.meta.dirname, '../../../../src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ file: file.replaceAll('\\', '/'), text: readFileSync(join(source, file), 'utf8') }));

/** Where VS Code renders icons or links in a text. */
const places =
  /\b(createQuickPick|showQuickPick|createStatusBarItem|createLanguageStatusItem|createTreeView|withProgress\(options|provideLanguageModelChatInformation)\b/;

/** Places that show only our own texts. */
const ownTexts: Readonly<Record<string, string>> = {
  'platform/commands/exportFile.ts': 'names of formats',
  'features/chat/vscode/commands/purge.ts': 'what can be removed',
  'features/review/vscode/choose.ts': 'names of frameworks',
};

describe('text of a service or a workspace in lists, messages and the status bar', () => {
  it('contains no icon, no link and no bidirectional control', () => {
    for (const [text, expected] of [
      ['svc/auto', 'svc/auto'],
      ['$(trash) all', '$\u2060(trash) all'],
      ['\\$(trash~spin)', '\\$\u2060(trash~spin)'],
      ['$$((x))', '$$\u2060((x))'],
      ['[Retry](command:svc.purge)', '[Retry]\u2060(command:svc.purge)'],
      ['pay\u202esj.ts', 'pay[U+202E]sj.ts'],
      ['\u2067a\u2069\u061c\u200f', '[U+2067]a[U+2069][U+061C][U+200F]'],
      ['bell\u0007, line\nand tab\t', 'bell[U+0007], line\nand tab\t'],
      ['👩‍💻 שלום', '👩‍💻 שלום'],
      ['f(x) $5 [1] (2)', 'f(x) $5 [1] (2)'],
    ] as const) {
      assert.equal(asText(text), expected);
      assert.equal(asText(asText(text)), expected);
      assert.doesNotMatch(asText(text), /\$\(|\]\(/);
    }
  });

  it('is shown only by functions that use asText: no other file calls those of VS Code', () => {
    const callers = files.filter(({ text }) => /window\s*\.show(Information|Warning|Error)Message/.test(text));
    assert.deepEqual(
      callers.map(({ file }) => file),
      ['platform/messages/show.ts'],
    );
  });

  it('goes through asText in every list, the status bar and notifications', () => {
    const found = files.filter(({ text }) => places.test(text));
    assert.ok(found.length > 10);
    const without = found.filter(({ file, text }) => !text.includes('asText(') && ownTexts[file] === undefined);
    assert.deepEqual(
      without.map(({ file }) => file),
      [],
    );
    // No entry is stale.
    const stale = Object.keys(ownTexts).filter((file) => !found.some((one) => one.file === file));
    assert.deepEqual(stale, []);
  });
});
