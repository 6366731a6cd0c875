import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { AuditBench, FileSecrets, intent } from './auditSamples.ts';

interface Killed {
  /** How long the secret storage takes, and whether it answers before that. Milliseconds. */
  readonly slowMs: number;
  readonly isEarly: boolean;
  /** After how long the window is killed: at any step of its first records. Milliseconds. */
  readonly afterMs: number;
}

/** Kills a window at some moment; then the next one begins and verifies. Returns what was not vouched for. Throws for a break. */
export async function killWindow({ slowMs, isEarly, afterMs }: Killed): Promise<'all vouched for' | 'not vouched for'> {
  const audit = new AuditBench((root) => new FileSecrets(join(root, 'secrets')));
  try {
    // The key is there, as in nearly every window.
    await audit.begin().record(intent('before'));
    const pauseMs = isEarly ? 40 : 0;
    const args = [audit.folder, join(audit.root, 'secrets'), String(slowMs), isEarly ? 'early' : '', String(pauseMs)];
    const child = fork(join(import.meta.dirname, 'killedWorker.ts'), args);
    await once(child, 'message');
    await wait(afterMs);
    child.kill('SIGKILL');
    const [code] = await once(child, 'exit');
    assert.equal(code, null);
    const next = audit.begin();
    await next.record(intent('next'));
    const { breaks, unvouched } = await next.verify();
    assert.deepEqual([breaks, audit.rolledBack], [[], []], JSON.stringify(audit.says()));
    assert.ok(unvouched.every(({ count }) => count <= 8));
    return unvouched.length > 0 ? 'not vouched for' : 'all vouched for';
  } finally {
    await audit.clear();
  }
}
