import assert from 'node:assert/strict';
import { compareReviews } from '../../../src/review/findings/compare.ts';
import { withEarlierFingerprints } from '../../../src/review/findings/sameFinding.ts';
import { finding, place, report } from './reports.ts';

const source = 'const a = 1;\neval(text);\nrun(sql + id);\neval(text);\n';
const evals = [
  finding('pci-injection', 'eval(text);', { line: 2 }),
  finding('pci-injection', 'eval(text);', { line: 4 }),
];
const sql = finding('gdpr-security-of-processing', 'run(sql + id);');
const prints = (of: readonly { readonly fingerprint: string }[]): readonly string[] =>
  of.map(({ fingerprint }) => fingerprint);

describe('the place of findings', () => {
  it('has lines and columns, and distinguishes equal lines', () => {
    const placed = place(source, [...evals, sql]);
    assert.deepEqual(
      placed.map(({ firstLine, lastLine, firstColumn, lastColumn, placed: kind }) => [
        firstLine,
        lastLine,
        firstColumn,
        lastColumn,
        kind,
      ]),
      [
        [2, 2, 1, 12, 'exact'],
        [3, 3, 1, 15, 'exact'],
        [4, 4, 1, 12, 'exact'],
      ],
    );
    assert.equal(new Set(prints(placed)).size, 3);
  });

  it('is one if two parts of a file have the same finding', () => {
    assert.equal(place(source, [sql, finding('gdpr-security-of-processing', ' run(sql  + id);')]).length, 1);
  });

  it('is the whole file if the quote is not found', () => {
    const [nowhere] = place(source, [finding('pci-injection', 'not there')]);
    assert.deepEqual([nowhere?.placed, nowhere?.firstLine, nowhere?.text], ['file', 1, '']);
    const [near] = place(source, [finding('pci-injection', 'not there', { line: 3 })]);
    assert.deepEqual([near?.placed, near?.firstLine, near?.text], ['line', 3, 'run(sql + id);']);
  });

  it('is suppressed by a comment with a reason', () => {
    const text = source.replace('run(', '// svc-ignore gdpr-security-of-processing: bound above\nrun(');
    const [found] = place(text, [sql]);
    assert.equal(found?.suppression?.reason, 'bound above');
    const other = place(text, [finding('pci-injection', 'run(sql + id);')]);
    assert.equal(other[0]?.suppression, null);
  });
});

describe('findings of the same code', () => {
  const code = 'function a() {\n  log(card);\n  send(card);\n}\nlog(card); log(card);\n';
  const rule = 'pci-transmission';

  it('are one in a review, whatever they quote of it', () => {
    const quotes = ['log(card);', '  log(card);\n', 'log(card);\n  send(card);', 'log( card )'];
    assert.equal(
      place(
        code,
        quotes.map((quote) => finding(rule, quote, { line: 2 })),
      ).length,
      1,
    );
    const approximate = finding(rule, 'nowhere', { line: 2 });
    const certain = finding(rule, 'card);\n  send', { line: 2 });
    for (const findings of [
      [approximate, certain],
      [certain, approximate],
    ]) {
      assert.deepEqual(
        place(code, findings).map(({ placed }) => placed),
        ['exact'],
      );
    }
    // Another rule, or other code of the same line.
    assert.equal(place(code, [certain, finding('pci-injection', 'log(card);', { line: 2 })]).length, 2);
    const twice = ['log(card);', 'log(card); log(card);'].map((quote) => finding(rule, quote, { line: 5 }));
    assert.equal(place(code, twice).length, 1);
  });

  it('are the same in the next review, whatever they quote of it', () => {
    const quotes = ['function a() {\n  log(card);', 'log(card);', 'log(card);\n  send(card);', 'log( card )', 'x();'];
    for (const one of quotes) {
      for (const other of quotes) {
        const before = place(code, [finding(rule, one, { line: 2 })]);
        const now = withEarlierFingerprints(place(`// new\n${code}`, [finding(rule, other, { line: 3 })]), before);
        const { added, gone, unchanged } = compareReviews({ findings: before }, report({ findings: now }));
        assert.deepEqual([added.length, gone.length, unchanged.length], [0, 0, 1], `${one} and ${other}`);
      }
    }
  });

  it('are others for another rule, in another file, and for other code', () => {
    const before = place(code, [finding(rule, 'log(card);', { line: 2 })]);
    const others = [
      place(code, [finding('pci-injection', 'log(card);', { line: 2 })]),
      place(code, [finding(rule, 'log(card);', { line: 2 })], { name: 'b.ts' }),
      place(code, [finding(rule, 'send(card);')]),
    ];
    for (const now of others) {
      const { added } = compareReviews(
        { findings: before },
        report({ findings: withEarlierFingerprints(now, before) }),
      );
      assert.equal(added.length, 1);
    }
  });
});

describe('comparison with the previous review', () => {
  const before = { findings: place(source, [...evals, sql]) };

  it('recognizes a finding after its lines have moved or changed indentation', () => {
    const moved = `// one\n// two\n${source.replaceAll('run(', '    run(')}`;
    const moving = evals.map((each) => ({ ...each, line: (each.line ?? 0) + 2 }));
    const now = report({ findings: place(moved, [...moving, sql]) });
    const { added, gone, unchanged, unknown } = compareReviews(before, now);
    assert.deepEqual([added.length, gone.length, unchanged.length, unknown.length], [0, 0, 3, 0]);
  });

  it('reports new and removed findings', () => {
    const now = report({ findings: place(source, [evals[0] ?? sql, finding('pci-injection', 'const a = 1;')]) });
    const { added, gone, unchanged } = compareReviews(before, now);
    assert.deepEqual([added.length, gone.length, unchanged.length], [1, 2, 1]);
  });

  it('reports nothing as removed that was not reviewed', () => {
    const file = { name: 'src/pay.ts', uri: '', isComplete: false };
    assert.equal(compareReviews(before, report({ files: [file] })).unknown.length, 3);
    assert.equal(compareReviews(before, report({ files: [] })).unknown.length, 3);
    const otherFramework = compareReviews(before, report({ frameworks: ['gdpr'] }));
    assert.deepEqual([otherFramework.gone.length, otherFramework.unknown.length], [1, 2]);
  });

  it('counts findings suppressed since then as removed', () => {
    const text = source.replace('run(', '// svc-ignore gdpr-security-of-processing: bound above\nrun(');
    const { gone, unchanged } = compareReviews(before, report({ findings: place(text, [...evals, sql]) }));
    assert.deepEqual([gone.length, unchanged.length], [1, 2]);
  });
});
