// OTLP/HTTP with JSON: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding

/** A line of a log, and the facts that a dashboard shows without parsing the line. */
export interface LogLine {
  /** The text of the line in ASCII, without its line ending. */
  readonly line: string;
  /** The kind of the record, such as `request-intent`. */
  readonly kind: string;
  /** The time of the line in milliseconds since the epoch; null if the line has none. */
  readonly time: number | null;
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** The body of an ExportLogsServiceRequest. `now` is in milliseconds since the epoch. */
export function logsBody(lines: readonly LogLine[], version: string, now: number): string {
  const resource = { attributes: attributesOf({ 'service.name': 'svc-coder', 'service.version': version }) };
  const logRecords = lines.map(({ line, kind, time, attributes }) => ({
    ...(time === null ? {} : { timeUnixNano: nanoseconds(time) }),
    observedTimeUnixNano: nanoseconds(now),
    severityNumber: 9,
    severityText: 'INFO',
    eventName: `svc.${kind}`,
    body: { stringValue: line },
    attributes: attributesOf(attributes),
  }));
  return JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ scope: { name: 'svc.audit' }, logRecords }] }] });
}

/** The time in nanoseconds, as a string: OTLP's JSON writes 64-bit integers as strings. */
function nanoseconds(ms: number): string {
  return String(BigInt(Math.trunc(ms)) * 1_000_000n);
}

function attributesOf(attributes: LogLine['attributes']) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(Math.trunc(value)) },
  }));
}
