import assert from 'node:assert/strict';
import { frameworks } from '../../../src/policy/compliance/compliance.ts';
import { catalog, ruleOf, rulesFor } from '../../../src/review/catalog.ts';
import { reviewInstructions } from '../../../src/review/prompt.ts';

const prefixes = { hipaa: 'hipaa-', sox: 'sox-', 'pci-dss': 'pci-', gdpr: 'gdpr-' } as const;
const references = {
  hipaa: /^45 CFR 164\.\d{3}\([a-e]\)/,
  sox: /15 U\.S\.C\. \d+|18 U\.S\.C\. 15(19|20)/,
  'pci-dss': /^PCI DSS v4\.0\.1, requirement \d+\.\d+\.\d+$/,
  gdpr: /^GDPR Article \d+/,
} as const;

describe('the catalog of rules', () => {
  it('has each rule once, under a name that begins with its framework', () => {
    assert.equal(new Set(catalog.map(({ id }) => id)).size, catalog.length);
    for (const { id, framework } of catalog) assert.ok(id.startsWith(prefixes[framework]), id);
  });

  it('has eight to fifteen rules per framework, each a sentence with a reference', () => {
    for (const framework of frameworks) {
      const rules = rulesFor([framework]);
      assert.ok(rules.length >= 8 && rules.length <= 15, framework);
      for (const { sentence, reference } of rules) {
        assert.match(sentence, /^[A-Z].{20,}\.$/);
        assert.match(reference, references[framework]);
      }
    }
  });

  it('is closed', () => assert.equal(ruleOf('pci-whatever'), undefined));

  it('is in the instructions, only with the requested frameworks', () => {
    const instructions = reviewInstructions(['sox', 'gdpr']);
    assert.doesNotMatch(instructions, /Write "message"/);
    assert.match(reviewInstructions(['sox'], 'German'), /Write "message" and "fix" in German\./);
    for (const { id, framework } of catalog) {
      assert.equal(instructions.includes(`- ${id} (`), framework === 'sox' || framework === 'gdpr', id);
    }
  });
});
