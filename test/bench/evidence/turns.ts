import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkpointLine, checkpointText, checkpointWords, signCheckpoint } from '../../../src/evidence/checkpoint.ts';
import { ledgerLine } from '../../../src/evidence/ledgerRecords.ts';
import { firstPrev, leafOf, lineOf } from '../../../src/evidence/line.ts';
import { originOf } from '../../../src/evidence/logId.ts';
import { publicKeyOf, signerOf } from '../../../src/evidence/note.ts';
import { emptyRoot, GrowingTree } from '../../../src/evidence/tree.ts';
import { ledgerFileName } from '../../../src/store/audit/auditFiles.ts';
import { auditSlots, type SecretSlots } from '../../../src/store/audit/auditSecrets.ts';
import { Ledger } from '../../../src/store/audit/ledger/ledger.ts';
import { headOf } from '../../../src/store/audit/ledger/ledgerTurns.ts';
import { EvidenceLog } from '../../tools/evidenceLog.ts';
import { MemorySecrets } from '../../unit/store/auditSamples.ts';
import { median } from '../client/median.ts';
import { percentile, timed } from '../timing.ts';
import { fail, type Row, type RowOptions } from './row.ts';

const ledgerLines = 50_000;
const session = '00000001-0000-4000-8000-000000000000';
const slots = auditSlots('bench');

/** In milliseconds. */
const limits = { p99: 50, signature: 0.5, firstTurn: 500, slice: 16 } as const;

export async function turnsRow({ place, rounds }: RowOptions): Promise<Row> {
  const ledger = begin(place, new MemorySecrets());
  const times: number[] = [];
  for (let size = 1; size <= rounds * 40; size += 1) times.push(await timed(() => turn(ledger, size)));
  const [p50, p99, signature] = [median(times), percentile(times, 0.99), signing()];
  return {
    bar: `a turn, alone: p99 <= ${limits.p99} ms; its signature <= ${limits.signature} ms of processor time`,
    measured: `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms; ${signature.toFixed(3)} ms`,
    isMet: p99 <= limits.p99 && signature <= limits.signature,
  };
}

/** Milliseconds of processor time for the signature of a checkpoint. */
function signing(): number {
  const { origin, signer } = new EvidenceLog('bench');
  const count = 2_000;
  const before = process.cpuUsage();
  for (let size = 0; size < count; size += 1) signer.sign(checkpointText({ origin, size, root: emptyRoot }));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / count;
}

/** The processor time of a window's first turn, and the longest piece of it that nothing else could run beside. */
export async function firstTurnRow({ place }: RowOptions): Promise<Row> {
  const secrets = writeLedger(place);
  let slice = 0;
  let isOver = false;
  let last = process.threadCpuUsage();
  const tick = (): void => {
    const used = process.threadCpuUsage(last);
    slice = Math.max(slice, (used.user + used.system) / 1000);
    last = process.threadCpuUsage();
    if (!isOver) setImmediate(tick);
  };
  // The first time also compiles.
  await turn(begin(place, secrets), 1);
  setImmediate(tick);
  last = process.threadCpuUsage();
  const before = process.threadCpuUsage();
  await turn(begin(place, secrets), 2);
  const used = process.threadCpuUsage(before);
  const ms = (used.user + used.system) / 1000;
  isOver = true;
  return {
    bar: `first turn, ledger of ${ledgerLines} lines: <= ${limits.firstTurn} ms of processor time, slices <= ${limits.slice} ms`,
    measured: `${ms.toFixed(0)} ms, slices up to ${slice.toFixed(1)} ms`,
    isMet: ms <= limits.firstTurn && slice <= limits.slice,
  };
}

/** A ledger whose turns each wrote one head. Returns its secrets. */
function writeLedger(place: string): MemorySecrets {
  const seed = Buffer.alloc(32, 7);
  const origin = originOf(publicKeyOf(seed));
  const signer = signerOf(origin, seed);
  const tree = new GrowingTree();
  let prev = firstPrev;
  const parts: string[] = [];
  for (let seq = 1; seq < ledgerLines / 2; seq += 1) {
    const at = { ledger: origin, seq, time: '2026-11-02T08:00:00.000Z', prev };
    const opened = { kind: 'opened', vkey: signer.vkey, versions: {} } as const;
    const head = headOf({ session, size: seq, root: Buffer.alloc(32, 1) }, 'lines');
    const line = lineOf(ledgerLine(at, seq === 1 ? opened : head)) ?? '';
    const leaf = leafOf(line);
    tree.push(leaf);
    prev = leaf.toString('hex');
    const note = signCheckpoint({ origin, size: seq, root: tree.root() }, signer);
    parts.push(line, checkpointLine(origin, note) ?? '');
  }
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, ledgerFileName(origin)), `${parts.join('\n')}\n`);
  const secrets = new MemorySecrets();
  secrets.slots.set(slots.key, seed.toString('hex'));
  secrets.slots.set(slots.ledger, checkpointWords({ origin, size: tree.size, root: tree.root() }));
  return secrets;
}

function begin(folder: string, secrets: SecretSlots): Ledger {
  // Soon after the ledger began, or the turn would begin another one.
  const now = (): Date => new Date('2026-11-03T08:00:00.000Z');
  return new Ledger({ folder, secrets, slots, versions: () => ({}), now, onDidRollBack: fail });
}

function turn(ledger: Ledger, size: number): Promise<unknown> {
  return ledger.turn(async () => [headOf({ session, size, root: Buffer.alloc(32, 1) }, 'lines')]);
}
