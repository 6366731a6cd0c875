import assert from 'node:assert/strict';
import { makeSpeller, ownWords, spellingProblems, wordsIn } from '../../tools/germanSpelling.ts';
import { germanTexts } from '../../tools/l10n.ts';

/** Two words for one thing, and the one that the texts use. */
const oneWord: readonly (readonly [RegExp, string])[] = [
  [/\bKonversation/, 'Unterhaltung'],
  [/\bRechner/, 'Computer'],
  [/\bDienstes\b/, 'Diensts'],
  [/\bWerkzeug|\bTool-/, 'Tool…'],
  [/\bCommit-Nachricht/, 'Commitnachricht'],
  [/\bModellkennung/, 'Modellbezeichner'],
  [/\bEbenen?\b/, 'Bereich'],
  [/ …/, 'an ellipsis without a space before it'],
];

describe('the German texts', () => {
  it('are spelled correctly; the list of words has none that no text needs', async () => {
    assert.deepEqual(await spellingProblems(germanTexts()), []);
  });

  it('have one word for one thing', () => {
    const found = germanTexts().flatMap(({ at, text }) =>
      oneWord
        .filter(([pattern]) => pattern.test(text))
        .map(([pattern, word]) => `${at}: ${word} instead of ${pattern}`),
    );
    assert.deepEqual(found, []);
  });

  it('are checked with joined words, and need no list for ordinary ones', async () => {
    const { isCorrect } = await makeSpeller(ownWords());
    const right = ['Anfragen', 'Zeitlimit', 'Arbeitsbereichsordners', 'Commitnachrichten', 'Toolaufrufs', 'umschalten'];
    const wrong = [
      'Anfrageen',
      'Anfrageene',
      'Einstellunge',
      'Toolaufruff',
      'Commitnachrichtt',
      'Arbeitsbereichsdatein',
      'nciht',
    ];
    assert.deepEqual([right.filter((word) => !isCorrect(word)), wrong.filter(isCorrect)], [[], []]);
    assert.ok(ownWords().length < 100, 'the list is for words that no dictionary has');
  });

  it('name a misspelled word with its place, and a word of the list that nothing needs', async () => {
    const texts = [{ at: 'a.json "Requests"', text: 'Anfrageen an {0}' }];
    assert.deepEqual(await spellingProblems(texts, ['Commit']), [
      'a.json "Requests": “Anfrageen” is not German',
      'test/tools/germanWords.txt: no text needs “Commit”',
    ]);
  });

  it('are checked without code, names of settings, addresses and placeholders', () => {
    const text =
      'Legen Sie svc.network.clientKey fest: `nciht`, {0}, HTTPS_PROXY=x, https://foo.example/bar, [da](command:svc.x), $(icon), baseUrl, <Host>, CA-Zertifikat für SVC.';
    assert.deepEqual(wordsIn(text), ['Legen', 'Sie', 'fest', 'da', 'Zertifikat', 'für']);
  });
});
