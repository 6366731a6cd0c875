import assert from 'node:assert/strict';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { count, word } from '../../../src/protocol/audit/auditRequest.ts';
import { auditKinds, auditShapes } from '../../../src/send/audit.ts';
import { safeParseRecord } from '../../../src/store/audit/auditLine.ts';
import { fitsPlainly } from '../../../src/store/audit/plainShape.ts';
import { linesIn } from './auditSamples.ts';

const written = linesIn('test/fixtures/audit/audit-v2.jsonl');
const schemaOf = (kind: (typeof auditKinds)[number]) =>
  z.object({ seq: count, time: word, session: word, prev: word, kind: z.literal(kind), ...auditShapes[kind] });
/** The schema alone. */
const judge = z.discriminatedUnion('kind', auditKinds.map(schemaOf) as [ReturnType<typeof schemaOf>]);

/** Each place in a value: the path to it. */
function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, each]) => pathsIn(each, [...path, name]))];
}

/** The value with another one at a place; without the place, if it is undefined. */
function changed(value: unknown, [name, ...rest]: readonly string[], to: unknown): unknown {
  if (name === undefined) return to;
  if (Array.isArray(value)) {
    const copy = [...value];
    const next = changed(copy[Number(name)], rest, to);
    copy.splice(Number(name), 1, ...(next === undefined ? [] : [next]));
    return copy;
  }
  const entries = Object.entries(value as object).map(([key, each]) => [
    key,
    key === name ? changed(each, rest, to) : each,
  ]);
  return Object.fromEntries(entries.filter(([, each]) => each !== undefined));
}

const odd = fc.oneof(
  fc.constant(undefined),
  fc.jsonValue(),
  fc.constantFrom(
    '',
    'x'.repeat(300),
    'x'.repeat(301),
    Number.POSITIVE_INFINITY,
    -1,
    0.5,
    true,
    null,
    [],
    {},
    'chat',
    'complete',
  ),
);

describe('store: records that are accepted without the schema', () => {
  it('are all that this version writes, apart from the start of a session', () => {
    for (const line of written) {
      const { v: _, ...record } = JSON.parse(line);
      const isPlain = fitsPlainly(schemaOf(record.kind))(record);
      assert.equal(isPlain, record.kind !== 'session-started', line);
    }
  });

  it('are those that the schema accepts, with the same values, however they were changed', () => {
    const places = written.flatMap((line) => pathsIn(JSON.parse(line)).map((path) => [line, path] as const));
    fc.assert(
      fc.property(fc.constantFrom(...places), odd, fc.option(fc.string()), ([line, path], to, more) => {
        const record = changed(JSON.parse(line), path, to);
        const isObject = typeof record === 'object' && record !== null && !Array.isArray(record);
        // Infinity is no JSON, but 1e400 is.
        const text = JSON.stringify(isObject && more !== null ? { ...record, [more]: 1 } : record, (_, value) =>
          value === Number.POSITIVE_INFINITY ? 'infinite' : value,
        )?.replaceAll('"infinite"', '1e400');
        if (text === undefined) return;
        const expected = judge.safeParse(JSON.parse(text));
        assert.deepEqual(safeParseRecord(text), expected.success ? expected.data : null);
      }),
      { numRuns: 1_500 },
    );
  });

  it('have no field more than the schema has, whatever its name', () => {
    const [, line = ''] = written;
    for (const name of ['__proto__', 'constructor', 'hasOwnProperty', 'v', 'more']) {
      const record = safeParseRecord(`{"${name}":{"kind":"x"},${line.slice(1)}`);
      assert.deepEqual(record, safeParseRecord(line), name);
      assert.equal(Object.getPrototypeOf(record), Object.prototype);
    }
  });

  it('are not lines that are JSON but no object', () => {
    for (const text of ['', 'null', '1', '"x"', '[]', '{}', '[{"kind":"refused"}]', '{"kind":"toString"}'])
      assert.equal(safeParseRecord(text), null, text);
  });
});
