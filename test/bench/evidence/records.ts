import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditEntry } from '../../../src/send/audit.ts';
import { readAuditLog } from '../../../src/store/audit/auditExport.ts';
import { EvidenceLog } from '../../../src/store/audit/evidenceLog.ts';
import { MemorySecrets } from '../../unit/store/auditSamples.ts';
import { median } from '../client/median.ts';
import { percentile, timed } from '../timing.ts';
import { fail, type Row, type RowOptions } from './row.ts';

const perRound = 200;
const together = 20;
/** A record comes with a turn each so many. */
const perTurn = 64;

/**
 * In milliseconds, and the half of the records beside appending and fsync. `more`: on a disk that has a line after 0.1 ms, our
 * own processor time for a record, 0.05 to 0.1 ms, and a third call of the system are more than the ratio allows.
 */
const limits = { p99: 10, ratio: 1.4, more: 0.15 } as const;

/**
 * The time until one record is on the disk with a turn of the ledger each 64, compared with fs.appendFile and fsync of an
 * equally long line, alternating so that both use the same disk.
 */
export async function recordsRow({ place, rounds }: RowOptions): Promise<Row> {
  const times = await measureRecords(join(place, 'audit'), rounds);
  const [own, peer] = [times['a record'], times['fs.appendFile + fsync']];
  console.table(
    Object.entries(times).map(([name, ms]) => ({
      'on the disk': name,
      'p50 ms': median(ms).toFixed(3),
      'p99 ms': percentile(ms, 0.99).toFixed(3),
      'p50 beside the peer': `${(median(ms) / median(peer)).toFixed(2)} x`,
    })),
  );
  const [p50, p99, peerP50] = [median(own), percentile(own, 0.99), median(peer)];
  // On a busy machine, appending alone takes longer than the limit.
  const peerP99 = percentile(peer, 0.99);
  const limit = Math.max(limits.p99, peerP99 * limits.ratio);
  return {
    bar: `a record on the disk, a turn every ${perTurn}: p99 <= ${limits.p99} ms, or ${limits.ratio} x append and fsync if that is more; p50 <= ${limits.ratio} x, or ${limits.more} ms more if that is more`,
    measured: `p50 ${p50.toFixed(2)}, p99 ${p99.toFixed(1)} ms (append and fsync ${peerP50.toFixed(2)}, ${peerP99.toFixed(1)} ms), ${(p50 / peerP50).toFixed(2)} x`,
    isMet: p99 <= limit && p50 <= Math.max(peerP50 * limits.ratio, peerP50 + limits.more),
  };
}

async function measureRecords(folder: string, rounds: number) {
  const log = new EvidenceLog({
    ...{ folder, place: 'bench', secrets: new MemorySecrets(), maxUnsigned: perTurn },
    versions: () => ({ 'svc-coder': '0.0.0' }),
    onDidRollBack: fail,
    onDidFail: fail,
  });
  // Setup that happens once: the key, the file, its first line, the check of earlier sessions.
  const first = await timed(() => log.record(intent('first')));
  await log.sign();
  const name = readdirSync(folder).find((each) => each.startsWith('2')) ?? '';
  const line = `${readFileSync(join(folder, name), 'utf8').split('\n')[1]}\n`;
  const peerFile = join(folder, 'peer.txt');
  const peer = await open(peerFile, 'a');
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
  }
  await log.sign();
  for (let index = 0; index < rounds * (perRound / together); index++) {
    const request = `10000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    const at = Array.from({ length: together }, (_, part) => intent(`${request}-${part}`));
    const ms = await timed(() => Promise.all(at.map((entry) => log.record(entry))));
    times[`a record, ${together} at once`]?.push(ms / together);
  }
  await peer.close();
  await log.close();
  rmSync(peerFile);
  const { badLines } = await readAuditLog(folder);
  if (badLines > 0) throw new Error('What was written cannot be read.');
  return times;
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
