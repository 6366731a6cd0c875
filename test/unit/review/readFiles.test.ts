import assert from 'node:assert/strict';
import fc from 'fast-check';
import { maxFindings } from '../../../src/review/answer/readAnswer.ts';
import { readFiles } from '../../../src/review/answer/readFiles.ts';
import { rulesFor } from '../../../src/review/catalog.ts';

const pay = { name: 'src/pay.ts', text: '// Takes payments.\neval(payment);\nsave(card);\n' };
const ship = { name: 'src/ship.ts', text: '// Ships orders.\npost("http://ship.example");\nsave(card);\n' };
const log = { name: 'src/log.ts', text: 'console.log(card.number);\n' };
const sent = [pay, ship, log];
const of = (quote: string, more: object = {}): object => ({
  rule: 'pci-injection',
  line: 2,
  quote,
  message: 'Bad.',
  ...more,
});
const list = (file: unknown, ...findings: readonly object[]): object => ({ file, findings });
const answer = (...files: readonly object[]): string => JSON.stringify({ files });
const read = (text: string, files = sent, more: { finishReason?: string; isUnfinished?: boolean } = {}) =>
  readFiles(text, { rules: rulesFor(['pci-dss']), files, finishReason: 'stop', ...more });
/** Of each file: the quotes of its findings; null if it is not answered. */
const quotes = (text: string, files = sent, more = {}) =>
  read(text, files, more).map(({ isAnswered, findings }) => (isAnswered ? findings.map(({ quote }) => quote) : null));
const whole = answer(
  list(pay.name, of('eval(payment);')),
  list(ship.name, of('post("http://ship.example");')),
  list(log.name),
);

