import assert from 'node:assert/strict';
import { hasCommonData } from '../../../../src/gate/fingerprints/commonWords.ts';
import { Fingerprints } from '../../../../src/gate/fingerprints/fingerprints.ts';
import { searchInItself } from '../../../../src/gate/fingerprints/ownSearch.ts';
import type { FoundPassage } from '../../../../src/gate/fingerprints/passages.ts';
import { Dice } from '../../../tools/dice.ts';
import { finished } from '../../../tools/processorTime.ts';

const text = Array.from(
  { length: 200 },
  (_, line) => `the ledger of the quarry has the number ${line} on its page`,
).join('\n');

/** A search that finds each text between two marks, but for those in which `isBlind`. */
function* findBut(isBlind: (text: string) => boolean, sent: string): Generator<null, readonly FoundPassage[]> {
  const found: FoundPassage[] = [];
  yield null;
  let start = 0;
  for (const part of sent.split('\n\u0416\n')) {
    if (!isBlind(part)) found.push({ start, end: start + part.length, file: 1, kind: 'lines' });
    start += part.length + 3;
  }
  return found;
}

function* grams(text: string): Generator<null, { own: number; open: number }> {
  yield null;
  return { own: text.length, open: 0 };
}

const withBlind = (isBlind: (text: string) => boolean, values: readonly string[] = []) =>
  finished(
    searchInItself({
      ...{ text, own: text, isCredential: true, values, grams },
      find: (sent) => findBut(isBlind, sent),
    }),
  );

describe('gate: the search for a file in itself', () => {
  it('finds it only if it finds the whole, each long line, each value, and a part in each form', () => {
    assert.equal(
      withBlind(() => false),
      'found',
    );
    for (const [what, isBlind] of Object.entries({
      'the whole': (sent: string) => sent === text,
      'a line': (sent: string) => sent === 'the ledger of the quarry has the number 77 on its page',
      'the rows of a table': (sent: string) => sent.startsWith('| 1 | the'),
      'line numbers': (sent: string) => sent.startsWith('1: the'),
      'a JSON string': (sent: string) => sent.startsWith('{"content":"the'),
    })) {
      assert.equal(withBlind(isBlind), 'notFound', what);
    }
    assert.equal(
      withBlind((sent) => sent === 'a value', ['a value']),
      'notFound',
    );
    for (const digits of [/^[A-Za-z\d+/=]+$/, /^(?=.*[G-Z])[A-Za-z\d+/=]+$/, /^[\da-f]+$/]) {
      assert.equal(
        withBlind((sent) => digits.test(sent)),
        'notEncoded',
      );
    }
  });

  it('finds a text in any script, but not each in base64', () => {
    const add = (line: string, isCredential: boolean) =>
      finished(new Fingerprints().add({ file: 1, text: `${line}\n`.repeat(3), isCredential }));
    for (const isCredential of [true, false]) {
      assert.equal(
        add('the key of the northern warehouse is kept below the stone of the cellar', isCredential),
        'recognized',
      );
      assert.equal(
        add('das Schlüsselwort zum Lager liegt im Keller unter dem losen Stein', isCredential),
        'recognized',
      );
      assert.equal(
        add('пароль от склада хранится в подвале у северной стены рядом с лестницей', isCredential),
        'notEncoded',
      );
    }
    assert.equal(finished(new Fingerprints().add({ file: 1, text: 'PIN=84620175', isCredential: true })), 'recognized');
  });

  it('does not find data of single letters, digits, and other common words, beside other text or not', () => {
    const dice = new Dice(1);
    const rows = (words: string, between: string, count = 60): string =>
      Array.from({ length: count }, () =>
        Array.from({ length: 8 }, () => dice.pick(words.split(' '))).join(between),
      ).join('\n');
    const add = (text: string, isCredential = false) =>
      finished(new Fingerprints().add({ file: 1, text, isCredential }));
    const ledger = 'the ledger of the northern quarry is kept below the stone of the cellar';
    for (const data of [
      rows('A B C D E', ','),
      rows('1 2 3 4 5', ';'),
      rows('0 1 2 3 4 5 6 7 8 9', ' '),
      JSON.stringify(Array.from({ length: 600 }, () => dice.below(2))),
      rows('true false', '\n'),
      rows('True False None', ', '),
    ]) {
      for (const text of [data, `question;answer\n${data}`, `${ledger}\n${data}`, `${data}\n${ledger}`])
        assert.equal(add(text), 'notFound', text.slice(0, 99));
    }
    // All text of a file with credentials is recognized.
    assert.equal(add(rows('1 2 3 4 5', ';'), true), 'recognized');
    // As little as other short text, and code of common words only.
    const code = 'export default function (value: string): string { return value.toString().trim().toLowerCase(); }\n';
    for (const text of [
      '1',
      '48213',
      'true',
      rows('A B C', ',', 4),
      code.repeat(20),
      '[0, 0, 0, 0, 0, 0, 0, 0]'.repeat(99),
    ])
      assert.equal(add(text), 'tooShort', text.slice(0, 99));
    // Code with other text is found, whatever it has of single letters.
    const table = `const table = [\n${`  ${'0, '.repeat(8)}\n`.repeat(99)}];\n`;
    const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'].join("', '");
    assert.equal(finished(hasCommonData(table)), false);
    for (const text of [`const letters = ['${letters}'];\n`, code.repeat(20)])
      assert.equal(add(`${ledger}\n${text}`), 'recognized', text.slice(0, 99));
  });

  it('begins where the text is its own, however much is public before it', () => {
    const prints = new Fingerprints();
    finished(prints.addPublic(text, 'constant'));
    const own = 'the key of the northern warehouse is kept below the stone of the cellar';
    assert.equal(finished(prints.add({ file: 1, text: `${text}\n${own}\n`, isCredential: false })), 'recognized');
  });
});
