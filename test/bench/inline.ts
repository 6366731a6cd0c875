import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chatBody } from '../../src/client/chatBody.ts';
import { createServiceClient } from '../../src/client/serviceClient.ts';
import { asMade } from '../../src/gate/content.ts';
import * as scanner from '../../src/gate/secrets/scanner.ts';
import { resolvePolicy } from '../../src/policy/compliance/resolve.ts';
import { resolveConnection } from '../../src/policy/connection.ts';
import { resolveRequestOptions } from '../../src/policy/requestOptions.ts';
import { resolvePreview } from '../../src/policy/resolvePreview.ts';
import { createDispatch } from '../../src/session/dispatch/dispatch.ts';
import { complete, completionParts, completionTokens } from '../../src/session/inline/complete.ts';
import { cursorMark, type Place, placeIn } from '../../src/session/inline/place.ts';
import { quote } from '../../src/session/prompts/prompts.ts';
import { AuditLog } from '../../src/store/audit/auditLog.ts';
import { startService } from '../service/service.ts';
import { recognizing } from '../unit/session/recognition.ts';
import { median } from './client/median.ts';

// Not in the system's folder for temporary files: if that is in memory, a sync costs nothing.
const folder = fileURLToPath(new URL('../../test-results/bench', import.meta.url));
const apiKey = 'svc_ent_demo_0123456789abcdef';

/** The limit in milliseconds for a completion, in addition to the time of the service. */
const limit = 5;
const perRound = 60;

/**
 * Prints the time of a completion from the text to the insertion (place, secrets, policy, audit record on disk, client,
 * answer), alternating with a plain fetch of the same body from the same service. Returns the exit code: 1 if the limit
 * is missed and `check` is set.
 */
export async function inlineBench({ check, rounds }: { check: boolean; rounds: string }): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const place = mkdtempSync(join(folder, 'inline-'));
  const service = await startService({ keys: [apiKey] });
  const audit = new AuditLog({
    folder: place,
    versions: () => ({ 'svc-coder': '0.0.0' }),
    ledger: async () => `svc-coder/${'0'.repeat(32)}`,
    anchors: { expect: () => undefined, reach: () => undefined, delete: async () => undefined },
  });
  const logger = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  const client = createServiceClient({ logger, userAgent: 'bench', network: () => ({}) });
  try {
    const layers = [{ layer: 'user' as const, values: { 'svc.baseUrl': service.baseUrl } }];
    const dispatch = createDispatch({
      requestContext: ({ modelKey }) => ({
        isTrusted: true,
        managed: { state: 'none' },
        policy: resolvePolicy(layers),
        connection: resolveConnection(layers),
        options: resolveRequestOptions(layers, modelKey),
        preview: resolvePreview(layers),
        settingsFiles: [],
      }),
      exclusion: async () => null,
      recognition: async () => recognizing({}),
      scanner: async () => scanner,
      apiKey: async () => apiKey,
      userAgent: 'bench',
      audit,
      requireDelivery: async () => undefined,
      logger,
      chatClient: async () => client,
    });
    const file = { label: 'pay.ts', uri: 'file:///pay.ts', firstLine: 1, languageId: 'typescript', folder: null };
    const around = ({ before, after }: Place) => ({
      ...file,
      text: asMade(`${before}${cursorMark}${after}`),
      marks: [],
    });
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
      await complete({ dispatch, requireEnd: () => undefined }, around(at), at, new AbortController().signal);
      ours.push(performance.now() - from);
      const content = completionParts(around(at)).map((part) => (typeof part === 'string' ? part : quote(part)));
      const body = chatBody({
        model: 'svc/enterprise-coder-v1',
        messages: [{ role: 'user', content: content.join('\n\n') }],
        stream: true,
        maxTokens: completionTokens,
        temperature: null,
      });
      const plainFrom = performance.now();
      const response = await fetch(`${service.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body,
      });
      await response.text();
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
      join(folder, 'inline.json'),
      `${JSON.stringify({ ours: median(ours), peer: median(peer), own }, null, 2)}\n`,
    );
    return check && own > limit ? 1 : 0;
  } finally {
    await audit.dispose();
    await client.dispose();
    await service.close();
    rmSync(place, { recursive: true, force: true });
  }
}
