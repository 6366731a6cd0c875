import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as scanner from '../../src/gate/secrets/scanner.ts';
import { complete } from '../../src/session/inline/complete.ts';
import { placeIn } from '../../src/session/inline/place.ts';
import { startService } from '../service/service.ts';
import { median } from './client/median.ts';
import { apiKey, benchFolder, localDispatch } from './localDispatch.ts';
import { aroundPlace, plainCompletion } from './plainCompletion.ts';

/** The limit in milliseconds for a completion, in addition to the time of the service. */
const limit = 5;
const perRound = 60;

/**
 * Prints the time of a completion from the text to the insertion (place, secrets, policy, audit record on disk, client,
 * answer), alternating with a plain fetch of the same body from the same service. Returns the exit code: 1 if the limit
 * is missed and `check` is set.
 */
export async function inlineBench({ check, rounds }: { check: boolean; rounds: string }): Promise<number> {
  const service = await startService({ keys: [apiKey] });
  const local = localDispatch(service.baseUrl);
  const { dispatch } = local;
  try {
    const lines = Array.from({ length: 150 }, (_, index) => `const value${index} = compute(${index}, 'text');\n`).join(
      '',
    );
    const text = `${lines}export function factorial`;
    const ours: number[] = [];
    const peer: number[] = [];
    for (let index = 0; index < Number(rounds) * perRound; index++) {
      const from = performance.now();
      const at = placeIn(text, `\n${lines}`);
      // As in the editor: the document is scanned for this version before the request.
      await scanner.scanText(text);
      await complete({ dispatch, requireEnd: () => undefined }, aroundPlace(at), at, new AbortController().signal);
      ours.push(performance.now() - from);
      const plainFrom = performance.now();
      await plainCompletion(service.baseUrl, at);
      peer.push(performance.now() - plainFrom);
    }
    const own = median(ours) - median(peer);
    console.log(`${rounds} rounds of ${perRound}, Node ${process.versions.node}`);
    console.table([
      {
        completion: 'ours',
        'p50 ms': median(ours).toFixed(2),
        'beside the peer': `${(median(ours) / median(peer)).toFixed(2)} x`,
      },
      { completion: 'fetch of the same body', 'p50 ms': median(peer).toFixed(2), 'beside the peer': '1.00 x' },
    ]);
    console.log(`Own time, at most ${limit} ms: ${own.toFixed(2)} ms, ${own <= limit ? 'met' : 'MISSED'}`);
    writeFileSync(
      join(benchFolder, 'inline.json'),
      `${JSON.stringify({ ours: median(ours), peer: median(peer), own }, null, 2)}\n`,
    );
    return check && own > limit ? 1 : 0;
  } finally {
    await local.dispose();
    await service.close();
  }
}
