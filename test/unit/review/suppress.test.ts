import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findSuppressions, suppressionComment, suppressionOf } from '../../../src/review/findings/suppress.ts';

describe('suppressing a finding', () => {
  it('applies to the next line that is not such a comment, or to the line it ends', () => {
    const text = [
      'a();',
      '  // svc-ignore pci-injection: checked in review 12',
      '  // svc-ignore gdpr-erasure: kept by law',
      '  eval(text);',
      'eval(other); // svc-ignore pci-injection: constant text',
    ].join('\n');
    const { counting, useless } = findSuppressions(text, 'typescript');
    assert.deepEqual(useless, []);
    assert.deepEqual(
      counting.map(({ rule, line, target, reason }) => [rule, line, target, reason]),
      [
        ['pci-injection', 2, 4, 'checked in review 12'],
        ['gdpr-erasure', 3, 4, 'kept by law'],
        ['pci-injection', 5, 5, 'constant text'],
      ],
    );
    const at = (rule: string, line: number) =>
      suppressionOf({ counting, useless }, { rule, firstLine: line, lastLine: line })?.reason;
    assert.equal(at('pci-injection', 4), 'checked in review 12');
    assert.equal(at('pci-injection', 1), undefined);
    assert.equal(at('sox-injection', 4), undefined);
  });

  it('has no effect without a reason or for an unknown rule, and reports both', () => {
    const text =
      '# svc-ignore pci-injection\n# svc-ignore pci-injection:   \n# svc-ignore made-up: because\n# svc-ignore\n';
    const { counting, useless } = findSuppressions(text, 'python');
    assert.deepEqual(counting, []);
    assert.deepEqual(
      useless.map(({ line, why }) => [line, why]),
      [
        [1, 'no-reason'],
        [2, 'no-reason'],
        [3, 'unknown-rule'],
        [4, 'unknown-rule'],
      ],
    );
  });

  it('is read only in comments of the language', () => {
    assert.equal(findSuppressions('# svc-ignore pci-injection: no', 'typescript').counting.length, 0);
    assert.equal(findSuppressions('// svc-ignore pci-injection: no', 'python').counting.length, 0);
    assert.equal(findSuppressions('svc-ignore pci-injection: no', 'typescript').counting.length, 0);
    assert.equal(findSuppressions('// svc-ignore pci-injection: no', 'json').counting.length, 0);
  });

  it('a written comment is read back unchanged, in each language, for any reason', () => {
    const languages = [
      'typescript',
      'python',
      'sql',
      'html',
      'css',
      'bat',
      'ini',
      'latex',
      'vb',
      'lua',
      'yaml',
      'java',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...languages),
        fc.string({ minLength: 1, maxLength: 80, unit: 'grapheme' }),
        (languageId, reason) => {
          const comment = suppressionComment(languageId, 'hipaa-integrity', `because ${reason}`) ?? '';
          assert.ok(!comment.includes('\n'));
          const { counting } = findSuppressions(`${comment}\nx\n`, languageId);
          return counting.length === 1 && counting[0]?.target === 2 && counting[0].reason.startsWith('because');
        },
      ),
    );
    assert.equal(suppressionComment('json', 'pci-injection', 'x'), null);
    assert.equal(suppressionComment('html', 'pci-injection', 'a --> b'), '<!-- svc-ignore pci-injection: a   b -->');
  });
});
