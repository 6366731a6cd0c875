// A separate window for auditWindows.test.ts. Writes into the given folder, as `send` or until it is killed.
import { once } from 'node:events';
import { EvidenceLog } from '../../../src/store/audit/evidenceLog.ts';
import { FileSecrets, intent, outcome, place } from './auditSamples.ts';

const [folder = '', secrets = '', mode, name = '', readyAt = '50'] = process.argv.slice(2);
/** A secret storage in which the ledger's anchor cannot be stored. */
function unsigned(kept: FileSecrets): FileSecrets {
  const set = kept.set.bind(kept);
  kept.set = (slot, value) => (slot.includes(' ledger ') ? Promise.reject(new Error('locked')) : set(slot, value));
  return kept;
}

const log = new EvidenceLog({
  ...{ folder, place, secrets: new FileSecrets(secrets), maxUnsigned: 64 },
  ...(mode === 'purge' ? { maxFileBytes: 20_000 } : {}),
  versions: () => ({}),
  // Without a ledger that can be locked, no line of this window is signed.
  ...(mode === 'unsigned' ? { secrets: unsigned(new FileSecrets(secrets)) } : {}),
  onDidRollBack: () => process.exit(3),
  onDidFail: () => ['unsigned', 'rotate', 'purge'].includes(mode ?? '') || process.exit(4),
});

for (let index = 0; index < 500; index += 1) {
  const request = `${name}-${index}`;
  const sent = log.record(intent(request));
  if (mode === 'signed' || mode === 'unsigned') {
    await sent;
    if (mode === 'signed') await log.sign();
    process.send?.('ready');
    await once(process, 'disconnect');
  }
  if (mode === 'hang') {
    await sent;
    await log.sign();
    // Lines that are not signed yet.
    for (let more = 0; more < 3; more += 1) await log.record(intent(`${request}.${more}`));
    process.send?.('ready');
    await once(process, 'disconnect');
  }
  // Like a window that sends faster than the disk syncs.
  const ended = log.record(outcome(request));
  if (index % 10 === 9) await Promise.all([sent, ended]);
  // Another window may take the lock of one that was killed at the same moment: then a turn fails, and the next one signs.
  if (mode === 'rotate' && index === 20) await log.startLedger().catch(() => undefined);
  if (mode === 'purge' && index === 20) await log.purge(false).catch(() => undefined);
  // Until it is killed, wherever it is.
  if (['busy', 'rotate', 'purge'].includes(mode ?? '') && index === Number(readyAt)) process.send?.('ready');
}
await log.close();
if (process.connected) process.disconnect();
