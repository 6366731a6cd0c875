import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AuditEntry } from '../../src/session/dispatch/audit.ts';
import { readAuditLog } from '../../src/store/audit/auditExport.ts';
import { type AuditAnchor, AuditLog } from '../../src/store/audit/auditLog.ts';
import { verifyAuditLog } from '../../src/store/audit/auditVerify.ts';
import { median } from './client/median.ts';

// Not in the system's folder for temporary files: if that is in memory, a sync costs nothing.
const folder = fileURLToPath(new URL('../../test-results/bench', import.meta.url));

/** The limit in milliseconds for 99 of 100 records to be on disk. */
const limit = 10;
const perRound = 200;
const together = 20;
const key = Buffer.alloc(32, 7);

/**
 * Prints the time until one record is on disk, compared with fs.appendFile and fsync of an equally long line,
 * alternating so that both use the same disk. Writes test-results/bench/audit.json. Returns the exit code: 1 if the
 * limit is missed and `check` is set.
 */
export async function auditBench({ check, rounds }: { check: boolean; rounds: string }): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const place = mkdtempSync(join(folder, 'audit-'));
  try {
    const { times, reading } = await measure(place, Number(rounds));
    const peer = median(times['fs.appendFile + fsync']);
    const rows = Object.entries(times).map(([name, ms]) => ({
      name,
      p50: median(ms),
      p99: percentile(ms, 0.99),
      ratio: median(ms) / peer,
    }));
    const isMet = percentile(times['a record'], 0.99) <= limit;
    console.log(`${rounds} rounds of ${perRound}, Node ${process.versions.node}`);
    console.table(
      rows.map(({ name, p50, p99, ratio }) => ({
        'on the disk': name,
        'p50 ms': p50.toFixed(3),
        'p99 ms': p99.toFixed(3),
        'p50 beside the peer': `${ratio.toFixed(2)} x`,
      })),
    );
    console.log(`A record, p99 at most ${limit} ms: ${isMet ? 'met' : 'MISSED'}`);
    console.log(
      `${reading.records} records: verified in ${reading.verifyMs.toFixed(0)} ms, read in ${reading.readMs.toFixed(0)} ms`,
    );
    const result = { node: process.versions.node, rounds, rows, reading, isMet };
    writeFileSync(join(folder, 'audit.json'), `${JSON.stringify(result, null, 2)}\n`);
    return check && !isMet ? 1 : 0;
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function measure(place: string, rounds: number) {
  const anchors = new Map<string, AuditAnchor>();
  const log = new AuditLog({
    folder: place,
    key: async () => key,
    versions: () => ({ 'svc-coder': '0.0.0' }),
    anchors: { set: async (session, anchor) => void anchors.set(session, anchor) },
  });
  // Setup that happens once: the file, its first line, the check of earlier sessions.
  const firstAt = performance.now();
  await log.record(intent('first'));
  const first = performance.now() - firstAt;
  const written = readFileSync(join(place, readdirSync(place)[0] ?? ''), 'utf8').split('\n')[1];
  const line = `${written}\n`;
  const peer = await open(join(place, 'peer.txt'), 'a');
  const times = {
    'a record': [] as number[],
    'fs.appendFile + fsync': [] as number[],
    [`a record, ${together} at once`]: [] as number[],
    'the first record of a session': [first],
  };
  for (let index = 0; index < rounds * perRound; index++) {
    const request = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    times['a record'].push(await timed(() => log.record(intent(request))));
    times['fs.appendFile + fsync'].push(
      await timed(async () => {
        await peer.appendFile(line);
        await peer.sync();
      }),
    );
    if (index % together > 0) continue;
    const at = Array.from({ length: together }, (_, part) => intent(`${request}-${part}`));
    const ms = await timed(() => Promise.all(at.map((entry) => log.record(entry))));
    times[`a record, ${together} at once`]?.push(ms / together);
  }
  await peer.close();
  await log.dispose();
  const verifyAt = performance.now();
  const { verdict, records } = await verifyAuditLog({ folder: place, key, anchors });
  const readAt = performance.now();
  await readAuditLog(place);
  if (verdict !== 'intact') throw new Error('What was written does not verify.');
  return { times, reading: { records, verifyMs: readAt - verifyAt, readMs: performance.now() - readAt } };
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await run();
  return performance.now() - from;
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
}

function intent(request: string): AuditEntry {
  return {
    kind: 'request-intent',
    request,
    action: 'chat',
    origin: 'https://svc.example.com',
    model: 'svc/auto',
    headers: [
      { name: 'Svc-Security-Level', value: 'maximum', setBy: [{ layer: 'managed' }, { layer: 'user' }] },
      { name: 'Svc-Audit-Enabled', value: 'true', setBy: [{ layer: 'managed' }] },
      { name: 'Svc-Zero-Retention', value: 'true', setBy: [{ layer: 'workspace' }] },
    ],
    files: 3,
    bytes: 12_345,
    maskings: 1,
    unmasked: 0,
    exclusions: 2,
    previewed: true,
  };
}
