import assert from 'node:assert/strict';
import { namedPlace } from '../../../src/edits/placing/placeNew.ts';
import { isExample } from '../../../src/edits/reading/candidates.ts';
import { fenced, placed } from './placed.ts';

const queue = `export class Queue {
  push(job: Job): void {
    this.#jobs.push(job);
  }

  get size(): number {
    return this.#jobs.length;
  }
}
`;

describe('words that say beside what new code goes', () => {
  const cases: readonly (readonly [said: string, side: string | null, name?: string])[] = [
    ['I would put it right after `getInt`:', 'after', 'getInt'],
    ['Put it after `Add` in `src/Money.cs`:', 'after', 'Add'],
    ['They go at the end of `TestParts`, after `test_one`:', 'after', 'test_one'],
    ['At the end of the class `Queue`:', 'end', 'Queue'],
    ['Directly above the function `load()`:', 'before', 'load'],
    ['Füge das nach der Methode `push` ein:', 'after', 'push'],
    ['Here is `getLong`, modelled on `getInt`:', null],
    ['After `one`, or before `two`:', null],
    ['The thereafter `one`:', null],
  ];
  for (const [said, side, name] of cases) {
    it(said, () => assert.deepEqual(namedPlace(said), side === null ? null : { side, name }));
  }

  const method = 'clear(): void {\n  this.#jobs.length = 0;\n}';
  const added = (said: string): string => placed('typescript', queue, `${said}\n\n${fenced(method, 'ts')}`);

  it('place a method after the one that they name', () => {
    assert.equal(
      added('Add this after `push`:'),
      queue.replace('\n\n', '\n\n  clear(): void {\n    this.#jobs.length = 0;\n  }\n\n'),
    );
  });

  it('place a method before the one that they name, and at the end of a class', () => {
    assert.equal(added('Add this before `size`:'), added('Add this after `push`:'));
    assert.match(
      added('Add this at the end of `Queue`:'),
      /length;\n {2}\}\n\n {2}clear\(\): void \{\n.*\n {2}\}\n\}\n$/,
    );
  });

  it('are not enough where the name is not in the file, or stands twice', () => {
    assert.equal(added('Add this after `pop`:'), 'unplaced');
    const twice = `${queue}\n${queue.replace('Queue', 'Other')}`;
    assert.equal(placed('typescript', twice, `Add this after \`push\`:\n\n${fenced(method, 'ts')}`), 'unplaced');
  });

  it('never place what the file has already', () => {
    const again = fenced('push(job: Job): void {\n  check(job);\n  this.#jobs.push(job);\n}', 'ts');
    const text = placed('typescript', queue, `Change it, and keep it after \`size\`:\n\n${again}`);
    assert.equal(text.match(/push\(job: Job\)/g)?.length, 1);
  });

  it('place nothing outside of what was asked for', () => {
    const asked = queue.replace('  get size', '»\n  get size').replace('length;\n  }\n', 'length;\n  }\n«\n');
    assert.equal(
      placed('typescript', asked, `After \`Queue\`:\n\n${fenced('function f() {\n  return 1;\n}', 'ts')}`),
      'unplaced',
    );
  });

  it('place an operator and a type of one line', () => {
    const money = 'class Money\n{\n    public Money Add(Money other)\n    {\n        return other;\n    }\n}\n';
    const operator = fenced('public static Money operator +(Money a, Money b) => a.Add(b);', 'csharp');
    assert.match(
      placed('csharp', money, `Put it after \`Add\`:\n\n${operator}`),
      /\n {4}\}\n\n {4}public static Money operator \+\(Money a, Money b\) => a\.Add\(b\);\n\}\n$/,
    );
    const types = 'type A = string;\ntype B = number;\n\nexport const a: A = "";\n';
    assert.match(
      placed('typescript', types, `Below \`B\`:\n\n${fenced('type C = boolean;', 'ts')}`),
      /type B = number;\ntype C = boolean;\n\nexport/,
    );
  });
});

