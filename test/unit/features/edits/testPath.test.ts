import assert from 'node:assert/strict';
import fc from 'fast-check';
import { partsOf, testFolderOf } from '../../../../src/features/edits/vscode/placing/testConvention.ts';
import { testPathFor } from '../../../../src/features/edits/vscode/placing/testPath.ts';

describe('the path of generated tests', () => {
  const cases: readonly (readonly [
    name: string,
    source: string,
    files: readonly string[],
    path: string,
    sample: string | null,
  ])[] = [
    ['beside', 'src/pay.ts', ['src/pay.ts', 'src/a.ts', 'src/a.spec.ts'], 'src/pay.spec.ts', 'src/a.spec.ts'],
    [
      'in a folder that mirrors the sources',
      'src/host/edits/pay.ts',
      ['src/host/a.ts', 'test/unit/host/a.test.ts', 'src/util/b.ts', 'test/unit/util/b.test.ts'],
      'test/unit/host/edits/pay.test.ts',
      'test/unit/host/a.test.ts',
    ],
    [
      'in a folder inside',
      'lib/x/pay.js',
      ['lib/a.js', 'lib/__tests__/a.test.js', 'lib/b.js', 'lib/__tests__/b.test.js'],
      'lib/x/__tests__/pay.test.js',
      'lib/__tests__/a.test.js',
    ],
    [
      'in the one folder of tests',
      'app/pay.py',
      ['app/pay.py', 'tests/test_flow.py'],
      'tests/test_pay.py',
      'tests/test_flow.py',
    ],
    ['as the language has it, where there are none', 'pay.go', ['pay.go', 'a.test.ts'], 'pay_test.go', null],
    ['as the language has it in TypeScript', 'src/pay.tsx', ['src/pay.tsx'], 'src/pay.test.tsx', null],
    [
      'as most tests have it',
      'pay.ts',
      ['a.ts', 'a.test.ts', 'b.ts', 'b.spec.ts', 'c.ts', 'c.spec.ts'],
      'pay.spec.ts',
      'b.spec.ts',
    ],
    ['where they are already', 'pay.rb', ['pay.rb', 'pay_spec.rb'], 'pay_spec.rb', null],
    [
      'where its test is, whatever most tests are named',
      'src/pay.ts',
      ['src/pay.ts', 'src/pay.test.ts', 'src/a.ts', 'src/a.spec.ts', 'src/b.ts', 'src/b.spec.ts'],
      'src/pay.test.ts',
      null,
    ],
    [
      'where its test is, in another folder of tests',
      'app/core/pay.py',
      ['app/core/pay.py', 'tests/core/test_pay.py', 'tests/other/test_pay.py'],
      'tests/core/test_pay.py',
      null,
    ],
    [
      'not where a test of a namesake is',
      'a/index.ts',
      ['a/index.ts', 'b/index.ts', 'b/index.test.ts'],
      'a/index.test.ts',
      'b/index.test.ts',
    ],
    [
      'in the file of a namesake, if the tests of all are in one folder',
      'a/util.py',
      ['a/util.py', 'b/util.py', 'tests/test_util.py', 'tests/test_a.py'],
      'tests/test_util.py',
      null,
    ],
    [
      'in a folder inside, without a name of their own',
      'src/card/luhn.ts',
      ['src/card/luhn.ts', 'src/card/cvv.ts', 'src/card/__tests__/cvv.ts', 'src/card/__tests__/helpers.ts'],
      'src/card/__tests__/luhn.ts',
      'src/card/__tests__/cvv.ts',
    ],
    [
      'in a folder of tests, without a name of their own',
      'lib/pay.js',
      ['lib/pay.js', 'lib/card.js', 'test/card.js', 'test/util/chai.js'],
      'test/pay.js',
      'test/card.js',
    ],
    [
      'as the nearest package has it',
      'packages/pay/src/a.ts',
      [
        ...['package.json', 'packages/pay/package.json', 'packages/pay/src/a.ts', 'packages/pay/src/b.ts'],
        ...['packages/pay/src/b.spec.ts', 'packages/web/package.json'],
        ...['c', 'd', 'e'].flatMap((name) => [`packages/web/src/${name}.ts`, `packages/web/src/${name}.test.ts`]),
      ],
      'packages/pay/src/a.spec.ts',
      'packages/pay/src/b.spec.ts',
    ],
    [
      'as a package above has it, if the nearest has none',
      'packages/pay/src/a.ts',
      [
        'package.json',
        'packages/pay/package.json',
        'packages/pay/src/a.ts',
        'packages/web/c.ts',
        'packages/web/c.spec.ts',
      ],
      'packages/pay/src/a.spec.ts',
      'packages/web/c.spec.ts',
    ],
    [
      'in the module of Maven',
      'pay/src/main/java/org/pay/Card.java',
      [
        ...['pom.xml', 'pay/pom.xml', 'pay/src/main/java/org/pay/Card.java', 'pay/src/main/java/org/pay/Iban.java'],
        'pay/src/test/java/org/pay/IbanTest.java',
      ],
      'pay/src/test/java/org/pay/CardTest.java',
      'pay/src/test/java/org/pay/IbanTest.java',
    ],
    [
      'in the layout of Maven, where there are none',
      'src/main/java/org/pay/Card.java',
      ['pom.xml', 'src/main/java/org/pay/Card.java'],
      'src/test/java/org/pay/CardTest.java',
      null,
    ],
    [
      'in a folder of tests, where there are none of the language',
      'app/pay.py',
      ['pyproject.toml', 'app/pay.py', 'tests/conftest.py'],
      'tests/test_pay.py',
      null,
    ],
    [
      'beside, in Go, whatever folders there are',
      'pay/card.go',
      ['go.mod', 'pay/card.go', 'tests/data.go', 'pay/iban.go', 'pay/iban_test.go'],
      'pay/card_test.go',
      'pay/iban_test.go',
    ],
    [
      'in the project of tests of C#',
      'src/Pay/Cards/Card.cs',
      [
        ...['src/Pay/Pay.csproj', 'src/Pay/Cards/Card.cs', 'src/Pay/Iban.cs'],
        ...['tests/Pay.Tests/Pay.Tests.csproj', 'tests/Pay.Tests/IbanTests.cs'],
      ],
      'tests/Pay.Tests/Cards/CardTests.cs',
      'tests/Pay.Tests/IbanTests.cs',
    ],
    [
      'in a script, for a component',
      'src/Pay.vue',
      ['src/Pay.vue', 'src/a.ts', 'src/a.spec.ts'],
      'src/Pay.spec.ts',
      'src/a.spec.ts',
    ],
    ['in itself, if it is a test', 'src/a.test.ts', ['src/a.ts', 'src/a.test.ts'], 'src/a.test.ts', null],
    ['in itself, if it is a test without a name of its own', 'test/a.js', ['lib/a.js', 'test/a.js'], 'test/a.js', null],
    [
      'beside, with the endings of the source',
      'src/Pay.tsx',
      ['src/Pay.tsx', 'src/a.ts', 'src/a.test.ts'],
      'src/Pay.test.tsx',
      'src/a.test.ts',
    ],
    [
      'with the test of the nearest folder as a sample',
      'src/x/pay.ts',
      ['src/a.ts', 'src/a.test.ts', 'src/x/pay.ts', 'src/x/b.ts', 'src/x/b.test.ts'],
      'src/x/pay.test.ts',
      'src/x/b.test.ts',
    ],
  ];
  for (const [name, source, files, path, sample] of cases) {
    it(`is ${name}`, () => assert.deepEqual(testPathFor(source, files), { path, sample }));
  }

  it('is always below the workspace folder, and never the source itself unless that is a test', () => {
    const folder = fc.constantFrom('a', 'b', 'src', 'test', 'tests', '__tests__', 'lib', 'A');
    const name = fc.constantFrom('a', 'b', 'A', 'cvv');
    const file = fc
      .tuple(
        fc.array(folder, { maxLength: 3 }),
        name,
        fc.constantFrom('', '.test', '.spec', '_test', 'Test'),
        fc.constantFrom('ts', 'py', 'java'),
      )
      .map(([folders, own, after, ending]) => [...folders, `${own}${after}.${ending}`].join('/'));
    fc.assert(
      fc.property(file, fc.array(file, { maxLength: 12 }), (source, others) => {
        const files = [...new Set([source, ...others])];
        const { path, sample } = testPathFor(source, files);
        assert.ok(
          path.split('/').every((part) => part !== '' && part !== '..'),
          path,
        );
        assert.ok(sample === null || (files.includes(sample) && sample !== path && sample !== source), String(sample));
        if (path === source) assert.match(source, /test|spec/i);
        const { name: own, folder: at } = partsOf(source);
        const isAlone = files.filter((each) => partsOf(each).name === own).length === 1;
        // Its test, once it exists, is found again, unless it may be that of a namesake.
        // Classes have names with a capital letter.
        const isNamed = /^[A-Z]/.test(own) || !files.some((each) => /Test\.|\.java$/.test(each));
        if (isAlone && isNamed && testFolderOf(at) === undefined)
          assert.equal(testPathFor(source, [...files, path]).path, path);
      }),
      { numRuns: 1_000 },
    );
  });
});
