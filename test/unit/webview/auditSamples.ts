import fc from 'fast-check';
import { type AuditRow, auditConfirmations, auditOutcomes } from '../../../src/protocol/auditMessages.ts';

export const dayMs = 86_400_000;
export const hourMs = 3_600_000;

export const auditRow = (over: Partial<AuditRow> = {}): AuditRow => ({
  request: 'r',
  at: 0,
  action: 'chat',
  origin: 'https://svc.example.com',
  model: 'svc/auto',
  posture: 'maximum',
  outcome: 'complete',
  confirmation: 'confirmed',
  error: '',
  status: null,
  durationMs: 900,
  tokens: 10,
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
    .record({
      at: fc.integer({ min: now - 900 * dayMs, max: now }),
      model: fc.constantFrom(...'abcdefghijkl'),
      posture: fc.constantFrom('', 'high', 'maximum'),
      outcome: fc.constantFrom(...auditOutcomes),
      confirmation: fc.constantFrom(...auditConfirmations),
      durationMs: fc.option(fc.nat(90_000)),
      tokens: fc.option(fc.nat(1000)),
    })
    .map(auditRow);

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
