// A window with a slow secret storage, which records requests until it is killed: see killedWindow.ts.
import { setTimeout as wait } from 'node:timers/promises';
import { EvidenceLog } from '../../../src/store/audit/evidenceLog.ts';
import { FileSecrets, intent, outcome, place } from './auditSamples.ts';

const [folder = '', secrets = '', slowMs = '0', early = '', pauseMs = '0'] = process.argv.slice(2);
const kept = new FileSecrets(secrets);
const set = kept.set.bind(kept);
/** `early`: it answers before it has stored anything, like one whose disk is behind. */
kept.set = async (slot, value) => {
  const stored = wait(Number(slowMs)).then(() => set(slot, value));
  if (early === '') await stored;
};

const log = new EvidenceLog({
  ...{ folder, place, secrets: kept, versions: () => ({}) },
  onDidRollBack: () => process.exit(3),
  onDidFail: () => process.exit(4),
});
process.send?.('ready');
for (let index = 0; ; index += 1) {
  await log.record(intent(`${index}`));
  if (pauseMs !== '0') await wait(Number(pauseMs));
  await log.record(outcome(`${index}`));
}
