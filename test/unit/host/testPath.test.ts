import assert from 'node:assert/strict';
import { testPathFor } from '../../../src/host/edits/placing/testPath.ts';

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
      'a.test.ts',
    ],
    ['where they are already', 'pay.rb', ['pay.rb', 'pay_spec.rb'], 'pay_spec.rb', null],
  ];
  for (const [name, source, files, path, sample] of cases) {
    it(name, () => assert.deepEqual(testPathFor(source, files), { path, sample }));
  }
});
