import assert from 'node:assert/strict';
import fc from 'fast-check';
import { globsOf } from '../../src/gate/globs/globs.ts';
import { checkPath } from '../tools/checkPath.ts';
import { type VsCodeGlob, vscodeGlobs } from './globs/vscodeGlob.ts';
import type { Group, Property } from './group.ts';

/** Pieces of globs, each with paths that it may match, so that many pairs match. */
const pieces: readonly (readonly [string, readonly string[]])[] = [
  ['a', ['a', 'A']],
  ['b', ['b']],
  ['ab', ['ab']],
  ['K', ['K', 'k', '\u212a']],
  ['\u0131', ['\u0131', 'i', 'I']],
  ['ß', ['ß', 'ẞ']],
  ['é', ['é', 'É', 'e\u0301']],
  ['🙂', ['🙂', '\ud83d']],
  ['.', ['.', 'x']],
  ['-', ['-']],
  [' ', [' ']],
  ['/', ['/', '\\', '']],
  ['/', ['/']],
  ['\\', ['\\', '/']],
  ['*', ['', 'a', 'ab', '.b', '\n']],
  ['**', ['', 'a', 'a/b', '/']],
  ['**/', ['', 'a/', 'a/b/', '\\']],
  ['/**', ['', '/', '/a', '/a/b']],
  ['***', ['', 'a']],
  ['?', ['a', 'b', '🙂', '']],
  ['(a)', ['(a)', 'a']],
  ['(a+)+b', ['(a+)+b', 'aab']],
  ['+', ['+', '']],
  ['|', ['|']],
  ['^', ['^']],
  ['$', ['$']],
  ['@(a|b)', ['@(a|b)', 'a']],
  ['!', ['!']],
  ['{a,b}', ['a', 'b', '{a,b}']],
  ['{a}', ['a']],
  ['{}', ['', '{}']],
  ['{a,,b}', ['a', '']],
  ['{a,}', ['a', '']],
  ['{a,{b,c}}', ['a', 'b', '', 'a}']],
  ['{**/a,b/**}', ['a', 'x/a', 'b', 'b/c']],
  ['{*.a,[b]}', ['x.a', 'b']],
  ['{a/b,**}', ['a/b', 'c']],
  ['{', ['', '{']],
  ['}', ['', '}']],
  [',', [',']],
  ['[ab]', ['a', 'b', 'A']],
  ['[!ab]', ['c', 'A', '/']],
  ['[^a]', ['b', '/']],
  ['[a-c]', ['b', 'B', '-']],
  ['[a-]', ['a', '-']],
  ['[-a]', ['a', '-']],
  ['[a-c-e]', ['b', '-', 'e', 'd']],
  ['[]a]', [']', 'a']],
  ['[!]a]', ['b', ']']],
  ['[!]', ['a', '/', '']],
  ['[]', ['', '[]']],
  ['[a/b]', ['a', '/']],
  ['[/!a]', ['b', '!']],
  ['[\\d]', ['d', '\\', '1']],
  ['[🙂]', ['🙂', '\ud83d', '\ude42']],
  ['[K-L]', ['k', '\u212a', 'L']],
  ['[c-a]', ['b']],
  ['[', ['', '[']],
  [']', ['', ']']],
];

const piece = fc.constantFrom(...pieces);
const written = fc.array(fc.tuple(piece, fc.nat(11)), { minLength: 1, maxLength: 6 });
/** Some globs have the simple forms that are looked up. */
const simple = fc.tuple(
  fc.constantFrom('**/', '**/*.', '**/*', '', '*.'),
  fc.constantFrom('a', 'a.b', 'K', '.a', 'a/'),
);
const names = fc.array(fc.tuple(piece, fc.nat(11)), { maxLength: 4 });

interface Pair {
  readonly glob: string;
  readonly paths: readonly string[];
}

