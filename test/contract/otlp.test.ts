import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { type LogLine, logsBody } from '../../src/client/otlp/logsBody.ts';
import { lineOf } from '../../src/evidence/line.ts';
import { deliverable } from '../../src/store/audit/delivery/logLines.ts';
import { sampleLog } from '../tools/evidenceLog.ts';

const require = createRequire(import.meta.url);

/** The part of OpenTelemetry's own packages that is used. They belong to this folder. */
interface Transformer {
  readonly JsonLogsSerializer: { serializeRequest(records: readonly object[]): Uint8Array };
}
const { JsonLogsSerializer }: Transformer = require('@opentelemetry/otlp-transformer');
const { resourceFromAttributes }: { resourceFromAttributes(attributes: object): object } =
  require('@opentelemetry/resources');

/** The same records, as OpenTelemetry's SDK writes them. */
function judged(lines: readonly LogLine[], version: string, now: number): unknown {
  const resource = resourceFromAttributes({ 'service.name': 'svc-coder', 'service.version': version });
  const instrumentationScope = { name: 'svc.audit' };
  const records = lines.map(({ line, kind, time, attributes }) => ({
    ...{ resource, instrumentationScope, droppedAttributesCount: 0 },
    ...{ hrTime: timeOf(time ?? 0), hrTimeObserved: timeOf(now), severityNumber: 9, severityText: 'INFO' },
    ...{ eventName: `svc.${kind}`, body: line, attributes },
  }));
  return plain(JSON.parse(Buffer.from(JsonLogsSerializer.serializeRequest(records)).toString()));
}

function timeOf(ms: number): readonly [seconds: number, nanoseconds: number] {
  return [Math.floor(ms / 1000), (ms % 1000) * 1_000_000];
}

/** Without what a message may leave out because it is the default, and with 64-bit integers as the protocol prefers them. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, inner]) => key !== 'droppedAttributesCount' && !(key === 'timeUnixNano' && Number(inner) === 0),
  );
  return Object.fromEntries(kept.map(([key, inner]) => [key, key === 'intValue' ? String(inner) : plain(inner)]));
}

describe('logs for a collector, against OpenTelemetry', () => {
  it('are written as its own exporter writes them, for any lines and attributes', () => {
    const line = fc.record({
      line: fc.string({ unit: 'grapheme' }).map((text) => lineOf({ text }) ?? ''),
      kind: fc.stringMatching(/^[a-z][a-z-]{0,20}$/),
      time: fc.option(fc.integer({ min: 1, max: 4_102_444_800_000 })),
      attributes: fc.dictionary(
        fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
        fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer({ min: 0 })),
      ),
    });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), fc.string(), fc.nat(), (lines, version, now) => {
        assert.deepEqual(JSON.parse(logsBody(lines, version, now)), judged(lines, version, now));
      }),
      { numRuns: 500 },
    );
  });

  it('are the lines of a real log', () => {
    const lines = [...sampleLog('otlp', { sessions: 2, records: 20 }).files().values()].flat();
    const logs = lines.map((line) => deliverable(Buffer.from(line, 'latin1'))?.log ?? assert.fail(line));
    const now = Date.now();
    const body = logsBody(logs, '1.2.3', now);
    assert.deepEqual(JSON.parse(body), judged(logs, '1.2.3', now));
    const bodies = JSON.parse(body).resourceLogs[0].scopeLogs[0].logRecords.map(
      (record: { readonly body: { readonly stringValue: string } }) => record.body.stringValue,
    );
    assert.deepEqual(bodies, lines);
  });
});