describe('reading an answer about several files', () => {
  it('gives each file its list, however models write it', () => {
    const expected = [['eval(payment);'], ['post("http://ship.example");'], []];
    for (const [what, text] of Object.entries({
      plain: whole,
      'in a fence': `\`\`\`json\n${whole}\n\`\`\``,
      'prose around it': `I looked at "files".\n${whole}\nDone: [1].`,
      thoughts: `<think>{"files":[{"file":"src/log.ts","findings":[{"rule":"pci-injection","quote":"x y z"}]}]}</think>${whole}`,
      'without the outer object': whole.slice('{"files":'.length, -1),
      'one object a line': whole.slice('{"files":['.length, -2).replaceAll('},{"file"', '}\n{"file"'),
      'another order': answer(...JSON.parse(whole).files.reverse()),
      'single quotation marks': whole.replaceAll('\\"', '@').replaceAll('"', "'").replaceAll('@', '"'),
      'a trailing comma': whole.replaceAll('}]}', '},]}'),
      'without folders': whole.replaceAll('src/', ''),
      'with a folder above': whole.replaceAll('src/', 'app/src/'),
      'with ./ and lines': whole.replaceAll('src/', './src/').replaceAll('.ts"', '.ts:1-3"'),
      'its file in each finding': whole
        .replaceAll('{"rule"', '{"file":"src/pay.ts","rule"')
        .replace(
          '"file":"src/pay.ts","rule":"pci-injection","line":2,"quote":"post',
          '"file":"src/ship.ts","rule":"pci-injection","line":2,"quote":"post',
        ),
      'two lists of one file': answer(
        list(pay.name, of('eval(payment);')),
        list(pay.name),
        ...JSON.parse(whole).files.slice(1),
      ),
    })) {
      assert.deepEqual(quotes(text), expected, what);
      assert.deepEqual(
        read(text).flatMap(({ lost, problems }) => [...lost, ...problems]),
        [],
        what,
      );
    }
  });

  it('takes no file as answered that has no complete list of its own', () => {
    const none = [null, null, null];
    for (const text of [
      '',
      'I found nothing.',
      '{"findings":[]}',
      '{"files":[]}',
      '{"files":["src/pay.ts","src/ship.ts"]}',
      '{"src/pay.ts":[],"src/ship.ts":[]}',
      JSON.stringify({ findings: [of('eval(payment);')] }),
      answer(list(undefined), list(null), list(3), list('README.md'), list('../../etc/passwd'), list('')),
      answer({ file: pay.name, findings: {} }, { file: ship.name }, { file: log.name, findings: 'none' }),
      `<think>${whole}`,
    ]) {
      assert.deepEqual(quotes(text), none, text);
      assert.deepEqual(
        read(text).flatMap(({ lost }) => lost),
        [],
        text,
      );
    }
  });

  it('keeps the complete lists of an answer that is cut anywhere, and no others', () => {
    const ends = ['"eval(payment);"', '"post(', '"src/log.ts"'].map((mark) => whole.indexOf(mark));
    for (let length = 0; length < whole.length; length += 1) {
      for (const more of [{}, { finishReason: 'length' }, { isUnfinished: true }]) {
        const found = quotes(whole.slice(0, length), sent, more);
        if (found[0] !== null) assert.ok(length > (ends[0] ?? 0) && found[0]?.length === 1, whole.slice(0, length));
        if (found[1] !== null) assert.ok(length > (ends[1] ?? 0) && found[1]?.length === 1, whole.slice(0, length));
        if (found[2] !== null) assert.ok(length > (ends[2] ?? 0), whole.slice(0, length));
      }
    }
    assert.deepEqual(quotes(whole.slice(0, whole.indexOf('"post(')), sent, { finishReason: 'length' }), [
      ['eval(payment);'],
      null,
      null,
    ]);
  });

  it('takes a list without lists of files for the files that it names, if the answer is whole', () => {
    const flat = JSON.stringify({
      findings: [of('eval(payment);', { file: pay.name }), of('save(card);', { file: 'ship.ts' })],
    });
    assert.deepEqual(quotes(flat), [['eval(payment);'], ['save(card);'], null]);
    assert.deepEqual(quotes(flat, sent, { finishReason: 'length' }), [null, null, null]);
    assert.deepEqual(quotes(flat.slice(0, -1)), [null, null, null]);
  });

  it('assigns a finding to the only file that has its quote, whatever file it is named under', () => {
    const swapped = answer(
      list(pay.name, of('post("http://ship.example");')),
      list(ship.name, of('eval(payment);')),
      list(log.name, of('eval(payment);', { file: pay.name })),
    );
    // The one with its own name says the same again.
    assert.deepEqual(quotes(swapped), [['eval(payment);'], ['post("http://ship.example");'], []]);
    // Text of two files stays under its name, and so does text of none, and what is too short to tell.
    for (const quote of ['save(card);', 'not in any file', '();', '']) {
      assert.deepEqual(
        quotes(answer(list(pay.name, of(quote)), list(ship.name), list(log.name))),
        [[quote], [], []],
        quote,
      );
    }
    assert.deepEqual(quotes(answer(list(pay.name), list(ship.name), list(log.name, of('save(card);')))), [
      [],
      [],
      ['save(card);'],
    ]);
  });

  it('keeps a finding for a file that is asked about again', () => {
    const [, second] = read(answer(list(pay.name, of('post("http://ship.example");'))));
    assert.deepEqual([second?.isAnswered, second?.findings.length], [false, 1]);
  });

  it('loses by name the findings for a file that was not sent, with the file that has their quote', () => {
    const text = answer(
      ...JSON.parse(whole).files,
      list('../../etc/passwd', of('console.log(card.number);'), of('root:x:0:0', { line: 7 })),
    );
    const lost = read(text).map(({ lost: some }) =>
      some.map(({ reason, line, text: beginning }) => [reason, line, beginning]),
    );
    assert.deepEqual(lost, [[['other-file', null, 'Bad.']], [], [['other-file', 2, 'Bad.']]]);
    assert.deepEqual(quotes(text), quotes(whole));
    // If a file is asked about again, a finding may have been meant for it.
    const again = read(answer(...JSON.parse(whole).files.slice(0, 2), list('other.ts', of('root:x:0:0'))));
    assert.deepEqual(
      again.flatMap(({ lost: some }) => some),
      [],
    );
  });

  it('takes no name for a file that could be another one', () => {
    const files = [
      { name: 'a/pay.ts', text: 'eval(a);\n' },
      { name: 'b/pay.ts', text: 'eval(b);\n' },
      { name: 'pay.ts', text: 'eval(c);\n' },
    ];
    assert.deepEqual(quotes(answer(list('b/pay.ts'), list('pay.ts'), list('a/pay.ts')), files), [[], [], []]);
    assert.deepEqual(quotes(answer(list('x/pay.ts')), files.slice(0, 2)), [null, null]);
    assert.deepEqual(quotes(answer(list('pay.ts', of('eval(b);'))), files.slice(0, 2)), [null, null]);
    assert.deepEqual(quotes(answer(list('Pay.ts')), files), [null, null, null]);
  });

  it('reads names with brackets, umlauts in either form, spaces and quotation marks', () => {
    for (const name of [
      '[id]/(group)/page.tsx',
      'bücher.ts',
      'a b/c "d".ts',
      "it's.ts",
      'ä [1](2) %20 #L9.ts',
      'a.ts.diff',
      '日本.py',
    ]) {
      const files = [{ name, text: 'eval(a);\n' }, pay];
      for (const form of ['NFC', 'NFD'] as const) {
        assert.deepEqual(
          quotes(answer(list(name.normalize(form), of('eval(a);')), list(pay.name)), files),
          [['eval(a);'], []],
          name,
        );
      }
    }
  });

  it('reads at most so many findings of a file, and loses none of the others', () => {
    const many = Array.from({ length: 10_000 }, (_, line) => of('', { line: line + 1 }));
    const [first, second] = read(answer(list(pay.name, ...many), list(ship.name, of('save(card);')), list(log.name)));
    assert.deepEqual([first?.findings.length, first?.problems], [maxFindings, ['too-many']]);
    assert.deepEqual([second?.findings.length, second?.problems], [1, []]);
  });

  it('never gives a finding to a file that neither is named nor has its quote, whatever is answered', () => {
    const name = fc.oneof(
      fc.constantFrom(...sent.map(({ name: one }) => one), 'pay.ts', '../pay.ts', 'other.ts'),
      fc.string(),
    );
    const quote = fc.constantFrom('eval(payment);', 'post("http://ship.example");', 'save(card);', 'nowhere at all');
    const finding = fc.record({
      rule: fc.constantFrom('pci-injection', 'x'),
      quote,
      line: fc.nat(9),
      message: fc.string(),
    });
    const files = fc.array(fc.record({ file: name, findings: fc.array(finding, { maxLength: 4 }) }), { maxLength: 5 });
    fc.assert(
      fc.property(files, fc.nat(2000), (given, length) => {
        const text = JSON.stringify({ files: given }).slice(0, length);
        read(text).forEach(({ findings, isAnswered }, index) => {
          const file = sent[index];
          if (file === undefined) return;
          const isNamed = given.some(
            (one) => file.name === one.file || file.name.endsWith(`/${one.file}`) || one.file.endsWith(`/${file.name}`),
          );
          if (isAnswered) assert.ok(isNamed, text);
          for (const each of findings) assert.ok(file.text.includes(each.quote) || isNamed, text);
        });
      }),
    );
  });
});
