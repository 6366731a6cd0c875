import assert from 'node:assert/strict';
import { Fingerprints } from '../../../../src/gate/fingerprints/fingerprints.ts';
import { searchInItself } from '../../../../src/gate/fingerprints/ownSearch.ts';
import type { FoundPassage } from '../../../../src/gate/fingerprints/passages.ts';
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

function* grams(text: string): Generator<null, { own: number; all: number }> {
  yield null;
  return { own: text.length, all: text.length };
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

  it('begins where the text is its own, however much is public before it', () => {
    const prints = new Fingerprints();
    finished(prints.addPublic(text, 'constant'));
    const own = 'the key of the northern warehouse is kept below the stone of the cellar';
    assert.equal(finished(prints.add({ file: 1, text: `${text}\n${own}\n`, isCredential: false })), 'recognized');
  });
});
