import assert from 'node:assert/strict';
import { readAnswer } from '../../../src/review/answer/readAnswer.ts';
import { rulesFor } from '../../../src/review/catalog.ts';

const read = (answer: string, finishReason = 'stop') =>
  readAnswer(answer, { rules: rulesFor(['pci-dss']), names: ['src/pay.ts'], finishReason });
const one =
  '{"rule":"pci-injection","severity":"high","line":3,"quote":"eval(text)","message":"Run as code.","fix":"Parse it."}';
const two =
  '{"rule":"pci-transmission","severity":"high","line":5,"quote":"post(\'http://a\')","message":"Not encrypted.","fix":"Use https."}';
const list = `{"findings":[${one},${two}]}`;
const expected = [
  ['pci-injection', 3, 'eval(text)', 'Run as code.', 'Parse it.'],
  ['pci-transmission', 5, "post('http://a')", 'Not encrypted.', 'Use https.'],
];
const shown = (answer: string) =>
  read(answer).findings.map(({ rule, line, quote, message, fix }) => [rule.id, line, quote, message, fix]);

describe('the answer of a review as models write it', () => {
  const same: readonly (readonly [what: string, answer: string])[] = [
    ['a fence of another language', `\`\`\`javascript\n${list}\n\`\`\``],
    ['a fence without an end', `\`\`\`json\n${list}`],
    ['prose before it', `Here are the findings:\n\n${list}`],
    ['prose after it', `${list}\n\nNote that {"these"} are only hints. [1]`],
    ['prose around a fence', `I have looked.\n\`\`\`json\n${list}\n\`\`\`\nGood luck!`],
    ['prose with code in braces', `The code \`if (a) { rule(); }\` is risky: ${list}`],
    ['a byte order mark', `\ufeff${list}`],
    [
      'thoughts before it',
      `<think>\nIs eval bad? {"findings":[{"rule":"pci-logging","line":1}]} no.\n</think>\n${list}`,
    ],
    ['thoughts of another name', `<reasoning>Hm.</reasoning>\n\n${list}`],
    ['two blocks of thoughts', `<think>a</think><think>b</think>${list}`],
    ['thoughts whose beginning is missing', `It calls eval, so …\n</think>\n\n${list}`],
    ['a trailing comma after a finding', `{"findings":[${one},${two},]}`],
    ['a trailing comma in a finding', list.replaceAll('"}', '",}')],
    ['a trailing comma at the end', `{"findings":[${one},${two}],}`],
    ['no comma between the findings', `{"findings":[${one}\n${two}]}`],
    ['no comma between the members', list.replaceAll('","', '"\n"')],
    ['line comments', `{"findings":[ // two\n${one}, // the first\n${two}\n]} // end`],
    ['block comments', `/* answer */ {"findings":[/* { */${one},/* "rule": */${two}]}`],
    ['comments of Python', `{"findings":[ # two\n${one},\n# "another"\n${two}]}`],
    ['single quotation marks', `{'findings': [${one.replaceAll('"', "'")}, ${two}]}`],
    ['typographic quotation marks', `{“findings”:[${one.replace(/"([^"]*)"/g, '“$1”')},${two}]}`],
    ['names without quotation marks', `{findings:[${one.replace(/"(\w+)":/g, '$1: ')},${two}]}`],
    ['names in another case', list.replace(/"(rule|line|quote)":/g, (key) => key.toUpperCase())],
    ['names of other tools', list.replaceAll('"rule"', '"ruleId"').replaceAll('"line"', '"line_number"')],
    ['further members', list.replaceAll('{"rule"', '{"n":1,"tags":["a",{"b":null}],"rule"')],
    ['values of Python', list.replaceAll('{"rule"', '{"isNew":True,"cwe":None,"rule"')],
    ['a rule in capital letters', list.replace('pci-injection', 'PCI-Injection')],
    ['a rule with another dash', list.replace('pci-injection', 'pci_injection')],
    ['a rule with its framework', list.replace('pci-injection', 'pci-injection (PCI DSS, requirement 6.2.4)')],
    ['a rule in backticks', list.replace('pci-injection', '`pci-injection`')],
    ['a line as text', list.replace('"line":3', '"line":"3"')],
    ['several lines as text', list.replace('"line":3', '"line":"L3-4"')],
    ['a severity in capital letters', list.replaceAll('"high"', '"HIGH"')],
    ['the file with its folders', list.replace('"line":3', '"file":"./src\\\\pay.ts:1-9","line":3')],
    ['the file without its folders', list.replace('"line":3', '"file":"pay.ts","line":3')],
    ['a list alone', `[${one},${two}]`],
    ['a list in other words', `{"review":{"findings":[${one},${two}]},"ok":false}`],
    ['a finding a line', `${one}\n${two}\n`],
    ['two lists', `{"findings":[${one}]}\n\n{"findings":[${two}]}`],
    ['an apostrophe between single quotation marks', list.replace(one, one.replaceAll('"', "'"))],
  ];
  for (const [what, answer] of same) {
    it(`is read with ${what}`, () => {
      assert.deepEqual(shown(answer), expected);
      assert.deepEqual([read(answer).problems, read(answer).lost], [[], []]);
    });
  }

  const texts: readonly (readonly [what: string, written: string, read: string])[] = [
    ['quotation marks in a call', 'log("a", "b")', 'log("a", "b")'],
    ['a quotation mark at its end', 'run("a")', 'run("a")'],
    ['an object', 'send({ "card": card, "to": "a" });', 'send({ "card": card, "to": "a" });'],
    ['a line break', 'a();\n  b();', 'a();\n  b();'],
    ['a tab', 'a(\tb)', 'a(\tb)'],
    ['a regular expression', '/\\d+\\.\\s/', '/\\d+\\.\\s/'],
    ['a path of Windows', 'C:\\data\\x', 'C:\\data\\x'],
    ['braces', '}] {[ }', '}] {[ }'],
    ['the end of thoughts', 'a </think> b', 'a </think> b'],
  ];
  for (const [what, written, text] of texts) {
    it(`is read with a quote that has ${what}, not escaped`, () => {
      const answer = `{"findings":[${one.replace('eval(text)', () => written)},${two}]}`;
      assert.deepEqual(shown(answer), [['pci-injection', 3, text, 'Run as code.', 'Parse it.'], expected[1]]);
    });
  }

  it('has an apostrophe in a message between single quotation marks', () => {
    const answer = "{'findings': [{'rule': 'pci-injection', 'quote': 'f(\\'a\\')', 'message': 'It's run, isn't it?'}]}";
    assert.deepEqual(
      read(answer).findings.map(({ quote, message }) => [quote, message]),
      [["f('a')", "It's run, isn't it?"]],
    );
  });

  it('loses a finding that cannot be read, by name, and no other', () => {
    for (const broken of [
      '{"rule":"pci-logging","line":4,%%%}',
      '{"rule":"pci-logging","line":4,"message"}',
      '{"rule":"pci-logging","line":4,"message":@}',
      '{"rule":"pci-logging","line":4,"quote":[[[[[[[[[[[[[[[[[[[[[[[[[',
    ]) {
      const { findings, lost } = read(`{"findings":[${one},${broken},${two}]}`);
      assert.equal(findings.length, 2, broken);
      assert.deepEqual(
        lost.map(({ reason, rule, line }) => [reason, rule, line]),
        [['invalid-finding', 'pci-logging', 4]],
        broken,
      );
    }
  });

  it('is incomplete where it ends in the middle, or its thoughts have no end', () => {
    for (const answer of [
      list.slice(0, -1),
      list.slice(0, -3),
      `{'findings': [${one},`,
      `[${one},`,
      `Here: {"findings":[`,
    ]) {
      assert.deepEqual(read(answer).problems, ['truncated'], answer);
    }
    assert.deepEqual(read(`<think>I look at it. ${list}`).problems, ['prose']);
    assert.equal(read(`<think>I look at it. ${list}`).findings.length, 2);
    assert.deepEqual(read('<think>I look at it.').problems, ['prose']);
    assert.deepEqual(read('<think>a</think>').problems, ['prose']);
    assert.deepEqual(read('<think>a</think>{"findings":[]}').problems, []);
  });
});
