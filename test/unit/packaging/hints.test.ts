import assert from 'node:assert/strict';
import { readSources } from '../../tools/rooms.ts';

/** A call of VS Code's messages whose answer is not used: a note without buttons. Errors stay messages. */
const unanswered = /(?<!await |return |function )\bshow(?:Information|Warning)\(/;
const direct = /\bshow(?:Information|Warning|Error)Message\b/;

/** The files in which a line matches. */
function filesWith(pattern: RegExp, sources: ReadonlyMap<string, string>): readonly string[] {
  const isCode = (line: string): boolean => !/^\s*(?:\*|\/\/|import )/.test(line);
  return [...sources]
    .filter(([, text]) => text.split('\n').some((line) => isCode(line) && pattern.test(line)))
    .map(([path]) => path);
}

describe('short notes', () => {
  it('are shown by showHint() alone, which shows them in the panel while it is visible', () => {
    const sources = readSources('src');
    assert.deepEqual(filesWith(unanswered, sources), []);
    assert.deepEqual(filesWith(direct, sources), ['platform/messages/show.ts']);
  });

  it('notes that are shown otherwise are found', () => {
    const found = (line: string): boolean =>
      filesWith(unanswered, new Map([['features/planted.ts', line]])).length === 1;
    assert.ok(found("  void showInformation(t('Open a file first.'));"));
    assert.ok(found("  if (gone) showWarning(t('Gone.'));"));
    assert.ok(!found('  if ((await showWarning(question, { modal: true }, yes)) !== yes) return;'));
  });
});
