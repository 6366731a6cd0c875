import assert from 'node:assert/strict';
import { readAnswer } from '../../../src/edits/reading/answer.ts';
import { asMade } from '../../../src/gate/content.ts';
import type { Attachment } from '../../../src/send/message/attachment.ts';
import { quote } from '../../../src/send/message/quote.ts';
import {
  commitParts,
  documentInstruction,
  editParts,
  fixInstruction,
  testParts,
} from '../../../src/session/prompts/editPrompts.ts';

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

  it('answers with pieces where these are asked for, each of which stands once', () => {
    const lines = Array.from({ length: 130 }, (_, at) => (at === 60 ? 'rate' : at % 2 === 0 ? `row(${at})` : 'end'));
    const before = lines.toSpliced(70, 2, 'end', 'rate').join('\n');
    const answer = ask(editParts('rename rate to total', [code(before)], []));
    const read = readAnswer(answer).blocks.flatMap(({ changes }) => changes?.changes ?? []);
    assert.ok(answer.length < 200, answer);
    assert.deepEqual(read.length, 2);
    const after = read.reduce((text, { old, replacement: now }) => {
      const [head = '', tail = '', ...more] = text.split(old.join('\n'));
      assert.equal(more.length, 0);
      return head + now.join('\n') + tail;
    }, before);
    assert.equal(after, before.replaceAll('rate', 'total'));
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
