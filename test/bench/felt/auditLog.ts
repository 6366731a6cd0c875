import { randomUUID } from 'node:crypto';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditEntry } from '../../../src/send/audit.ts';
import { auditFileName, stampOf } from '../../../src/store/audit/auditFiles.ts';
import { SessionChain } from '../../../src/store/audit/auditLine.ts';

const dayMs = 86_400_000;
const maxFileBytes = 5 * 1024 * 1024;
const models = ['svc/enterprise-coder-v1', 'svc/enterprise-coder-mini', 'svc/reasoning-large'];

/** The same numbers each time. */
function dice(): () => number {
  let state = 7;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

/** Writes the log of some days, with a session each day. Its files are as old as their last lines. */
export function writeLog(folder: string, requests: number, days: number): void {
  mkdirSync(folder, { recursive: true });
  const random = dice();
  const now = Date.now();
  for (let day = days - 1; day >= 0; day -= 1) {
    const begun = now - day * dayMs - 10 * 3_600_000;
    const chain = new SessionChain(randomUUID());
    const count = Math.ceil((requests * (days - day)) / days) - Math.ceil((requests * (days - day - 1)) / days);
    let part = 0;
    let text = '';
    const add = (entry: AuditEntry, at: number): void => {
      text += `${chain.add(entry, new Date(at).toISOString())}\n`;
    };
    const start = (at: number): void =>
      add(
        { kind: 'session-started', versions: { 'svc-coder': '0.1.0' }, pid: 1, ledger: `svc-coder/${'0'.repeat(32)}` },
        at,
      );
    const end = (at: number): void => {
      part += 1;
      const path = join(folder, auditFileName(stampOf(new Date(begun)), chain.session, part));
      writeFileSync(path, text);
      utimesSync(path, at / 1_000, at / 1_000);
      text = '';
    };
    start(begun);
    let at = begun;
    for (let index = 0; index < count; index += 1) {
      at = begun + index * ((9 * 3_600_000) / count);
      for (const entry of requestOf(random)) add(entry, at);
      if (text.length < maxFileBytes) continue;
      end(at);
      start(at);
    }
    end(at);
  }
}

/** A request and its outcome, and now and then another record. */
function requestOf(random: () => number): readonly AuditEntry[] {
  const request = randomUUID();
  const level = random() < 0.8 ? 'maximum' : 'high';
  const isComplete = random() < 0.95;
  const [promptTokens, completionTokens] = [Math.floor(1_000 + random() * 9_000), Math.floor(random() * 2_000)];
  const totalTokens = promptTokens + completionTokens;
  return [
    {
      ...{ kind: 'request-intent', request, origin: 'https://svc.example.com' },
      action: random() < 0.6 ? 'inlineCompletions' : 'chat',
      model: models[Math.floor(random() * models.length)] ?? '',
      headers: [
        { name: 'Svc-Security-Level', value: level, setBy: [{ layer: 'managed' }, { layer: 'user' }] },
        { name: 'Svc-Audit-Enabled', value: 'true', setBy: [{ layer: 'managed' }] },
        { name: 'Svc-Zero-Retention', value: 'true', setBy: [{ layer: 'workspace' }] },
      ],
      ...{ files: Math.floor(random() * 4), bytes: Math.floor(400 + random() ** 3 * 180_000) },
      ...{ maskings: random() < 0.06 ? 1 : 0, unmasked: 0, exclusions: 0 },
      ...{ recognition: 'complete', excludedFiles: 12, recognizedFiles: 12, previewed: random() < 0.2 },
    },
    {
      ...{ kind: 'request-outcome', request, outcome: isComplete ? 'complete' : 'failed' },
      ...(isComplete
        ? { status: 200, finishReason: 'stop', promptTokens, completionTokens, totalTokens }
        : { error: 'rateLimit', status: 429 }),
      ...{ requestId: `req-${randomUUID()}`, durationMs: Math.round(300 * Math.exp(random() * 3)), retries: 0 },
      confirmation: 'confirmed',
    },
    ...(random() < 0.02
      ? [{ kind: 'tool-call', tool: 'read_file', decision: 'once', outcome: 'done', bytes: 1_000 } as const]
      : []),
  ];
}
