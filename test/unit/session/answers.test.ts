import assert from 'node:assert/strict';
import { codesSoFar } from '../../../src/edits/reading/soFar.ts';
import { quote } from '../../../src/send/message/quote.ts';
import { commentText } from '../../../src/session/prompts/commentText.ts';
import { generateParts, partsOf } from '../../../src/session/prompts/prompts.ts';
import { attachment } from './attachment.ts';

describe('session: the code in a partial answer', () => {
  for (const [name, answer, code] of [
    ['nothing yet', '', ''],
    ['a fence that has just opened', 'Here:\n```ts', ''],
    ['a fence that is still open', '```ts\nconst a = 1;', 'const a = 1;\n'],
    ['a closed fence with words around', 'So:\n```ts\na\nb\n```\nDone.', 'a\nb\n'],
    ['a longer fence around a shorter one', '````md\n```ts\na\n```\n````\n', '```ts\na\n```\n'],
    ['tildes', '~~~py\nx\n~~~', 'x\n'],
    ['no fence at all', 'const a = 1;\n', 'const a = 1;\n'],
    ['a search and replace block that is still open', '```ts\n<<<<<<< SEARCH\na\n', ''],
    ['a search and replace block without a fence', '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n', ''],
    ['indentation and blank lines inside', '```\n\n  a\n\n  b\n```', '  a\n\n  b\n'],
  ] as const) {
    it(name, () => assert.deepEqual(codesSoFar(answer, 1), [code]));
  }
});

describe('session: a selected comment as the instruction', () => {
  for (const [selection, words] of [
    ['// adds two numbers', 'adds two numbers'],
    ['  // one\n  // two\n', 'one\ntwo'],
    ['# parse a date', 'parse a date'],
    ['/**\n * Checks a card\n * with Luhn\n */', 'Checks a card\nwith Luhn'],
    ['<!-- a form -->', 'a form'],
    ['"""Reverse a list."""', 'Reverse a list.'],
    ['const a = 1; // adds', null],
    ['// one\nconst a = 1;', null],
    ['//', null],
    ['', null],
  ] as const) {
    it(JSON.stringify(selection), () => assert.equal(commentText(selection), words));
  }
});

describe('session: prompts', () => {
  const markdown = attachment({ label: 'a.md:1-3', languageId: 'markdown', text: '```ts\nx\n```' });

  it('fence code so that it cannot end its fence', () => {
    assert.equal(quote(markdown), 'a.md:1-3\n````markdown\n```ts\nx\n```\n````');
  });

  it('put attachments after the user’s text', () => {
    const parts = partsOf({ action: 'chat', prompt: 'What is this?', attachments: [markdown] });
    assert.deepEqual(parts, ['What is this?', markdown]);
  });

  it('ask for an explanation in the language of the question, not of the panel', () => {
    const [words] = partsOf({ action: 'explain', prompt: 'Erkläre', attachments: [markdown] });
    assert.match(String(words), /^Explain this code/);
  });

  it('ask for code only', () => {
    const parts = generateParts('add two numbers', 'typescript', { around: markdown });
    assert.match(String(parts[0]), /typescript.*only code/);
    assert.deepEqual(parts.slice(1), ['add two numbers', parts[2], markdown]);
    assert.match(
      String(parts[2]),
      /line marked <insert here>.*indentation.*not the function or class around it.*import/,
    );
    assert.deepEqual(generateParts('add two numbers', 'typescript', { around: null }).length, 2);
  });
});
