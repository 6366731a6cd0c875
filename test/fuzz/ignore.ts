import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Group, Property } from './group.ts';
import { GitOracle } from './ignore/git.ts';
import { answerOf } from './ignore/ours.ts';
import { type Asked, type Rules, repositories } from './ignore/repositories.ts';

const pathsEach = 250;
const maxTooStrict = 10;

/** Compares our result with git's for each path: never looser, and rarely stricter. */
const asGit: Property['check'] = async (runs, seed) => {
  const oracle = await GitOracle.create();
  const tooStrict: string[] = [];
  let asked = 0;
  let ignored = 0;
  try {
    const property = fc.property(repositories(pathsEach), ({ rules, paths }) => {
      const ignoredByGit = oracle.ignored(rules, paths);
      asked += paths.length;
      ignored += ignoredByGit.size;
      for (const path of paths) {
        const ours = answerOf(rules, path, oracle.looksBack);
        const isIgnored = ignoredByGit.has(path.path);
        assert.ok(ours !== null || !isIgnored, `git ignores ${JSON.stringify(path)}, and it would be allowed`);
        if (ours !== null && !isIgnored)
          tooStrict.push(`${JSON.stringify(path)}: ${JSON.stringify(ours)} ${told(rules)}`);
      }
    });
    fc.assert(property, { seed, numRuns: Math.ceil(runs / pathsEach), includeErrorInReport: true });
    // A refusal names the deciding rule.
    const named = fc.property(repositories(pathsEach), ({ rules, paths }) => sameRule(oracle, rules, paths));
    fc.assert(named, { seed: seed + 1, numRuns: Math.ceil(runs / pathsEach / 20), includeErrorInReport: true });
  } finally {
    await oracle.close();
  }
  assert.ok(tooStrict.length <= maxTooStrict, `${tooStrict.length} too strict:\n${tooStrict.slice(0, 20).join('\n')}`);
  return [`${asked} paths, git ${oracle.version} ignores ${ignored}, none of them allowed`, ...tooStrict].join('\n');
};

function sameRule(oracle: GitOracle, rules: Rules, paths: readonly Asked[]): void {
  const rulesByGit = oracle.rules(rules, paths);
  for (const path of paths) {
    const ours = answerOf(rules, path, oracle.looksBack);
    const words = ours === null ? undefined : `${ours.source}:${ours.line}`;
    assert.equal(words, rulesByGit.get(path.path), `the rule that ignores ${JSON.stringify(path)}`);
  }
}

function told(rules: Rules): string {
  return JSON.stringify(rules, (_, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );
}

export const ignore: Group = {
  name: 'ignore',
  testRuns: 2_500,
  properties: [{ name: 'ignore files mean what they mean to git', share: 1, check: asGit }],
};
