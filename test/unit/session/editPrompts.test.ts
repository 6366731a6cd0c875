import assert from 'node:assert/strict';
import {
  commitMessage,
  commitParts,
  editParts,
  fixInstruction,
  moreTestParts,
  testParts,
} from '../../../src/session/prompts/editPrompts.ts';
import { asWritten, wholeOfFileParts, wholePrompt } from '../../../src/session/prompts/wholePrompt.ts';
import { attachment } from './attachment.ts';

describe('edit prompts', () => {
  it('ask for one fence per part, and attach the code', () => {
    const code = attachment({ text: 'a();' });
    const parts = editParts('rename', [code, code], []);
    assert.match(String(parts[0]), /2 fenced blocks/);
    assert.deepEqual(parts.slice(1), ['rename', code, code]);
    assert.equal(editParts('rename', [code], [code]).length, 5);
  });

  it('ask for pieces of what is longer than 120 lines, and keep the rest of the words', () => {
    const long = attachment({ label: 'src/a.ts:3-123', firstLine: 3, text: 'a();\n'.repeat(121) });
    const short = attachment({ label: 'src/a.ts:2-121', text: 'a();\n'.repeat(120) });
    assert.doesNotMatch(String(editParts('rename', [short], [])[0]), /SEARCH/);
    const [ask, , where] = editParts('rename', [long], []);
    assert.match(
      String(ask),
      /^Change this code as asked\. Answer with only code: the changes, in one fenced block, .*Copy the lines to replace exactly from the code, .*\n<{7} SEARCH\n[\s\S]*>{7} REPLACE\n Marks such as/,
    );
    assert.doesNotMatch(String(ask), /whole|Keep what/);
    assert.doesNotMatch(String(where), /Begin with its first line/);
    assert.match(String(where), /import alone into a block before\.$/);
    assert.match(String(editParts('rename', [short, long], [])[0]), /the changes of these 2 parts, in one/);
    assert.match(String(moreTestParts(short, 'a.test.ts', [long], [])[0]), /exactly from the file[\s\S]*SEARCH/);
    assert.doesNotMatch(String(moreTestParts(long, 'a.test.ts', [short], [])[0]), /SEARCH/);
  });

  it('say which lines are to come back, how they are indented, and where imports go', () => {
    const method = attachment({ label: 'src/queue.ts:42-54', firstLine: 42, text: '  add(job) {\n  }\n' });
    const [, , where, ...rest] = editParts('rename', [method], []);
    assert.match(String(where), /^The code is lines 42 to 54 of src\/queue\.ts, indented by 2 spaces\. /);
    assert.match(String(where), /import alone into a block before\.$/);
    assert.deepEqual(rest, [method]);
    const top = attachment({ label: 'src/queue.ts:1-54', text: "import a from 'a';\n" });
    assert.match(String(editParts('rename', [top], [])[2]), /Begin with its first line and end with its last\.$/);
    const [, , member] = editParts('rename', [method], [], ['Queue']);
    assert.match(
      String(member),
      /^The code is lines 42 to 54 of src\/queue\.ts, a member of Queue, indented by 2 spaces\. /,
    );
    const line = attachment({ label: 'a:b.go:7', text: '\tx()\n' });
    const both = String(editParts('rename', [method, line], [])[2]);
    assert.match(
      both,
      /^The code is lines 42 to 54 of .*, indented by 2 spaces; and line 7 of a:b\.go, indented by 1 tab\. /,
    );
  });

  it('say nothing about the place of a whole file', () => {
    const code = attachment({ label: 'src/queue.ts', text: 'a();\n' });
    assert.deepEqual(editParts('rename', [code], []).slice(1), ['rename', code]);
  });

  it('ask for a fence longer than any in the code', () => {
    const readme = attachment({ text: '# A\n\n````md\n```sh\nnpm i\n```\n````\n' });
    assert.match(String(editParts('shorten', [readme], [])[0]), /between fences of 5 backticks, `````\./);
    assert.match(String(testParts(readme, 'a.test.ts', null, [])[0]), /between fences of 5 backticks, `````\./);
  });

  it('list problems with their line numbers, one per line', () => {
    assert.equal(fixInstruction([{ line: 3, message: 'a\n b' }]), 'Fix these problems:\n- line 3: a b');
  });

  it('ask for tests in a file that exists, with its text', () => {
    const [code, tests] = [attachment({ text: 'a();' }), attachment({ text: "it('a');" })];
    const parts = moreTestParts(code, 'a.test.ts', [tests], []);
    assert.match(String(parts[0]), /^Add tests for this code to the test file a\.test\.ts, which exists\./);
    assert.deepEqual(parts.slice(1), [code, 'The test file:', tests]);
    assert.match(String(moreTestParts(null, 'a.test.ts', [tests], [])[0]), /^Add the tests that are missing in/);
  });

  it('say how the user has begun a commit message', () => {
    const parts = commitParts([], [], 'PROJ-123: \n');
    assert.match(String(parts[1]), /begins with these words of the user.*: PROJ-123:$/);
    assert.equal(commitParts([], [], ' \n').length, 1);
  });

  it('keep the backticks of a commit message', () => {
    for (const message of [
      '`a` calls `b`',
      '`npm test` waits\n\nfor `npm run build`',
      'docs: how to build\n\n```sh\nnpm i\n```',
      '```sh\nnpm i\n```\nis in the README',
      '"a" is "b"',
    ]) {
      assert.equal(commitMessage(message), message);
      assert.equal(commitMessage(`\`\`\`\`\n${message}\n\`\`\`\``), message);
    }
  });

  it('extract a commit message from what a model puts around it', () => {
    assert.equal(commitMessage('```\nfeat: a\n\nb\n```'), 'feat: a\n\nb');
    assert.equal(commitMessage('"feat: a"'), 'feat: a');
    assert.equal(commitMessage('<think>What is it?</think>\n\nfeat: a'), 'feat: a');
    assert.equal(commitMessage('<think>What is it?\nfeat: a'), '');
    assert.equal(commitMessage('  feat: a\n'), 'feat: a');
    assert.equal(commitMessage('`feat: a`'), 'feat: a');
    assert.equal(commitMessage('~~~text\nfeat: a\n~~~\n'), 'feat: a');
    assert.equal(
      commitMessage('A message in the style of the last ones:\n\n```\nfeat: a\n\nb\n```\n\nIt is short.'),
      'feat: a\n\nb',
    );
    assert.equal(commitMessage('Here is the message:\n\nfeat: a\n\nb'), 'feat: a\n\nb');
    assert.equal(commitMessage('Hier ist die Nachricht:\n\nfeat: a'), 'feat: a');
  });

  describe('that ask for the whole code', () => {
    const edit = { mode: 'edit', places: 1, lines: 10 } as const;

    it('quote what has no place, in a fence that it cannot end', () => {
      assert.match(wholePrompt(['a();', '```'], edit), /have no place:\n````\na\(\);\n```\n````\nGive the whole of/);
      assert.doesNotMatch(wholePrompt([''], edit), /have no place/);
    });

    it('ask for each part, the code at a mark, the file, or the changes of what is long', () => {
      assert.match(
        wholePrompt([], { ...edit, places: 3 }),
        /\nGive each of the 3 parts of the code again, in this order/,
      );
      assert.match(wholePrompt([], { ...edit, mode: 'insert' }), /\nGive again, in one fenced block, only the code/);
      assert.match(wholePrompt([], { ...edit, mode: 'file', file: 'a.ts' }), /\nGive the whole text of a\.ts with/);
      assert.match(wholePrompt([], { ...edit, lines: 121 }), /<<<<<<< SEARCH\n[\s\S]*>>>>>>> REPLACE\n/);
      assert.doesNotMatch(wholePrompt([], { ...edit, lines: 120 }), /SEARCH/);
    });

    it('show the code and the file in a request of its own', () => {
      const file = attachment({ label: 'src/a.md', text: '```\n' });
      const parts = wholeOfFileParts({ info: 'md `x`\n', text: '```\na' }, file, [], { ...edit, mode: 'file' });
      assert.equal(parts[0], 'This code changes src/a.md:\n````md x\n```\na\n````');
      assert.match(String(parts[1]), /between fences of 4 backticks/);
      assert.deepEqual(parts.slice(2), [file]);
    });

    it('quote no line that the answer does not have', () => {
      const answer = '```ts\r\n  const key = "[masked: jwt k3f9q]";\r\nsend(key);\r\n```';
      assert.deepEqual(asWritten(['const key = "eyJ0";', 'send(key);'], answer), ['send(key);']);
    });
  });
});
