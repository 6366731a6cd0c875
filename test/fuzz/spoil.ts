import fc from 'fast-check';

/** A change of some bytes. Positions count modulo the length, so that any number is valid. */
type Change =
  | { readonly how: 'set'; readonly at: number; readonly value: number }
  | { readonly how: 'cut' | 'repeat'; readonly at: number; readonly length: number }
  | { readonly how: 'insert'; readonly at: number; readonly bytes: Uint8Array }
  | { readonly how: 'end'; readonly at: number };

const at = fc.nat(4000);

/** Bytes with a meaning for a parser, so that changes get beyond its first check. */
const tellingBytes = fc
  .constantFrom(
    ...[
      '\n',
      '\r',
      '\r\n',
      '\n\n',
      'data:',
      'data: ',
      'event: error\n',
      ':',
      '[DONE]',
      'data: [DONE]\n\n',
      '{',
      '}',
      '"',
    ],
    ...[
      '\\u',
      '\\ud83d',
      'null',
      '"error":{',
      '"choices":[',
      '"delta":',
      '\ufeff',
      '\0',
      '1e999',
      '<html>',
      'retry: 1\n',
    ],
  )
  .map((text) => new TextEncoder().encode(text));

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ how: fc.constant('set' as const), at, value: fc.nat(255) }),
  fc.record({ how: fc.constantFrom('cut' as const, 'repeat' as const), at, length: fc.nat(80) }),
  fc.record({
    how: fc.constant('insert' as const),
    at,
    bytes: fc.oneof(tellingBytes, fc.uint8Array({ maxLength: 12 })),
  }),
  fc.record({ how: fc.constant('end' as const), at }),
);

export const changes: fc.Arbitrary<readonly Change[]> = fc.array(change, { minLength: 1, maxLength: 8 });
export const cuts: fc.Arbitrary<readonly number[]> = fc.array(at, { maxLength: 20 });

export function spoil(recording: Uint8Array, all: readonly Change[]): Uint8Array {
  let bytes = Buffer.from(recording);
  for (const one of all) {
    const position = one.at % (bytes.length + 1);
    const before = bytes.subarray(0, position);
    const after = bytes.subarray(position);
    if (one.how === 'set' && position < bytes.length) bytes[position] = one.value;
    if (one.how === 'cut') bytes = Buffer.concat([before, after.subarray(one.length)]);
    if (one.how === 'repeat') bytes = Buffer.concat([before, after.subarray(0, one.length), after]);
    if (one.how === 'insert') bytes = Buffer.concat([before, one.bytes, after]);
    if (one.how === 'end') bytes = Buffer.from(before);
  }
  return bytes;
}

/** The same bytes in pieces as from a network. */
export function split(bytes: Uint8Array, positions: readonly number[]): readonly Uint8Array[] {
  const ends = [0, ...positions.map((one) => one % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return ends.slice(1).map((end, index) => bytes.subarray(ends[index], end));
}
