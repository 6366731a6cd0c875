import assert from 'node:assert/strict';
import { type AnswerRequest, answerFor, label } from '../../service/answer.ts';
import type { ReviewFinding } from '../../service/rules/review.ts';

const code = [
  "const apiKey = 'sk-1234567890';",
  'const total = eval(text);',
  'db.query("SELECT * FROM users WHERE id = " + id);',
  "fetch('http://example.org/pay');",
  "fetch('http://localhost:1/');",
  "createHash('md5');",
  'console.log(patient.name);',
  "const card = '4111 1111 1111 1111';",
  "const other = '4111 1111 1111 1112';",
  'accounts.deleteAll();',
].join('\n');

function review(words: string, source: string, more: Partial<AnswerRequest> = {}): string {
  const content = `${words}\n\nsrc/pay.ts\n\`\`\`typescript\n${source}\n\`\`\``;
  return answerFor({
    model: 'svc/compliance-assistant',
    messages: [{ role: 'user', content }],
    svcHeaders: [],
    ...more,
  });
}

function findings(answer: string): readonly ReviewFinding[] {
  return (JSON.parse(answer) as { readonly findings: readonly ReviewFinding[] }).findings;
}

describe('local service: reviewing', () => {
  it('finds each kind of fault, with line and quote, as JSON', () => {
    const found = findings(review('Review for PCI-DSS. Answer with JSON only.', code));
    assert.deepEqual(
      found.map(({ rule, line }) => [rule, line]),
      [
        ['hard-coded-secret', 1],
        ['eval', 2],
        ['sql-concatenation', 3],
        ['cleartext-http', 4],
        ['weak-hash', 6],
        ['personal-data-in-log', 7],
        ['unmasked-pan', 8],
        ['missing-audit', 10],
      ],
    );
    assert.ok(found.every(({ framework, quote }) => framework === 'pci-dss' && code.includes(quote)));
    assert.deepEqual(Object.keys(found[0] ?? {}), ['framework', 'rule', 'severity', 'message', 'quote', 'line']);
  });

  it('finds SQL built with templates and in Python, and ignores bound parameters', () => {
    const rules = (line: string): readonly string[] =>
      findings(review('Review, as JSON', line)).map(({ rule }) => rule);
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the code under review
    assert.deepEqual(rules('run(`SELECT a FROM b WHERE c = ${d}`)'), ['sql-concatenation']);
    assert.deepEqual(rules('cursor.execute("SELECT a FROM b WHERE c = %s" % d)'), ['sql-concatenation']);
    assert.deepEqual(rules('run("SELECT a FROM b WHERE c = ?", [d])'), []);
  });

  it('uses the frameworks named in the text, otherwise those of the header', () => {
    const inWords = findings(review('Check the code against SOX: review it, as JSON.', code));
    assert.ok(inWords.length > 0 && inWords.every(({ framework }) => framework === 'sox'));
    assert.ok(inWords.every(({ rule }) => rule !== 'unmasked-pan' && rule !== 'personal-data-in-log'));
    const svcHeaders = [['Svc-Compliance-Frameworks', 'hipaa,gdpr']] as const;
    const inHeader = findings(review('Review, as JSON.', code, { svcHeaders }));
    assert.deepEqual([...new Set(inHeader.map(({ framework }) => framework))], ['hipaa']);
  });

  it('numbers lines like the listing or the name of the block', () => {
    assert.equal(findings(review('Review, as JSON', '41 | a();\n42 | eval(b);'))[0]?.line, 42);
    const content = 'Review, as JSON\n\nsrc/pay.ts:7-8\n```ts\na();\neval(b);\n```';
    const answer = answerFor({ model: 'm', messages: [{ role: 'user', content }], svcHeaders: [] });
    assert.equal(findings(answer)[0]?.line, 8);
  });

  it('reviews a prompt without a fence as a whole', () => {
    const messages = [
      { role: 'system', content: 'You review code for compliance. Answer as a JSON object.' },
      { role: 'user', content: 'const password = "hunter2hunter2";' },
    ];
    assert.equal(findings(answerFor({ model: 'm', messages, svcHeaders: [] }))[0]?.rule, 'hard-coded-secret');
  });

  it('answers in prose with the label by default', () => {
    const answer = review('Please review this for HIPAA.', code);
    assert.ok(
      answer.startsWith(
        `${label}\n\nThe rules for hipaa find 7 things:\n\n- **high** line 1, hard-coded-secret (hipaa): `,
      ),
    );
    assert.match(review('Please review this.', 'const a = 1;'), /find nothing here, which is no proof/);
    assert.deepEqual(findings(review('Review, as JSON', 'const a = 1;')), []);
  });
});
