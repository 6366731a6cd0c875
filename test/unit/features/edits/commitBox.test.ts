import assert from 'node:assert/strict';
import fc from 'fast-check';
import { keptOf, messageWith } from '../../../../src/features/edits/vscode/commands/commitBox.ts';

const written = (box: string, message: string): string => messageWith(keptOf(box, undefined), message).box;

describe('a commit message in the input box of Source Control', () => {
  const cases: readonly (readonly [box: string, message: string, becomes: string])[] = [
    ['', 'fix: a', 'fix: a'],
    [' \n', 'fix: a', 'fix: a'],
    ['PROJ-123: ', 'fix a\n\nb', 'PROJ-123: fix a\n\nb'],
    ['PROJ-123:', 'fix a', 'PROJ-123: fix a'],
    ['PROJ-123', 'Fix a', 'PROJ-123 Fix a'],
    ['[PROJ-123] ', 'Fix a', '[PROJ-123] Fix a'],
    ['feat(', 'a): b', 'feat(a): b'],
    ['Fix the rounding of', 'totals in checkout', 'Fix the rounding of totals in checkout'],
    // The model has repeated it.
    ['PROJ-123: ', 'PROJ-123: fix a', 'PROJ-123: fix a'],
    ['PROJ-123: ', 'proj-123 - fix a', 'PROJ-123: fix a'],
    ['PROJ-123: ', 'PROJ-123:', 'PROJ-123: '],
    ['fix: ', 'fix: a', 'fix: a'],
    ['fix', 'fixture: a', 'fix fixture: a'],
    ['PROJ-12', 'PROJ-123 a', 'PROJ-12 PROJ-123 a'],
    // Lines of its own.
    ['Title\n\n', 'Body', 'Title\n\nBody'],
    ['Title\n\nPart', 'more', 'Title\n\nPart\nmore'],
    // Trailers stay at the end.
    ['PROJ-1: \n\nSigned-off-by: A <a@example.com>', 'fix a', 'PROJ-1: fix a\n\nSigned-off-by: A <a@example.com>'],
  ];
  for (const [box, message, becomes] of cases) {
    it(`${JSON.stringify(box)} and ${JSON.stringify(message)} become ${JSON.stringify(becomes)}`, () => {
      assert.equal(written(box, message), becomes);
    });
  }

  it('replaces one that was generated before, and keeps what the user had begun', () => {
    const first = messageWith(keptOf('PROJ-1: ', undefined), 'fix a');
    const last = { message: first.body, beginning: 'PROJ-1: ' };
    assert.equal(messageWith(keptOf(first.box, last), 'fix b').box, 'PROJ-1: fix b');
    assert.equal(
      messageWith(keptOf(`${first.box}\n\nAssisted-by: svc`, last), 'fix b').box,
      'PROJ-1: fix b\n\nAssisted-by: svc',
    );
    // The user has changed it: it is theirs now.
    assert.equal(messageWith(keptOf('PROJ-1: fix a today', last), 'b').box, 'PROJ-1: fix a today b');
    assert.equal(messageWith(keptOf('', last), 'fix b').box, 'fix b');
  });

  it('always begins with what is in the box, and never loses a message', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'B', ':', ' ', '-', '\n', '1', ']'), maxLength: 12 });
    fc.assert(
      fc.property(text, text, (box, message) => {
        const becomes = written(box, message);
        const { beginning } = keptOf(box, undefined);
        assert.ok(becomes.startsWith(beginning.trimEnd()), becomes);
        const letters = (each: string): string => each.replace(/[^a-z0-9]/gi, '').toLowerCase();
        assert.ok(letters(becomes).endsWith(letters(message)) || letters(becomes).includes(letters(message)), becomes);
      }),
      { numRuns: 2_000 },
    );
  });
});
