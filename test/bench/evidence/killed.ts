import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AuditBench, FileSecrets, intent } from '../../unit/store/auditSamples.ts';
import { judge } from '../../unit/store/evidenceJudge.ts';
import { killWindow } from '../../unit/store/killedWindow.ts';
import type { Row, RowOptions } from './row.ts';

const worker = fileURLToPath(new URL('../../unit/store/auditWorker.ts', import.meta.url));

/** In each round, a window is killed while two others write; then the next one begins. */
export async function killedRow({ rounds }: RowOptions): Promise<Row> {
  const found: Killed[] = [];
  for (let round = 0; round < rounds; round += 1) found.push(await killOne());
  const lines = found.map(({ unsigned }) => unsigned);
  const recovered = found.filter(({ says }) => says.some((each) => each.startsWith('recovered'))).length;
  return {
    bar: 'a window killed beside two others: intact, and the next one signs the rest',
    measured: `${rounds} times: ${Math.min(...lines)} to ${Math.max(...lines)} lines unsigned, then recovered (${recovered} times); ${found.every(isWell) ? 'intact' : 'broken'}`,
    isMet: found.every(isWell),
  };
}

/** Windows whose secret storage is slow are killed at any step of a record. */
export async function slowlyKilledRow({ rounds }: RowOptions): Promise<Row> {
  const kills = 20 * rounds;
  const counts = new Map<string, number>();
  for (let kill = 0; kill < kills; kill += 1) {
    const isEarly = kill % 4 === 3;
    const slowMs = Math.floor(Math.random() * (isEarly ? 100 : 400));
    const found = await killWindow({ slowMs, isEarly, afterMs: Math.floor(Math.random() * 900) });
    counts.set(found, (counts.get(found) ?? 0) + 1);
  }
  return {
    bar: `a window with a slow secret storage, killed ${kills} times at any step of a record: no break`,
    measured: [...counts].map(([found, count]) => `${count} ${found}`).join(', '),
    isMet: true,
  };
}

interface Killed {
  /** Lines of the killed window that nothing spoke for. */
  readonly unsigned: number;
  /** After the next window has signed: what the judge and the verification find, and what the ledger says. */
  readonly faults: readonly string[];
  readonly left: number;
  readonly says: readonly string[];
}

async function killOne(): Promise<Killed> {
  const audit = new AuditBench((root) => new FileSecrets(join(root, 'secrets')));
  const start = (mode: 'send' | 'busy', name: string) =>
    fork(worker, [audit.folder, join(audit.root, 'secrets'), mode, name]);
  const windowsInLedger = (): number => {
    if (!existsSync(audit.folder) || audit.ledgers().length === 0) return 0;
    return new Set(audit.records().flatMap((record) => (record.kind === 'head' ? [record.session] : []))).size;
  };
  try {
    const others = [start('send', '1'), start('send', '2')].map((child) => once(child, 'exit'));
    // Else their first turns would sign what is left.
    while (windowsInLedger() < 2) await wait(20);
    const killed = start('busy', '3');
    await once(killed, 'message');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const codes = (await Promise.all(others)).map(([code]) => code);
    const { unsigned } = judge(audit.folder);
    const next = audit.begin();
    await next.record(intent('next'));
    const { breaks } = await next.verify();
    await next.close();
    const judged = judge(audit.folder);
    const faults = [...judged.faults, ...breaks.map(({ reason, of }) => `${reason} ${of}`)];
    for (const code of codes) if (code !== 0) faults.push(`A window ended with ${code}.`);
    return { unsigned, faults, left: judged.unsigned, says: audit.says() };
  } finally {
    await audit.clear();
  }
}

function isWell({ faults, left, says }: Killed): boolean {
  return faults.length === 0 && left === 0 && !says.some((each) => each.startsWith('unanchored'));
}