const sample = (list: readonly (readonly [readonly [string, readonly string[]], number])[]): string =>
  list.map(([[, samples], index]) => samples[index % samples.length] ?? '').join('');

const pairs: fc.Arbitrary<Pair> = fc
  .tuple(
    fc.oneof({ weight: 5, arbitrary: written }, { weight: 1, arbitrary: simple }),
    fc.array(names, { minLength: 4, maxLength: 4 }),
  )
  .map(([list, others]) => {
    const isSimple = typeof list[0] === 'string';
    const asPieces = isSimple ? [] : (list as readonly (readonly [readonly [string, readonly string[]], number])[]);
    const glob = isSimple ? list.join('') : asPieces.map(([[text]]) => text).join('');
    const own = isSimple ? glob.replace(/^\*\*\/|\*/g, '') : sample(asPieces);
    const shifted = sample(asPieces.map(([one, index]) => [one, index + 1] as const));
    const around = others.map(sample);
    return { glob, paths: [own, shifted, `a/${own}`, `${own}/b`, `${own}${around[0]}`, ...around.slice(1)] };
  });

const pathsEach = 6;

/** Why a glob may hide more here than in VS Code. */
const reasons = {
  unreadable: 'the glob cannot be read, which VS Code ignores',
  nested: 'braces in braces',
  backslash: 'a backslash in the path, which VS Code takes for a slash in most globs',
  newline: 'a line break in the path, which ** does not match in VS Code',
  case: 'another spelling on a disk without case, by a list or by a letter that VS Code does not fold',
} as const;

/** Compares with VS Code's own function for each path and the folders around it: never looser. */
const asVsCode: Property['check'] = async (runs, seed) => {
  const parse = await vscodeGlobs();
  const stricter = new Map<string, number>();
  let asked = 0;
  let hidden = 0;
  const property = fc.property(pairs, fc.boolean(), ({ glob, paths }, ignoreCase) => {
    const theirs = parse({ [glob]: true }, { ignoreCase });
    const ours = globsOf({ [glob]: true }, ignoreCase);
    for (const path of paths.filter((one) => one !== '')) {
      asked += 1;
      const isHidden = isHiddenBy(theirs, path);
      const found = checkPath(ours, path);
      if (isHidden) hidden += 1;
      const words = `${JSON.stringify(glob)} and ${JSON.stringify(path)}`;
      assert.ok(found !== null || !isHidden, `VS Code hides ${words}, and it would be allowed`);
      if (found === null || isHidden) continue;
      const reason = whyStricter(glob, path, found.is, ignoreCase);
      assert.ok(reason !== null, `VS Code shows ${words}, without a reason to exclude it`);
      stricter.set(reason, (stricter.get(reason) ?? 0) + 1);
    }
  });
  fc.assert(property, { seed, numRuns: Math.ceil(runs / pathsEach), includeErrorInReport: true });
  const more = [...stricter].map(([reason, count]) => `  ${count} excluded here only: ${reason}`);
  return [`${asked} pairs, VS Code hides ${hidden}, none of them allowed`, ...more].join('\n');
};

function isHiddenBy(theirs: VsCodeGlob, path: string): boolean {
  const all = path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
  // The explorer passes the name; other callers do not.
  return all.some((one) => Boolean(theirs(one, one.slice(one.lastIndexOf('/') + 1)) || theirs(one)));
}

function whyStricter(glob: string, path: string, is: string, ignoreCase: boolean): string | null {
  if (is !== 'read') return reasons.unreadable;
  if (/\{[^}]*\{/.test(glob)) return reasons.nested;
  if (path.includes('\\')) return reasons.backslash;
  if (path.includes('\n')) return reasons.newline;
  return ignoreCase && /\[|[^\0-\x7f]/.test(glob + path) ? reasons.case : null;
}

export const globs: Group = {
  name: 'globs',
  testRuns: 20_000,
  properties: [{ name: 'globs hide what they hide in VS Code', share: 1, check: asVsCode }],
};
