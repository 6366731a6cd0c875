import assert from 'node:assert/strict';
import { mock } from 'node:test';
import fc from 'fast-check';
import { matcher, windowLength } from '../../../src/gate/secrets/matches.ts';
import { pause } from '../../../src/gate/secrets/pace.ts';
import { scanText } from '../../../src/gate/secrets/scanner.ts';
import { isServiceError } from '../../../src/util/errors.ts';

const part = (...parts: readonly string[]): string => parts.join('');
const begin = part('-----BEGIN RSA PRIVATE', ' KEY-----');
const end = part('-----END RSA PRIVATE', ' KEY-----');

describe('gate: secrets, window by window', () => {
  it('a pattern finds the same as in the whole text, wherever windows end', () => {
    const patterns = [/ab+/g, /(?<!a)b{2,4}(?!a)/g, /a[ab]*b/g, /a\b/gu, /(?<=b)a/g];
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', ' ') }),
        fc.array(fc.nat(40)),
        fc.constantFrom(...patterns),
        (text, cuts, pattern) => {
          // matchAll() begins there.
          pattern.lastIndex = 0;
          const all = [...text.matchAll(pattern)];
          const matches = matcher(text, pattern);
          const ends = [...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
          const found = ends.flatMap((to) => [...matches(to)]);
          assert.deepEqual(
            found.map(({ index, 0: match }) => [index, match]),
            all.map(({ index, 0: match }) => [index, match]),
          );
        },
      ),
    );
  });

  it('a secret at the end of a window is found completely and in its place', async () => {
    const secrets = [
      part('gh', 'p_', 'a1B2'.repeat(9)),
      part('xox', 'b-1-aaaaaaaaaa'),
      part('4111', '111111111111'),
      part('DE89', ' 3704 0044 0532 0130 00'),
      `${begin}\n${'MIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo\n'.repeat(40)}${end}`,
    ];
    for (const secret of secrets) {
      for (const before of [0, 1, 7, secret.length - 1, secret.length]) {
        const start = windowLength - before;
        const text = `${'x y '.repeat(windowLength)}`.slice(0, start - 1).concat('\n', secret, '\n', 'x '.repeat(400));
        const found = await scanText(text);
        assert.deepEqual(
          found.map((one) => [one.start, one.end, one.line]),
          [[start, start + secret.length, 2]],
        );
      }
    }
  });

  it('a match longer than the window is found completely', async () => {
    const token = part('xox', 'b', '-a1b2c3d4'.repeat(40_000));
    const [found, ...more] = await scanText(`a ${token} b`);
    assert.deepEqual([found?.start, found?.end, more.length], [2, 2 + token.length, 0]);
  });

  it('a scan yields to other work, and ends when the request is cancelled', async () => {
    const text = 'gh'.concat('p_ 4111 eyJ -----BEGIN ').repeat(100_000);
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns += 1;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    // To this clock, each step of the scan takes longer than a scan may run before it yields.
    let now = performance.now();
    const clock = mock.method(performance, 'now', () => {
      now += 100;
      return now;
    });
    try {
      await scanText(text);
    } finally {
      clock.mock.restore();
      isDone = true;
      // The next scan measures from now, by the real clock.
      await pause();
    }
    assert.ok(turns >= Math.floor(text.length / windowLength), String(turns));
    const controller = new AbortController();
    const scan = scanText(text, {}, controller.signal);
    controller.abort();
    await assert.rejects(scan, (error) => isServiceError(error) && error.kind === 'aborted');
  });
});
