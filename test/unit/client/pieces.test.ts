import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Pieces } from '../../../src/client/answer/pieces.ts';

describe('Pieces: bytes that wait to be read', () => {
  it('returns all bytes in order and in small pieces, for any sequence of push and shift', () => {
    const steps = fc.array(fc.oneof(fc.nat(3_000), fc.constant(70_000), fc.constant('take' as const)), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(steps, (each) => {
        const pieces = new Pieces();
        const pushed: Uint8Array[] = [];
        const taken: Uint8Array[] = [];
        let next = 0;
        for (const step of each) {
          if (step === 'take') {
            const piece = pieces.shift();
            if (piece !== undefined) taken.push(Uint8Array.from(piece));
          } else {
            const chunk = Uint8Array.from({ length: step }, () => next++ % 251);
            pushed.push(chunk);
            pieces.push(chunk);
          }
          const left = [pushed, taken].map((all) => all.reduce((sum, { length }) => sum + length, 0));
          assert.equal(pieces.bytes, (left[0] ?? 0) - (left[1] ?? 0));
        }
        for (let piece = pieces.shift(); piece !== undefined; piece = pieces.shift()) taken.push(piece);
        assert.ok(taken.every(({ length }) => length > 0 && length <= 70_000));
        assert.deepEqual(Buffer.concat(taken), Buffer.concat(pushed));
      }),
      { numRuns: 50 },
    );
  });

  it('returns a single chunk without a copy, and joins hundreds of small chunks into one piece', () => {
    const pieces = new Pieces();
    const alone = Uint8Array.of(1, 2);
    pieces.push(alone);
    assert.equal(pieces.shift(), alone);
    for (let index = 0; index < 300; index += 1) pieces.push(Uint8Array.of(index % 256, 0));
    const piece = pieces.shift();
    assert.deepEqual([piece?.length, piece?.[2], pieces.shift(), pieces.bytes], [600, 1, undefined, 0]);
  });

  it('takes little memory for a token and its neighbors, and one room for each piece of a fast stream', () => {
    const pieces = new Pieces();
    const roomOf = (chunks: number, bytes: number): number | undefined => {
      for (let index = 0; index < chunks; index += 1) pieces.push(new Uint8Array(bytes));
      return pieces.shift()?.buffer.byteLength;
    };
    assert.equal(roomOf(9, 250), 4 * 1024);
    assert.equal(roomOf(60, 1024), 64 * 1024);
    assert.equal(roomOf(2, 100), 64 * 1024, 'no copies from room to room while the stream is fast');
  });

  it('is empty after clear', () => {
    const pieces = new Pieces();
    pieces.push(Uint8Array.of(1));
    pieces.push(new Uint8Array(70_000));
    pieces.clear();
    assert.deepEqual([pieces.shift(), pieces.bytes], [undefined, 0]);
  });
});
