import type { StampedEntry } from '../../../src/features/audit/vscode/rows.ts';
import type { AuditOutcome } from '../../../src/protocol/audit/auditValues.ts';
import type { AuditHeader } from '../../../src/send/audit.ts';

const models = [
  ['svc/enterprise-coder-v1', 60],
  ['svc/enterprise-coder-mini', 25],
  ['svc/reasoning-large-2026-10', 15],
] as const;

const header = (name: string, value: string): AuditHeader => ({ name, value, setBy: [{ layer: 'managed' }] });

const postures: readonly (readonly [readonly AuditHeader[], number])[] = [
  [
    [
      header('Svc-Security-Level', 'maximum'),
      header('Svc-Data-Residency', 'eu-west'),
      header('Svc-Audit-Enabled', 'true'),
      header('Svc-Zero-Retention', 'true'),
      header('Svc-Compliance-Frameworks', 'gdpr,hipaa'),
    ],
    70,
  ],
  [[header('Svc-Security-Level', 'high'), header('Svc-Data-Residency', 'eu-west')], 22],
  [[], 8],
];

const outcomes = [
  ['complete', 90],
  ['stopped', 4],
  ['interrupted', 2],
  ['failed', 3],
  ['unknown', 1],
] as const satisfies readonly (readonly [AuditOutcome, number])[];

/** The same numbers each time, so that two pictures differ only if the page does. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** Generated requests of the days before `now` (epoch, ms), more on working days, and other records. */
export function madeUpRecords(count: number, days: number, now: number): readonly StampedEntry[] {
  const random = dice(count);
  const pick = <T>(choices: readonly (readonly [T, number])[]): T | undefined => {
    let left = random() * choices.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [choice, weight] of choices) {
      left -= weight;
      if (left < 0) return choice;
    }
    return undefined;
  };
  const records: StampedEntry[] = [];
  const stamp = (at: number) => ({ seq: records.length + 1, time: new Date(at).toISOString(), session: 'preview' });
  const push = (at: number, entry: Parameters<typeof Object.assign>[0]) =>
    records.push({ ...stamp(at), ...entry } as StampedEntry);
  for (let index = 0; index < count; index += 1) {
    const at = timeIn(days, now, random);
    const outcome = pick(outcomes) ?? 'complete';
    const headers = pick(postures) ?? [];
    const request = `request-${index}`;
    push(at, {
      kind: 'request-intent',
      request,
      action: random() < 0.7 ? 'chat' : random() < 0.6 ? 'explain' : 'generate',
      origin: 'https://svc.example.com',
      model: pick(models) ?? '',
      headers,
      files: Math.floor(random() * 4),
      bytes: Math.floor(400 + random() ** 3 * 180_000),
      maskings: random() < 0.06 ? 1 + Math.floor(random() * 3) : 0,
      unmasked: random() < 0.01 ? 1 : 0,
      exclusions: random() < 0.05 ? 1 : 0,
      previewed: random() < 0.2,
    });
    if (outcome === 'unknown') continue;
    const durationMs = Math.round(300 * Math.exp(random() * 3 + random() * 1.5));
    push(at + durationMs, {
      kind: 'request-outcome',
      request,
      outcome,
      ...(outcome === 'failed' ? { error: 'rateLimit', status: 429 } : { status: 200 }),
      requestId: `req-${index}`,
      ...(outcome === 'complete' ? { ...tokensOf(Math.floor(200 + random() ** 2 * 6_000)), finishReason: 'stop' } : {}),
      durationMs,
      retries: random() < 0.05 ? 1 : 0,
      confirmation:
        headers.length === 0 || outcome === 'failed'
          ? 'none'
          : random() < 0.9
            ? 'confirmed'
            : random() < 0.97
              ? 'not-confirmed'
              : 'contradicted',
    });
  }
  for (let day = Math.min(days, 40); day >= 0; day -= 3) {
    push(now - day * 86_400_000 - 3_600_000, {
      kind: 'session-started',
      versions: { extension: '0.1.0', vscode: '1.139.1', node: '24.11.0' },
      pid: 1,
    });
  }
  const refused = [
    ['excluded', 'inlineCompletions', 41, {}],
    ['declined', 'chat', 1, { asked: ['secrets'] }],
    ['settings-conflict', 'explain', 1, { settings: ['svc.compliance.dataResidency'] }],
    ['not-delivered', 'generate', 3, {}],
  ] as const;
  // Within the days asked for, also shortly after midnight.
  const within = (ms: number): number => Math.min(ms, (days * 86_400_000) / 8);
  for (const [index, [reason, action, count, more]] of refused.entries())
    push(now - (index + 1) * within(5_000_000), { kind: 'refused', reason, action, ...more, count });
  push(now - 5 * 86_400_000, { kind: 'key-set', origin: 'https://svc.example.com' });
  push(now - 2 * 86_400_000, { kind: 'policy-changed', state: 'in force', digest: 'a3'.repeat(32) });
  push(now - within(60_000), { kind: 'log-verified', verdict: 'intact', files: 12, records: count * 2 });
  return records.sort((a, b) => (a.time < b.time ? -1 : 1));
}

function tokensOf(totalTokens: number) {
  const completionTokens = Math.floor(totalTokens / 5);
  return { promptTokens: totalTokens - completionTokens, completionTokens, totalTokens };
}

function timeIn(days: number, now: number, random: () => number): number {
  for (;;) {
    const at = now - random() * days * 86_400_000;
    const date = new Date(at);
    const isQuiet = date.getDay() % 6 === 0 || date.getHours() < 8 || date.getHours() > 18;
    if (!isQuiet || random() < 0.06) return at;
  }
}
