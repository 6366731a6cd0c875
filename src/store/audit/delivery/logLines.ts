import type { LogLine } from '../../../client/otlp/logsBody.ts';
import { parseCheckpointLine } from '../../../evidence/checkpoint.ts';
import { type Frame, frameOf, leafOf } from '../../../evidence/line.ts';
import { type AuditRecord, safeParseRecord } from '../auditLine.ts';

/** A line of a file with its position in its session or ledger; `frame` is null for a checkpoint. */
export interface DeliverableLine {
  readonly log: LogLine;
  readonly frame: Frame | null;
}

/** Returns null for a line of another form: files of earlier versions and of other programs are not delivered. */
export function deliverable(bytes: Buffer): DeliverableLine | null {
  const frame = frameOf(bytes);
  const line = bytes.toString('latin1');
  // The id is derived from the content: the same line has the same id, and a changed line has another one.
  const uid = leafOf(bytes).toString('hex');
  if (frame === null) {
    const checkpoint = parseCheckpointLine(line);
    if (checkpoint === null) return null;
    const attributes = { 'log.record.uid': uid, 'svc.ledger': checkpoint.ledger };
    return { frame, log: { line, kind: 'checkpoint', time: null, attributes } };
  }
  const { of, name, seq, kind, time } = frame;
  const at = Date.parse(time);
  const attributes = { 'log.record.uid': uid, [`svc.${of}`]: name, 'svc.seq': seq, ...conventional(line, frame) };
  return { frame, log: { line, kind, time: at >= 0 ? at : null, attributes } };
}

/** The attributes of a record, named by OpenTelemetry's semantic conventions. */
function conventional(line: string, { of }: Frame): LogLine['attributes'] {
  const record = of === 'session' ? safeParseRecord(line) : null;
  return Object.fromEntries(Object.entries(record === null ? {} : wordsOf(record)).filter(isKnown));
}

function wordsOf(record: AuditRecord): Readonly<Record<string, string | number | undefined>> {
  switch (record.kind) {
    case 'request-intent':
      return { 'gen_ai.request.model': record.model };
    case 'request-outcome':
      return {
        'gen_ai.response.id': record.requestId,
        'gen_ai.usage.input_tokens': record.promptTokens,
        'gen_ai.usage.output_tokens': record.completionTokens,
        'error.type': record.error,
      };
    case 'refused':
      return { 'error.type': record.reason };
    default:
      return {};
  }
}

function isKnown(entry: [string, string | number | undefined]): entry is [string, string | number] {
  return entry[1] !== undefined;
}