describe('the words above a block', () => {
  const cases: readonly (readonly [said: string, isOne: boolean])[] = [
    ['Usage:', true],
    ['For example:', true],
    ['Then use it:', true],
    ['Before:', true],
    ['Instead of the loop:', true],
    ['and use it in `RemindAsync`:', false],
    ['Change the line in `src/main/java/example/Pay.java`:', false],
    ['Expand the short form before it checks the length:', false],
    ['Use `o` instead of reading it a second time:', false],
    ['`verify` now waits:', false],
    ['Add an optional reason to `approve`:', false],
    ['3. Optional: log the change:', true],
    ['### Logging (optional)', true],
  ];
  for (const [said, isOne] of cases) {
    it(`${isOne ? 'make it an example' : 'make it no example'}: ${said}`, () =>
      assert.equal(isExample({ intro: said, language: '', lines: [] }), isOne));
  }
});

describe('a diff at the mark', () => {
  it('is the code that replaces the mark', () => {
    const text = 'class A {\n  one() {}\n▮\n  three() {}\n}\n';
    const diff = fenced('   one() {}\n-  <insert here>\n+  two() {\n+    return 2;\n+  }\n   three() {}', 'diff');
    assert.equal(
      placed('typescript', text, diff),
      'class A {\n  one() {}\n  two() {\n    return 2;\n  }\n  three() {}\n}\n',
    );
  });

  it('changes nothing else', () => {
    const text = 'class A {\n  one() {}\n▮\n}\n';
    const diff = fenced('-  one() {}\n-  <insert here>\n+  two() {}', 'diff');
    assert.equal(placed('typescript', text, diff), 'unplaced');
  });

  it('may have the parts of the file around it, with marks for the rest', () => {
    const text =
      'groups:\n  - name: pay\n    rules:\n      - alert: A\n        expr: a\n▮\n      - alert: C\n        expr: c\n';
    const answer = fenced(
      'groups:\n  - name: pay\n    rules:\n      # ... existing rules ...\n\n      - alert: B\n        expr: b\n      # ... existing rules ...',
      'yaml',
    );
    assert.equal(placed('yaml', text, answer), text.replace('▮', '      - alert: B\n        expr: b'));
  });
});

describe('new tests for a file that has some', () => {
  const adds = (languageId: string, text: string, code: string, said = ''): string =>
    placed(languageId, text, `${said}${fenced(code)}`, { adds: true, mode: 'edit' });

  it('go to its end', () => {
    const go = 'package a\n\nfunc TestOne(t *testing.T) {\n\tone()\n}\n';
    assert.equal(
      adds('go', go, 'func TestTwo(t *testing.T) {\n\ttwo()\n}'),
      `${go}\nfunc TestTwo(t *testing.T) {\n\ttwo()\n}\n`,
    );
  });

  it('go before what starts them in Python, with two blank lines', () => {
    const text = 'import a\n\n\ndef test_one():\n    assert a\n\n\nif __name__ == "__main__":\n    main()\n';
    const result = adds('python', text, 'def test_two():\n    assert not a');
    assert.equal(result, text.replace('\n\n\nif', '\n\n\ndef test_two():\n    assert not a\n\n\nif'));
  });

  it('go into the class, if they are methods', () => {
    const java = 'class PayTest {\n    @Test\n    void one() {\n        pay();\n    }\n}\n';
    assert.equal(
      adds('java', java, '@Test\nvoid two() {\n    pay();\n}'),
      java.replace(/\}\n$/, '\n    @Test\n    void two() {\n        pay();\n    }\n}\n'),
    );
    const python = 'class TestPay(TestCase):\n    def test_one(self):\n        pay()\n\n\nmain()\n';
    assert.equal(
      adds('python', python, '    def test_two(self):\n        pay()'),
      python.replace('\n\n\nmain', '\n\n    def test_two(self):\n        pay()\n\n\nmain'),
    );
  });

  it('have no place in one of two classes', () => {
    const text =
      'class A:\n    def test_one(self):\n        pay()\n\n\nclass B:\n    def test_two(self):\n        pay()\n';
    assert.equal(adds('python', text, '    def test_three(self):\n        pay()'), 'unplaced');
  });

  it('bring their imports', () => {
    const text = "import { one } from './a';\n\nit('one', () => {\n  one();\n});\n";
    assert.equal(
      adds('typescript', text, "import { one, two } from './a';\n\nit('two', () => {\n  two();\n});"),
      "import { one, two } from './a';\n\nit('one', () => {\n  one();\n});\n\nit('two', () => {\n  two();\n});\n",
    );
  });
});
