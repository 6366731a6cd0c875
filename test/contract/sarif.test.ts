import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compareReviews } from '../../src/review/findings/compare.ts';
import type { LostInFile, NotReviewed } from '../../src/review/report.ts';
import { reviewAsSarif } from '../../src/review/sarif.ts';
import { finding, place, report } from '../unit/review/reports.ts';

const require = createRequire(import.meta.url);

/** The part of ajv-draft-04 that is used. Its packages belong to this folder. */
interface Validate {
  (value: unknown): boolean;
  readonly errors?: unknown;
}
type Ajv = new (
  options: object,
) => { addFormat(name: string, format: RegExp | true): void; compile(schema: object): Validate };

/**
 * The OASIS schema of SARIF 2.1.0 as @microsoft/jest-sarif contains it: release candidate 5. It equals the standard's
 * own, with errata 01, except for the addition here (a region must have a start) and a redundant string type on
 * enumerations.
 */
function validator(): Validate {
  const file = require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
  const schema = JSON.parse(readFileSync(file, 'utf8'));
  const starts = ['startLine', 'charOffset', 'byteOffset'].map((name) => ({ required: [name] }));
  schema.definitions.region.anyOf = starts;
  const Ajv: Ajv = require('ajv-draft-04').default;
  const ajv = new Ajv({ allErrors: true, strict: false, unicodeRegExp: false });
  ajv.addFormat('uri', /^[a-z][a-z0-9+.-]*:\S+$/i);
  ajv.addFormat('uri-reference', /^[^\s\\]*$/);
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  return ajv.compile(schema);
}

const text = 'eval(text);\n// svc-ignore gdpr-erasure: kept by law\nrows.remove(id);\n';
const findings = place(
  text,
  [
    finding('pci-injection', 'eval(text);', { fix: 'Parse it.', message: 'A <b> & "c" \u{1f600}' }),
    finding('gdpr-erasure', 'rows.remove(id);'),
    finding('gdpr-encryption', 'nowhere'),
  ],
  { name: 'src/a b/é#?.ts' },
);
const lost: readonly LostInFile[] = [
  { file: 'C:\\c.ts', uri: '', reason: 'unknown-rule', rule: 'a\u{1f600}', line: 3, text: '<b>' },
];
const notReviewed: readonly NotReviewed[] = [
  { file: 'src/a b/é#?.ts', reason: 'truncated', lines: [1, 90], isPartial: true },
  { file: 'b.ts', reason: 'request-failed', kind: 'rateLimit', detail: '429', isPartial: false },
  { file: 'C:\\c.ts', reason: 'cancelled', isPartial: false },
];

describe('SARIF against the OASIS schema of version 2.1.0', () => {
  let isValid: Validate;
  before(() => {
    isValid = validator();
  });
  const write = (more: Parameters<typeof report>[0]) =>
    JSON.parse(
      reviewAsSarif(report(more), {
        version: '0.1.0',
        describe: ({ file, reason }) => `${file}: ${reason}`,
        describeLost: ({ file, reason }) => `${file}: ${reason}`,
      }),
    );
  const holds = (log: unknown): void => assert.ok(isValid(log), JSON.stringify(isValid.errors, null, 2));

  it('is valid for a review without findings', () => holds(write({})));
  it('is valid for findings, suppressed ones and ones about the file', () => holds(write({ findings })));
  it('is valid for an incomplete review', () => holds(write({ findings, notReviewed, lost })));
  it('is valid for a review that is compared with another', () => {
    const now = report({
      findings: findings.slice(0, 1),
      files: [{ name: 'src/a b/é#?.ts', uri: '', isComplete: true }],
    });
    holds(write({ ...now, comparison: compareReviews({ findings }, now) }));
    holds(write({ ...now, comparison: compareReviews({ findings: [] }, now) }));
  });

  it('the validator finds errors', () => {
    const log = write({ findings, notReviewed });
    const spoil: readonly ((run: typeof log) => void)[] = [
      (run) => delete run.tool.driver.name,
      (run) => delete run.invocations[0].executionSuccessful,
      (run) => (run.results[1].level = 'high'),
      (run) => (run.results[1].suppressions = [{ kind: 'comment' }]),
      (run) => (run.results[1].locations[0].physicalLocation.region = { endLine: 3 }),
      (run) => (run.invocations[0].toolExecutionNotifications[0].message = 'text'),
      (run) => (run.extra = 1),
    ];
    for (const each of spoil) {
      const spoilt = structuredClone(log);
      each(spoilt.runs[0]);
      assert.equal(isValid(spoilt), false, String(each));
    }
  });
});
