import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { frameworks } from '../../../src/policy/compliance/compliance.ts';
import { type ReadAnswer, readAnswer } from '../../../src/review/answer/readAnswer.ts';
import { ruleOf, rulesFor } from '../../../src/review/catalog.ts';
import { catalogRules } from '../../service/rules/catalogRules.ts';
import { type SpoiledReview, spoilReview } from '../../service/rules/spoiledReview.ts';
import { answerAbout, findingsIn, sample, sampleViolations } from '../../tools/sampleReview.ts';

const violations = sampleViolations();
const names = [...new Set(violations.map(({ file }) => file))];

function read(answer: string, name: string): ReadAnswer {
  return readAnswer(answer, { rules: rulesFor(frameworks), names: [name], finishReason: 'stop' });
}

describe('local service: reviewing by the rules of a catalog', () => {
  it('contains only rules of the catalog, by framework', () => {
    for (const { id, framework } of catalogRules) assert.equal(ruleOf(id)?.framework, framework, id);
  });

  it('states in its answer that it is not a model', () => {
    assert.match(JSON.parse(answerAbout('crm/profiles.yaml')).source, /not a language model/);
  });

  it('finds exactly what its rules can detect in the sample', () => {
    assert.equal(violations.length, 20);
    for (const { file, rule, quote: text } of violations) {
      assert.ok(ruleOf(rule) !== undefined && readFileSync(sample + file, 'utf8').includes(text), text);
    }
    for (const name of names) {
      const placed = findingsIn(name);
      const expected = violations.filter(({ file, byRules }) => file === name && byRules !== false);
      assert.deepEqual(placed.map(({ rule }) => rule.id).sort(), expected.map(({ rule }) => rule).sort());
      for (const { rule, quote: part } of expected) {
        const found = placed.find(({ rule: { id } }) => id === rule);
        assert.ok(found?.placed === 'exact' && found.text.includes(part), part);
      }
    }
  });

  it('corrupts its answer so that no review accepts it as complete', () => {
    const answer = answerAbout('billing/checkout.js');
    const problems = (how: SpoiledReview) => {
      const spoiled = read(spoilReview(how, answer), 'billing/checkout.js');
      return [...spoiled.problems, ...spoiled.lost.map(({ reason }) => reason)].sort();
    };
    assert.deepEqual(problems('prose'), ['prose']);
    assert.deepEqual(problems('truncated'), ['truncated']);
    assert.deepEqual(problems('unknown-rule'), ['unknown-rule']);
    assert.deepEqual(problems('hostile'), ['other-file', 'too-many']);
    for (const how of ['truncated', 'unknown-rule', 'hostile'] as const) {
      assert.ok(read(spoilReview(how, answer), 'billing/checkout.js').findings.length > 0);
    }
  });
});
