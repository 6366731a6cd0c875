import assert from 'node:assert/strict';
import { type AnswerContext, maxAnswer, maxFindings, readAnswer } from '../../../src/review/answer/readAnswer.ts';
import { rulesFor } from '../../../src/review/catalog.ts';

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
    assert.deepEqual(read(json()), { findings: [], problems: [], lost: [] });
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
    // The rule and the quote of the last one are whole.
    assert.deepEqual([cut.findings.length, cut.problems], [3, ['truncated']]);
    assert.equal(read(whole.slice(0, -70), { finishReason: 'length' }).findings.length, 2);
  });

  it('drops findings outside of the request, by name', () => {
    const cases = [
      [{ rule: 'pci-made-up' }, 'unknown-rule'],
      [{ rule: 'gdpr-erasure' }, 'unknown-rule'],
      [{ file: '../../etc/passwd' }, 'other-file'],
      [{ file: 'pay.tsx' }, 'other-file'],
      [{ rule: undefined }, 'invalid-finding'],
      [{ rule: 3 }, 'invalid-finding'],
      [{ message: ' ', quote: '' }, 'invalid-finding'],
    ] as const;
    for (const [more, reason] of cases) {
      const { findings, problems, lost } = read(json(finding(more), finding({ line: 9 })));
      assert.deepEqual([findings.length, problems, lost.map((each) => each.reason)], [1, [], [reason]], reason);
    }
    const [made] = read(json(finding({ rule: 'made up\u202e', line: '7', message: 'a\nb' }))).lost;
    assert.deepEqual(made, { reason: 'unknown-rule', rule: 'made up<U+202E>', line: 7, text: 'a b' });
    const { lost } = read(json(null, 'x', 3, finding()));
    assert.deepEqual(
      lost.map(({ reason, text }) => [reason, text.slice(0, 4)]),
      [
        ['invalid-finding', 'null'],
        ['invalid-finding', '"x",'],
        ['invalid-finding', '3,{"'],
      ],
    );
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

  it('keeps what is longer than is shown, and what has no message or no quote', () => {
    const { findings, lost } = read(
      json(
        finding({ message: 'x'.repeat(3000), line: 1 }),
        finding({ quote: 'x'.repeat(5000), line: 2 }),
        finding({ message: null, line: 3 }),
        finding({ quote: null, line: 4 }),
      ),
    );
    assert.deepEqual(lost, []);
    assert.deepEqual(
      findings.map(({ message, quote }) => [message.length, quote.length]),
      [
        [2001, 10],
        [20, 4000],
        [findings[0]?.rule.sentence.length, 10],
        [20, 0],
      ],
    );
  });

  it('replaces an invalid severity with that of the rule, and drops an invalid line', () => {
    const [first] = read(json(finding({ severity: 'apocalyptic', line: -4, fix: null }))).findings;
    assert.deepEqual([first?.severity, first?.line, first?.fix], ['high', null, '']);
  });

  it('shows hidden characters in a message', () => {
    const [first] = read(json(finding({ message: 'a\u0007b\u202ec\nd\u{e0041}', fix: 'x\n\u200by' }))).findings;
    assert.equal(first?.message, 'a<U+0007>b<U+202E>c d<U+E0041>');
    assert.equal(first?.fix, 'x\n<U+200B>y');
    const [persian] = read(json(finding({ message: 'می\u200cخواهم 👩\u200d👧 a\u200cb' }))).findings;
    assert.equal(persian?.message, 'می\u200cخواهم 👩\u200d👧 a<U+200C>b');
  });
});
