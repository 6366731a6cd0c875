import assert from 'node:assert/strict';
import { asMade } from '../../../src/gate/content.ts';
import type { Attachment } from '../../../src/session/conversation/attachment.ts';
import {
  commitParts,
  documentInstruction,
  editParts,
  fixInstruction,
  testParts,
} from '../../../src/session/prompts/editPrompts.ts';
import { quote } from '../../../src/session/prompts/prompts.ts';
import { answerFor } from '../../service/answer.ts';

const code = (text: string, languageId = 'typescript'): Attachment => ({
  label: 'src/pay.ts:1-3',
  uri: 'file:///w/src/pay.ts',
  firstLine: 1,
  languageId,
  text: asMade(text),
  folder: null,
});
const ask = (parts: readonly (string | Attachment)[]): string =>
  answerFor({
    model: 'svc/auto',
    svcHeaders: [],
    messages: [
      { role: 'user', content: parts.map((part) => (typeof part === 'string' ? part : quote(part))).join('\n\n') },
    ],
  });

describe('local service: changing code', () => {
  it('renames in each part', () => {
    const answer = ask(editParts('rename a to total', [code('a + 1;'), code('ab = a;')], []));
    assert.equal(answer, '```typescript\ntotal + 1;\n```\n\n```typescript\nab = total;\n```\n');
  });

  it('fixes known problems', () => {
    const answer = ask(editParts(fixInstruction([{ line: 1, message: 'Use ===.' }]), [code('var a = b == c;')], []));
    assert.equal(answer, '```typescript\nlet a = b === c;\n```\n');
  });

  it('adds documentation and names its author', () => {
    const answer = ask(editParts(documentInstruction, [code('function a() {\n}')], []));
    assert.match(answer, /\/\*\* The function a\. From the rules of the local service/);
  });

  it('writes tests for the functions, with their context', () => {
    const answer = ask(testParts(code('export function a() {\n}'), 'src/pay.test.ts', null, []));
    assert.match(answer, /import \{ a \} from '\.\/pay';[\s\S]*it\('has a'/);
  });

  it('writes a commit message in the style of the previous ones', () => {
    const diff = code(
      'diff --git a/src/pay.ts b/src/pay.ts\n--- a/src/pay.ts\n+++ b/src/pay.ts\n@@ -1 +1,2 @@\n-a\n+b\n+c',
      'diff',
    );
    assert.match(ask(commitParts([diff], ['feat: x'])), /^chore: change pay\.ts\n\n2 lines added, 1 removed\./);
    assert.match(ask(commitParts([diff], ['Add x'])), /^Change pay\.ts\n/);
  });
});
