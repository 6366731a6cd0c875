import assert from 'node:assert/strict';
import { codesFromAnswer } from '../../../src/session/codeAnswer.ts';
import { commitMessage, editParts, fixInstruction } from '../../../src/session/editPrompts.ts';
import { attachment } from './attachment.ts';

describe('the codes of an answer for several places', () => {
  it('are those of its fences in order, also while they come', () => {
    const answer = '```ts\na\n```\nand\n~~~ts\nb\n```\n~~~\n```\nc';
    assert.deepEqual(codesFromAnswer(answer, 3), ['a\n', 'b\n```\n', 'c\n']);
    assert.deepEqual(codesFromAnswer('```ts\na\n``', 2), ['a\n``\n', '']);
    assert.deepEqual(codesFromAnswer('no fence', 2), ['', '']);
    assert.deepEqual(codesFromAnswer('no fence', 1), ['no fence\n']);
    assert.deepEqual(codesFromAnswer(answer, 2), ['a\n', 'b\n```\n']);
  });
});

describe('edit prompts', () => {
  it('ask for a fence for each part, and carry the code as attachments', () => {
    const code = attachment({ text: 'a();' });
    const parts = editParts('rename', [code, code], []);
    assert.match(String(parts[0]), /2 fenced blocks/);
    assert.deepEqual(parts.slice(1), ['rename', code, code]);
    assert.equal(editParts('rename', [code], [code]).length, 5);
  });

  it('say problems with their lines, each on one line', () => {
    assert.equal(fixInstruction([{ line: 3, message: 'a\n b' }]), 'Fix these problems:\n- line 3: a b');
  });

  it('take a commit message out of what a model puts around it', () => {
    assert.equal(commitMessage('```\nfeat: a\n\nb\n```'), 'feat: a\n\nb');
    assert.equal(commitMessage('"feat: a"'), 'feat: a');
    assert.equal(commitMessage('  feat: a\n'), 'feat: a');
  });
});
