import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';

/** What a story or test waits with that holds only on a fast machine, each with what to use. */
const races: readonly (readonly [files: string, race: RegExp, better: string])[] = [
  [
    'test/e2e/**/*.ts',
    /expect\(service\.chats(?:\)\.toHaveLength|\.length\)\.to\w+)\((?!0\)|200\))/,
    'expectChats, which waits for the requests',
  ],
  ['test/e2e/**/*.ts', /\.waitForTimeout\(/, 'a condition'],
  ['test/{unit,integration,e2e}/**/*.ts', /setTimeout\([^()]*, \d+\)/, 'a condition'],
];

function racesIn(path: string, text: string, race: RegExp): readonly string[] {
  return text.split('\n').flatMap((line, at) => (race.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : []));
}

describe('the tests', () => {
  for (const [files, race, better] of races)
    it(`wait with ${better}: nothing in ${files} matches ${race.source}`, () => {
      const paths = globSync(files).filter((path) => !path.endsWith('stories.test.ts'));
      assert.ok(paths.length > 40, `${paths.length} files`);
      assert.deepEqual(
        paths.flatMap((path) => racesIn(path, readFileSync(path, 'utf8'), race)),
        [],
      );
    });

  it('tests that count requests or wait for a time are found', () => {
    const planted = [
      'expect(service.chats).toHaveLength(2);',
      'expect(service.chats).toHaveLength(sent + 1);',
      'expect(service.chats.length).toBe(1);',
      'await page.waitForTimeout(100);',
      'await new Promise((resolve) => setTimeout(resolve, 0));',
    ];
    for (const line of planted)
      assert.ok(
        races.some(([, race]) => racesIn('x.ts', line, race).length > 0),
        line,
      );
    // That nothing was sent is asked once, after what proves that it is decided.
    assert.ok(races.every(([, race]) => racesIn('x.ts', 'expect(service.chats).toHaveLength(0);', race).length === 0));
  });
});
