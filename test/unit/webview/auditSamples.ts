import fc from 'fast-check';
import type { AuditRow } from '../../../src/protocol/audit/auditRequest.ts';
import { auditConfirmations, auditOutcomes } from '../../../src/protocol/audit/auditValues.ts';

export const dayMs = 86_400_000;
export const hourMs = 3_600_000;

type Measured = Pick<AuditRow, 'durationMs' | 'totalTokens'>;

export const auditRow = (
  over: Partial<AuditRow> = {},
  measured: Measured = { durationMs: 900, totalTokens: 10 },
): AuditRow => ({
  ...measured,
  request: 'r',
  at: 0,
  action: 'chat',
  origin: 'https://svc.example.com',
  model: 'svc/auto',
  posture: 'maximum',
  outcome: 'complete',
  confirmation: 'confirmed',
  promptTokens: 8,
  completionTokens: 2,
  finishReason: 'stop',
  requestId: 'req-1',
  retries: 0,
  files: 0,
  bytes: 100,
  maskings: 0,
  unmasked: 0,
  exclusions: 0,
  previewed: false,
  ...over,
});

/** Any row of a log whose times are within 900 days before `now`. */
export const anyRow = (now: number): fc.Arbitrary<AuditRow> =>
  fc
    .tuple(
      fc.record({
        at: fc.integer({ min: now - 900 * dayMs, max: now }),
        model: fc.constantFrom(...'abcdefghijkl'),
        posture: fc.constantFrom('', 'high', 'maximum'),
        outcome: fc.constantFrom(...auditOutcomes),
        confirmation: fc.constantFrom(...auditConfirmations),
      }),
      fc.record({ durationMs: fc.nat(90_000), totalTokens: fc.nat(1000) }, { requiredKeys: [] }),
    )
    .map(([over, measured]) => auditRow(over, measured));

/** Runs in another time zone, and restores the old one. */
export function inTimeZone(zone: string, run: () => void): void {
  const { TZ } = process.env;
  process.env.TZ = zone;
  try {
    run();
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
}
