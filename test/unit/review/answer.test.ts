import assert from 'node:assert/strict';
import { type AnswerContext, maxAnswer, maxFindings, readAnswer } from '../../../src/review/answer.ts';
import { rulesFor } from '../../../src/review/catalogue.ts';

const context: AnswerContext = { rules: rulesFor(['pci-dss']), names: ['src/pay.ts'], finishReason: 'stop' };
const finding = (more: object = {}): object => ({
  rule: 'pci-injection',
  severity: 'high',
  line: 3,
  quote: 'eval(text)',
  message: 'Text is run as code.',
  fix: 'Parse it.',
  ...more,
});
const json = (...findings: readonly unknown[]): string => JSON.stringify({ findings });
const read = (answer: string, more: Partial<AnswerContext> = {}) => readAnswer(answer, { ...context, ...more });

describe('reading the answer of a review', () => {
  it('accepts plain JSON, and JSON in one fence', () => {
    for (const answer of [json(finding()), `\`\`\`json\n${json(finding())}\n\`\`\``, ` \n${json(finding())}\n`]) {
      const { findings, problems } = read(answer);
      assert.deepEqual(problems, []);
      assert.deepEqual(
        findings.map(({ rule, severity, line, quote, message, fix }) => [rule.id, severity, line, quote, message, fix]),
        [['pci-injection', 'high', 3, 'eval(text)', 'Text is run as code.', 'Parse it.']],
      );
    }
  });

  it('accepts only an empty list of findings as a complete review without findings', () => {
    assert.deepEqual(read(json()), { findings: [], problems: [] });
    assert.deepEqual(read('').problems, ['refused']);
    assert.deepEqual(read('  \n').problems, ['refused']);
    assert.deepEqual(read('I found no violations.').problems, ['prose']);
    assert.deepEqual(read('[]').problems, ['malformed']);
    assert.deepEqual(read('null').problems, ['malformed']);
    assert.deepEqual(read('{}').problems, ['malformed']);
    assert.deepEqual(read('{"findings":{}}').problems, ['malformed']);
    assert.deepEqual(read(json(), { finishReason: 'content_filter' }).problems, ['refused']);
    assert.deepEqual(read(json(), { finishReason: 'length' }).problems, ['truncated']);
  });

  it('keeps the complete findings of an answer truncated anywhere, and reports the truncation', () => {
    const whole = json(
      finding(),
      finding({ line: 4, message: 'A "quoted" brace } and ] in a string \\' }),
      finding({ line: 5 }),
    );
    for (let length = 1; length < whole.length; length += 1) {
      const { findings, problems } = read(whole.slice(0, length));
      assert.ok(problems.includes('truncated') || problems.includes('malformed'), `${length}: ${problems}`);
      assert.ok(findings.length <= 3);
      if (length > whole.length - 3) assert.equal(findings.length, 3);
    }
    const cut = read(whole.slice(0, -30), { finishReason: 'length' });
    assert.deepEqual([cut.findings.length, cut.problems], [2, ['truncated']]);
  });

  it('reports prose around the JSON, and still reads it', () => {
    const { findings, problems } = read(`Here you are:\n\`\`\`json\n${json(finding())}\n\`\`\`\nGood luck!`);
    assert.deepEqual([findings.length, problems], [1, ['prose']]);
  });

  it('drops findings outside of the request, and reports it', () => {
    const cases = [
      [{ rule: 'pci-made-up' }, 'unknown-rule'],
      [{ rule: 'gdpr-erasure' }, 'unknown-rule'],
      [{ file: '../../etc/passwd' }, 'other-file'],
      [{ quote: undefined }, 'invalid-finding'],
      [{ message: '' }, 'invalid-finding'],
      [{ message: 'x'.repeat(3000) }, 'invalid-finding'],
      [{ quote: 'x'.repeat(5000) }, 'invalid-finding'],
      [{ line: '3' }, 'invalid-finding'],
    ] as const;
    for (const [more, problem] of cases) {
      const { findings, problems } = read(json(finding(more), finding()));
      assert.deepEqual([findings.length, problems], [1, [problem]], problem);
    }
    assert.deepEqual(read(json(null, 'x', 3)).problems, ['invalid-finding']);
    assert.deepEqual(read(json(finding({ file: 'src/pay.ts' }))).problems, []);
  });

  it('reads no more than its limit', () => {
    const many = read(json(...Array.from({ length: 5000 }, (_, line) => finding({ line: line + 1 }))));
    assert.deepEqual([many.findings.length, many.problems], [maxFindings, ['too-many']]);
    const long = read(`{"findings":[${JSON.stringify(finding())},"${'x'.repeat(maxAnswer)}`);
    assert.equal(long.findings.length, 1);
    assert.ok(long.problems.includes('too-long'));
  });

  it('reports a repeated finding once', () => {
    assert.equal(read(json(finding(), finding())).findings.length, 1);
  });

  it('replaces an invalid severity with that of the rule, and drops an invalid line', () => {
    const [first] = read(json(finding({ severity: 'apocalyptic', line: -4, fix: null }))).findings;
    assert.deepEqual([first?.severity, first?.line, first?.fix], ['high', null, '']);
  });

  it('shows hidden characters in a message', () => {
    const [first] = read(json(finding({ message: 'a\u0007b\u202ec\nd\u{e0041}', fix: 'x\n\u200by' }))).findings;
    assert.equal(first?.message, 'a<U+0007>b<U+202E>c d<U+E0041>');
    assert.equal(first?.fix, 'x\n<U+200B>y');
  });
});
